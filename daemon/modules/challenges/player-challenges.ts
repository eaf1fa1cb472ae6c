/**
 * Actions of players and operators on challenges: read, unlock, activate, cancel, claim, reset. A player has one action
 * at a time; rows and announcements are stored together. Expired times are applied first.
 */

import { DomainError } from '../../../src/contract/errors.js';
import type { SetPlayerProgressRequest } from '../../../src/contract/gameplay/players.js';
import type { Database, Transaction } from '../../platform/database/database.js';
import type { NextDue } from '../../platform/scheduler/due-work.js';
import type { Clock } from '../../platform/time/clock.js';
import { add, sumOf } from '../game-events/model/counting.js';
import type { PlayerKey } from '../game-events/model/player.js';
import { conflicts, setProgress, settle, settled } from './counted-challenges.js';
import type { ChallengeDefinition, ChallengeDefinitions, CountedDefinition, ProjectChallenges } from './definitions.js';
import { type ChallengeAction, challengeNotPossible, progressNotSet } from './not-possible.js';
import type { PlayerChallengeRow, PlayerChallengeStore } from './player-challenge-store.js';
import { noPasses, ProgressChanges } from './progress-changes.js';
import type { ProgressWriter } from './progress-writer.js';
import * as rules from './rules.js';

/**
 * A challenge and the player's progress. `announced` differs from the stored state when a step also reset the
 * challenge.
 */
export interface ChallengeOfPlayer {
  readonly definition: ChallengeDefinition;
  readonly progress: rules.Progress;
  readonly announced: rules.AnnouncedProgress;
}

const broughtForwardAtOnce = 200;

type ProgressOf = (challengeId: string) => rules.Progress;

const progressIn = (rows: readonly PlayerChallengeRow[]): ProgressOf => {
  const current = new Map(rows.map(({ challengeId, progress }) => [challengeId, progress]));
  return (challengeId) => current.get(challengeId) ?? rules.untouched;
};

const settledOf = (progressOf: ProgressOf, definition: ChallengeDefinition, now: Date): rules.Progress =>
  settled(definition, progressOf(definition.challenge.id), now);

/**
 * Returns the steps of an auto-activated challenge at a read: none while another one counts its event in the other way.
 */
const autoSteps = (definition: ChallengeDefinition, all: ProjectChallenges, progressOf: ProgressOf, now: Date) => {
  const steps = rules.autoActivate(definition, settledOf(progressOf, definition, now), now);
  return steps.length > 0 && conflicts(definition, all, progressOf, now) ? [] : steps;
};

export class PlayerChallenges {
  constructor(
    private readonly database: Database,
    private readonly definitions: ChallengeDefinitions,
    private readonly playerChallenges: PlayerChallengeStore,
    private readonly writer: ProgressWriter,
    private readonly now: Clock,
  ) {}

  /**
   * Returns what `view` makes of the challenge afterwards. Throws challenge_not_found, action_not_possible,
   * counting_conflict.
   */
  act<T>(
    player: PlayerKey,
    challengeId: string,
    action: ChallengeAction,
    view: (found: ChallengeOfPlayer) => T,
  ): Promise<T> {
    return this.database.transaction(async (tx) => {
      const now = this.now();
      const all = await this.definitions.getUnchanging(tx, player.projectId);
      const definition = all.byId.get(challengeId);
      if (definition === undefined) throw new DomainError('challenge_not_found');
      const changes = await this.open(tx, player, all, now);
      const from = changes.progressOf({ ...player, challengeId });
      const steps = rules.settle(definition, from, now);
      const current = settled(definition, from, now);
      const step = this.step(action, definition, current, now);
      if (step === null) throw challengeNotPossible(action, definition, current.state, now);
      if (action === 'activate' && changes.conflictsWith(definition, player))
        throw new DomainError('counting_conflict');
      changes.add(definition, player, [...steps, step]);
      await this.writer.write(tx, changes);
      return view({ definition, progress: step.to, announced: step.announced });
    });
  }

  /**
   * Sets the counter for an operator. Returns what `view` makes of the progress afterwards. Throws challenge_not_found,
   * action_not_possible, counting_conflict.
   */
  setProgress<T>(
    player: PlayerKey,
    challengeId: string,
    { counter, add: more = 0, reason }: SetPlayerProgressRequest,
    view: (definition: CountedDefinition, progress: rules.Progress) => T,
  ): Promise<T> {
    return this.database.transaction(async (tx) => {
      const now = this.now();
      const all = await this.definitions.getUnchanging(tx, player.projectId);
      const definition = all.counted.get(challengeId);
      if (definition === undefined) throw new DomainError('challenge_not_found');
      const rows = await this.playerChallenges.lockPlayer(tx, player.projectId, player.userId, now);
      const definitions = new Map([[player.projectId, all]]);
      const changes = await this.writer.work(tx, (passes) => {
        const setting = new ProgressChanges(definitions, rows, passes, now);
        setting.add(definition, player, settle(definition, setting.progressOf({ ...player, challengeId }), now));
        const current = setting.progressOf({ ...player, challengeId });
        const steps = setProgress(
          definition,
          current,
          (before) => (counter === undefined ? add(before, sumOf(more)) : sumOf(counter)),
          now,
        );
        if (steps === null) throw progressNotSet(definition, current, now);
        if (current.state !== 'in-progress' && setting.conflictsWith(definition, player))
          throw new DomainError('counting_conflict');
        setting.add(definition, player, steps, reason === undefined ? {} : { reason });
        return setting;
      });
      await this.writer.write(tx, changes);
      return view(definition, changes.progressOf({ ...player, challengeId }));
    });
  }

