/** Rows of console sessions. A session that was revoked has no row. */
import type { Database, Transaction } from '../../../platform/database/database.js';

/** A user token of a session ends after this time. */
export const consoleTokenSeconds = 15 * 60;

export interface ConsoleSessionRow {
  readonly id: string;
  readonly userId: string;
  readonly generation: number;
  readonly rotatedAt: Date;
  readonly createdAt: Date;
  readonly lastUsedAt: Date;
  readonly expiresAt: Date;
  readonly confirmedAt: Date | null;
  readonly device: string;
  readonly network: string;
}

type Rotation = Pick<ConsoleSessionRow, 'rotatedAt' | 'lastUsedAt' | 'expiresAt' | 'network'>;

export class ConsoleSessionStore {
  constructor(private readonly database: Database) {}

  byId = (id: string): Promise<ConsoleSessionRow | null> =>
    this.database.read.consoleSession.findUnique({ where: { id } });

  /** Newest first. */
  ofUser = (userId: string): Promise<ConsoleSessionRow[]> =>
    this.database.read.consoleSession.findMany({ where: { userId }, orderBy: { id: 'desc' } });

  async insert(tx: Transaction, row: ConsoleSessionRow): Promise<void> {
    await tx.consoleSession.create({ data: row });
  }

  /** Moves from one generation to the next; false: another renewal was first. */
  async rotate(tx: Transaction, id: string, generation: number, rotation: Rotation): Promise<boolean> {
    const data = { ...rotation, generation: generation + 1 };
    return (await tx.consoleSession.updateMany({ where: { id, generation }, data })).count === 1;
  }

  /** False: there is none, or it is somebody else's. */
  async delete(tx: Transaction, id: string, userId: string): Promise<boolean> {
    return (await tx.consoleSession.deleteMany({ where: { id, userId } })).count === 1;
  }
}
