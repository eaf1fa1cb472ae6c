/** Configuration of challenges and categories. */

import { DomainError } from '../../../src/contract/errors.js';
import {
  type ChallengeCategory,
  type ChallengeCategoryList,
  type CreateChallengeCategoryRequest,
  categoriesPerProjectMax,
  type UpdateChallengeCategoryRequest,
} from '../../../src/contract/gameplay/challenge-categories.js';
import {
  type Challenge,
  type ChallengeList,
  type CreateChallengeRequest,
  challengesPerProjectMax,
  type UpdateChallengeRequest,
} from '../../../src/contract/gameplay/challenges.js';
import { type NamedPageQuery, textOf } from '../../../src/contract/gameplay/localised-text.js';
import type { Database, Transaction } from '../../platform/database/database.js';
import { uuidv7 } from '../../platform/ids/new-id.js';
import type { Clock } from '../../platform/time/clock.js';
import type { DeletionStore } from '../game-events/deletion-store.js';
import { changed, utc } from '../game-events/model/changed.js';
import { namedPage } from '../game-events/model/localised.js';
import { challengeProblems, countDifferently, defaultCategory } from './challenge-checks.js';
import type { ChallengeStore } from './challenge-store.js';
import type { CountingConflicts } from './counting-conflict-store.js';
import type { KeyedRowStore } from './keyed-row-store.js';

export class ChallengeService {
  constructor(
    private readonly database: Database,
    private readonly store: ChallengeStore,
    private readonly rows: Pick<KeyedRowStore, 'hideChallenges'>,
    private readonly deletions: DeletionStore,
    private readonly conflicts: CountingConflicts,
    private readonly now: Clock,
  ) {}

  async listCategories(projectId: string, query: NamedPageQuery): Promise<ChallengeCategoryList> {
    const { rows, info } = await namedPage(query, {
      page: (page) => this.store.pageOfCategories(this.database.read, projectId, page),
      count: () => this.store.countCategories(this.database.read, projectId),
      most: categoriesPerProjectMax,
    });
    return { challengeCategories: rows, ...info };
  }

  async getCategory(projectId: string, id: string): Promise<ChallengeCategory> {
    return found(await this.store.findCategory(this.database.read, projectId, id), 'challenge_category_not_found');
  }

  /** Throws challenge_category_slug_taken, challenge_limit_reached. */
  createCategory(projectId: string, request: CreateChallengeCategoryRequest): Promise<ChallengeCategory> {
    return this.change(projectId, (tx) => this.insertCategory(tx, projectId, request));
  }

  updateCategory(projectId: string, id: string, request: UpdateChallengeCategoryRequest): Promise<ChallengeCategory> {
    return this.change(projectId, async (tx) => {
      const before = found(await this.store.findCategory(tx, projectId, id), 'challenge_category_not_found');
      return this.store.saveCategory(
        tx,
        { ...changed(before, request), updatedAt: this.now().toISOString() },
        'stored',
      );
    });
  }

  deleteCategory(projectId: string, id: string): Promise<void> {
    return this.change(projectId, async (tx) => {
      const { name } = found(await this.store.findCategory(tx, projectId, id), 'challenge_category_not_found');
      const deletion = await this.deletions.record(tx, projectId, [{ kind: 'category', id, name: textOf(name) }]);
      await this.store.deleteCategory(tx, id, deletion);
    });
  }

  async list(projectId: string, query: NamedPageQuery): Promise<ChallengeList> {
    const { rows, info } = await namedPage(query, {
      page: (page) => this.store.pageOfChallenges(this.database.read, projectId, page),
      count: () => this.store.countChallenges(this.database.read, projectId),
      most: challengesPerProjectMax,
    });
    return { challenges: rows, ...info };
  }

  async get(projectId: string, id: string): Promise<Challenge> {
    return found(await this.store.findChallenge(this.database.read, projectId, id), 'challenge_not_found');
  }

