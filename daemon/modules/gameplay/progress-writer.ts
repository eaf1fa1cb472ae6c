/** Stores and announces changes of players' challenges and battle passes, in the transaction that has read them. */
import type { Transaction } from '../../platform/database/database.js';
import type { EventLog } from '../../platform/events/log.js';
import type { NewEvent } from '../../platform/events/logged.js';
import { stepEvent } from './announcer.js';
import type { BattlePassProgressStore, PassesOfPlayers } from './battle-passes/progress-store.js';
import type { PlayerChallengeStore } from './player-challenge-store.js';
import { noPasses, type ProgressChanges } from './progress-changes.js';

export class ProgressWriter {
  constructor(
    private readonly log: EventLog,
    private readonly challenges: PlayerChallengeStore,
    private readonly passes: BattlePassProgressStore,
  ) {}

  /**
   * Works out changes that may move players on in battle passes. The passes are read only when they do, and the changes
   * are then worked out again, so `work` must be repeatable.
   */
  async work(tx: Transaction, work: (passes: PassesOfPlayers) => ProgressChanges): Promise<ProgressChanges> {
    const changes = work(noPasses);
    return changes.missing.size === 0
      ? changes
      : work(await this.passes.lockWithChallenges(tx, [...changes.missing.values()]));
  }

  async write(tx: Transaction, changes: ProgressChanges, more: readonly NewEvent[] = []): Promise<void> {
    await this.challenges.save(tx, changes.challenges);
    await this.challenges.saveCounters(tx, changes.counters);
    await this.passes.saveLevels(tx, changes.levels);
    if (!this.log.isRead) return;
    const events = [...changes.steps.map(stepEvent), ...more];
    if (events.length > 0) await this.log.append(tx, ...events);
  }
}
