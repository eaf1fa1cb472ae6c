/** The message and the session that an event is about. */
import type { DomainEvent } from '../../../../src/contract/events.js';

const field = (data: unknown, name: string): string | null => {
  if (typeof data !== 'object' || data === null) return null;
  const value: unknown = Reflect.get(data, name);
  return typeof value === 'string' ? value : null;
};

const isAbout = (event: DomainEvent, kind: string): boolean => event.resourceId.startsWith(`${kind}:`);

/** null: it is about no message. */
export const messageOf = (event: DomainEvent | null): string | null =>
  event !== null && isAbout(event, 'message') ? field(event.payload.data, 'id') : null;

/** null: it is about no session. */
export const sessionOf = (event: DomainEvent): string | null => {
  const { data } = event.payload;
  return isAbout(event, 'session') ? field(data, 'id') : field(data, 'sessionId');
};
