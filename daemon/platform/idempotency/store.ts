/** Stored answers for repeated Idempotency-Keys. */
import { DomainError } from '../../../src/contract/errors.js';
import type { Database, Transaction } from '../database/database.js';
import type { Dialect } from '../database/dialect.js';
import { isUniqueViolation } from '../database/errors.js';
import { within } from '../database/request-record.js';
import { type NamedPerson, names } from '../events/redaction.js';
import type { Claim, IdempotencyRecord, IdempotencyRecords, NewRecord, StoredAnswer } from './idempotency.js';

/**
 * Parameters: project id, external id as JSON ends, participant id twice. Answers that may name a person; the caller
 * checks them. An answer that belongs to no project may name people of several; it is found by participant id.
 */
const namingStatement: Readonly<Record<Dialect, string>> = {
  sqlite: `SELECT "id", "body" FROM "IdempotencyRecord"
    WHERE ("projectId" = ? AND (instr("body", ?) > 0 OR instr("body", ?) > 0))
    OR ("projectId" IS NULL AND instr("body", ?) > 0)`,
  postgresql: `SELECT "id", "body" FROM "IdempotencyRecord"
    WHERE ("projectId" = $1 AND (strpos("body", $2) > 0 OR strpos("body", $3) > 0))
    OR ("projectId" IS NULL AND strpos("body", $4) > 0)`,
};
/** Parameters: the body instead, JSON array of ids. */
const redactStatement: Readonly<Record<Dialect, string>> = {
  sqlite: `UPDATE "IdempotencyRecord" SET "body" = ? WHERE "id" IN (SELECT value FROM json_each(?))`,
  postgresql: `UPDATE "IdempotencyRecord" SET "body" = $1 WHERE "id" IN (SELECT jsonb_array_elements_text($2::jsonb))`,
};

/** Parameters: the body instead, project id, id that the answer names. */
const redactNamingStatement: Readonly<Record<Dialect, string>> = {
  sqlite: `UPDATE "IdempotencyRecord" SET "body" = ? WHERE "projectId" = ? AND instr("body", ?) > 0`,
  postgresql: `UPDATE "IdempotencyRecord" SET "body" = $1 WHERE "projectId" = $2 AND strpos("body", $3) > 0`,
};
/** Stands for an answer that was erased. No operation answers this. */
const redacted = JSON.stringify({ redacted: true });

function answerOf({ status, body }: { readonly status: number | null; readonly body: string | null }) {
  if (status === null) return null;
  return body === redacted ? 'erased' : { status, body: body === null ? undefined : JSON.parse(body) };
}

export class IdempotencyStore implements IdempotencyRecords {
  constructor(private readonly database: Database) {}

  async claim(record: NewRecord): Promise<IdempotencyRecord | null> {
    const { id, createdAt: now } = record;
    try {
      await this.database.transaction(async (tx) => {
        await tx.idempotencyRecord.deleteMany({ where: { id, expiresAt: { lte: now } } });
        await tx.idempotencyRecord.create({ data: record });
      });
      return null;
    } catch (error) {
      if (!isUniqueViolation(error)) throw error;
    }
    return (await this.find(id)) ?? this.claim(record);
  }

  async find(id: string): Promise<IdempotencyRecord | null> {
    const row = await this.database.read.idempotencyRecord.findUnique({ where: { id } });
    if (row === null) return null;
    return { requestHash: row.requestHash, holder: row.holder, answer: answerOf(row), createdAt: row.createdAt };
  }

  during<T>(claim: Claim, toAnswer: (result: unknown) => StoredAnswer | null, request: () => Promise<T>): Promise<T> {
    const note = async (tx: Transaction, result: unknown) => {
      const answer = toAnswer(result);
      if (answer !== null) await this.store(tx, claim, answer);
    };
    return within(note, request);
  }

  async finish(claim: Claim, answer: StoredAnswer): Promise<void> {
    await this.database.transaction((tx) => this.store(tx, claim, answer));
  }

  async release(id: string, createdAt: Date, isRefused = false): Promise<void> {
    const where = { id, createdAt, ...(isRefused ? {} : { status: null }) };
    await this.database.transaction((tx) => tx.idempotencyRecord.deleteMany({ where }));
  }

  /** Throws idempotency_in_progress where another daemon has claimed the id: it does the request. */
  private async store(tx: Transaction, { id, holder }: Claim, { status, body }: StoredAnswer): Promise<void> {
    const text = body === undefined ? null : JSON.stringify(body);
    const { count } = await tx.idempotencyRecord.updateMany({ where: { id, holder }, data: { status, body: text } });
    if (count > 0) return;
    const isTaken = (await tx.idempotencyRecord.count({ where: { id } })) > 0; // a deleted project takes its records along
    if (isTaken) throw new DomainError('idempotency_in_progress', { retryAfterSeconds: 1 });
  }

  /** Removes a person's data from the stored answers. */
  async redact(tx: Transaction, projectId: string, person: NamedPerson): Promise<void> {
    const { dialect } = this.database;
    const texts = [JSON.stringify(person.externalUserId).slice(1), person.id, person.id];
    type Row = { readonly id: string; readonly body: string };
    const rows = await tx.$queryRawUnsafe<Row[]>(namingStatement[dialect], projectId, ...texts);
    const naming = rows.filter(({ body }) => body.includes(person.id) || names(JSON.parse(body), person));
    if (naming.length === 0) return;
    await tx.$executeRawUnsafe(redactStatement[dialect], redacted, JSON.stringify(naming.map(({ id }) => id)));
  }

  /** Removes the data of stored answers that name something by its id, such as a session that is deleted. */
  async redactNaming(tx: Transaction, projectId: string, id: string): Promise<void> {
    await tx.$executeRawUnsafe(redactNamingStatement[this.database.dialect], redacted, projectId, id);
  }
}
