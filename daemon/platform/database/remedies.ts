/** Advice for the operator about errors of a SQLite database that no program can repair. */

const damaged =
  'is damaged, or is not a database of Earshot. Restore a backup with `earshotd restore FILE`, which keeps the damaged file';
const remedies = [
  ['SQLITE_CORRUPT', damaged],
  ['SQLITE_NOTADB', damaged],
  ['SQLITE_FULL', 'cannot be written: its disk is full. Delete what is not needed and start again'],
  ['SQLITE_IOERR', 'cannot be read or written: the disk fails or is full. Check it with `dmesg` and `df`'],
  ['SQLITE_READONLY', "is not writable. Make the daemon's account the owner of the data folder"],
  [
    'SQLITE_CANTOPEN',
    "cannot be opened. Make the daemon's account the owner of the data folder, and look for free inodes (`df -i`)",
  ],
] as const;

/** Ends a sentence that names the database; null for any other error. Prisma puts the code into the text of its own errors. */
export function databaseRemedy(error: unknown): string | null {
  if (!(error instanceof Error)) return null;
  const text = `${'code' in error ? String(error.code) : ''} ${error.message} ${JSON.stringify(error)}`;
  const remedy = remedies.find(([code]) => text.includes(code))?.[1];
  return remedy === undefined ? null : `${remedy} (${error.message.trim().split('\n').at(-1)})`;
}
