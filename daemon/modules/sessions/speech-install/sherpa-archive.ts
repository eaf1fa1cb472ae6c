/** Installs a sherpa-onnx model into the data folder, from a file or an address, only if its checksum matches. */
import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, mkdtemp, readdir, rename, rm, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { sherpaModelsDir } from '../recognisers/sherpa.js';
import { detectSherpaModel } from '../recognisers/sherpa-model.js';
import { run } from './command.js';
import type { FetchProgress } from './debian-packages.js';

const archiveMaxBytes = 4 * 1024 ** 3;
const downloadTimeoutMs = 60 * 60_000;
const unpackTimeoutMs = 10 * 60_000;

/** Refused or impossible; `message` says why, `remedy` what to do. */
export class ArchiveRefused extends Error {
  constructor(
    message: string,
    readonly remedy: string,
  ) {
    super(message);
  }
}

export interface ArchiveSource {
  /** A path, or an http(s) address. */
  from: string;
  /** SHA-256 of the archive, hex. */
  sha256: string;
}

/** Folder of the installed model. A model of the same name is replaced. Throws ArchiveRefused. */
export async function installSherpaArchive(
  speechDir: string,
  { from, sha256 }: ArchiveSource,
  onProgress: (progress: FetchProgress) => void = () => {},
): Promise<string> {
  const models = sherpaModelsDir(speechDir);
  await mkdir(models, { recursive: true });
  const work = await mkdtemp(join(models, '.incoming-')); // the same file system, so that the last step is one rename
  try {
    const archive = join(work, 'archive');
    const sum = await fetchArchive(from, archive, onProgress);
    if (sum !== sha256.toLowerCase()) {
      throw new ArchiveRefused(`The SHA-256 of the archive is ${sum}.`, 'Fetch it again, or correct --sha256.');
    }
    await refuseUnsafeEntries(archive);
    const unpacked = join(work, 'unpacked');
    await mkdir(unpacked);
    await run('tar', ['-x', '-f', archive, '-C', unpacked, '--no-same-owner'], { timeoutMs: unpackTimeoutMs });
    return await moveIn(unpacked, models, from);
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

/** Copies the archive to `target` and returns its SHA-256. */
async function fetchArchive(
  from: string,
  target: string,
  onProgress: (progress: FetchProgress) => void,
): Promise<string> {
  const { stream, totalBytes } = await open(from);
  const hash = createHash('sha256');
  let fetchedBytes = 0;
  const count = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      fetchedBytes += chunk.length;
      hash.update(chunk);
      onProgress({ fetchedBytes, totalBytes });
      const tooLarge = fetchedBytes > archiveMaxBytes;
      done(tooLarge ? new ArchiveRefused('The archive is larger than 4 GiB.', 'Choose a smaller model.') : null, chunk);
    },
  });
  await pipeline(stream, count, createWriteStream(target));
  return hash.digest('hex');
}

async function open(from: string): Promise<{ stream: Readable; totalBytes: number }> {
  const remedy = 'Check the path or address given with --from.';
  if (!/^https?:/.test(from)) {
    const info = await stat(from).catch(() => null);
    if (info === null || !info.isFile()) throw new ArchiveRefused(`There is no file ${from}.`, remedy);
    return { stream: createReadStream(from), totalBytes: info.size };
  }
  const response = await fetch(from, { signal: AbortSignal.timeout(downloadTimeoutMs) }).catch(() => null);
  if (response === null) throw new ArchiveRefused(`${from} does not answer.`, remedy);
  if (!response.ok || response.body === null) throw new ArchiveRefused(`${from} answers ${response.status}.`, remedy);
  return { stream: Readable.fromWeb(response.body), totalBytes: Number(response.headers.get('content-length') ?? 0) };
}

/** Only plain files and folders below the target folder: no links, no devices, no paths that lead out. */
async function refuseUnsafeEntries(archive: string): Promise<void> {
  const list = (flags: string) =>
    run('tar', [flags, '-f', archive], { timeoutMs: unpackTimeoutMs }).catch((error: unknown) => {
      const reason = error instanceof Error ? error.message : String(error);
      throw new ArchiveRefused(
        `The archive cannot be read (${reason}).`,
        'Give a .tar.bz2 or .tar.gz; tar needs bzip2 for the former.',
      );
    });
  const lines = async (flags: string) => (await list(flags)).split('\n').filter((line) => line !== '');
  const escaping = (await lines('-t')).find((name) => name.startsWith('/') || name.split('/').includes('..'));
  const special = (await lines('-tv')).find((line) => !/^[-d]/.test(line));
  const unsafe = escaping ?? special;
  if (unsafe !== undefined)
    throw new ArchiveRefused(`The archive holds an unsafe entry: ${unsafe}`, 'Do not trust its source.');
}

/** Moves the model to where the daemon looks: the archive's only folder, or all of it under the archive's name. */
async function moveIn(unpacked: string, models: string, from: string): Promise<string> {
  const [first, ...others] = await readdir(unpacked, { withFileTypes: true });
  const folder = first?.isDirectory() && others.length === 0 ? first.name : null;
  const source = join(unpacked, folder ?? '');
  if ((await detectSherpaModel(source)) === null) {
    throw new ArchiveRefused(
      'The archive holds no known sherpa-onnx model.',
      'Choose one of the models for offline recognition.',
    );
  }
  const target = join(models, folder ?? basename(from.replace(/[?#].*/, '')).replace(/\.(tar\..*|tgz|tbz2?)$/, ''));
  await rm(target, { recursive: true, force: true });
  await rename(source, target);
  return target;
}
