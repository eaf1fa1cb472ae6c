/** A database of the time when a removal was about every period of a board: each becomes one of the period that ran then. */
import { describe, expect, it } from 'vitest';
import { Database } from '../../daemon/platform/database/database.js';
import { migrate } from '../../daemon/platform/database/migrate.js';
import { systemClock } from '../../daemon/platform/time/clock.js';
import { inEarlierPostgresql, inEarlierSqlite } from '../support/earlier-database.js';
import { hasPostgresql } from '../support/postgresql.js';

const at = (day: number): string => `'2026-01-0${day}T00:00:00.000+00:00'`;
const exclusion = (memberId: string, origin: string, excluded: boolean, before: string): string =>
  `INSERT INTO "LeaderboardExclusion" ("leaderboardId", "memberType", "memberId", "origin", "excluded", "before")
   VALUES ('b', 'user', '${memberId}', '${origin}', ${excluded}, ${before});`;
const period = (id: string, day: number): string =>
  `INSERT INTO "LeaderboardPeriod" ("id", "leaderboardId", "tallyId", "startsAt", "complete") VALUES ('${id}', 'b', 't${id}', ${at(day)}, TRUE);`;
const rows = [
  `INSERT INTO "Tenant" ("id", "name", "createdAt") VALUES ('t', 't', ${at(1)});`,
  `INSERT INTO "Project" ("id", "tenantId", "name", "billingProjectId", "createdAt") VALUES ('p', 't', 'p', 'p', ${at(1)});`,
  `INSERT INTO "Leaderboard" ("id", "projectId", "name", "eventName", "aggregate", "sortOrder", "metadataConditions",
     "currentPeriodId", "createdAt", "updatedAt")
   VALUES ('b', 'p', '{}', 'kill-enemy', 'sum', 'desc', '[]', 'p2', ${at(1)}, ${at(1)});`,
  period('p1', 2),
  period('p2', 4),
  exclusion('ann', '', false, at(3)),
  exclusion('ann', 'o', false, at(5)),
  exclusion('ben', '', true, at(3)),
  exclusion('cem', '', true, 'NULL'),
  exclusion('dia', '', false, 'NULL'),
  exclusion('eve', '', false, at(1)),
].join('\n');

async function expectParted(url: string): Promise<void> {
  await migrate(url, systemClock);
  const database = await Database.connect(url);
  try {
    const stored = await database.read.leaderboardExclusion.findMany();
    const texts = stored.map(({ memberId, origin, periodId, excluded, before }) =>
      [memberId, origin, periodId, excluded, before?.getUTCDate() ?? null].join(),
    );
    expect(texts.sort()).toEqual([
      'ann,,p1,false,3',
      'ann,o,p2,false,5',
      'ben,,,true,',
      'ben,,p1,false,3',
      'cem,,,true,',
      'eve,,p2,false,1',
    ]);
  } finally {
    await database.close();
  }
}

describe('removals that were about every period', () => {
  const before = { migration: 'removals_of_periods', rows };

  it('are parted by the period that ran, on SQLite', () => inEarlierSqlite(before, expectParted));

  it.skipIf(!hasPostgresql)('are parted by the period that ran, on PostgreSQL', { timeout: 60_000 }, () =>
    inEarlierPostgresql(before, expectParted),
  );
});
