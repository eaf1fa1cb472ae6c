/** A Debian of this machine's release in a folder, and systemd booted in it. Needs root, and debootstrap. */
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { eventually } from './eventually.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const kept = join(root, 'node_modules/.earshot');

export const hasDebootstrap = process.getuid?.() === 0 && spawnSync('debootstrap', ['--version']).status === 0;

/** Path of an archive with it, which is made once. */
function debianArchive(): string {
  const release = /VERSION_CODENAME=(\S+)/.exec(readFileSync('/etc/os-release', 'utf8'))?.[1] ?? 'stable';
  mkdirSync(kept, { recursive: true });
  const archive = join(kept, `debian-${release}.tar`);
  const make = `[ -e "$1" ] || {
    folder=$(mktemp -d) && debootstrap --variant=minbase --include=adduser,ca-certificates,libstdc++6,systemd,systemd-sysv "$2" "$folder" >/dev/null &&
    chmod 755 "$folder" && rm -rf "$folder"/var/cache/apt/archives/*.deb "$folder"/var/lib/apt/lists/* && tar -C "$folder" -c -f "$1.new" . && mv "$1.new" "$1"; rm -rf "$folder"; }`;
  execFileSync('flock', [`${archive}.lock`, 'sh', '-ec', make, 'sh', archive, release], { stdio: 'ignore' });
  return archive;
}

export function freshDebian(folder: string): void {
  mkdirSync(folder, { recursive: true });
  execFileSync('tar', ['-x', '--numeric-owner', '-f', debianArchive(), '-C', folder]);
}

export interface BootedMachine {
  /** Runs a command as root of it. */
  inside(...command: string[]): { readonly status: number | null; readonly printed: string };
  stop(): Promise<void>;
}

/** Units that would change the kernel of this machine, or look for devices. */
const masked = [
  'systemd-sysctl.service',
  'systemd-modules-load.service',
  'sys-kernel-debug.mount',
  'sys-kernel-tracing.mount',
];

/** @param folder of a fresh Debian */
export async function boot(folder: string): Promise<BootedMachine> {
  for (const unit of masked) symlinkSync('/dev/null', join(folder, 'etc/systemd/system', unit));
  const namespaces = ['--pid', '--fork', '--mount', '--cgroup', '--uts', '--ipc', '--kill-child'];
  const script = join(root, 'test/support/boot-systemd.sh');
  const outside = spawn('unshare', [...namespaces, 'sh', script, folder], { stdio: ['ignore', 'ignore', 'inherit'] });
  const ended = once(outside, 'exit');
  const first = (): string => readFileSync(`/proc/${outside.pid}/task/${outside.pid}/children`, 'utf8').trim();
  const inside = (...command: string[]) => {
    const enter = ['--target', first(), '--mount', '--pid', '--cgroup', '--uts', '--ipc', '--root', '--wd'];
    const { status, stdout, stderr } = spawnSync('nsenter', [...enter, '--', ...command], {
      encoding: 'utf8',
      env: { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', DEBIAN_FRONTEND: 'noninteractive' },
    });
    return { status, printed: stdout + stderr };
  };
  await eventually(() => {
    if (!/^(running|degraded)/.test(inside('systemctl', 'is-system-running').printed)) throw new Error('still boots');
  }, 60_000);
  return {
    inside,
    stop: async () => {
      outside.kill('SIGKILL'); // --kill-child ends what runs in it
      await ended;
    },
  };
}
