/**
 * The request that a transaction belongs to: its tenant takes turns with others at writing, and the record of what it
 * did is stored in the same transactions: whatever is committed, its record is committed with it. The request runs inside
 * `within`; every transaction that it makes calls `note` of `currentRecord`. Hooks after a commit (wake-ups) run outside,
 * and so do timers that serve several requests.
 */
import { CallContext } from '../call-context.js';
import type { Prisma } from './generated/sqlite/client.js';

export interface RequestRecord {
  readonly tenantId: string | null;
  /**
   * Called ahead of each transaction of the request, and once more within it: where SQLite has the one writer, and on PostgreSQL
   * after its work, which may have waited for locks. Throws where the caller may not do this any more.
   */
  readonly confirm: (isWriting: boolean) => Promise<void>;
  /** Called at the end of each transaction of the request, before its commit, with the result of the transaction. */
  note(tx: Prisma.TransactionClient, result: unknown): Promise<void>;
}

const records = new CallContext<RequestRecord>();

/** A request may keep several records: the inner one is written first. */
export function within<T>(note: RequestRecord['note'], request: () => Promise<T>): Promise<T> {
  const outer = records.value;
  if (outer === undefined) return records.run({ tenantId: null, confirm: async () => {}, note }, request);
  const both = async (...done: Parameters<typeof note>) => {
    await note(...done);
    await outer.note(...done);
  };
  return records.run({ ...outer, note: both }, request);
}

/** Runs a request that keeps no record yet; its transactions take the turns of the tenant. */
export const writingFor = <T>(
  tenantId: string,
  request: () => Promise<T>,
  confirm: RequestRecord['confirm'] = async () => {},
): Promise<T> => records.run({ tenantId, confirm, note: async () => {} }, request);

export const currentRecord = (): RequestRecord | undefined => records.value;

/**
 * Returns those whose request may still do what it asked for; rejects the others. For work that waited in a queue beside that of
 * other requests.
 */
export async function confirmed<
  Waiting extends { readonly record: RequestRecord | undefined; readonly reject: (error: unknown) => void },
>(waiting: readonly Waiting[]): Promise<readonly Waiting[]> {
  const refusals = new Map<RequestRecord, unknown>();
  for (const record of new Set(waiting.flatMap((one) => one.record ?? [])))
    await record.confirm(false).catch((error: unknown) => refusals.set(record, error));
  if (refusals.size === 0) return waiting;
  return waiting.filter(({ record, reject }) => {
    const isRefused = record !== undefined && refusals.has(record);
    if (isRefused) reject(refusals.get(record));
    return !isRefused;
  });
}

/** Runs work that belongs to no request, also where a request calls it. */
export const outside = <T>(work: () => T): T => records.outside(work);
