/** The message and the session that an event is about. */
import type { DomainEvent } from '../../../../src/contract/events.js';
import { textField } from '../../../platform/events/text-field.js';

const isAbout = (event: DomainEvent, kind: string): boolean => event.resourceId.startsWith(`${kind}:`);

/** null: it is about no message. */
export const messageOf = (event: DomainEvent | null): string | null =>
  event !== null && isAbout(event, 'message') ? textField(event.payload.data, 'id') : null;

/** True for an event whose data was erased with the person that it is about. */
export const isRedacted = (event: DomainEvent | null): boolean => {
  const data = event?.payload.data;
  return typeof data === 'object' && data !== null && 'redacted' in data;
};

/** null: it is about no session. */
export const sessionOf = (event: DomainEvent): string | null => {
  const { data } = event.payload;
  return isAbout(event, 'session') ? textField(data, 'id') : textField(data, 'sessionId');
};
