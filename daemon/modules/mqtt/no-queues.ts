import persistence from 'aedes-persistence';

// The package exports the function itself; its types say that it is called `default`.
const inMemory = persistence as unknown as typeof persistence.default;

/**
 * Returns a store for the broker that keeps no queues: a session ends with its connection, so no message waits for an absent
 * client. The store in memory makes a queue for each client that acknowledges a message, and never deletes it.
 */
export const storeWithoutQueues = () =>
  Object.assign(inMemory(), { outgoingClearMessageId: async (): Promise<undefined> => undefined });
