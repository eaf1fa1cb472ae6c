/** Stores and announces changes of players' challenges and battle passes, in the transaction that has read them. */
import type { Transaction } from '../../platform/database/database.js';
import type { EventLog } from '../../platform/events/log.js';
import type { NewEvent } from '../../platform/events/logged.js';
import type { BattlePassProgressStore, PassesOfPlayers } from './battle-passes/progress-store.js';
import { levelChallengeChanged } from './battle-passes/views.js';
import type { PlayerChallengeStore } from './player-challenge-store.js';
import { noPasses, type ProgressChanges, type TakenStep } from './progress-changes.js';
import { challengeChanged } from './views.js';

/** The event that announces a step of a challenge. */
const stepEvent = ({ userId, definition, step, reason }: TakenStep): NewEvent => {
  const { tenantId, projectId, challenge } = definition;
  const isLevel = definition.kind === 'level';
  return {
    type: isLevel ? 'battlepass.challenge.changed' : 'challenge.changed',
    source: 'earshot:gameplay',
    tenantId,
    projectId,
    resourceId: `challenge:${challenge.id}`,
    action: 'updated',
    data: {
      ...(isLevel ? levelChallengeChanged(definition, userId, step) : challengeChanged(definition, userId, step)),
      ...(reason === undefined ? {} : { reason }),
    },
    subjectUserId: userId,
    isPacked: true,
  };
};

export class ProgressWriter {
  constructor(
    private readonly log: EventLog,
    private readonly challenges: PlayerChallengeStore,
    private readonly passes: BattlePassProgressStore,
  ) {}

  /**
   * Works out changes that may move players on in battle passes. The passes are read only when they do, and the changes
   * are then worked out again, so `work` must be repeatable. It works by definitions as `getUnchanging` returns them, read
   * before any row of a player is locked, so that no change of how a challenge counts passes by what begins then.
   */
  async work(tx: Transaction, work: (passes: PassesOfPlayers) => ProgressChanges): Promise<ProgressChanges> {
    const changes = work(noPasses);
    return changes.missing.size === 0
      ? changes
      : work(await this.passes.lockWithChallenges(tx, [...changes.missing.values()]));
  }

  /** Stores the changes. Returns the events that announce them: none while nobody reads the log. */
  async save(tx: Transaction, changes: ProgressChanges): Promise<NewEvent[]> {
    await this.challenges.save(tx, changes.challenges);
    await this.challenges.saveCounters(tx, changes.counters);
    await this.passes.saveLevels(tx, changes.levels);
    return this.log.isRead ? changes.steps.map(stepEvent) : [];
  }

  async write(tx: Transaction, changes: ProgressChanges, more: readonly NewEvent[] = []): Promise<void> {
    const events = [...(await this.save(tx, changes)), ...more];
    if (this.log.isRead && events.length > 0) await this.log.append(tx, ...events);
  }
}
