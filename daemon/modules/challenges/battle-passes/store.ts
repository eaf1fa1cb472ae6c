/** Rows of battle passes and their levels. */

import { z } from 'zod';
import type { PageQuery } from '../../../../src/contract/common.js';
import { DomainError } from '../../../../src/contract/errors.js';
import type { BattlePassLevel, LevelChallenge } from '../../../../src/contract/gameplay/battle-pass-levels.js';
import type { BattlePass } from '../../../../src/contract/gameplay/battle-passes.js';
import { Counting, GoalCondition } from '../../../../src/contract/gameplay/challenges.js';
import { dateOrNull, jsonTextOrNull, timeOrNull } from '../../../platform/database/column-values.js';
import type { DatabaseClient, Transaction } from '../../../platform/database/database.js';
import { type Dialect, sqlTime } from '../../../platform/database/dialect.js';
import { isUniqueViolation } from '../../../platform/database/errors.js';
import { projectInReach } from '../../../platform/database/in-reach.js';
import { newestFirst } from '../../../platform/database/row-page.js';
import { atOnce } from '../../../platform/scheduler/due-work.js';
import { shown } from '../../game-events/deletion-store.js';
import { conditionsOf, textsOf, textsOrNull } from '../../game-events/model/columns.js';
import { RevisionStore } from '../../game-events/revision-store.js';
import type { ChallengeRow } from '../challenge-store.js';
import { battlePassStatements } from './sql.js';

interface PassId {
  readonly projectId: string;
  readonly id: string;
}

type PassRow = NonNullable<Awaited<ReturnType<Transaction['battlePass']['findFirst']>>>;
type LevelRow = NonNullable<Awaited<ReturnType<Transaction['battlePassLevel']['findFirst']>>>;

const toPass = ({ expiredAt: _, key: __, deletionId: ___, ...row }: PassRow): BattlePass => ({
  ...row,
  name: textsOf(row.name),
  description: textsOrNull(row.description),
  shortDescription: textsOrNull(row.shortDescription),
  disclaimer: textsOrNull(row.disclaimer),
  startDate: timeOrNull(row.startDate),
  endDate: timeOrNull(row.endDate),
  createdAt: row.createdAt.toISOString(),
  updatedAt: row.updatedAt.toISOString(),
});

const toPassRow = (pass: BattlePass): Omit<PassRow, 'expiredAt' | 'key'> => ({
  ...pass,
  ...shown,
  name: JSON.stringify(pass.name),
  description: jsonTextOrNull(pass.description),
  shortDescription: jsonTextOrNull(pass.shortDescription),
  disclaimer: jsonTextOrNull(pass.disclaimer),
  startDate: dateOrNull(pass.startDate),
  endDate: dateOrNull(pass.endDate),
  createdAt: new Date(pass.createdAt),
  updatedAt: new Date(pass.updatedAt),
});

const toLevelChallenge = (row: ChallengeRow): LevelChallenge => ({
  id: row.id,
  levelId: z.string().parse(row.levelId),
  position: z.int().parse(row.levelPosition),
  name: textsOf(row.name),
  description: textsOrNull(row.description),
  eventName: row.eventName,
  countProperty: row.countProperty,
  metadataConditions: conditionsOf(row.metadataConditions),
  goal: Number(row.goal),
  goalCondition: GoalCondition.parse(row.goalCondition),
  durationMinutes: row.durationMinutes,
  xp: row.xp,
  icon: row.icon,
  iconHd: row.iconHd,
  counting: Counting.parse(row.counting),
  createdAt: row.createdAt.toISOString(),
  updatedAt: row.updatedAt.toISOString(),
});

/** Columns that the pass decides for its challenges. */
const columnsOfThePass = {
  categoryId: null,
  repeatable: false,
  autoActivated: false,
  resetPeriod: null,
  lateMinutes: 0,
  reward: null,
  rewardType: null,
  price: null,
  liveDate: null,
};

export const toLevelChallengeRow = (
  projectId: string,
  { position, ...challenge }: LevelChallenge,
): Omit<ChallengeRow, 'key'> => ({
  ...challenge,
  ...columnsOfThePass,
  ...shown,
  projectId,
  levelPosition: position,
  name: JSON.stringify(challenge.name),
  description: jsonTextOrNull(challenge.description),
  metadataConditions: JSON.stringify(challenge.metadataConditions),
  goal: BigInt(challenge.goal),
  createdAt: new Date(challenge.createdAt),
  updatedAt: new Date(challenge.updatedAt),
});

const withChallenges = { challenges: { where: shown, orderBy: { levelPosition: 'asc' } } } as const;
const toLevel = ({
  challenges,
  key: _,
  deletionId: __,
  ...row
}: LevelRow & { challenges: ChallengeRow[] }): BattlePassLevel => ({
  ...row,
  challenges: challenges.map(toLevelChallenge),
  createdAt: row.createdAt.toISOString(),
  updatedAt: row.updatedAt.toISOString(),
});
export const toLevelRow = ({ challenges: _, ...level }: BattlePassLevel): Omit<LevelRow, 'key'> => ({
  ...level,
  ...shown,
  createdAt: new Date(level.createdAt),
  updatedAt: new Date(level.updatedAt),
});

const byPosition = { position: 'asc' } as const;

export class BattlePassStore {
  private readonly revisions;
  private readonly ofPasses;

  constructor(dialect: Dialect) {
    this.revisions = new RevisionStore(dialect);
    this.ofPasses = battlePassStatements[dialect];
  }

  /** Every change begins with this: it moves the project's revision, and other changes of the project wait for its end. */
  begin(tx: Transaction, projectId: string): Promise<void> {
    return this.revisions.bump(tx, projectId);
  }

