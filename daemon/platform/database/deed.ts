/**
 * What a request does, noted in the very transactions that do it: whatever is committed, the note is committed with it. The
 * request runs inside `within`; every transaction that it makes there asks `currentDeed`. What a commit sets off (wake-ups)
 * runs outside, and so do timers that serve several requests.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import type { Transaction } from './database.js';

export interface Deed {
  /** Called at the end of each transaction of the request, before its commit, with what the transaction returns. */
  note(tx: Transaction, result: unknown): Promise<void>;
}

const deeds = new AsyncLocalStorage<Deed>();

export const within = <T>(deed: Deed, request: () => Promise<T>): Promise<T> => deeds.run(deed, request);

export const currentDeed = (): Deed | undefined => deeds.getStore();

/** Runs what belongs to no request, whoever calls it. */
export const outside = <T>(work: () => T): T => deeds.exit(work);
