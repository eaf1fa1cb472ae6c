/** Installs a sherpa-onnx model into the data folder, from a file or an address, only if its checksum matches. */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, mkdtemp, readdir, rename, rm, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { sherpaModelsDir } from '../recognisers/sherpa.js';
import { detectSherpaModel } from '../recognisers/sherpa-model.js';
import { ArchiveRefused } from './archive-refused.js';
import type { FetchProgress } from './debian-packages.js';
import { download, tooLarge } from './download.js';
import { recordChecksum, recordedChecksum } from './recorded-checksums.js';
import { unpack } from './unpack.js';

const archiveMaxBytes = 4 * 1024 ** 3;

export interface ArchiveSource {
  /** A path, or an http(s) address. */
  from: string;
  /** SHA-256 of the archive, hex; null: that of the first fetch, which is recorded. */
  sha256: string | null;
  /** Name under which that of the first fetch is recorded; left out: that of the file. */
  archive?: string;
}

interface InstalledArchive {
  readonly location: string;
  /** Checksum that was recorded, because none is known. */
  readonly recorded: string | null;
}

/** Installs a model; one of the same name is replaced. An interrupted download is continued. Throws ArchiveRefused. */
export async function installSherpaArchive(
  speechDir: string,
  source: ArchiveSource,
  onProgress: (progress: FetchProgress) => void = () => {},
): Promise<InstalledArchive> {
  const models = sherpaModelsDir(speechDir);
  await mkdir(models, { recursive: true });
  const archive = await fetchArchive(speechDir, source.from, onProgress);
  const work = await mkdtemp(join(models, '.incoming-')); // the same file system, so that the last step is one rename
  let isKept = false;
  try {
    const name = source.archive ?? fileNameOf(source.from);
    const sum = await checksumOf(archive);
    const wanted = source.sha256?.toLowerCase() ?? (await recordedChecksum(speechDir, name));
    if (wanted !== null && sum !== wanted)
      throw new ArchiveRefused(
        `The SHA-256 of the archive is ${sum}.`,
        `It was to be ${wanted}, by --sha256, the catalogue or the first fetch. Fetch it again, or from another place.`,
      );
    isKept = wanted !== null; // whole as published: what fails now, such as a full disk, is no reason to fetch it again
    const unpacked = join(work, 'unpacked');
    await mkdir(unpacked);
    await unpack(archive, unpacked);
    const location = await moveIn(unpacked, models, source.from);
    isKept = false;
    if (wanted !== null) return { location, recorded: null };
    await recordChecksum(speechDir, name, sum, new Date());
    return { location, recorded: sum };
  } finally {
    // Anything else would be continued at its end for ever.
    if (archive !== source.from && !isKept) await rm(archive, { force: true });
    await rm(work, { recursive: true, force: true });
  }
}

const fileNameOf = (from: string): string => basename(from.replace(/[?#].*/, ''));

/** Returns a file with the archive: the operator's own, or a download, which another run may have begun. */
async function fetchArchive(
  speechDir: string,
  from: string,
  onProgress: (progress: FetchProgress) => void,
): Promise<string> {
  if (!/^https?:/.test(from)) {
    const info = await stat(from).catch(() => null);
    if (info === null || !info.isFile())
      throw new ArchiveRefused(`There is no file ${from}.`, 'Check the path or address given with --from.');
    if (info.size > archiveMaxBytes) throw tooLarge(archiveMaxBytes);
    return from;
  }
  const downloads = join(speechDir, '.downloads');
  await mkdir(downloads, { recursive: true });
  const file = join(downloads, createHash('sha256').update(from).digest('hex').slice(0, 32));
  await download(from, file, archiveMaxBytes, onProgress);
  return file;
}

async function checksumOf(file: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(file)) hash.update(chunk);
  return hash.digest('hex');
}

/** Moves the model to where the daemon looks: the archive's only folder, or all of it under the archive's name. */
async function moveIn(unpacked: string, models: string, from: string): Promise<string> {
  const [first, ...others] = await readdir(unpacked, { withFileTypes: true });
  const folder = first?.isDirectory() && others.length === 0 ? first.name : null;
  const source = join(unpacked, folder ?? '');
  if ((await detectSherpaModel(source)) === null) {
    throw new ArchiveRefused(
      'The archive holds no known sherpa-onnx model.',
      'Choose one of Whisper, Zipformer, Parakeet, Moonshine, SenseVoice or NeMo CTC.',
    );
  }
  const target = join(models, folder ?? fileNameOf(from).replace(/\.(tar\..*|tgz|tbz2?)$/, ''));
  await rm(target, { recursive: true, force: true });
  await rename(source, target);
  return target;
}
