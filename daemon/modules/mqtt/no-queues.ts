/**
 * Makes the broker keep no queues. A session ends with its connection, so no message waits for an absent client. The store
 * of aedes nevertheless makes a queue for each client that acknowledges a message, and never deletes it.
 */
import type { Aedes } from 'aedes';

export function keepNoQueues(aedes: Aedes): void {
  const store: unknown = Reflect.get(aedes, 'persistence');
  if (typeof store !== 'object' || store === null || !('outgoingClearMessageId' in store))
    throw new Error('This version of aedes keeps its queues elsewhere.');
  store.outgoingClearMessageId = async () => undefined;
}
