/** The copy of a SQLite file that an upgrade makes before it changes tables: what it needs, its name, and how long it is kept. */
import { closeSync, fsyncSync, openSync, readdirSync, renameSync, rmSync, statfsSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type BetterSqlite3 from 'better-sqlite3';
import { Refused } from '../refused.js';
import type { Clock } from '../time/clock.js';

/** What an upgrade is about to do to a SQLite file. */
export interface UpgradePlan {
  /** Migrations that are pending. */
  readonly steps: number;
  /** Size of the database. */
  readonly bytes: number;
  readonly freeBytes: number;
  /** Of an upgrade that was cut off: what is left of it, with the copy that it made. */
  readonly goesOn: boolean;
  /** Estimate of the time that it takes. */
  readonly seconds: number;
}

/** Ending of the name of a copy that is not complete yet. */
export const partialEnding = '.partial';
/** Copies of upgrades that are kept; each upgrade deletes older ones. */
const copiesKept = 2;
/** Bytes that an upgrade copies and rewrites in a second: less than half of what `npm run bench -- upgrade` measures. */
const bytesPerSecond = 50 * 1024 * 1024;

const inMiB = (bytes: number): string => `${Math.ceil(bytes / 2 ** 20)} MiB`;
const sizeOf = (path: string): number =>
  ['', '-wal'].reduce((sum, end) => sum + (statSync(path + end, { throwIfNoEntry: false })?.size ?? 0), 0);

/** Throws Refused where the disk has no room for it. */
export function planUpgrade(path: string, steps: number, goesOn = false): UpgradePlan {
  for (const name of copiesOf(path, partialEnding)) rmSync(name, { force: true }); // of an upgrade that was cut off
  const bytes = sizeOf(path);
  const { bavail, bsize } = statfsSync(dirname(path));
  const freeBytes = bavail * bsize;
  // One copy, and as much again for the journal of the steps, which rebuild tables.
  const needed = bytes * (goesOn ? 1 : 2);
  if (freeBytes < needed)
    throw new Refused(
      `The upgrade needs ${inMiB(needed)} on the disk of ${path}: it ${goesOn ? '' : `copies the database (${inMiB(bytes)}) first, and `}rewrites tables. ${inMiB(freeBytes)} are free. Make room, for example by moving copies of earlier upgrades (${basename(path)}.before-…) elsewhere, and start again. Nothing was changed.`,
    );
  return { steps, bytes, freeBytes, goesOn, seconds: Math.ceil(bytes / bytesPerSecond) };
}

/** The plan in words. */
export function described({ steps, bytes, freeBytes, goesOn, seconds }: UpgradePlan): string {
  const what = `in ${steps} ${steps === 1 ? 'step' : 'steps'}`;
  const time = `That takes about ${seconds} s.`;
  return goesOn
    ? `The upgrade that was cut off goes on ${what}; the copy from before it stays. ${time}`
    : `The database is upgraded ${what}. It is copied first: ${inMiB(bytes)}, ${inMiB(freeBytes)} are free. ${time}`;
}

/** Writes the copy and returns its path. Older copies of upgrades are deleted once it is whole. */
export function copyBefore(database: BetterSqlite3.Database, path: string, firstStep: string, now: Clock): string {
  const copy = `${path}.before-${firstStep}-${now().toISOString().replaceAll(/[:.]/g, '-')}`;
  const partial = `${copy}${partialEnding}`;
  try {
    database.prepare('VACUUM INTO ?').run(partial);
    flush(partial);
    renameSync(partial, copy);
  } finally {
    rmSync(partial, { force: true });
  }
  flush(dirname(copy));
  for (const older of copiesOf(path, '').slice(copiesKept)) rmSync(older, { force: true });
  return copy;
}

/** Paths of copies, the newest first. Copies of a restore have no number, and are not among them. */
function copiesOf(path: string, ending: string): string[] {
  const beginning = `${basename(path)}.before-`;
  const timed = new RegExp(`^\\d{4}_.*-(\\d{4}-\\d\\d-\\d\\dT[\\d-]+Z)${ending.replaceAll('.', '\\.')}$`);
  return readdirSync(dirname(path))
    .flatMap((name) => {
      const [, time] = (name.startsWith(beginning) && timed.exec(name.slice(beginning.length))) || [];
      return time === undefined ? [] : [{ path: join(dirname(path), name), time }];
    })
    .sort((a, b) => (a.time < b.time ? 1 : -1))
    .map((copy) => copy.path);
}

function flush(path: string): void {
  const file = openSync(path, 'r');
  fsyncSync(file);
  closeSync(file);
}
