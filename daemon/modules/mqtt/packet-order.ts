/**
 * Makes the packets of one connection take effect in their order: whoever unsubscribes and subscribes again is subscribed.
 * Aedes begins with every packet as it arrives, has no hook for this, and says by `_nextBatch` that it has completed one, so
 * both are replaced here.
 */
import type { EventEmitter } from 'node:events';
import type { Client } from 'aedes';
import { parserOf } from './parser-of.js';

const changed = (): Error => new Error('This version of aedes handles packets in another way.');

function packetListenerOf(parser: EventEmitter): (packet: unknown) => void {
  const [listener, other] = parser.listeners('packet');
  if (typeof listener !== 'function' || other !== undefined) throw changed();
  return (packet) => Reflect.apply(listener, parser, [packet]);
}

/** Before any other listener to the client's parser. */
export function handleInOrder(client: Client): void {
  const parser = parserOf(client);
  const readMore: unknown = Reflect.get(client, '_nextBatch');
  if (typeof readMore !== 'function') throw changed();
  const handle = packetListenerOf(parser);
  const waiting: unknown[] = [];
  let isBusy = false;
  /** Aedes reads on when it counts less than one packet that is not complete. */
  const countIncomplete = (count: number) => Reflect.set(client, '_parsingBatch', count);

  const begin = (packet: unknown): void => {
    isBusy = true;
    countIncomplete(0);
    let isComplete = false; // of some packets aedes says so twice
    Reflect.set(client, '_nextBatch', (error?: unknown) => {
      if (error !== undefined && error !== null) return Reflect.apply(readMore, client, [error]);
      if (isComplete) return;
      isComplete = true;
      setImmediate(completed); // what was unsubscribed is announced right after the answer
    });
    Reflect.apply(handle, parser, [packet]);
  };
  const completed = (): void => {
    isBusy = false;
    if (client.closed) return;
    if (waiting.length === 0) {
      countIncomplete(1);
      Reflect.apply(readMore, client, []);
      return;
    }
    begin(waiting.shift());
    if (waiting.length > 0) countIncomplete(Number.POSITIVE_INFINITY);
  };
  parser.removeAllListeners('packet');
  parser.on('packet', (packet: unknown) => {
    if (!isBusy) return begin(packet);
    waiting.push(packet);
    countIncomplete(Number.POSITIVE_INFINITY); // nothing more is read until these are complete
  });
}
