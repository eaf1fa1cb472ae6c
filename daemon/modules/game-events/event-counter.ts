/** Interface of everything that counts game events. Challenges and leaderboards implement it; the intake calls it. */
import type { Lateness } from '../../../src/contract/gameplay/gameplay.js';
import type { Transaction } from '../../platform/database/database.js';
import type { NewEvent } from '../../platform/events/logged.js';
import type { RemovedEvent, StoredEvent, SubmittedEvent } from './event-store.js';

export interface EventCounter {
  /** Types of the events that repeat what players did. They are redacted when the game events are deleted. */
  readonly announces: readonly string[];
  /** How many counters an event may change, by definitions in memory, which may be outdated. */
  knownCost(projectId: string, eventName: string): number;
  /** Reads what counts in the projects of these revisions, in the transaction that stores the events. */
  prepare(tx: Transaction, revisions: ReadonlyMap<string, bigint>): Promise<PreparedCounter>;
  /** Keeps what it still needs of events that the transaction deletes; they come in the order of their ids. */
  keep?(tx: Transaction, events: readonly RemovedEvent[]): Promise<void>;
}

export interface PreparedCounter {
  /** How many counters an event may change. */
  costOf(projectId: string, eventName: string): number;
  /** Begins what the events make begin, before they get their ids, and returns what is to be announced of it. */
  begin?(events: readonly SubmittedEvent[], now: Date): Promise<NewEvent[]>;
  /** Counts the events, and returns what is to be announced of it. */
  count(events: readonly StoredEvent[], now: Date): Promise<NewEvent[]>;
  /** Events that came after the period was closed in which they happened, by their ids, once they are counted. */
  readonly late?: ReadonlyMap<string, Lateness>;
}
