/** Counts game events for leaderboards. */
import type { Lateness } from '../../../src/contract/gameplay/gameplay.js';
import type { Transaction } from '../../platform/database/database.js';
import type { EventCounter, PreparedCounter } from '../game-events/event-counter.js';
import type { RemovedEvent } from '../game-events/event-store.js';
import type { BoardCounting } from './board-counting.js';
import type { BoardDefinitions } from './board-definitions.js';
import type { Snapshots } from './snapshots.js';

export class BoardCounter implements EventCounter {
  readonly announces = ['leaderboard.changed'];

  constructor(
    private readonly definitions: BoardDefinitions,
    private readonly counting: BoardCounting,
    private readonly snapshots: Snapshots,
  ) {}

  knownCost(projectId: string, eventName: string): number {
    return this.definitions.known(projectId)?.byEvent.get(eventName)?.length ?? 0;
  }

  async prepare(tx: Transaction, revisions: ReadonlyMap<string, bigint>): Promise<PreparedCounter> {
    const definitions = await this.definitions.getAt(tx, revisions);
    const late = new Map<string, Lateness>();
    return {
      late,
      costOf: (projectId, eventName) => definitions.get(projectId)?.byEvent.get(eventName)?.length ?? 0,
      begin: (events, now) => this.counting.begin(tx, events, definitions, now),
      count: (events, now) => this.counting.count(tx, events, definitions, { now, late }),
    };
  }

  keep(tx: Transaction, events: readonly RemovedEvent[]): Promise<void> {
    return this.snapshots.keep(tx, events);
  }
}
