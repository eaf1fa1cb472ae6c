/** A trial of a backup: it is restored into a folder of its own, as far as a start would go, and then removed. */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { Refused } from '../refused.js';
import type { MasterKeys } from '../secrets/key-ring.js';
import { unwrap } from '../secrets/secret-box.js';
import { systemClock } from '../time/clock.js';
import { type DatabaseSummary, type MadeBackup, readBackupName, restoreSqlite, verifySqlite } from './backup.js';
import { migrate } from './migrate.js';

interface Trial {
  readonly summary: DatabaseSummary;
  /** Steps of the upgrade that a start would make. */
  readonly steps: number;
  readonly seconds: number;
}

interface TrialKeys {
  /** null: there are none. */
  readonly ring: MasterKeys | null;
  /** Lines of an identity file of age. */
  readonly identities: string | undefined;
}

/** Exists while a trial is made, or where one was killed. */
export const trialFolder = (dataDir: string): string => join(dataDir, 'restore-trial');

/** Throws Refused where the backup could not be restored with these keys. */
export async function tryBackup(source: string, dataDir: string, { ring, identities }: TrialKeys): Promise<Trial> {
  const began = performance.now();
  const folder = trialFolder(dataDir);
  const target = join(folder, 'earshot.db');
  rmSync(folder, { recursive: true, force: true }); // of a trial that was killed
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  try {
    const accept = async (found: DatabaseSummary) => requireComplete(source, found, ring);
    const { summary } = await restoreSqlite(source, target, systemClock, accept, identities);
    const { applied } = await migrate(`file:${target}`, systemClock);
    verifySqlite(target);
    return { summary, steps: applied.length, seconds: Math.ceil((performance.now() - began) / 1_000) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Throws Refused where it is not the whole database of an installation, or its secrets cannot be opened here. */
export function requireComplete(path: string, { tenants, dataKeys }: DatabaseSummary, ring: MasterKeys | null): void {
  if (tenants === 0)
    throw new Refused(
      `${path} holds no tenant, and every installation has one: it is new, or was copied without its -wal. Use a copy that \`earshotd backup\` made, or copy the -wal too.`,
    );
  const needed = [...new Set(dataKeys.map(({ masterKeyId }) => masterKeyId))];
  if (ring === null || needed.some((id) => ring.find(id) === null))
    throw new Refused(
      `Its secrets are wrapped by master key ${needed.join(', ')}, which is not here. Pass the key ring of the original installation with --key-ring, or set EARSHOT_MASTER_KEY.`,
    );
  for (const row of dataKeys) unwrap(ring, row);
}

/** null: no name is that of a backup. */
export const newestOf = (names: readonly string[]): MadeBackup | null =>
  names
    .flatMap((name) => readBackupName(name) ?? [])
    .reduce<MadeBackup | null>((last, one) => (last === null || one.at > last.at ? one : last), null);

/** Throws Refused where there is none. */
export function newestIn(folder: string): string {
  const newest = newestOf(existsSync(folder) ? readdirSync(folder) : []);
  if (newest === null) throw new Refused(`There is no backup in ${folder}. \`earshotd backup\` makes one.`);
  return join(folder, newest.name);
}

const Drill = z.object({
  at: z.coerce.date(),
  backup: z.string().nullable(),
  seconds: z.number(),
  problem: z.string().nullable(),
  succeededAt: z.coerce.date().nullable(),
});
/** The last trial that the daemon made. */
export type Drill = z.infer<typeof Drill>;

const drillFile = (dataDir: string): string => join(dataDir, 'restore-trial.json');

/** null: none was made. */
export function readDrill(dataDir: string): Drill | null {
  try {
    return Drill.parse(JSON.parse(readFileSync(drillFile(dataDir), 'utf8')));
  } catch {
    return null; // there is none, or a power cut has taken it
  }
}

export const writeDrill = (dataDir: string, drill: Drill): void =>
  writeFileSync(drillFile(dataDir), `${JSON.stringify(drill)}\n`, { mode: 0o600 });
