/**
 * The record of what a request did, stored in the same transactions: whatever is committed, its record is committed
 * with it. The request runs inside `within`; every transaction that it makes calls `note` of `currentRecord`. Hooks after
 * a commit (wake-ups) run outside, and so do timers that serve several requests.
 */
import { CallContext } from '../call-context.js';
import type { Prisma } from './generated/sqlite/client.js';

interface RequestRecord {
  /** Called at the end of each transaction of the request, before its commit, with the result of the transaction. */
  note(tx: Prisma.TransactionClient, result: unknown): Promise<void>;
}

const records = new CallContext<RequestRecord>();

/** A request may keep several records: the inner one is written first. */
export function within<T>(record: RequestRecord, request: () => Promise<T>): Promise<T> {
  const outer = records.value;
  if (outer === undefined) return records.run(record, request);
  const both: RequestRecord = {
    note: async (tx, result) => {
      await record.note(tx, result);
      await outer.note(tx, result);
    },
  };
  return records.run(both, request);
}

export const currentRecord = (): RequestRecord | undefined => records.value;

/** Runs work that belongs to no request, also where a request calls it. */
export const outside = <T>(work: () => T): T => records.outside(work);
