/** The event about a change of a session, or of its bot. */
import type { Session } from '../../../src/contract/sessions/sessions.js';
import type { NewEvent } from '../../platform/events/logged.js';

interface SessionChange {
  readonly type: 'session.created' | 'session.updated' | 'bot.status.changed';
  readonly action: 'created' | 'updated';
  readonly changes?: Readonly<Record<string, unknown>> | undefined;
  readonly source?: 'cortex:api' | 'cortex:bot';
}

export function sessionEvent(
  session: Session,
  { type, action, changes, source = 'cortex:api' }: SessionChange,
): NewEvent {
  const { tenantId, projectId, id } = session;
  return {
    type,
    source,
    tenantId,
    projectId,
    resourceId: `session:${id}`,
    action,
    data: session,
    ...(changes === undefined ? {} : { changes }),
  };
}
