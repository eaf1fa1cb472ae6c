/**
 * Idempotency-Key on POST (contract, section 2): the same key with the same body gets the stored answer for a day,
 * so that a caller who lost the answer can ask again without doing the thing twice.
 */
import { createHash } from 'node:crypto';
import type { Request } from 'express';
import { DomainError } from '../../src/contract/errors.js';
import type { Route } from '../../src/contract/route.js';
import type { Clock } from '../clock.js';
import { type Caller, identityOf } from './caller.js';

export interface StoredAnswer {
  readonly status: number;
  readonly body: unknown;
}

export interface IdempotencyRecord {
  readonly requestHash: string;
  /** null while the first request is still running. */
  readonly answer: StoredAnswer | null;
  readonly createdAt: Date;
}

/** Where answers are kept. */
export interface IdempotencyRecords {
  /** Claims the id; returns the record that stands in the way, or null when it is now the caller's. */
  claim(id: string, requestHash: string, now: Date, expiresAt: Date): Promise<IdempotencyRecord | null>;
  finish(id: string, answer: StoredAnswer): Promise<void>;
  /** Gives the id up, unless somebody else has claimed it since. */
  release(id: string, claimedAt: Date): Promise<void>;
}

const keyLengthMax = 255;
const keepMs = 24 * 3_600_000;
/** A request that has run this long has died with its daemon. */
const runningMaxMs = 60_000;

/** What a header can carry and a person can read. */
const keyShape = /^[\x20-\x7e]+$/;

const hash = (...parts: (string | Buffer)[]): string => {
  const sum = createHash('sha256');
  for (const part of parts) sum.update(part).update('\0');
  return sum.digest('hex');
};

export class Idempotency {
  constructor(
    private readonly records: IdempotencyRecords,
    private readonly now: Clock,
  ) {}

  /** Runs `run`, or returns what it answered before. Throws idempotency_mismatch (422), idempotency_in_progress (409). */
  async once(
    route: Route,
    caller: Caller,
    request: Request,
    rawBody: Buffer,
    run: () => Promise<StoredAnswer>,
  ): Promise<StoredAnswer> {
    const key = request.get('idempotency-key');
    if (key === undefined || route.method !== 'post' || route.idempotencyKey === false) return run();
    if (key.length > keyLengthMax || !keyShape.test(key)) {
      throw new DomainError('validation_failed', {
        details: [{ path: 'headers.idempotency-key', message: `1 to ${keyLengthMax} characters of ASCII` }],
      });
    }
    const id = hash(identityOf(caller), route.method, request.path, key);
    const requestHash = hash(rawBody);
    const now = this.now();
    const existing = await this.claim(id, requestHash, now);
    if (existing !== null) return replay(existing, requestHash);
    const answer = await run().catch(async (refused: unknown) => {
      await this.records.release(id, now);
      throw refused;
    });
    await this.records.finish(id, answer);
    return answer;
  }

  private async claim(id: string, requestHash: string, now: Date): Promise<IdempotencyRecord | null> {
    const expiresAt = new Date(now.getTime() + keepMs);
    const existing = await this.records.claim(id, requestHash, now, expiresAt);
    if (existing === null) return null;
    const age = now.getTime() - existing.createdAt.getTime();
    if (age < (existing.answer === null ? runningMaxMs : keepMs)) return existing;
    await this.records.release(id, existing.createdAt);
    return this.records.claim(id, requestHash, now, expiresAt);
  }
}

function replay(record: IdempotencyRecord, requestHash: string): StoredAnswer {
  if (record.requestHash !== requestHash) throw new DomainError('idempotency_mismatch');
  if (record.answer === null) throw new DomainError('idempotency_in_progress', { retryAfterSeconds: 1 });
  return record.answer;
}
