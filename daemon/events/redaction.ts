/**
 * Takes out of the log what events told. That something happened to a resource stays, so that what is kept has no holes and
 * readers of the log go on.
 */
import { EventAction } from '../../src/contract/events.js';
import type { Database, Transaction } from '../database/database.js';
import { logStatements } from './sql.js';

export interface ToldEvent {
  readonly id: string;
  readonly resourceId: string;
  /** JSON: action, data, changes. */
  readonly payload: string;
}

/** A resource, and the external user id of the person whom its events are about. */
export interface ToldOf {
  readonly subjectUserId: string;
  readonly resourceId: string;
}

/** What is left of the payload: the action and the id of the resource. */
export function redactedPayload({ resourceId, payload }: Pick<ToldEvent, 'resourceId' | 'payload'>): string {
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
  async of(tx: Transaction, projectId: string, resources: readonly ToldOf[]): Promise<ToldEvent[]> {
    if (resources.length === 0) return [];
    const keys = resources.map(({ subjectUserId, resourceId }) => [subjectUserId, resourceId]);
    return tx.$queryRawUnsafe<ToldEvent[]>(this.sql.resourceEvents, JSON.stringify(keys), projectId);
  }

  async redact(tx: Transaction, events: readonly ToldEvent[]): Promise<void> {
    for (const event of events) {
      const data = { payload: redactedPayload(event), subjectUserId: null };
      await tx.domainEvent.update({ where: { id: event.id }, data });
    }
  }
}
