/** Bounds how many sessions of a project have a bot at the same time: each one decodes and keeps what is said. */
import { DomainError } from '../../../src/contract/errors.js';
import type { Database, Transaction } from '../../platform/database/database.js';

interface ListeningSessions {
  /** Sessions of the project that ask for a bot. */
  countListening(tx: Transaction, projectId: string): Promise<number>;
}

export type BotLimit = (tx: Transaction, projectId: string) => Promise<void>;

/** Throws bot_limit_reached. @param maxNow 0: no limit */
export const botLimit =
  (database: Pick<Database, 'takeTurn'>, sessions: ListeningSessions, maxNow: () => number): BotLimit =>
  async (tx, projectId) => {
    const max = maxNow();
    if (max === 0) return;
    await database.takeTurn(tx, `bots ${projectId}`);
    if ((await sessions.countListening(tx, projectId)) >= max) throw new DomainError('bot_limit_reached');
  };
