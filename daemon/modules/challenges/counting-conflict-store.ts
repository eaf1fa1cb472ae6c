/**
 * Finds players who would have two challenges in progress at once that count one event in different ways: after a change of
 * what is configured, and when two people become one.
 */
import { DomainError } from '../../../src/contract/errors.js';
import type { Database, Transaction } from '../../platform/database/database.js';
import { type Dialect, sqlTime } from '../../platform/database/dialect.js';
import { turnOfDefinitions } from '../game-events/project-definitions.js';

/** Challenges in progress count, unless their time has run out or their pass has ended. */
const counts = (challenge: string, progress: string): string => `${progress}."state" = 'in-progress'
  AND (${progress}."dueAt" IS NULL OR ${progress}."dueAt" > given."now") AND ${challenge}."deletionId" = ''
  AND (${challenge}."levelId" IS NULL OR EXISTS (SELECT 1 FROM "BattlePassLevel" AS l
    JOIN "BattlePass" AS p ON p."id" = l."battlePassId"
    WHERE l."id" = ${challenge}."levelId" AND (p."endDate" IS NULL OR p."endDate" > given."now")))`;

/** Pairs of challenges, each with a row of a player. */
const pairs = (own: string, other: string): string => `"Challenge" AS c
  JOIN "Challenge" AS d ON d."projectId" = c."projectId" AND d."eventName" = c."eventName" AND d."counting" <> c."counting"
  JOIN "PlayerChallenge" AS s ON s."challengeId" = c."id" AND ${own}
  JOIN "PlayerChallenge" AS t ON t."projectId" = s."projectId" AND t."challengeId" = d."id" AND ${other}
  WHERE ${counts('c', 's')} AND ${counts('d', 't')}`;

interface ConflictStatements {
  /** Parameters: now, [challengeId]. Returns the event of one pair of which one of these challenges is part. */
  readonly afterChange: string;
  /** Parameters: now, projectId, userId, userId. Returns the challenges of the first that conflict with one of the second. */
  readonly between: string;
}

const statements = (time: string, given: readonly [string, string, string], ids: string): ConflictStatements => ({
  afterChange: `WITH given("now") AS (SELECT ${time})
    SELECT c."eventName" AS "found" FROM given CROSS JOIN ${pairs('TRUE', 't."userId" = s."userId"')} AND c."id" IN (${ids}) LIMIT 1`,
  between: `WITH given("now", "projectId", "from", "to") AS (SELECT ${time}, ${given.join(', ')})
    SELECT DISTINCT c."id" AS "found" FROM given CROSS JOIN ${pairs(
      's."projectId" = given."projectId" AND s."userId" = given."from"',
      't."userId" = given."to"',
    )}`,
});
const all: Readonly<Record<Dialect, ConflictStatements>> = {
  sqlite: statements('?', ['?', '?', '?'], 'SELECT value FROM json_each(?)'),
  postgresql: statements(
    "$1::timestamptz AT TIME ZONE 'UTC'",
    ['$2::text', '$3::text', '$4::text'],
    'SELECT jsonb_array_elements_text($2::jsonb)',
  ),
};

type Found = { readonly found: string };

export class CountingConflicts {
  private readonly sql;

  constructor(private readonly database: Pick<Database, 'dialect' | 'takeTurn'>) {
    this.sql = all[database.dialect];
  }

  /**
   * Called after challenges were changed: waits for players who begin some by what was there before. Throws counting_conflict.
   */
  async require(tx: Transaction, projectId: string, challengeIds: readonly string[], now: Date): Promise<void> {
    if (challengeIds.length === 0) return;
    await this.database.takeTurn(tx, turnOfDefinitions(projectId));
    const ids = JSON.stringify(challengeIds);
    const [one] = await tx.$queryRawUnsafe<Found[]>(this.sql.afterChange, sqlTime(now), ids);
    if (one === undefined) return;
    throw new DomainError('counting_conflict', {
      message: `Players have another challenge in progress that counts ${one.found} in a different way. Change it once they have finished, or create another challenge.`,
    });
  }

  /** Ids of challenges of `from` that cannot be in progress together with one of `to`. */
  async between(
    tx: Transaction,
    { projectId, from, to }: { readonly projectId: string; readonly from: string; readonly to: string },
    now: Date,
  ): Promise<string[]> {
    const rows = await tx.$queryRawUnsafe<Found[]>(this.sql.between, sqlTime(now), projectId, from, to);
    return rows.map(({ found }) => found);
  }
}