  /** By priority, the lowest first, then oldest first; the levels of each in their order. */
  async all(
    client: DatabaseClient,
    projectId: string,
  ): Promise<{ battlePasses: BattlePass[]; levels: BattlePassLevel[] }> {
    const passes = await client.battlePass.findMany({
      where: { projectId, ...shown },
      orderBy: [{ priority: 'asc' }, { id: 'asc' }],
    });
    if (passes.length === 0) return { battlePasses: [], levels: [] };
    const where = { projectId, ...shown };
    const include = withChallenges;
    const levels = await client.battlePassLevel.findMany({ where, orderBy: byPosition, include });
    return { battlePasses: passes.map(toPass), levels: levels.map(toLevel) };
  }

  /** Newest first. */
  async page(client: DatabaseClient, projectId: string, page: PageQuery): Promise<BattlePass[]> {
    return (await client.battlePass.findMany(newestFirst({ projectId, ...shown }, page))).map(toPass);
  }

  count(client: DatabaseClient, projectId: string): Promise<number> {
    return client.battlePass.count({ where: { projectId, ...shown } });
  }

  /** Ids of those whose end has come and was not announced; earliest first. */
  async ended(client: DatabaseClient, now: Date, limit: number): Promise<PassId[]> {
    return client.$queryRawUnsafe<PassId[]>(this.ofPasses.ended, sqlTime(now), limit);
  }

  /** The earliest end that was not announced. */
  async nextEnd(client: DatabaseClient): Promise<Date | null> {
    const where = { ...shown, expiredAt: null, endDate: { gt: atOnce }, project: projectInReach };
    const select = { endDate: true };
    return (await client.battlePass.findFirst({ where, orderBy: { endDate: 'asc' }, select }))?.endDate ?? null;
  }

  /** Marks the end as announced. Returns true if it was not marked before. */
  async markExpired(tx: Transaction, id: string, now: Date): Promise<boolean> {
    const where = { id, ...shown, expiredAt: null, endDate: { lte: now } };
    return (await tx.battlePass.updateMany({ where, data: { expiredAt: now } })).count > 0;
  }

  async find(client: DatabaseClient, projectId: string, id: string): Promise<BattlePass | null> {
    const row = await client.battlePass.findFirst({ where: { projectId, id, ...shown } });
    return row === null ? null : toPass(row);
  }

  async insert(tx: Transaction, pass: BattlePass): Promise<void> {
    await tx.battlePass.create({ data: toPassRow(pass) });
  }

  /** `reopened`: its end is to be announced again. */
  async save(tx: Transaction, pass: BattlePass, reopened: boolean): Promise<void> {
    const data = { ...toPassRow(pass), ...(reopened ? { expiredAt: null } : {}) };
    await tx.battlePass.update({ where: { id: pass.id }, data });
  }

  /** In their order. */
  async pageOfLevels(
    client: DatabaseClient,
    battlePassId: string,
    { limit, offset, after }: PageQuery,
  ): Promise<BattlePassLevel[]> {
    const page = { orderBy: byPosition, take: limit, skip: offset, include: withChallenges };
    const where = { battlePassId, ...shown, ...(after === undefined ? {} : { position: { gt: Number(after) || 0 } }) };
    return (await client.battlePassLevel.findMany({ where, ...page })).map(toLevel);
  }

  async levelsOf(client: DatabaseClient, battlePassId: string): Promise<BattlePassLevel[]> {
    const where = { battlePassId, ...shown };
    return (await client.battlePassLevel.findMany({ where, orderBy: byPosition, include: withChallenges })).map(
      toLevel,
    );
  }

  countLevels(client: DatabaseClient, battlePassId: string): Promise<number> {
    return client.battlePassLevel.count({ where: { battlePassId, ...shown } });
  }

  /** In all levels of the project. */
  countChallenges(client: DatabaseClient, projectId: string): Promise<number> {
    return client.challenge.count({ where: { projectId, ...shown, NOT: { levelId: null } } });
  }

  async findLevel(client: DatabaseClient, projectId: string, id: string): Promise<BattlePassLevel | null> {
    const row = await client.battlePassLevel.findFirst({ where: { projectId, id, ...shown }, include: withChallenges });
    return row === null ? null : toLevel(row);
  }

  /** With its challenges. Throws validation_failed for a place that is taken. */
  async insertLevel(tx: Transaction, level: BattlePassLevel): Promise<void> {
    await placed(level, () => tx.battlePassLevel.create({ data: toLevelRow(level) }));
    const data = level.challenges.map((challenge) => toLevelChallengeRow(level.projectId, challenge));
    await tx.challenge.createMany({ data });
  }

  /** Without its challenges. Throws validation_failed for a place that is taken. */
  async saveLevel(tx: Transaction, level: BattlePassLevel): Promise<void> {
    await placed(level, () => tx.battlePassLevel.update({ where: { id: level.id }, data: toLevelRow(level) }));
  }

  async saveChallenge(tx: Transaction, projectId: string, challenge: LevelChallenge): Promise<void> {
    const row = toLevelChallengeRow(projectId, challenge);
    await tx.challenge.upsert({ where: { id: row.id }, create: row, update: row });
  }
}

/** The refusal of a position that another level has, whether the rules or the database found it. */
export const placeTaken = (position: number, cause?: unknown): DomainError =>
  new DomainError('validation_failed', {
    details: [{ path: 'body.position', message: `${position} is the number of another level` }],
    cause,
  });

async function placed(level: BattlePassLevel, write: () => Promise<unknown>): Promise<void> {
  try {
    await write();
  } catch (cause) {
    throw isUniqueViolation(cause) ? placeTaken(level.position, cause) : cause;
  }
}
