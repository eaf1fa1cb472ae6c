/** Codes that were mailed and not used yet, at most one for each account. */
import type { Database } from '../../../platform/database/database.js';
import { isUniqueViolation } from '../../../platform/database/errors.js';

export interface LoginCodeRow {
  readonly userId: string;
  readonly codeHash: string;
  readonly triesLeft: number;
  readonly sentAt: Date;
  readonly expiresAt: Date;
}

export class LoginCodeStore {
  constructor(private readonly database: Database) {}

  /** Stores the code in place of one that was sent before `replaceable`; false: there is a newer one. */
  async put(row: LoginCodeRow, replaceable: Date): Promise<boolean> {
    const where = { userId: row.userId, sentAt: { lt: replaceable } };
    const { count } = await this.database.transaction((tx) => tx.loginCode.updateMany({ where, data: row }));
    if (count === 1) return true;
    try {
      await this.database.transaction((tx) => tx.loginCode.create({ data: row }));
      return true;
    } catch (error) {
      if (isUniqueViolation(error)) return false;
      throw error;
    }
  }

  /** Uses up one try, before anything is compared; returns the hash, or null where no code or no try is left. */
  useTry(userId: string, now: Date): Promise<string | null> {
    return this.database.transaction(async (tx) => {
      const where = { userId, triesLeft: { gt: 0 }, expiresAt: { gt: now } };
      const { count } = await tx.loginCode.updateMany({ where, data: { triesLeft: { decrement: 1 } } });
      return count === 0 ? null : ((await tx.loginCode.findUnique({ where: { userId } }))?.codeHash ?? null);
    });
  }

  /** Deletes the code; false: it was used meanwhile. */
  async use(userId: string, codeHash: string): Promise<boolean> {
    return (
      (await this.database.transaction((tx) => tx.loginCode.deleteMany({ where: { userId, codeHash } }))).count > 0
    );
  }
}
