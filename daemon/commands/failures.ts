/** Prints why a program failed: one line for mistakes that the operator can correct, the stack for everything else. */
import { fstatSync } from 'node:fs';
import { Interrupted, interrupted } from '../../src/terminal/interruption.js';
import { printError } from '../../src/terminal/terminal.js';
import { withoutPasswords } from '../../src/text/printable.js';
import { databaseRemedy } from '../platform/database/remedies.js';
import { createLogger } from '../platform/observability/logger.js';

const ownNames = [
  'ConfigurationError',
  'MigrationError',
  'AddressPooled',
  'DataFolderInUse',
  'PortTaken',
  'TlsUnusable',
  'UsageError',
  'Refused',
];

/** Prints the failure and returns the exit code. */
export function report(error: unknown): number {
  if (error instanceof Interrupted) return interrupted;
  const text = withoutPasswords(explain(error));
  if (isJournal()) createLogger('error', process.stderr).error(text);
  else printError(text);
  return 1;
}

/** True if stderr is the journal of systemd, which docs/operating.md reads as lines of JSON; children inherit the variable. */
function isJournal(): boolean {
  const { JOURNAL_STREAM: stream } = process.env;
  if (stream === undefined) return false;
  const { dev, ino } = fstatSync(process.stderr.fd);
  return stream === `${dev}:${ino}`;
}

/** Errors of the system that the operator can mend, by their code. */
const remedies = new Map([
  ['ENOSPC', 'The disk is full, or has no inodes left (`df -i`). Delete what is not needed and start again'],
  ['EDQUOT', "The daemon's account has used up its disk quota. Delete what is not needed and start again"],
  ['EFBIG', 'A file has reached the size limit: see `ulimit -f`'],
  ['EROFS', 'The disk is mounted read-only'],
  ['EIO', 'The disk fails. Check it with `dmesg`'],
  ['EMFILE', 'The daemon may not open so many files. Raise the limit: `ulimit -n`, or LimitNOFILE= of its unit'],
  ['ENFILE', 'This machine has too many files open. Raise `fs.file-max`'],
  ['EADDRNOTAVAIL', 'This machine does not have that address. Set EARSHOT_HOST to one that `ip address` lists'],
  ['EAFNOSUPPORT', 'This kernel has no IPv6. Set EARSHOT_HOST to an IPv4 address'],
  ['ENOTFOUND', 'The host of DATABASE_URL is not known here. Check its name, and the name server of this machine'],
  ['EAI_AGAIN', 'The name server does not answer for the host of DATABASE_URL. Check /etc/resolv.conf'],
  ['ECONNREFUSED', 'The server of DATABASE_URL takes no connections. Check that it runs, and its port'],
]);

function explain(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (ownNames.includes(error.name)) return error.message;
  const ofDatabase = databaseRemedy(error);
  if (ofDatabase !== null) return `The database ${ofDatabase}.`;
  const remedy = remedies.get('code' in error ? String(error.code) : '');
  return remedy === undefined ? (error.stack ?? error.message) : `${remedy} (${error.message}).`;
}
