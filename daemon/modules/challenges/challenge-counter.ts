/** Counts game events for the challenges of players. */
import type { Transaction } from '../../platform/database/database.js';
import type { EventCounter, PreparedCounter } from '../game-events/event-counter.js';
import type { ChallengeDefinitions } from './definitions.js';
import { concerned, concerningOf, fold, ofLevels } from './fold.js';
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
        // Those of levels stay as they are while the rows of players are locked, as for whoever begins a challenge.
        const unchanging = await this.definitions.getAllUnchanging(tx, ofLevels(events, definitions));
        const current = new Map([...definitions, ...unchanging]);
        const rows = await this.playerChallenges.counting(tx, concerned(events, current));
        if (rows.length === 0) return [];
        const counting = await withoutHeld(tx, events, concerningOf(current, rows), this.held);
        const changes = await this.writer.work(tx, (passes) => fold(counting, current, rows, passes, now));
        return this.writer.save(tx, changes);
      },
    };
  }
}
