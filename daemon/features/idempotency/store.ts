/** Answers that are kept for a repeated Idempotency-Key. */
import type { Database, Dialect, Transaction } from '../../database/database.js';
import { isUniqueViolation } from '../../database/errors.js';
import type { IdempotencyRecord, IdempotencyRecords, StoredAnswer } from '../../http/idempotency.js';

/** Parameters: the body instead, participant id, external id as JSON, project id. */
const redactStatement: Readonly<Record<Dialect, string>> = {
  sqlite: `UPDATE "IdempotencyRecord" SET "body" = ?
    WHERE instr("body", ?) > 0 OR (instr("body", ?) > 0 AND instr("body", ?) > 0)`,
  postgresql: `UPDATE "IdempotencyRecord" SET "body" = $1
    WHERE strpos("body", $2) > 0 OR (strpos("body", $3) > 0 AND strpos("body", $4) > 0)`,
};

export class IdempotencyStore implements IdempotencyRecords {
  constructor(private readonly database: Database) {}

  async claim(id: string, requestHash: string, createdAt: Date, expiresAt: Date): Promise<IdempotencyRecord | null> {
    try {
      await this.database.transaction(async (tx) => {
        await tx.idempotencyRecord.deleteMany({ where: { expiresAt: { lt: createdAt } } });
        await tx.idempotencyRecord.create({ data: { id, requestHash, createdAt, expiresAt } });
      });
      return null;
    } catch (error) {
      if (!isUniqueViolation(error)) throw error;
    }
    const row = await this.database.read.idempotencyRecord.findUnique({ where: { id } });
    if (row === null) return this.claim(id, requestHash, createdAt, expiresAt);
    const answer =
      row.status === null ? null : { status: row.status, body: row.body === null ? undefined : JSON.parse(row.body) };
    return { requestHash: row.requestHash, answer, createdAt: row.createdAt };
  }

  async finish(id: string, { status, body }: StoredAnswer): Promise<void> {
    const text = body === undefined ? null : JSON.stringify(body);
    await this.database.transaction((tx) =>
      tx.idempotencyRecord.updateMany({ where: { id }, data: { status, body: text } }),
    );
  }

  async release(id: string, createdAt: Date): Promise<void> {
    await this.database.transaction((tx) => tx.idempotencyRecord.deleteMany({ where: { id, createdAt } }));
  }

  /** Returns how many there were. */
  async dropExpired(now: Date): Promise<number> {
    return this.database.transaction(
      async (tx) => (await tx.idempotencyRecord.deleteMany({ where: { expiresAt: { lt: now } } })).count,
    );
  }

  /** Takes a person out of the answers that name them. */
  async redact(tx: Transaction, projectId: string, person: { id: string; externalUserId: string }): Promise<void> {
    const body = JSON.stringify({ redacted: true });
    const externalId = `"externalUserId":${JSON.stringify(person.externalUserId)}`;
    const statement = redactStatement[this.database.dialect];
    await tx.$executeRawUnsafe(statement, body, person.id, externalId, projectId);
  }
}
