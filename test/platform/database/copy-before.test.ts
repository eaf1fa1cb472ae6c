/** The copy of a SQLite file before an upgrade: it needs room, and only the newest two are kept. */
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import BetterSqlite3 from 'better-sqlite3';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { verifySqlite } from '../../../daemon/platform/database/backup.js';
import { described, planUpgrade, type UpgradePlan } from '../../../daemon/platform/database/copy-before.js';
import { migrate } from '../../../daemon/platform/database/migrate.js';

const earlier = join(import.meta.dirname, '../../upgrades/versions/0065-08d0e97f.db.br');
const at = new Date('2026-11-30T12:00:00.000Z');
let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'earshot-copies-'));
  path = join(folder, 'earshot.db');
  writeFileSync(path, brotliDecompressSync(readFileSync(earlier)));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

it('says before it begins what it will do, keeps the newest two copies, and clears what was cut off', async () => {
  const others = ['earshot.db.before-restore-2026-01-01T00-00-00-000Z', 'earshot.db.before-my-own-copy'];
  const older = [
    '0041_a-2026-01-01T00-00-00-000Z',
    '0050_b-2026-03-01T00-00-00-000Z',
    '0046_c-2026-02-01T00-00-00-000Z',
  ];
  const cutOff = 'earshot.db.before-0060_d-2026-04-01T00-00-00-000Z.partial';
  for (const name of [...others, ...older.map((one) => `earshot.db.before-${one}`), cutOff])
    writeFileSync(join(folder, name), '');
  const plans: UpgradePlan[] = [];
  const { bytes } = verifySqlite(path);
  const { backup, applied } = await migrate(
    `file:${path}`,
    () => at,
    (plan) => {
      expect(readdirSync(folder).filter((name) => name.includes('2026-11-30'))).toEqual([]);
      plans.push(plan);
    },
  );
  expect(plans).toMatchObject([{ steps: applied.length, bytes, freeBytes: expect.any(Number) }]);
  expect(plans.map(described)[0]).toMatch(
    /^The database is upgraded in \d+ steps\. It is copied first: \d+ MiB, \d+ MiB are free\./,
  );
  expect(backup).toMatch(/before-00\d\d_\w+-2026-11-30T12-00-00-000Z$/);
  expect(verifySqlite(backup ?? '').schema).toMatch(/^0065/);
  const kept = readdirSync(folder).filter((name) => name.includes('.before-'));
  expect(kept.map((name) => join(folder, name)).sort()).toEqual(
    [backup, ...[...others, `earshot.db.before-${older[1]}`].map((name) => join(folder, name))].sort(),
  );
});

it('is the one from before the upgrade, however often that is cut off', async () => {
  const cutOff = new BetterSqlite3(path);
  // A table of that name stops the upgrade in its middle, as a full disk would.
  const nameOf = (table: string) => `CREATE TABLE "${table}" ("id" TEXT)`;
  cutOff.exec(nameOf('KeptId'));
  cutOff.close();
  const at = (hour: number) => () => new Date(Date.UTC(2026, 10, 30, hour));
  for (const hour of [12, 13, 14]) await expect(migrate(`file:${path}`, at(hour))).rejects.toThrow('KeptId');
  const repaired = new BetterSqlite3(path);
  repaired.exec('DROP TABLE "KeptId"');
  repaired.close();
  const plans: UpgradePlan[] = [];
  const { backup } = await migrate(`file:${path}`, at(15), (plan) => plans.push(plan));
  expect(plans.map(described)[0]).toMatch(
    /^The upgrade that was cut off goes on in \d+ steps; the copy from before it stays\./,
  );
  expect(readdirSync(folder).filter((name) => name.includes('.before-'))).toHaveLength(1);
  expect(backup).toMatch(/T12-00-00-000Z$/);
  expect(verifySqlite(backup ?? '').schema).toMatch(/^0065/);
  // The next upgrade has a copy of its own.
  const done = new BetterSqlite3(path);
  done.exec(
    `DELETE FROM "_prisma_migrations" WHERE "migration_name" LIKE '%_rounds'; ALTER TABLE "BattlePass" DROP COLUMN "lateMinutes"`,
  );
  done.exec('ALTER TABLE "PlayerChallenge" DROP COLUMN "otherRounds"');
  done.close();
  expect((await migrate(`file:${path}`, at(16))).backup).toMatch(/T16-00-00-000Z$/);
});

it('is refused where the disk has no room for it, and changes nothing', () => {
  const large = join(folder, 'large.db');
  writeFileSync(large, '');
  truncateSync(large, 2 ** 43); // takes no room itself
  expect(() => planUpgrade(large, 3)).toThrow(
    /^The upgrade needs \d+ MiB on the disk of .*large\.db: .* \d+ MiB are free\. Make room/,
  );
  expect(existsSync(large)).toBe(true);
});
