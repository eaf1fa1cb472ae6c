/**
 * What players and operators do with challenges: read, unlock, activate, cancel, claim, reset. A player has one action
 * at a time; rows and announcements are stored together. Expired times are applied first.
 */
import { DomainError } from '../../../src/contract/errors.js';
import type { Clock } from '../../platform/clock.js';
import type { Database, Transaction } from '../../platform/database/database.js';
import type { EventLog } from '../../platform/events/log.js';
import { announce } from './announcer.js';
import type { ChallengeDefinition, ChallengeDefinitions, ProjectChallenges } from './definitions.js';
import type { TakenStep } from './fold.js';
import type { PlayerChallenge, PlayerChallengeStore } from './player-challenge-store.js';
import * as rules from './rules.js';

export type ChallengeAction = 'unlock' | 'activate' | 'cancel' | 'claim' | 'reset';

export interface PlayerKey {
  readonly projectId: string;
  readonly userId: string;
}

/**
 * A challenge and the player's progress. `announced` differs from the stored state when a step also reset the
 * challenge.
 */
export interface ChallengeOfPlayer {
  readonly definition: ChallengeDefinition;
  readonly progress: rules.Progress;
  readonly announced: rules.AnnouncedProgress;
}

type ProgressByChallenge = ReadonlyMap<string, rules.Progress>;

const byChallenge = (rows: readonly PlayerChallenge[]): Map<string, rules.Progress> =>
  new Map(rows.map(({ challengeId, progress }) => [challengeId, progress]));

const progressOf = (current: ProgressByChallenge, { challenge }: ChallengeDefinition): rules.Progress =>
  current.get(challenge.id) ?? rules.untouched;

/** The player's progress with expired times applied, whether that is stored yet or not. */
const settled = (definition: ChallengeDefinition, current: ProgressByChallenge, now: Date): rules.Progress => {
  const from = progressOf(current, definition);
  return rules.settle(definition, from, now).at(-1)?.to ?? from;
};

/**
 * Whether another challenge in progress counts the same event in the other way (per session or in total), which is not
 * allowed.
 */
const conflicts = (
  definition: ChallengeDefinition,
  all: ProjectChallenges,
  current: ProgressByChallenge,
  now: Date,
): boolean =>
  (all.byEvent.get(definition.event.name) ?? []).some(
    (other) =>
      other.challenge.id !== definition.challenge.id &&
      other.counting !== definition.counting &&
      settled(other, current, now).state === 'in-progress',
  );

/**
 * What a read does to an auto-activated challenge: nothing while another challenge counts its event in the other way.
 */
const autoSteps = (
  definition: ChallengeDefinition,
  all: ProjectChallenges,
  current: ProgressByChallenge,
  now: Date,
) => {
  const steps = rules.autoActivate(definition, settled(definition, current, now), now);
  return steps.length > 0 && conflicts(definition, all, current, now) ? [] : steps;
};

const taken = (userId: string, definition: ChallengeDefinition, steps: readonly rules.Step[]): TakenStep[] =>
  steps.map((step) => ({ userId, definition, step }));

export class PlayerChallenges {
  constructor(
    private readonly database: Database,
    private readonly log: EventLog,
    private readonly definitions: ChallengeDefinitions,
    private readonly playerChallenges: PlayerChallengeStore,
    private readonly now: Clock,
  ) {}

  /** Returns what `view` makes of the challenge afterwards. Throws challenge_not_found, action_not_possible, counting_conflict. */
  act<T>(
    player: PlayerKey,
    challengeId: string,
    action: ChallengeAction,
    view: (found: ChallengeOfPlayer) => T,
  ): Promise<T> {
    return this.database.transaction(async (tx) => {
      const now = this.now();
      const all = await this.definitions.of(tx, player.projectId);
      const definition = all.byId.get(challengeId);
      if (definition === undefined) throw new DomainError('challenge_not_found');
      const current = byChallenge(await this.playerChallenges.lockPlayer(tx, player.projectId, player.userId, now));
      const steps = rules.settle(definition, progressOf(current, definition), now);
      const from = settled(definition, current, now);
      const step = this.step(action, definition, from, now);
      if (step === null) throw new DomainError('action_not_possible');
      if (action === 'activate' && conflicts(definition, all, current, now)) throw new DomainError('counting_conflict');
      const changed = [{ ...player, challengeId, progress: step.to }];
      await this.store(tx, changed, taken(player.userId, definition, [...steps, step]));
      return view({ definition, progress: step.to, announced: step.announced });
    });
  }

