/**
 * Rows of the log as events. A row that is not a valid event is marked as unreadable, so that no reader stops at it.
 */
import { DomainEvent } from '../../../src/contract/events.js';
import { inCurrentForm } from './current-form.js';
import { unpacked } from './packed.js';

/** An event as stored in the log: its position, and whom it is about. */
export interface ReadEvent {
  readonly position: bigint;
  readonly event: DomainEvent;
  readonly subjectUserId: string | null;
}

export interface EventRow {
  readonly id: string;
  readonly position: bigint | number;
  readonly type: string;
  readonly source: string;
  readonly tenantId: string;
  readonly projectId: string | null;
  readonly resourceId: string;
  /** Text where the database has no type for times. */
  readonly timestamp: Date | string;
  /** JSON, or packed. */
  readonly payload: string;
  readonly subjectUserId: string | null;
}

/** Stands for a payload that nobody in this process looks at. */
const unread: DomainEvent['payload'] = Object.freeze({ action: 'occurred', data: undefined });

/** The event without its payload. */
export function toHead({ position, timestamp, projectId, subjectUserId, payload: _, ...row }: EventRow): ReadEvent {
  const event = {
    ...{ ...row, source: row.source as DomainEvent['source'] },
    ...(projectId === null ? {} : { projectId }),
    ...{ timestamp: new Date(timestamp).toISOString(), payload: unread },
  };
  return { position: BigInt(position), event, subjectUserId };
}

/** Throws when the row is not an event. */
export function toReadEvent(row: EventRow): ReadEvent {
  const { id, type, source, tenantId, projectId, resourceId, payload, subjectUserId } = row;
  const event = DomainEvent.parse({
    id,
    type,
    source,
    tenantId,
    ...(projectId === null ? {} : { projectId }),
    resourceId,
    timestamp: new Date(row.timestamp).toISOString(),
    payload: JSON.parse(unpacked(payload)),
  });
  event.payload.data = inCurrentForm(type, event.payload.data);
  return { position: BigInt(row.position), event, subjectUserId };
}
