/** The unit by which systemd runs the daemon, as `systemd.unit(5)` and `systemd.exec(5)` have it. */

/** Where things are on the machine of the unit. */
export interface ServicePlaces {
  /** Account and group of the daemon. */
  readonly user: string;
  readonly dataDir: string;
  /** File of NAME=value lines, which may be missing. */
  readonly settings: string;
  readonly node: string;
  /** bin/earshotd.js of the package. */
  readonly program: string;
  /** Secret settings, and the files of root that hold them. */
  readonly credentials: ReadonlyMap<string, string>;
}

const stateFolder = '/var/lib/';

/** The service may write to its data folder and to nothing else. */
function dataFolderLines(dataDir: string): string[] {
  if (!dataDir.startsWith(stateFolder)) return [`ReadWritePaths=${quoted(dataDir)}`];
  return [`StateDirectory=${dataDir.slice(stateFolder.length)}`, 'StateDirectoryMode=0700'];
}

/** A % begins a specifier in units. */
const literal = (text: string): string => text.replaceAll('%', '%%');

/** A space ends a value in lists. */
const quoted = (text: string): string => `"${literal(text).replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;

/** What a new settings file says. */
export const settingsText = `# Settings of the daemon, a NAME=value on each line. \`earshotd config defaults\` lists all of them.
# After a change: systemctl restart earshotd
#EARSHOT_PUBLIC_URL=https://voice.example
#EARSHOT_PORT=8080
#EARSHOT_TRUSTED_PROXIES=127.0.0.1
`;

export function unitText({ user, dataDir, settings, node, program, credentials }: ServicePlaces): string {
  const secrets = [...credentials].flatMap(([name, file]) => [
    `LoadCredential=${name}:${literal(file)}`,
    `Environment=${name}_FILE=%d/${name}`,
  ]);
  return `# Settings belong into ${settings}; change this file with \`systemctl edit earshotd\`.
[Unit]
Description=Earshot: voice moderation and player progress
Wants=network-online.target
After=network-online.target postgresql.service

[Service]
Type=notify
NotifyAccess=all
ExecStart=${quoted(node)} ${quoted(program)} run
ExecReload=/bin/sh -c "kill -HUP $MAINPID"
User=${user}
Group=${user}
WorkingDirectory=${literal(dataDir)}
Environment=${quoted(`EARSHOT_DATA_DIR=${dataDir}`)}
EnvironmentFile=-${literal(settings)}
${[...dataFolderLines(dataDir), ...secrets].join('\n')}
# The daemon asks for more while a database is upgraded.
TimeoutStartSec=2min
# And for more where EARSHOT_STOP_DELAY_SECONDS is set.
TimeoutStopSec=20
WatchdogSec=1min
Restart=always
RestartSec=2
LimitNOFILE=65536
# Room processes come before the daemon, so that speech does not wait for requests.
LimitNICE=-7
OOMPolicy=continue
UMask=0077

NoNewPrivileges=yes
CapabilityBoundingSet=
AmbientCapabilities=
ProtectSystem=strict
ProtectHome=yes
ProtectProc=invisible
ProtectClock=yes
ProtectHostname=yes
ProtectKernelLogs=yes
ProtectKernelModules=yes
ProtectKernelTunables=yes
ProtectControlGroups=yes
PrivateTmp=yes
PrivateDevices=yes
PrivateUsers=yes
RemoveIPC=yes
LockPersonality=yes
RestrictNamespaces=yes
RestrictRealtime=yes
RestrictSUIDSGID=yes
RestrictAddressFamilies=AF_INET AF_INET6 AF_UNIX AF_NETLINK
SystemCallArchitectures=native
SystemCallFilter=@system-service
SystemCallFilter=~@privileged
SystemCallErrorNumber=EPERM

[Install]
WantedBy=multi-user.target
`;
}
