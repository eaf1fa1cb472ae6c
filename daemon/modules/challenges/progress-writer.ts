/** Stores and announces changes of players' challenges and battle passes, in the transaction that has read them. */
import type { Transaction } from '../../platform/database/database.js';
import type { EventLog } from '../../platform/events/log.js';
import type { NewEvent } from '../../platform/events/logged.js';
import type { BattlePassProgressStore, PassesOfPlayers } from './battle-passes/progress-store.js';
import { levelChallengeChanged } from './battle-passes/views.js';
import type { ChallengeDefinitions } from './definitions.js';
import type { PlayerChallengeStore } from './player-challenge-store.js';
import { type Definitions, noPasses, type ProgressChanges, type TakenStep } from './progress-changes.js';
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
    private readonly definitions: Pick<ChallengeDefinitions, 'getAllUnchanging'>,
    private readonly challenges: PlayerChallengeStore,
    private readonly passes: BattlePassProgressStore,
  ) {}

  /**
   * Works out changes that may move players on in battle passes. The passes are read only when they do, and the changes
   * are then worked out again, so `work` must be repeatable. What begins then is held against the definitions as they
   * stay until the end, so that no change of how a challenge counts passes it by.
   */
  async work(
    tx: Transaction,
    definitions: Definitions,
    work: (passes: PassesOfPlayers, definitions: Definitions) => ProgressChanges,
  ): Promise<ProgressChanges> {
    const changes = work(noPasses, definitions);
    if (changes.missing.size === 0) return changes;
    const moved = [...changes.missing.values()];
    const unchanging = await this.definitions.getAllUnchanging(tx, [...new Set(moved.map((key) => key.projectId))]);
    const passes = await this.passes.lockWithChallenges(tx, moved);
    return work(passes, new Map([...definitions, ...unchanging]));
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
