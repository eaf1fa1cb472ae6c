/**
 * The record of what a request did, stored in the same transactions: whatever is committed, its record is committed
 * with it. The request runs inside `within`; every transaction that it makes asks `currentDeed`. Hooks after a commit
 * (wake-ups) run outside, and so do timers that serve several requests.
 */
import { CallContext } from '../call-context.js';
import type { Transaction } from './database.js';

export interface Deed {
  /** Called at the end of each transaction of the request, before its commit, with the result of the transaction. */
  note(tx: Transaction, result: unknown): Promise<void>;
}

const deeds = new CallContext<Deed>();

/** A request may keep several records: the inner one is written first. */
export function within<T>(deed: Deed, request: () => Promise<T>): Promise<T> {
  const outer = deeds.value;
  if (outer === undefined) return deeds.run(deed, request);
  const both: Deed = {
    note: async (tx, result) => {
      await deed.note(tx, result);
      await outer.note(tx, result);
    },
  };
  return deeds.run(both, request);
}

export const currentDeed = (): Deed | undefined => deeds.value;

/** Runs work that belongs to no request, whoever calls it. */
export const outside = <T>(work: () => T): T => deeds.outside(work);
