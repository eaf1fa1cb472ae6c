/** The message that a plugin is run on. */
import type { DomainEvent } from '../../../../src/contract/events.js';
import { Message } from '../../../../src/contract/sessions/sessions.js';
import { Skip } from '../plugin.js';

/** Throws Skip where there is nothing that somebody wrote or said. */
export function messageIn(event: DomainEvent | null): Message {
  const message = Message.safeParse(event?.payload.data).data;
  if (message === undefined) throw new Skip('the event carries no message');
  if (message.type === 'system') throw new Skip('it is not from a person');
  if (message.status !== null && message.status !== 'recognised') throw new Skip('nothing was recognised');
  return message;
}
