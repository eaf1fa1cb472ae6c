/**
 * Takes packages from Debian's or Ubuntu's archive without installing them: apt finds, downloads and verifies them,
 * dpkg unpacks them into the data folder. The system is not changed; package lists are fetched only where apt has none
 * and the command runs as root.
 */
import { access, mkdir, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { packageClosure } from './apt-closure.js';
import { run } from './command.js';

const listsTimeoutMs = 5 * 60_000;
const downloadTimeoutMs = 15 * 60_000;
const progressEveryMs = 500;
/**
 * Present on every system that runs Node, and tied to its loader: never to be mixed with another version. libpulse0 is
 * for sound devices, which a decoder of files does not open.
 */
const given = new Set([
  'libc6',
  'libgcc-s1',
  'gcc-12-base',
  'gcc-13-base',
  'gcc-14-base',
  'gcc-15-base',
  'libpulse0',
  'libpulse0t64',
]);
const onlyDepends = ['recommends', 'suggests', 'conflicts', 'breaks', 'replaces', 'enhances'].map(
  (kind) => `--no-${kind}`,
);
/** apt's own download user could not write into our folder. */
const asCaller = ['-o', 'APT::Sandbox::User=root', '-o', 'Acquire::Retries=3'];

export interface FetchProgress {
  fetchedBytes: number;
  totalBytes: number;
}

/** True if this system has the tools; false on anything but Debian and its derivatives. */
export async function isDebian(): Promise<boolean> {
  const tools = ['/usr/bin/apt-get', '/usr/bin/apt-cache', '/usr/bin/dpkg-deb'];
  return Promise.all(tools.map((tool) => access(tool))).then(
    () => true,
    () => false,
  );
}

/** True if apt knows all the packages; as root, it updates apt's lists first when there are none. */
export async function packagesAvailable(names: readonly string[], isRoot: boolean): Promise<boolean> {
  if (await aptKnows(names)) return true;
  if (!isRoot) return false;
  await run('apt-get', ['update', '-qq', ...asCaller], { timeoutMs: listsTimeoutMs });
  return aptKnows(names);
}

const aptKnows = (names: readonly string[]): Promise<boolean> =>
  run('apt-cache', ['show', '--no-all-versions', ...names]).then(
    () => true,
    () => false,
  );

/**
 * Downloads the packages and their dependencies into `archiveDir`, then unpacks them into `into`. Files that an
 * interrupted run left in `archiveDir` are reused: apt checks their hashes.
 */
export async function fetchPackages(
  roots: readonly string[],
  { archiveDir, into }: { archiveDir: string; into: string },
  onProgress: (progress: FetchProgress) => void = () => {},
): Promise<void> {
  await Promise.all([mkdir(archiveDir, { recursive: true }), mkdir(into, { recursive: true })]);
  const depends = await run('apt-cache', ['depends', '--recurse', ...onlyDepends, ...roots]);
  const archives = await locate(packageClosure(depends, roots, given), archiveDir);
  const totalBytes = archives.reduce((sum, { bytes }) => sum + bytes, 0);
  const report = async () => onProgress({ fetchedBytes: await bytesIn(archiveDir, archives), totalBytes });
  const timer = setInterval(() => void report(), progressEveryMs);
  try {
    const names = archives.map(({ name }) => name);
    await run('apt-get', ['download', '-qq', ...asCaller, ...names], { cwd: archiveDir, timeoutMs: downloadTimeoutMs });
  } finally {
    clearInterval(timer);
  }
  await report();
  for (const { file } of archives) await run('dpkg-deb', ['--extract', join(archiveDir, file), into]);
}

interface Archive {
  name: string;
  file: string;
  bytes: number;
}

/** One line per package: `'http://…/x_1.0_all.deb' x_1.0_all.deb 125308 SHA256:6236…`. */
async function locate(names: readonly string[], cwd: string): Promise<Archive[]> {
  const lines = await run('apt-get', ['download', '--print-uris', '-qq', ...asCaller, ...names], { cwd });
  return [...lines.matchAll(/^'[^']+' (\S+) (\d+) /gm)].map(([, file = '', bytes = '0']) => ({
    name: file.split('_')[0] ?? file,
    file,
    bytes: Number(bytes),
  }));
}

async function bytesIn(folder: string, archives: readonly Archive[]): Promise<number> {
  const expected = new Map(archives.map(({ file, bytes }) => [file, bytes]));
  const names = await readdir(folder);
  const sizes = names.map(async (name) => Math.min((await stat(join(folder, name))).size, expected.get(name) ?? 0));
  return (await Promise.allSettled(sizes)).reduce(
    (sum, size) => sum + (size.status === 'fulfilled' ? size.value : 0),
    0,
  );
}
