/** `earshotd service`: the daemon as a unit of systemd, under an account of its own. */
import { spawnSync } from 'node:child_process';
import { chmodSync, chownSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import { didYouMean, nearest } from '../../../src/contract/nearest.js';
import { print, printError } from '../../../src/terminal/terminal.js';
import { secretNames } from '../../platform/config/schema.js';
import { packageFolder } from '../../platform/package.js';
import { Refused } from '../../platform/refused.js';
import { type ServicePlaces, settingsText, unitText } from './unit.js';

const unit = 'earshotd.service';

export interface ServiceOptions {
  readonly user: string;
  readonly dataDir: string;
  readonly settings: string;
  readonly credential: readonly string[];
  readonly unitFolder: string;
  readonly start: boolean;
  readonly print?: boolean;
}

export function install(options: ServiceOptions): void {
  const { user, dataDir, settings, unitFolder } = options;
  const text = unitText(placesOf(options));
  if (options.print === true) {
    print(text.trimEnd());
    return;
  }
  requireRoot();
  systemctl('show', '--property=Version');
  const { uid, gid } = account(user, dataDir);
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  chownSync(dataDir, uid, gid);
  if (!existsSync(settings)) {
    if (mkdirSync(dirname(settings), { recursive: true }) !== undefined) chmodSync(dirname(settings), 0o755);
    writeFileSync(settings, settingsText, { mode: 0o600 });
    chownSync(settings, 0, gid);
    chmodSync(settings, 0o640); // whatever the umask is
  }
  const file = join(unitFolder, unit);
  writeFileSync(file, text);
  chmodSync(file, 0o644);
  systemctl('daemon-reload');
  systemctl('enable', ...(options.start ? ['--now'] : []), unit);
  print(
    [
      `unit      ${file}`,
      `account   ${user}`,
      `data      ${dataDir}`,
      `settings  ${settings}`,
      '',
      options.start ? 'The service runs, and starts with the machine.' : `Start it with \`systemctl start ${unit}\`.`,
      `The administrator's first password is in ${join(dataDir, 'admin-password')}; delete the file after reading it.`,
      `Its log: journalctl -u ${unit}`,
      `Other commands, as the account: sudo -u ${user} EARSHOT_DATA_DIR=${dataDir} earshotd doctor`,
    ].join('\n'),
  );
}

/** Exits with 3 where the service does not run, as `systemctl status` does. */
export function status(): void {
  const properties = [
    'LoadState',
    'ActiveState',
    'SubState',
    'StatusText',
    'MainPID',
    'ActiveEnterTimestamp',
    'NRestarts',
    'FragmentPath',
  ];
  const shown = systemctl('show', `--property=${properties.join(',')}`, unit);
  const found = new Map(shown.split('\n').map((line) => [line.replace(/=.*/, ''), line.replace(/^[^=]*=/, '')]));
  const value = (name: string): string => found.get(name) ?? '';
  if (value('LoadState') !== 'loaded') {
    process.exitCode = 3;
    printError('There is no service here. Install it with `earshotd service install`.');
    return;
  }
  print(
    [
      `state     ${value('ActiveState')} (${value('SubState')})${value('StatusText') === '' ? '' : `, ${value('StatusText')}`}`,
      `since     ${value('ActiveEnterTimestamp')}`,
      `process   ${value('MainPID')}, restarted ${value('NRestarts')} times`,
      `unit      ${value('FragmentPath')}`,
    ].join('\n'),
  );
  if (value('ActiveState') !== 'active') process.exitCode = 3;
}

export function uninstall({ unitFolder }: Pick<ServiceOptions, 'unitFolder'>): void {
  requireRoot();
  const file = join(unitFolder, unit);
  if (!existsSync(file)) throw new Refused(`There is no ${file}. Nothing was changed.`);
  systemctl('disable', '--now', unit);
  rmSync(file);
  systemctl('daemon-reload');
  print(`${file} is removed, and the daemon has stopped. Account, settings and data stay.`);
}

/** Throws Refused where the service could not run so. */
function placesOf({ user, dataDir, settings, credential }: ServiceOptions): ServicePlaces {
  if (!/^[a-z_][a-z0-9_-]{0,30}$/.test(user)) throw new Refused(`${user} can be no name of an account.`);
  for (const [what, path] of [
    ['--data-dir', dataDir],
    ['--settings', settings],
  ] as const)
    if (!isAbsolute(path) || resolve(path) !== path || /[\n\r]/.test(path))
      throw new Refused(`${what} takes an absolute path, such as /var/lib/earshot; this is ${path}.`);
  const program = join(packageFolder, 'bin/earshotd.js');
  for (const path of [process.execPath, program])
    if (/^\/(home|root|run\/user)\//.test(path))
      throw new Refused(
        `${path} lies in the home of an account, which a service does not see. Install Node.js and the package for all accounts: \`npm install -g\` as root.`,
      );
  return { user, dataDir, settings, node: process.execPath, program, credentials: credentialsOf(credential) };
}

function credentialsOf(given: readonly string[]): Map<string, string> {
  return new Map(
    given.map((text) => {
      const [name = '', file = ''] = text.split(/=(.*)/s);
      if (!secretNames.some((one) => one === name)) {
        const hint = didYouMean(nearest(name, secretNames), `Secret settings are ${secretNames.join(', ')}.`);
        throw new Refused(`${name} is no secret setting. ${hint}`);
      }
      if (!isAbsolute(file))
        throw new Refused(`Write --credential ${name}=/absolute/path of the file with the secret.`);
      return [name, file];
    }),
  );
}

function requireRoot(): void {
  if (process.platform !== 'linux') throw new Refused('A service of systemd needs Linux.');
  if (process.getuid?.() !== 0)
    throw new Refused('Only root may change services: put `sudo` before the command. `--print` prints the unit.');
}

/** The account of that name, which is made where it is missing. */
function account(user: string, home: string): { readonly uid: number; readonly gid: number } {
  const idOf = (which: '-u' | '-g'): number =>
    Number.parseInt(spawnSync('id', [which, user], { encoding: 'utf8' }).stdout, 10);
  if (Number.isNaN(idOf('-u')))
    must('useradd', [
      '--system',
      '--user-group',
      '--no-create-home',
      '--home-dir',
      home,
      '--shell',
      '/usr/sbin/nologin',
      user,
    ]);
  return { uid: idOf('-u'), gid: idOf('-g') };
}

const systemctl = (...args: readonly string[]): string => must('systemctl', args);

/** What the program printed. Throws Refused with its complaint. */
function must(program: string, args: readonly string[]): string {
  const { status: code, stdout, stderr, error } = spawnSync(program, args, { encoding: 'utf8' });
  if (code === 0) return stdout;
  const reason = error === undefined ? stderr.trim() : 'it is not installed';
  throw new Refused(
    `${program} ${args.join(' ')}: ${reason}. Where systemd does not run, \`earshotd run\` is what a service would start.`,
  );
}
