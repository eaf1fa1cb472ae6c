/** Rows of challenges and their categories. */
import { z } from 'zod';
import type { PageQuery } from '../../../src/contract/common.js';
import { DomainError } from '../../../src/contract/errors.js';
import type { ChallengeCategory } from '../../../src/contract/gameplay/challenge-categories.js';
import { type Challenge, Counting, GoalCondition } from '../../../src/contract/gameplay/challenges.js';
import { jsonTextOrNull, timeOrNull } from '../../platform/database/column-values.js';
import type { DatabaseClient, Transaction } from '../../platform/database/database.js';
import type { Dialect } from '../../platform/database/dialect.js';
import { isUniqueViolation } from '../../platform/database/errors.js';
import { newestFirst, valuesIn } from '../../platform/database/row-page.js';
import { shown } from '../game-events/deletion-store.js';
import { conditionsOf, resetPeriodOrNull, textsOf, textsOrNull } from '../game-events/model/columns.js';
import { RevisionStore } from '../game-events/revision-store.js';

type CategoryRow = NonNullable<Awaited<ReturnType<Transaction['challengeCategory']['findFirst']>>>;
export type ChallengeRow = NonNullable<Awaited<ReturnType<Transaction['challenge']['findFirst']>>>;

const toCategory = ({ name, createdAt, updatedAt, deletionId: _, ...row }: CategoryRow): ChallengeCategory => ({
  ...row,
  name: textsOf(name),
  createdAt: createdAt.toISOString(),
  updatedAt: updatedAt.toISOString(),
});

const toChallenge = ({
  categoryId,
  levelId: _,
  levelPosition: __,
  key: ___,
  deletionId: ____,
  ...row
}: ChallengeRow): Challenge => ({
  ...row,
  categoryId: z.string().parse(categoryId),
  name: textsOf(row.name),
  description: textsOrNull(row.description),
  metadataConditions: conditionsOf(row.metadataConditions),
  goal: Number(row.goal),
  goalCondition: GoalCondition.parse(row.goalCondition),
  resetPeriod: resetPeriodOrNull(row.resetPeriod),
  liveDate: timeOrNull(row.liveDate),
  counting: Counting.parse(row.counting),
  createdAt: row.createdAt.toISOString(),
  updatedAt: row.updatedAt.toISOString(),
});

const toCategoryRow = ({ name, createdAt, updatedAt, ...category }: ChallengeCategory): CategoryRow => ({
  ...category,
  ...shown,
  name: JSON.stringify(name),
  createdAt: new Date(createdAt),
  updatedAt: new Date(updatedAt),
});

export const toChallengeRow = (challenge: Challenge): Omit<ChallengeRow, 'key'> => ({
  ...challenge,
  ...shown,
  levelId: null,
  levelPosition: null,
  name: JSON.stringify(challenge.name),
  description: jsonTextOrNull(challenge.description),
  metadataConditions: JSON.stringify(challenge.metadataConditions),
  goal: BigInt(challenge.goal),
  resetPeriod: jsonTextOrNull(challenge.resetPeriod),
  liveDate: challenge.liveDate === null ? null : new Date(challenge.liveDate),
  createdAt: new Date(challenge.createdAt),
  updatedAt: new Date(challenge.updatedAt),
});

/** Leaves out challenges of battle passes, which have a store of their own. */
const ofNoLevel = { ...shown, levelId: null };
const categoryOrder = [{ position: 'asc' as const }, { id: 'asc' as const }];
/** Categories after a cursor, in their order. Throws validation_failed. */
function afterCategory(cursor: string) {
  const [position, id] = valuesIn(cursor, z.tuple([z.int(), z.string()]));
  return { OR: [{ position: { gt: position } }, { position, id: { gt: id } }] };
}

export class ChallengeStore {
  private readonly revisions;

  constructor(dialect: Dialect) {
    this.revisions = new RevisionStore(dialect);
  }

  /** Every change begins with this: it moves the project's revision, and other changes of the project wait for its end. */
  begin(tx: Transaction, projectId: string): Promise<void> {
    return this.revisions.bump(tx, projectId);
  }

  async allCategories(client: DatabaseClient, projectId: string): Promise<ChallengeCategory[]> {
    const rows = await client.challengeCategory.findMany({ where: { projectId, ...shown }, orderBy: categoryOrder });
    return rows.map(toCategory);
  }

  /** Oldest first. */
  async allChallenges(client: DatabaseClient, projectId: string): Promise<Challenge[]> {
    const rows = await client.challenge.findMany({ where: { projectId, ...ofNoLevel }, orderBy: { id: 'asc' } });
    return rows.map(toChallenge);
  }

  async pageOfCategories(
    client: DatabaseClient,
    projectId: string,
    { limit, offset, after }: PageQuery,
  ): Promise<ChallengeCategory[]> {
    const page = { orderBy: categoryOrder, take: limit, skip: offset };
    const where = { projectId, ...shown, ...(after === undefined ? {} : afterCategory(after)) };
    return (await client.challengeCategory.findMany({ where, ...page })).map(toCategory);
  }

  /** Newest first. */
  async pageOfChallenges(client: DatabaseClient, projectId: string, page: PageQuery): Promise<Challenge[]> {
    return (await client.challenge.findMany(newestFirst({ projectId, ...ofNoLevel }, page))).map(toChallenge);
  }

  countCategories(client: DatabaseClient, projectId: string): Promise<number> {
    return client.challengeCategory.count({ where: { projectId, ...shown } });
  }

  countChallenges(client: DatabaseClient, projectId: string): Promise<number> {
    return client.challenge.count({ where: { projectId, ...ofNoLevel } });
  }

  async findCategory(client: DatabaseClient, projectId: string, id: string): Promise<ChallengeCategory | null> {
    const row = await client.challengeCategory.findFirst({ where: { projectId, id, ...shown } });
    return row === null ? null : toCategory(row);
  }

  async findCategoryBySlug(client: DatabaseClient, projectId: string, slug: string): Promise<ChallengeCategory | null> {
    const row = await client.challengeCategory.findFirst({ where: { projectId, slug, ...shown } });
    return row === null ? null : toCategory(row);
  }

  async findChallenge(client: DatabaseClient, projectId: string, id: string): Promise<Challenge | null> {
    const row = await client.challenge.findFirst({ where: { projectId, id, ...ofNoLevel } });
    return row === null ? null : toChallenge(row);
  }

  /** Throws challenge_category_slug_taken. */
  async saveCategory(tx: Transaction, category: ChallengeCategory, is: 'new' | 'stored'): Promise<ChallengeCategory> {
    const row = toCategoryRow(category);
    try {
      if (is === 'new') await tx.challengeCategory.create({ data: row });
      else await tx.challengeCategory.update({ where: { id: row.id }, data: row });
    } catch (cause) {
      throw isUniqueViolation(cause) ? new DomainError('challenge_category_slug_taken', { cause }) : cause;
    }
    return category;
  }

  async saveChallenge(tx: Transaction, challenge: Challenge, is: 'new' | 'stored'): Promise<Challenge> {
    const row = toChallengeRow(challenge);
    if (is === 'new') await tx.challenge.create({ data: row });
    else await tx.challenge.update({ where: { id: row.id }, data: row });
    return challenge;
  }

  /** Hides the category. Throws challenge_category_in_use. */
  async deleteCategory(tx: Transaction, id: string, deletionId: string): Promise<void> {
    if ((await tx.challenge.count({ where: { categoryId: id, ...shown } })) > 0)
      throw new DomainError('challenge_category_in_use');
    await tx.challengeCategory.update({ where: { id }, data: { deletionId } });
  }
}
