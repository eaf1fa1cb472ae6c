/** Stores receipts of accepted signed requests, so that a repeated one has no second effect. */
import type { Database, Reader, Transaction } from '../../platform/database/database.js';
import { asLostRace } from '../../platform/database/errors.js';

export class ReceiptStore {
  constructor(private readonly database: Database) {}

  /** Id of the event that the request with this receipt has stored. */
  async eventId(receipt: string, reader: Reader | Transaction = this.database.read): Promise<string | null> {
    return (await reader.ingestReceipt.findUnique({ where: { id: receipt } }))?.eventId ?? null;
  }

  async forgetBefore(tx: Transaction, time: Date): Promise<void> {
    await tx.ingestReceipt.deleteMany({ where: { createdAt: { lt: time } } });
  }

  /** Throws LostRace. */
  async insert(tx: Transaction, row: { id: string; eventId: string; createdAt: Date }): Promise<void> {
    await tx.ingestReceipt.create({ data: row }).catch(asLostRace);
  }
}