  /** Every live challenge in its order; reading activates auto-activated ones. */
  async list(player: PlayerKey): Promise<{ all: ProjectChallenges; challenges: ChallengeOfPlayer[] }> {
    const { projectId, userId } = player;
    const now = this.now();
    const all = await this.definitions.current(projectId);
    const stored = progressIn(await this.playerChallenges.ofPlayer(this.database.read, projectId, userId));
    const waiting = [...all.byId.values()].some((definition) => autoSteps(definition, all, stored, now).length > 0);
    const current = waiting ? await this.autoActivate(player) : stored;
    const challenges = [...all.byId.values()]
      .filter((definition) => rules.isLive(definition, now))
      .map((definition) => {
        const progress = settledOf(current, definition, now);
        return { definition, progress, announced: progress };
      });
    return { all, challenges };
  }

  /** Throws challenge_not_found, also for a challenge that is not live yet. */
  async find(player: PlayerKey, challengeId: string): Promise<ChallengeOfPlayer> {
    const found = (await this.list(player)).challenges.find(
      ({ definition }) => definition.challenge.id === challengeId,
    );
    if (found === undefined) throw new DomainError('challenge_not_found');
    return found;
  }

  /** The player's progress for operators: reading it activates nothing. */
  async ofPlayer(player: PlayerKey): Promise<ChallengeOfPlayer[]> {
    const now = this.now();
    const all = await this.definitions.current(player.projectId);
    const stored = progressIn(
      await this.playerChallenges.ofPlayer(this.database.read, player.projectId, player.userId),
    );
    return [...all.byId.values()].map((definition) => {
      const progress = settledOf(stored, definition, now);
      return { definition, progress, announced: progress };
    });
  }

  /** Throws challenge_not_found. */
  async requireChallenge(projectId: string, challengeId: string): Promise<void> {
    const { byId } = await this.definitions.current(projectId);
    if (!byId.has(challengeId)) throw new DomainError('challenge_not_found');
  }

  readonly nextDue: NextDue = () => this.playerChallenges.nextDue();

  /** Applies expired times to up to `limit` challenges of players; returns how many there were. */
  applyTime(limit: number): Promise<number> {
    return this.database.transaction(async (tx) => {
      const now = this.now();
      const projectIds = await this.playerChallenges.dueProjects(tx, now, limit);
      const definitions = await this.definitions.getAllUnchanging(tx, projectIds);
      const due = await this.playerChallenges.due(tx, now, limit);
      const changes = await this.writer.work(tx, (passes) => {
        const settling = new ProgressChanges(definitions, due, passes, now);
        for (const { progress, ...key } of due) {
          const definition = definitions.get(key.projectId)?.counted.get(key.challengeId);
          if (definition !== undefined) settling.add(definition, key, settle(definition, progress, now));
        }
        return settling;
      });
      await this.writer.write(tx, changes);
      return due.length;
    });
  }

  /** The clock was set back: challenges that began by it begin now, so that no time limit is longer than it was. */
  async bringForward(now: Date): Promise<void> {
    const some = (): Promise<number> =>
      this.database.transaction(async (tx) => {
        const rows = await this.playerChallenges.begunAfter(tx, now, broughtForwardAtOnce);
        await this.playerChallenges.save(
          tx,
          rows.map(({ progress, ...key }) => ({ ...key, progress: rules.begunNow(progress, now) })),
        );
        return rows.length;
      });
    while ((await some()) > 0);
  }

  /** Returns the progress of the player as it is afterwards. */
  private autoActivate(player: PlayerKey): Promise<ProgressOf> {
    return this.database.transaction(async (tx) => {
      const now = this.now();
      const all = await this.definitions.getUnchanging(tx, player.projectId);
      const changes = await this.open(tx, player, all, now);
      const progressOf = (challengeId: string) => changes.progressOf({ ...player, challengeId });
      for (const definition of all.byId.values()) {
        const own = autoSteps(definition, all, progressOf, now);
        if (own.length === 0) continue;
        const settling = rules.settle(definition, progressOf(definition.challenge.id), now);
        changes.add(definition, player, [...settling, ...own]);
      }
      await this.writer.write(tx, changes);
      return progressOf;
    });
  }

  /** Every challenge of the player, locked. */
  private async open(tx: Transaction, player: PlayerKey, all: ProjectChallenges, now: Date): Promise<ProgressChanges> {
    const { projectId, userId } = player;
    const rows = await this.playerChallenges.lockPlayer(tx, projectId, userId, now);
    return new ProgressChanges(new Map([[projectId, all]]), rows, noPasses, now);
  }

  private step(action: ChallengeAction, definition: ChallengeDefinition, from: rules.Progress, now: Date) {
    const steps: Record<ChallengeAction, () => rules.Step | null> = {
      unlock: () => rules.unlock(definition, from, now),
      activate: () => rules.activate(definition, from, now),
      cancel: () => rules.cancel(from),
      claim: () => rules.claim(definition, from, now),
      reset: () => rules.reset(from),
    };
    return steps[action]();
  }
}
