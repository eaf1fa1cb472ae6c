/**
 * Removes the data of events from the log. That something happened to a resource stays, so that the log has no gaps and
 * its readers go on.
 */
import { EventAction } from '../../../src/contract/events.js';
import type { Database, Transaction } from '../database/database.js';
import { logStatements, subjectRows } from './sql.js';

export interface StoredEvent {
  readonly id: string;
  readonly resourceId: string;
  /** JSON: action, data, changes. */
  readonly payload: string;
}

/** A resource, and the external user id of the person whom its events are about; null: about no person. */
export interface EventSubject {
  readonly subjectUserId: string | null;
  readonly resourceId: string;
}

/** Removes the data of events from wherever it stands. */
export interface ResourceForgetting {
  /** Of the events of these resources for which `concerns` holds. */
  resources(
    tx: Transaction,
    projectId: string,
    resources: readonly EventSubject[],
    concerns?: (event: StoredEvent) => boolean,
  ): Promise<void>;
}

/** A person to be erased. */
export interface NamedPerson {
  /** Of the participant. */
  readonly id: string;
  readonly externalUserId: string;
}

/** Replaces the person in resource names that a service chose. */
const erasedId = 'erased';

/** Whether any value in parsed JSON is the person's id, alone or after `kind:`. Keys do not count. */
export function names(value: unknown, person: Pick<NamedPerson, 'externalUserId'>): boolean {
  if (typeof value === 'string') return resourceWithout(value, person) !== value;
  if (typeof value !== 'object' || value === null) return false;
  return Object.values(value).some((inner) => names(inner, person));
}

/** The resource's name without the person: a service may have named it by them. */
export function resourceWithout(resourceId: string, { externalUserId }: Pick<NamedPerson, 'externalUserId'>): string {
  if (resourceId === externalUserId) return erasedId;
  return resourceId.endsWith(`:${externalUserId}`)
    ? resourceId.slice(0, -externalUserId.length) + erasedId
    : resourceId;
}

/** What stays of the payload: the action and the id of the resource. */
export function redactedPayload({ resourceId, payload }: Pick<StoredEvent, 'resourceId' | 'payload'>): string {
  const action = actionOf(payload);
  const data = { id: resourceId.slice(resourceId.indexOf(':') + 1), redacted: true };
  return JSON.stringify({ action, data });
}

function actionOf(payload: string): EventAction {
  try {
    return EventAction.parse(JSON.parse(payload).action);
  } catch {
    return 'occurred'; // it could not be read before either
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
    return tx.$queryRawUnsafe<StoredEvent[]>(this.sql.resourceEvents, subjectRows.text(resources), projectId);
  }

  /** The events that are about a person or name them, by participant id or external user id. */
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
