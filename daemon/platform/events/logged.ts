/** Types of the event log: what is appended, and what is read. */
import type { DomainEvent, EventAction, EventSource } from '../../../src/contract/events.js';
import type { PreparedRows } from '../database/bulk-rows.js';
import type { Transaction } from '../database/database.js';
import type { ReadEvent } from './record.js';

/** Event that a service announces. */
export interface NewEvent {
  readonly type: string;
  /** Left out: cortex:api. */
  readonly source?: EventSource;
  readonly tenantId: string;
  readonly projectId: string | null;
  /** `kind:id` */
  readonly resourceId: string;
  readonly action: EventAction;
  readonly data: unknown;
  /** Previous values of the changed fields, on updates. */
  readonly changes?: Readonly<Record<string, unknown>>;
  /** External user id of the person whom the event is about; erasure finds the event by it. */
  readonly subjectUserId?: string | null;
  /** It names nobody but the subject, and there are many of it: the log stores its payload packed. */
  readonly isPacked?: boolean;
  /** Left out: now. Ingested events bring their own. */
  readonly timestamp?: Date;
}

export interface LoggedEvent {
  readonly event: DomainEvent;
  /** Its payload as JSON, made once for all that is stored of it. */
  readonly payloadText: string;
  /** The payload as the log stores it. */
  readonly storedPayload: string;
  readonly subjectUserId: string | null;
}

/** The whole event as JSON. The payload is the last of its fields. */
export const eventText = ({ event, payloadText }: LoggedEvent): string =>
  `${JSON.stringify({ ...event, payload: undefined }).slice(0, -1)},"payload":${payloadText}}`;

/** An event with its position. */
export type PositionedEvent = Pick<ReadEvent, 'position' | 'event'>;

/** How far a durable subscriber has read. */
export interface ConsumerPlace {
  readonly name: string;
  readonly position: bigint;
  readonly updatedAt: Date;
}

/** Events serialised for storing; made before the transaction where there are many. */
export interface PreparedEvents {
  readonly logged: readonly LoggedEvent[];
  readonly rows: readonly PreparedRows[];
}

/** The positions of events that were appended together: after the one, up to the other. */
export interface AppendedRange {
  readonly after: bigint;
  readonly to: bigint;
}

/**
 * Runs in the transaction of the events, before they take their positions; what it returns runs after that. Used by the
 * webhook outbox.
 */
export type AppendHook = (
  tx: Transaction,
  events: readonly LoggedEvent[],
) => Promise<((range: AppendedRange) => Promise<void>) | null>;

/** The position after which somebody still has to read; null: none. */
export type StillNeeded = (tx: Transaction) => Promise<bigint | null>;

export interface ReadOptions {
  readonly after: bigint;
  readonly limit: number;
}

/** Events that follow a position. */
export interface LogBatch {
  readonly events: readonly PositionedEvent[];
  /** Up to here was read, including unreadable events. */
  readonly end: bigint;
  /** There may be more. */
  readonly more: boolean;
}
