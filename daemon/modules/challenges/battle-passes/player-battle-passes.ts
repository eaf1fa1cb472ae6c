/**
 * Actions of players and operators on battle passes: read, unlock, activate levels, claim rewards, reset. One action of
 * a player at a time; rows and announcements are stored together. Steps that follow from the time, or by themselves,
 * are applied before anything else.
 */

import { DomainError } from '../../../../src/contract/errors.js';
import type { RewardTrack } from '../../../../src/contract/gameplay/player-battle-passes.js';
import type { Database, Transaction } from '../../../platform/database/database.js';
import type { NewEvent } from '../../../platform/events/logged.js';
import { uuidv7 } from '../../../platform/ids/new-id.js';
import type { Clock } from '../../../platform/time/clock.js';
import type { PlayerKey } from '../../game-events/model/player.js';
import type { ChallengeDefinitions, ProjectChallenges } from '../definitions.js';
import { levelNotActivated, levelNotClaimed, passLocked, premiumAlready, unlockNotPossible } from '../not-possible.js';
import type { PlayerChallengeRow, PlayerChallengeStore } from '../player-challenge-store.js';
import { ProgressChanges } from '../progress-changes.js';
import type { ProgressWriter } from '../progress-writer.js';
import type { LevelDefinition, PassDefinition } from './definitions.js';
import type { BattlePassProgressStore, PlayerLevel, PlayerPass, PremiumPurchase } from './progress-store.js';
import { isPaid, mayUnlock, type PassProgress } from './rules.js';
import { levelClaimed } from './views.js';

/** Price that was paid, as the caller states it. */
type Payment = Pick<PremiumPurchase, 'purchasePrice' | 'purchaseCurrency'>;

/** The battle passes of a project, and how far a player has come in them. */
export interface PassesOfPlayer {
  readonly all: ProjectChallenges;
  readonly now: Date;
  /** null: the player has not unlocked it. */
  readonly unlockedPass: (pass: PassDefinition) => PlayerPass | null;
  readonly hasPremium: (pass: PassDefinition) => boolean;
  readonly progressIn: (pass: PassDefinition) => PassProgress;
}

interface FoundPasses extends PassesOfPlayer {
  readonly changes: ProgressChanges;
}
type Unlocked = PassesOfPlayer & { readonly pass: PassDefinition; readonly unlocked: PlayerPass };
type OnLevel = PassesOfPlayer & { readonly level: LevelDefinition };

interface PlayerBattlePassesNeeds {
  readonly database: Database;
  readonly definitions: ChallengeDefinitions;
  readonly playerChallenges: PlayerChallengeStore;
  readonly progress: BattlePassProgressStore;
  readonly writer: ProgressWriter;
  readonly now: Clock;
}

export class PlayerBattlePasses {
  constructor(private readonly needs: PlayerBattlePassesNeeds) {}

  /** Stores the steps that have followed by themselves since the player was last read. */
  async read(player: PlayerKey): Promise<PassesOfPlayer> {
    const found = await this.readProgress(player);
    return found.changes.isEmpty ? found : this.change(player, async (_tx, changed) => changed);
  }

  /** As operators see it: reading it moves nothing on. */
  ofPlayer(player: PlayerKey): Promise<PassesOfPlayer> {
    return this.readProgress(player);
  }

  /**
   * A price gives premium where `from` is a server: players can change the price that their game states. Throws
   * battle_pass_not_found, action_not_possible.
   */
  unlock(
    player: PlayerKey,
    battlePassId: string,
    payment: Payment,
    from: 'server' | 'player' = 'server',
  ): Promise<Unlocked> {
    return this.change(player, async (tx, found) => {
      const pass = requirePass(found.all, battlePassId);
      if (found.unlockedPass(pass) !== null || !mayUnlock(pass, found.now)) throw unlockNotPossible(pass, found.now);
      const premiumAt = from === 'server' && isPaid(payment.purchasePrice) ? found.now : null;
      const unlocked = { ...player, battlePassId, ...payment, purchaseId: uuidv7(), unlockedAt: found.now, premiumAt };
      await this.needs.progress.insert(tx, unlocked);
      return { ...found, pass, unlocked };
    });
  }

  /** Also after the end of the pass, as a claim. Throws battle_pass_not_found, action_not_possible. */
  grantPremium(player: PlayerKey, battlePassId: string, payment: Payment): Promise<Unlocked> {
    return this.change(player, async (tx, found) => {
      const pass = requirePass(found.all, battlePassId);
      const before = found.unlockedPass(pass);
      if (before === null) throw passLocked();
      if (before.premiumAt !== null) throw premiumAlready();
      const paid = payment.purchasePrice === null ? {} : payment;
      const unlocked = { ...before, ...paid, premiumAt: found.now };
      await this.needs.progress.savePurchase(tx, unlocked);
      return { ...found, pass, unlocked };
    });
  }

  /** Throws battle_pass_level_not_found, action_not_possible, counting_conflict. */
  activateLevel(player: PlayerKey, levelId: string): Promise<OnLevel> {
    return this.change(player, async (_tx, found) => {
      const level = requireUnlocked(found, levelId);
      const { changes } = found;
      // Looked up before they begin, when they are not in progress themselves.
      const conflicting = level.challenges.some((definition) => changes.conflictsWith(definition, player));
      if (changes.activate(level, player) === null) throw levelNotActivated(level, levelIn(found, level), found.now);
      if (conflicting) throw new DomainError('counting_conflict');
      return { ...found, level };
    });
  }

