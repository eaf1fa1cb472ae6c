/** Configuration of the levels of battle passes, and of the challenges in them. */

import type { PageQuery } from '../../../../src/contract/common.js';
import { DomainError, type ErrorDetail } from '../../../../src/contract/errors.js';
import {
  type BattlePassLevel,
  type BattlePassLevelList,
  type CreateBattlePassLevelRequest,
  type CreateLevelChallengeRequest,
  challengesPerLevelMax,
  type LevelChallenge,
  levelChallengesPerProjectMax,
  levelsPerBattlePassMax,
  type SetBattlePassRewardsRequest,
  type UpdateBattlePassLevelRequest,
  type UpdateLevelChallengeRequest,
} from '../../../../src/contract/gameplay/battle-pass-levels.js';
import { textOf } from '../../../../src/contract/gameplay/localised-text.js';
import type { Database, DatabaseClient, Transaction } from '../../../platform/database/database.js';
import { uuidv7 } from '../../../platform/ids/new-id.js';
import type { Clock } from '../../../platform/time/clock.js';
import type { DeletionStore } from '../../game-events/deletion-store.js';
import { changed } from '../../game-events/model/changed.js';
import { challengeProblems } from '../challenge-checks.js';
import type { CountingConflicts } from '../counting-conflict-store.js';
import type { KeyedRowStore } from '../keyed-row-store.js';
import { type BattlePassStore, placeTaken } from './store.js';

interface LevelKey {
  readonly projectId: string;
  readonly id: string;
  readonly levelId: string;
}

const newChallenge = (
  levelId: string,
  position: number,
  request: CreateLevelChallengeRequest,
  at: string,
): LevelChallenge => ({
  ...request,
  id: uuidv7(),
  levelId,
  position,
  description: request.description ?? null,
  countProperty: request.countProperty ?? null,
  durationMinutes: request.durationMinutes ?? null,
  xp: request.xp ?? null,
  icon: request.icon ?? null,
  iconHd: request.iconHd ?? null,
  createdAt: at,
  updatedAt: at,
});

/** Throws validation_failed. `path`: where the challenge stands in the request. */
function requireSound(challenge: LevelChallenge, path: string): void {
  const details = challengeProblems(challenge, path);
  if (details.length > 0) throw new DomainError('validation_failed', { details });
}

/** Throws counting_conflict: within a pass, one event is counted in one way. */
function requireOneCounting(challenges: readonly LevelChallenge[]): void {
  const countings = new Map<string, string>();
  for (const { eventName, counting } of challenges) {
    if ((countings.get(eventName) ?? counting) !== counting)
      throw new DomainError('counting_conflict', {
        message: `Challenges of this battle pass count ${eventName} in different ways. Give all of them the same counting.`,
      });
    countings.set(eventName, counting);
  }
}

export class BattlePassLevelService {
  constructor(
    private readonly database: Database,
    private readonly store: BattlePassStore,
    private readonly rows: Pick<KeyedRowStore, 'hideLevels' | 'hideChallenges'>,
    private readonly deletions: DeletionStore,
    private readonly conflicts: CountingConflicts,
    private readonly now: Clock,
  ) {}

  async list(projectId: string, battlePassId: string, page: PageQuery): Promise<BattlePassLevelList> {
    await this.requirePass(this.database.read, projectId, battlePassId);
    const levels = await this.store.pageOfLevels(this.database.read, battlePassId, page);
    const { limit, offset } = page;
    return { levels, total: await this.store.countLevels(this.database.read, battlePassId), limit, offset };
  }

  async get(key: LevelKey): Promise<BattlePassLevel> {
    await this.requirePass(this.database.read, key.projectId, key.id);
    return this.levelOf(this.database.read, key);
  }

  /** Throws validation_failed, counting_conflict, battle_pass_limit_reached. */
  create(projectId: string, battlePassId: string, request: CreateBattlePassLevelRequest): Promise<BattlePassLevel> {
    return this.changing(projectId, async (tx) => {
      await this.requirePass(tx, projectId, battlePassId);
      const others = await this.store.levelsOf(tx, battlePassId);
      if (others.length >= levelsPerBattlePassMax) throw new DomainError('battle_pass_limit_reached');
      await this.requireRoom(tx, projectId, request.challenges.length);
      const at = this.now().toISOString();
      const id = uuidv7();
      const challenges = request.challenges.map((one, index) => newChallenge(id, index + 1, one, at));
      const { rewardAmount = null, premiumRewardAmount = null } = request;
      const rewards = { ...request, rewardAmount, premiumRewardAmount };
      const level = { ...rewards, id, projectId, battlePassId, challenges, createdAt: at };
      for (const [index, challenge] of challenges.entries()) requireSound(challenge, `body.challenges.${index}`);
      requireFreePlace(level, others);
      requireOneCounting([...others, level].flatMap((one) => one.challenges));
      const added = { ...level, updatedAt: at };
      await this.store.insertLevel(tx, added);
      return added;
    });
  }

  update(key: LevelKey, request: UpdateBattlePassLevelRequest): Promise<BattlePassLevel> {
    return this.changing(key.projectId, async (tx) => {
      await this.requirePass(tx, key.projectId, key.id);
      const before = await this.levelOf(tx, key);
      const after = { ...changed(before, request), updatedAt: this.now().toISOString() };
      requireFreePlace(after, await this.store.levelsOf(tx, key.id));
      await this.store.saveLevel(tx, after);
      return after;
    });
  }

