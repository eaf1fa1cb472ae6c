/**
 * Unpacks an archive that nobody has looked into: plain files and folders alone, none outside the folder, and not too many bytes. tar
 * reads it once, because a large one takes minutes: it tells of each entry before it writes it, and is ended at the first unsafe one.
 */
import { ArchiveRefused } from './archive-refused.js';
import { run } from './command.js';

/** The largest models take 3 GiB. */
const unpackedMaxBytes = 8 * 1024 ** 3;
const unpackTimeoutMs = 10 * 60_000;

/**
 * An entry as tar lists it by `-vv --numeric-owner`: kind, bytes and name. GNU tar prints `-rw-r--r-- 0/0 12 2026-01-31 10:00 name`, BSD
 * tar `x -rw-r--r--  0 0      0          12 Jan 31 10:00 name`. Both write line ends in names as `\n`.
 */
const entryPattern =
  /^(?:x )?(?<kind>\S)[-\w]{9}\S*\s+(?:\d+\/\d+|\d+\s+\d+\s+\d+)\s+(?<bytes>\d+)\s+(?:[-\d]{10}|\w{3}\s+\d+)\s+[:\d]+\s(?<name>.+)$/;

/** What tar says beside the list, such as that it leaves a leading slash out of what it writes (BSD tar, of what it lists too). */
const remarkPattern = /^(?:bsd)?tar: /;

/** `into` is a new folder. Throws ArchiveRefused; what is in the folder then is to be removed. */
export async function unpack(archive: string, into: string): Promise<void> {
  const stopped = new AbortController();
  let bytesSoFar = 0;
  const refuse = (reason: string): void => stopped.abort(new ArchiveRefused(reason, 'Do not trust its source.'));
  const onLine = (line: string): void => {
    if (remarkPattern.test(line)) return;
    const { kind = '', bytes = '', name = line } = entryPattern.exec(line)?.groups ?? {};
    const isPlain = kind === '-' || kind === 'd';
    bytesSoFar += Number(bytes);
    if (!isPlain || name.startsWith('/') || name.split('/').includes('..'))
      refuse(`The archive holds an unsafe entry: ${name}`);
    else if (bytesSoFar > unpackedMaxBytes)
      refuse(`The archive would take more than ${unpackedMaxBytes / 1024 ** 3} GiB unpacked.`);
  };
  const args = ['-x', '-vv', '--numeric-owner', '--no-same-owner', '-f', archive, '-C', into];
  try {
    await run('tar', args, { timeoutMs: unpackTimeoutMs, onLine, signal: stopped.signal });
  } catch (error) {
    stopped.signal.throwIfAborted();
    const reason = error instanceof Error ? error.message : String(error);
    throw new ArchiveRefused(
      `The archive cannot be read (${reason}).`,
      'Give a .tar.bz2 or .tar.gz; tar needs bzip2 for the former.',
    );
  }
  stopped.signal.throwIfAborted();
}