  /** Claims on every track that the player has. Throws battle_pass_level_not_found, action_not_possible. */
  claimLevel(player: PlayerKey, levelId: string): Promise<OnLevel> {
    return this.change(player, async (_tx, found, events) => {
      const level = requireUnlocked(found, levelId);
      const hasPremium = found.hasPremium(level.pass);
      const tracks = found.changes.claim(level, player, hasPremium);
      if (tracks.length === 0) throw levelNotClaimed(level, levelIn(found, level), hasPremium);
      events.push(...tracks.map((track) => claimedEvent(level, player.userId, track)));
      return { ...found, level };
    });
  }

  /**
   * Deletes what this player did in the pass, the unlocking included. Throws battle_pass_not_found,
   * action_not_possible.
   */
  reset(player: PlayerKey, battlePassId: string): Promise<void> {
    return this.change(player, async (tx, { all, unlockedPass, changes }) => {
      const pass = requirePass(all, battlePassId);
      if (unlockedPass(pass) === null) throw passLocked();
      changes.forget(pass, player);
      await this.needs.progress.delete(tx, { ...player, battlePassId });
    });
  }

  /** Throws battle_pass_not_found. */
  async requirePass(projectId: string, battlePassId: string): Promise<void> {
    requirePass(await this.needs.definitions.current(projectId), battlePassId);
  }

  private async readProgress(player: PlayerKey): Promise<FoundPasses> {
    const { projectId, userId } = player;
    const { read } = this.needs.database;
    const all = await this.needs.definitions.current(projectId);
    const passes = all.passes.size === 0 ? [] : await this.needs.progress.passesOf(read, projectId, userId);
    if (passes.length === 0) return this.found(player, all, [], []);
    const levels = await this.needs.progress.levelsOf(read, projectId, userId);
    return this.found(player, all, passes, await this.needs.playerChallenges.ofPlayer(read, projectId, userId), levels);
  }

  /** Runs `work` while nobody else changes anything of the player, and stores what it changes. */
  private change<T>(
    player: PlayerKey,
    work: (tx: Transaction, found: FoundPasses, events: NewEvent[]) => Promise<T>,
  ): Promise<T> {
    return this.needs.database.transaction(async (tx) => {
      const { projectId, userId } = player;
      const all = await this.needs.definitions.getUnchanging(tx, projectId);
      await this.needs.playerChallenges.lockPlayer(tx, projectId, userId, this.needs.now());
      const passes = await this.needs.progress.passesOf(tx, projectId, userId);
      const levels = await this.needs.progress.lock(tx, passes);
      // Read now: while this waited for a pass, challenges of its next level may have begun.
      const rows = await this.needs.playerChallenges.lockOfPlayer(tx, projectId, userId);
      const found = this.found(player, all, passes, rows, levels);
      const events: NewEvent[] = [];
      const result = await work(tx, found, events);
      await this.needs.writer.write(tx, found.changes, events);
      return result;
    });
  }

  private found(
    player: PlayerKey,
    all: ProjectChallenges,
    passes: readonly PlayerPass[],
    rows: readonly PlayerChallengeRow[],
    levels: readonly PlayerLevel[] = [],
  ): FoundPasses {
    const now = this.needs.now();
    const definitions = new Map([[player.projectId, all]]);
    const changes = new ProgressChanges(definitions, rows, { passes, levels, challenges: [] }, now);
    const unlocked = new Map(passes.map((pass) => [pass.battlePassId, pass]));
    for (const id of unlocked.keys()) {
      const pass = all.passes.get(id);
      if (pass !== undefined) changes.settlePass(pass, player);
    }
    return {
      all,
      changes,
      now,
      unlockedPass: ({ battlePass }) => unlocked.get(battlePass.id) ?? null,
      hasPremium: ({ battlePass }) => (unlocked.get(battlePass.id)?.premiumAt ?? null) !== null,
      progressIn: (pass) => changes.inPass(pass, player),
    };
  }
}

function requirePass({ passes }: ProjectChallenges, id: string): PassDefinition {
  const pass = passes.get(id);
  if (pass === undefined) throw new DomainError('battle_pass_not_found');
  return pass;
}

/** Throws battle_pass_level_not_found, and action_not_possible while its pass is locked. */
function requireUnlocked({ all, unlockedPass }: PassesOfPlayer, levelId: string): LevelDefinition {
  const level = all.levels.get(levelId);
  if (level === undefined) throw new DomainError('battle_pass_level_not_found');
  if (unlockedPass(level.pass) === null) throw passLocked();
  return level;
}

const levelIn = ({ progressIn }: PassesOfPlayer, { pass, level }: LevelDefinition) =>
  progressIn(pass).levelOf(level.id);

const claimedEvent = (level: LevelDefinition, userId: string, track: RewardTrack): NewEvent => ({
  type: 'battlepass.level.claimed',
  source: 'earshot:gameplay',
  tenantId: level.pass.tenantId,
  projectId: level.level.projectId,
  resourceId: `battle-pass-level:${level.level.id}`,
  action: 'updated',
  data: levelClaimed(level, userId, track),
  subjectUserId: userId,
});
