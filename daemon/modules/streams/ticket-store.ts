/** Tickets for event streams that were not used yet. */
import type { Database } from '../../platform/database/database.js';

export interface StreamTicketRow {
  /** SHA-256 of the ticket, hex. */
  readonly id: string;
  readonly tenantId: string;
  /** null: every project of the tenant. */
  readonly projectId: string | null;
  readonly credentialId: string;
  /** JSON. */
  readonly caller: string;
  /** JSON. */
  readonly filters: string;
  readonly address: string;
  readonly expiresAt: Date;
}

export class StreamTicketStore {
  constructor(private readonly database: Database) {}

  /** Stores the ticket; false: `max` of the credential wait already. */
  async add(row: StreamTicketRow, now: Date, max: number): Promise<boolean> {
    return this.database.transaction(async (tx) => {
      const { credentialId } = row;
      if ((await tx.streamTicket.count({ where: { credentialId, expiresAt: { gt: now } } })) >= max) return false;
      await tx.streamTicket.create({ data: row });
      return true;
    });
  }

  /** Deletes the ticket and returns it: of several that use it, at any daemon, one gets it. null: it is gone or too old. */
  async use(id: string, now: Date): Promise<StreamTicketRow | null> {
    return this.database.transaction(async (tx) => {
      const row = await tx.streamTicket.findUnique({ where: { id } });
      if (row === null) return null;
      const { count } = await tx.streamTicket.deleteMany({ where: { id } });
      return count === 1 && row.expiresAt > now ? row : null;
    });
  }
}
