/** A transaction that is begun and ended by statements of ours, and that Prisma joins. */
import type { SqlDriverAdapter, Transaction } from '@prisma/driver-adapter-utils';
import type { WrittenStatements } from './written-out.js';

/** A transaction was used after its end: it took too long, or work of it was not waited for. */
export class TransactionEnded extends Error {
  override name = 'TransactionEnded';

  constructor() {
    super('The transaction has ended.');
  }
}

/** Prisma's part of the transaction that is open: whoever has begun it ends it. */
export function joined(inner: SqlDriverAdapter, isOpen: () => boolean): Transaction {
  const own = (): SqlDriverAdapter => {
    if (!isOpen()) throw new TransactionEnded();
    return inner;
  };
  return {
    provider: inner.provider,
    adapterName: inner.adapterName,
    options: { usePhantomQuery: true },
    queryRaw: async (query) => own().queryRaw(query),
    executeRaw: async (query) => own().executeRaw(query),
    commit: async () => {},
    rollback: async () => {},
    createSavepoint: async (name) => own().executeScript(`SAVEPOINT ${name}`),
    rollbackToSavepoint: async (name) => own().executeScript(`ROLLBACK TO ${name}`),
    releaseSavepoint: async (name) => own().executeScript(`RELEASE ${name}`),
  };
}

/** The last statement of a transaction, sent together with its COMMIT. */
export interface LastStatement {
  readonly text: string;
  readonly parameters: readonly unknown[];
  /** Called with its rows, before the transaction is committed. */
  readonly answered: (rows: Record<string, unknown>[]) => void;
  /** Called with its error; the transaction is not committed where the server has sent it. */
  /** `isUncommitted`: no commit was sent. */
  readonly failed: (error: unknown, isUncommitted?: boolean) => void;
}

/** A transaction on a connection that is its own until it ends. Its statements throw once it has ended. */
export interface OpenTransaction<S extends WrittenStatements = WrittenStatements> {
  readonly statements: S;
  /** Throws TransactionEnded. */
  requireOpen(): void;
  /** Calls `start`, which begins a transaction of Prisma: it becomes a part of this one. */
  join<T>(start: () => Promise<T>): Promise<T>;
  /** Throws TransactionEnded, and what the database throws. `last`: PostgreSQL's only. */
  commit(last?: LastStatement | null): void | Promise<void>;
  /** Does nothing where it has ended. */
  rollback(): void | Promise<void>;
}

/** In milliseconds: how long a transaction waits for others, and how long it may take; then it is rolled back. */
export interface TransactionLimits {
  readonly maxWait: number;
  readonly timeout: number;
}
