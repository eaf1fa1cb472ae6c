import { EventEmitter } from 'node:events';
import type { Client } from 'aedes';

/** What reads the packets of a client, and hands them over by the event `packet`. Aedes has no hook in between. */
export function parserOf(client: Client): EventEmitter {
  const parser: unknown = Reflect.get(client, '_parser');
  if (!(parser instanceof EventEmitter)) throw new Error('This version of aedes keeps its parser elsewhere.');
  return parser;
}