  /** Throws validation_failed, challenge_category_not_found, counting_conflict, challenge_limit_reached. */
  create(projectId: string, request: CreateChallengeRequest): Promise<Challenge> {
    return this.change(projectId, async (tx) => {
      if ((await this.store.countChallenges(tx, projectId)) >= challengesPerProjectMax) {
        throw new DomainError('challenge_limit_reached');
      }
      const at = this.now().toISOString();
      return this.save(
        tx,
        {
          ...request,
          id: uuidv7(),
          projectId,
          categoryId: request.categoryId ?? (await this.defaultCategory(tx, projectId)).id,
          description: request.description ?? null,
          countProperty: request.countProperty ?? null,
          durationMinutes: request.durationMinutes ?? null,
          resetPeriod: request.resetPeriod ?? null,
          reward: request.reward ?? null,
          rewardType: request.rewardType ?? null,
          xp: request.xp ?? null,
          price: request.price ?? null,
          liveDate: utc(request.liveDate),
          icon: request.icon ?? null,
          iconHd: request.iconHd ?? null,
          createdAt: at,
          updatedAt: at,
        },
        'new',
      );
    });
  }

  update(projectId: string, id: string, request: UpdateChallengeRequest): Promise<Challenge> {
    return this.change(projectId, async (tx) => {
      const before = found(await this.store.findChallenge(tx, projectId, id), 'challenge_not_found');
      const now = this.now();
      const after = { ...changed(before, request), updatedAt: now.toISOString() };
      const saved = await this.save(tx, { ...after, liveDate: utc(after.liveDate) }, 'stored');
      await this.conflicts.require(tx, projectId, [id], now);
      return saved;
    });
  }

  delete(projectId: string, id: string): Promise<void> {
    return this.change(projectId, async (tx) => {
      const { name } = found(await this.store.findChallenge(tx, projectId, id), 'challenge_not_found');
      const deletion = await this.deletions.record(tx, projectId, [{ kind: 'challenge', id, name: textOf(name) }]);
      await this.rows.hideChallenges(tx, [{ id }], deletion);
    });
  }

  /** Other changes of the project's configuration wait for its end: a season is compared with all of it. */
  private change<T>(projectId: string, work: (tx: Transaction) => Promise<T>): Promise<T> {
    return this.database.transaction(async (tx) => {
      await this.store.begin(tx, projectId);
      return work(tx);
    });
  }

  private async save(tx: Transaction, challenge: Challenge, is: 'new' | 'stored'): Promise<Challenge> {
    const details = challengeProblems(challenge, 'body');
    if (details.length > 0) throw new DomainError('validation_failed', { details });
    found(await this.store.findCategory(tx, challenge.projectId, challenge.categoryId), 'challenge_category_not_found');
    const others = await this.store.allChallenges(tx, challenge.projectId);
    if (others.some((other) => countDifferently(challenge, other))) throw new DomainError('counting_conflict');
    return this.store.saveChallenge(tx, challenge, is);
  }

  private async defaultCategory(tx: Transaction, projectId: string): Promise<ChallengeCategory> {
    const existing = await this.store.findCategoryBySlug(tx, projectId, defaultCategory.slug);
    return existing ?? this.insertCategory(tx, projectId, defaultCategory);
  }

  private async insertCategory(
    tx: Transaction,
    projectId: string,
    request: CreateChallengeCategoryRequest,
  ): Promise<ChallengeCategory> {
    if ((await this.store.countCategories(tx, projectId)) >= categoriesPerProjectMax) {
      throw new DomainError('challenge_limit_reached');
    }
    const at = this.now().toISOString();
    return this.store.saveCategory(tx, { ...request, id: uuidv7(), projectId, createdAt: at, updatedAt: at }, 'new');
  }
}

const found = <T>(row: T | null, code: 'challenge_not_found' | 'challenge_category_not_found'): T => {
  if (row === null) throw new DomainError(code);
  return row;
};