  /** Throws battle_pass_not_found, validation_failed for a place without a level. */
  setRewards(projectId: string, battlePassId: string, { levels }: SetBattlePassRewardsRequest) {
    return this.changing(projectId, async (tx) => {
      await this.requirePass(tx, projectId, battlePassId);
      const stored = new Map((await this.store.levelsOf(tx, battlePassId)).map((level) => [level.position, level]));
      const details: ErrorDetail[] = [];
      const after: BattlePassLevel[] = [];
      for (const [index, request] of levels.entries()) {
        const { position } = request;
        const before = stored.get(position);
        if (before === undefined)
          details.push({
            path: `body.levels.${index}.position`,
            message: `the pass has no level ${position}`,
          });
        else after.push({ ...changed(before, request), updatedAt: this.now().toISOString() });
      }
      if (details.length > 0) throw new DomainError('validation_failed', { details });
      for (const level of after) await this.store.saveLevel(tx, level);
      return { levels: after };
    });
  }

  delete(key: LevelKey): Promise<void> {
    return this.changing(key.projectId, async (tx) => {
      await this.requirePass(tx, key.projectId, key.id);
      const level = await this.levelOf(tx, key);
      const deleted = { kind: 'level', id: level.id, name: String(level.position) } as const;
      await this.rows.hideLevels(tx, [level], await this.deletions.record(tx, key.projectId, [deleted]));
    });
  }

  async challenges(projectId: string, levelId: string): Promise<LevelChallenge[]> {
    return (await this.findLevel(this.database.read, projectId, levelId)).challenges;
  }

  async getChallenge(projectId: string, levelId: string, id: string): Promise<LevelChallenge> {
    return challengeIn(await this.findLevel(this.database.read, projectId, levelId), id);
  }

  /** Throws validation_failed, counting_conflict, battle_pass_limit_reached. */
  addChallenge(projectId: string, levelId: string, request: CreateLevelChallengeRequest): Promise<LevelChallenge> {
    return this.changing(projectId, async (tx) => {
      const level = await this.findLevel(tx, projectId, levelId);
      if (level.challenges.length >= challengesPerLevelMax) throw new DomainError('battle_pass_limit_reached');
      await this.requireRoom(tx, projectId, 1);
      const position = (level.challenges.at(-1)?.position ?? 0) + 1;
      return this.saveChallenge(tx, level, newChallenge(levelId, position, request, this.now().toISOString()));
    });
  }

  updateChallenge(
    projectId: string,
    levelId: string,
    id: string,
    request: UpdateLevelChallengeRequest,
  ): Promise<LevelChallenge> {
    return this.changing(projectId, async (tx) => {
      const level = await this.findLevel(tx, projectId, levelId);
      const now = this.now();
      const after = { ...changed(challengeIn(level, id), request), updatedAt: now.toISOString() };
      await this.saveChallenge(tx, level, after);
      await this.conflicts.require(tx, projectId, [id], now);
      return after;
    });
  }

  deleteChallenge(projectId: string, levelId: string, id: string): Promise<void> {
    return this.changing(projectId, async (tx) => {
      const challenge = challengeIn(await this.findLevel(tx, projectId, levelId), id);
      const deleted = { kind: 'levelChallenge', id, name: textOf(challenge.name) } as const;
      await this.rows.hideChallenges(tx, [challenge], await this.deletions.record(tx, projectId, [deleted]));
    });
  }

  private changing<T>(projectId: string, work: (tx: Transaction) => Promise<T>): Promise<T> {
    return this.database.transaction(async (tx) => {
      await this.store.begin(tx, projectId);
      return work(tx);
    });
  }

  private async requireRoom(tx: Transaction, projectId: string, more: number): Promise<void> {
    const count = await this.store.countChallenges(tx, projectId);
    if (count + more > levelChallengesPerProjectMax) throw new DomainError('battle_pass_limit_reached');
  }

  private async saveChallenge(
    tx: Transaction,
    { projectId, battlePassId }: BattlePassLevel,
    challenge: LevelChallenge,
  ): Promise<LevelChallenge> {
    requireSound(challenge, 'body');
    const all = (await this.store.levelsOf(tx, battlePassId)).flatMap(({ challenges }) => challenges);
    requireOneCounting([...all.filter(({ id }) => id !== challenge.id), challenge]);
    await this.store.saveChallenge(tx, projectId, challenge);
    return challenge;
  }

  private async requirePass(client: DatabaseClient, projectId: string, id: string): Promise<void> {
    if ((await this.store.find(client, projectId, id)) === null) throw new DomainError('battle_pass_not_found');
  }

  private async levelOf(client: DatabaseClient, { projectId, id, levelId }: LevelKey): Promise<BattlePassLevel> {
    const level = await this.findLevel(client, projectId, levelId);
    if (level.battlePassId !== id) throw new DomainError('battle_pass_level_not_found');
    return level;
  }

  private async findLevel(client: DatabaseClient, projectId: string, id: string): Promise<BattlePassLevel> {
    const level = await this.store.findLevel(client, projectId, id);
    if (level === null) throw new DomainError('battle_pass_level_not_found');
    return level;
  }
}

function requireFreePlace(level: Pick<BattlePassLevel, 'id' | 'position'>, others: readonly BattlePassLevel[]): void {
  if (others.some(({ id, position }) => id !== level.id && position === level.position))
    throw placeTaken(level.position);
}

function challengeIn({ challenges }: BattlePassLevel, id: string): LevelChallenge {
  const challenge = challenges.find((one) => one.id === id);
  if (challenge === undefined) throw new DomainError('challenge_not_found');
  return challenge;
}
