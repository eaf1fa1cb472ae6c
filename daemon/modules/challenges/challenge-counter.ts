/** Counts game events for the challenges of players. */
import type { Transaction } from '../../platform/database/database.js';
import type { EventCounter, PreparedCounter } from '../game-events/event-counter.js';
import type { ChallengeDefinitions } from './definitions.js';
import { concerned, concerningOf, fold } from './fold.js';
import type { HeldEventStore } from './held-event-store.js';
import { type ProgressHolds, withoutHeld } from './held-progress.js';
import type { PlayerChallengeStore } from './player-challenge-store.js';
import type { ProgressWriter } from './progress-writer.js';

export class ChallengeCounter implements EventCounter {
  readonly announces = ['challenge.changed', 'battlepass.challenge.changed', 'battlepass.level.claimed'];

  constructor(
    private readonly definitions: ChallengeDefinitions,
    private readonly playerChallenges: PlayerChallengeStore,
    private readonly writer: ProgressWriter,
    private readonly held: { readonly holds: Pick<ProgressHolds, 'progressHolds'>; readonly store: HeldEventStore },
  ) {}

  knownCost(projectId: string, eventName: string): number {
    return this.definitions.known(projectId)?.byEvent.get(eventName)?.length ?? 0;
  }

  async prepare(tx: Transaction, revisions: ReadonlyMap<string, bigint>): Promise<PreparedCounter> {
    const definitions = await this.definitions.getAt(tx, revisions);
    return {
      costOf: (projectId, eventName) => definitions.get(projectId)?.byEvent.get(eventName)?.length ?? 0,
      count: async (events, now) => {
        const inProgress = await this.playerChallenges.inProgress(tx, concerned(events, definitions));
        if (inProgress.length === 0) return [];
        const counting = await withoutHeld(tx, events, concerningOf(definitions, inProgress), this.held);
        const changes = await this.writer.work(tx, definitions, (passes, current) =>
          fold(counting, current, inProgress, passes, now),
        );
        return this.writer.save(tx, changes);
      },
    };
  }
}
