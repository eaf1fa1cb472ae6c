/** Downloads a file in pieces: what an interrupted run has left is continued. */
import { createWriteStream } from 'node:fs';
import { readFile, rm, stat, writeFile } from 'node:fs/promises';
import { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { ArchiveRefused } from './archive-refused.js';
import type { FetchProgress } from './debian-packages.js';

const downloadTimeoutMs = 60 * 60_000;
/** Cut connections that one run survives, one after the other without a byte between them. */
const cutsMax = 4;
const firstPauseMs = 250;
const noAnswerRemedy = 'Check the address given with --from or EARSHOT_SPEECH_MIRROR.';

/** Appends what is missing to `file`, which has at most `maxBytes`. Throws ArchiveRefused. */
export async function download(
  url: string,
  file: string,
  maxBytes: number,
  onProgress: (progress: FetchProgress) => void,
): Promise<void> {
  const deadline = AbortSignal.timeout(downloadTimeoutMs);
  for (let cuts = 0; ; cuts++) {
    const before = await sizeOf(file);
    try {
      if (await continueFrom(url, file, maxBytes, deadline, onProgress))
        return await rm(validatorFile(file), { force: true });
    } catch (error) {
      if (error instanceof ArchiveRefused) throw error;
      if ((await sizeOf(file)) > before) cuts = 0;
      if (cuts >= cutsMax || deadline.aborted)
        throw new ArchiveRefused(`The connection to ${url} was cut.`, 'Run the command again; it continues there.');
      await sleep(firstPauseMs * 2 ** cuts);
    }
  }
}

/** True when the file is complete; false when it is to be asked for once more, from the beginning. */
async function continueFrom(
  url: string,
  file: string,
  maxBytes: number,
  signal: AbortSignal,
  onProgress: (progress: FetchProgress) => void,
): Promise<boolean> {
  const have = await sizeOf(file);
  const validator = have === 0 ? '' : await readFile(validatorFile(file), 'utf8').catch(() => '');
  const headers = {
    'accept-encoding': 'identity',
    ...(have === 0 ? {} : { range: `bytes=${have}-` }),
    ...(validator === '' ? {} : { 'if-range': validator }),
  };
  const response = await fetch(url, { headers, signal }).catch((error: unknown) => {
    if (have > 0) throw error;
    throw new ArchiveRefused(`${url} does not answer.`, noAnswerRemedy);
  });
  if (response.status === 416 && have > 0) {
    await response.body?.cancel();
    if (Number(/\/(\d+)$/.exec(response.headers.get('content-range') ?? '')?.[1]) === have) return true;
    await rm(file, { force: true });
    return false;
  }
  if (!response.ok || response.body === null)
    throw new ArchiveRefused(`${url} answers ${response.status}.`, noAnswerRemedy);
  const isContinued = response.status === 206;
  let fetchedBytes = isContinued ? have : 0;
  const totalBytes = fetchedBytes + Number(response.headers.get('content-length') ?? 0);
  const count = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      fetchedBytes += chunk.length;
      onProgress({ fetchedBytes, totalBytes });
      done(fetchedBytes > maxBytes ? tooLarge(maxBytes) : null, chunk);
    },
  });
  // Read at once: what has arrived is lost when the connection is cut before somebody reads it.
  const reading = pipeline(
    Readable.fromWeb(response.body),
    count,
    createWriteStream(file, { flags: isContinued ? 'a' : 'w' }),
  );
  const noted = isContinued ? Promise.resolve() : writeFile(validatorFile(file), validatorOf(response.headers));
  await Promise.all([reading, noted]);
  return true;
}

/** What says that the file has not changed since the first piece. */
const validatorFile = (file: string): string => `${file}.validator`;

/** A strong ETag, or else the time of the last change, for `If-Range` (RFC 9110, 13.1.5); empty: neither is known. */
function validatorOf(headers: Headers): string {
  const tag = headers.get('etag') ?? '';
  return tag.startsWith('"') ? tag : (headers.get('last-modified') ?? '');
}

export const tooLarge = (maxBytes: number): ArchiveRefused =>
  new ArchiveRefused(`The archive is larger than ${maxBytes / 1024 ** 3} GiB.`, 'Choose a smaller model.');

const sizeOf = async (file: string): Promise<number> => (await stat(file).catch(() => null))?.size ?? 0;
