/**
 * Takes out of the log what events told. That something happened to a resource stays, so that what is kept has no holes and
 * readers of the log go on.
 */
import { EventAction } from '../../../src/contract/events.js';
import type { Database, Transaction } from '../database/database.js';
import { logStatements } from './sql.js';

export interface StoredEvent {
  readonly id: string;
  readonly resourceId: string;
  /** JSON: action, data, changes. */
  readonly payload: string;
}

/** A resource, and the external user id of the person whom its events are about; null: about nobody. */
export interface EventSubject {
  readonly subjectUserId: string | null;
  readonly resourceId: string;
}

/** Somebody who is to be forgotten. */
export interface NamedPerson {
  /** Of the participant. */
  readonly id: string;
  readonly externalUserId: string;
}

/** Stands for the person where a service named a resource by them. */
const erasedId = 'erased';

/** Whether a value anywhere in what was parsed from JSON is the person's id, alone or behind `kind:`. Keys do not count. */
export function names(value: unknown, person: Pick<NamedPerson, 'externalUserId'>): boolean {
  if (typeof value === 'string') return resourceWithout(value, person) !== value;
  if (typeof value !== 'object' || value === null) return false;
  return Object.values(value).some((inner) => names(inner, person));
}

/** The resource as it may go on being called: a service may have named it by the person. */
export function resourceWithout(resourceId: string, { externalUserId }: Pick<NamedPerson, 'externalUserId'>): string {
  if (resourceId === externalUserId) return erasedId;
  return resourceId.endsWith(`:${externalUserId}`)
    ? resourceId.slice(0, -externalUserId.length) + erasedId
    : resourceId;
}

/** What is left of the payload: the action and the id of the resource. */
export function redactedPayload({ resourceId, payload }: Pick<StoredEvent, 'resourceId' | 'payload'>): string {
  const action = actionOf(payload);
  const data = { id: resourceId.slice(resourceId.indexOf(':') + 1), redacted: true };
  return JSON.stringify({ action, data });
}

function actionOf(payload: string): EventAction {
  try {
    return EventAction.parse(JSON.parse(payload).action);
  } catch {
    return 'occurred'; // nobody could read it before either
  }
}

export class EventRedaction {
  private readonly sql;

  constructor(database: Pick<Database, 'dialect'>) {
    this.sql = logStatements[database.dialect];
  }

  /** The events of these resources. */
  async of(tx: Transaction, projectId: string, resources: readonly EventSubject[]): Promise<StoredEvent[]> {
    if (resources.length === 0) return [];
    const keys = resources.map(({ subjectUserId, resourceId }) => [subjectUserId, resourceId]);
    return tx.$queryRawUnsafe<StoredEvent[]>(this.sql.resourceEvents, JSON.stringify(keys), projectId);
  }

  /** The events that are about a person or name them, by the id of the participant or by the external one. */
  async naming(tx: Transaction, projectId: string, person: NamedPerson): Promise<StoredEvent[]> {
    type Row = StoredEvent & { readonly subjectUserId: string | null };
    const { id, externalUserId } = person;
    const texts = [id, JSON.stringify(externalUserId).slice(1), externalUserId];
    const rows = await tx.$queryRawUnsafe<Row[]>(this.sql.subjectEvents, projectId, externalUserId, ...texts);
    return rows.filter(({ subjectUserId, resourceId, payload }) => {
      if (subjectUserId !== null || payload.includes(id)) return true;
      return resourceWithout(resourceId, person) !== resourceId || names(JSON.parse(payload), person);
    });
  }

  async redact(tx: Transaction, events: readonly StoredEvent[]): Promise<void> {
    for (const event of events) {
      const { resourceId } = event;
      const data = { resourceId, payload: redactedPayload(event), subjectUserId: null };
      await tx.domainEvent.update({ where: { id: event.id }, data });
    }
  }
}