  /** Every live challenge in its order; reading activates auto-activated ones. */
  async list(player: PlayerKey): Promise<{ all: ProjectChallenges; challenges: ChallengeOfPlayer[] }> {
    const { projectId, userId } = player;
    const now = this.now();
    const all = await this.definitions.of(this.database.read, projectId);
    const stored = byChallenge(await this.playerChallenges.ofPlayer(this.database.read, projectId, userId));
    const waiting = [...all.byId.values()].some((definition) => autoSteps(definition, all, stored, now).length > 0);
    const current = waiting ? await this.autoActivate(player) : stored;
    const challenges = [...all.byId.values()]
      .filter((definition) => rules.isLive(definition, now))
      .map((definition) => {
        const progress = settled(definition, current, now);
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
  async standingsOf(player: PlayerKey): Promise<ChallengeOfPlayer[]> {
    const now = this.now();
    const all = await this.definitions.of(this.database.read, player.projectId);
    const stored = byChallenge(
      await this.playerChallenges.ofPlayer(this.database.read, player.projectId, player.userId),
    );
    return [...all.byId.values()].map((definition) => {
      const progress = settled(definition, stored, now);
      return { definition, progress, announced: progress };
    });
  }

  /** Throws challenge_not_found. */
  async requireChallenge(projectId: string, challengeId: string): Promise<void> {
    const { byId } = await this.definitions.of(this.database.read, projectId);
    if (!byId.has(challengeId)) throw new DomainError('challenge_not_found');
  }

  /** Applies expired times to up to `limit` challenges of players; returns how many there were. */
  applyTime(limit: number): Promise<number> {
    return this.database.transaction(async (tx) => {
      const now = this.now();
      const due = await this.playerChallenges.due(tx, now, limit);
      const definitions = await this.definitions.ofAll(tx, [...new Set(due.map(({ projectId }) => projectId))]);
      const changed: PlayerChallenge[] = [];
      const steps: TakenStep[] = [];
      for (const row of due) {
        const definition = definitions.get(row.projectId)?.byId.get(row.challengeId);
        if (definition === undefined) continue;
        const settling = rules.settle(definition, row.progress, now);
        steps.push(...taken(row.userId, definition, settling));
        changed.push({ ...row, progress: settling.at(-1)?.to ?? row.progress });
      }
      await this.store(tx, changed, steps);
      return due.length;
    });
  }

  /** Returns the progress of the player as it is afterwards. */
  private autoActivate(player: PlayerKey): Promise<ProgressByChallenge> {
    return this.database.transaction(async (tx) => {
      const now = this.now();
      const all = await this.definitions.of(tx, player.projectId);
      const current = byChallenge(await this.playerChallenges.lockPlayer(tx, player.projectId, player.userId, now));
      const changed: PlayerChallenge[] = [];
      const steps: TakenStep[] = [];
      for (const definition of all.byId.values()) {
        const own = autoSteps(definition, all, current, now);
        const last = own.at(-1);
        if (last === undefined) continue;
        const settling = rules.settle(definition, progressOf(current, definition), now);
        steps.push(...taken(player.userId, definition, [...settling, ...own]));
        changed.push({ ...player, challengeId: definition.challenge.id, progress: last.to });
        current.set(definition.challenge.id, last.to);
      }
      await this.store(tx, changed, steps);
      return current;
    });
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

  private async store(
    tx: Transaction,
    changed: readonly PlayerChallenge[],
    steps: readonly TakenStep[],
  ): Promise<void> {
    await this.playerChallenges.save(tx, changed);
    await announce(this.log, tx, steps);
  }
}
