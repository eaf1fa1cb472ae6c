/**
 * Idempotency-Key on POST: the same key with the same body gets the first answer for a day, so that a caller who lost
 * the answer can ask again without doing the thing twice. The result of the request's transaction is stored in that
 * same transaction: a repeat after a crash in between gets it as the answer, where it has that form.
 */
import { createHash } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { DomainError } from '../../../src/contract/errors.js';
import type { Route } from '../../../src/contract/route.js';
import type { RouteRequest } from '../http/arrived.js';
import { type Caller, keyScopeOf, type ProjectGrant } from '../http/caller.js';
import type { Clock } from '../time/clock.js';
import { dayMs } from '../time/spans.js';

export interface StoredAnswer {
  readonly status: number;
  readonly body: unknown;
}

export interface IdempotencyRecord {
  readonly requestHash: string;
  /** The run of a daemon that claimed the id; null: of an earlier version. */
  readonly holder: string | null;
  /** null while nothing is done yet; 'erased': it named somebody who is erased since. */
  readonly answer: StoredAnswer | 'erased' | null;
  readonly createdAt: Date;
}

export interface NewRecord {
  readonly id: string;
  readonly holder: string;
  readonly requestHash: string;
  /** The project that the request is about. */
  readonly projectId: string | null;
  readonly createdAt: Date;
  readonly expiresAt: Date;
}

export type Claim = Pick<NewRecord, 'id' | 'holder'>;

/** The daemons of the database. */
interface Daemons {
  /** This run of this daemon. */
  readonly id: string;
  /** True while the run goes on, of this daemon or another. */
  isRunning(id: string): Promise<boolean>;
}

/** Stores answers. */
export interface IdempotencyRecords {
  /** Claims the id; returns the record that has claimed it before, or null when it is now the caller's. */
  claim(record: NewRecord): Promise<IdempotencyRecord | null>;
  find(id: string): Promise<IdempotencyRecord | null>;
  /**
   * Runs the request. `toAnswer` turns the result of a transaction into an answer, which is stored in that transaction.
   * The transaction fails where another daemon has claimed the id since.
   */
  during<T>(claim: Claim, toAnswer: (result: unknown) => StoredAnswer | null, request: () => Promise<T>): Promise<T>;
  finish(claim: Claim, answer: StoredAnswer): Promise<void>;
  /** Releases the id if nothing was done, or the request was refused, unless another request has claimed it since. */
  release(id: string, claimedAt: Date, isRefused?: boolean): Promise<void>;
}

const keyLengthMax = 255;
const keepMs = dayMs;
/** A request that has run this long, in a daemon that stands still or cannot be seen, is done again. */
const runningMaxMs = 60_000;
/** A request with a key that another one has waits for its answer this long: less than clients and proxies wait. */
const answerMaxMs = 10_000;
const lookMs = 100;

/** Printable characters that a header can carry. */
const keyShape = /^[\x20-\x7e]+$/;

const hash = (...parts: (string | Buffer)[]): string => {
  const sum = createHash('sha256');
  for (const part of parts) sum.update(part).update('\0');
  return sum.digest('hex');
};

export class Idempotency {
  /** Requests of this daemon that are being answered. */
  private readonly running = new Set<string>();

  constructor(
    private readonly records: IdempotencyRecords,
    private readonly daemons: Daemons,
    private readonly now: Clock,
  ) {}

  /**
   * Runs `run`, or returns what it answered before. Throws idempotency_mismatch (422), idempotency_in_progress (409),
   * idempotency_answer_erased (410), idempotency_key_refused (400).
   */
  async once(
    route: Route,
    caller: Caller,
    project: ProjectGrant | undefined,
    request: Pick<RouteRequest, 'get' | 'path'>,
    hashOfBody: () => string,
    run: () => Promise<StoredAnswer>,
  ): Promise<StoredAnswer> {
    const key = request.get('idempotency-key');
    if (key === undefined || route.method !== 'post' || route.idempotencyKey === 'each') return run();
    if (route.idempotencyKey === false) throw new DomainError('idempotency_key_refused');
    if (key.length > keyLengthMax || !keyShape.test(key)) {
      throw new DomainError('validation_failed', {
        details: [{ path: 'headers.idempotency-key', message: `1 to ${keyLengthMax} characters of ASCII` }],
      });
    }
    const createdAt = this.now();
    const record: NewRecord = {
      id: hash(keyScopeOf(caller, project), route.method, request.path, key),
      holder: this.daemons.id,
      requestHash: hashOfBody(),
      projectId: project?.projectId ?? null,
      createdAt,
      expiresAt: new Date(createdAt.getTime() + keepMs),
    };
    const existing = await this.claimOrAnswer(record);
    if (existing !== null) return this.replay(record, existing);
    this.running.add(record.id);
    try {
      return await this.first(record, route, run);
    } finally {
      this.running.delete(record.id);
    }
  }

  private async first({ id, holder, createdAt }: NewRecord, route: Route, run: () => Promise<StoredAnswer>) {
    let stored: StoredAnswer | null = null;
    const toAnswer = (result: unknown): StoredAnswer | null => {
      const { status, body: shape } = route.success;
      const parsed = shape?.safeParse(result);
      if (parsed?.success === false || (shape === undefined && result !== undefined)) return null;
      stored = { status, body: parsed?.data };
      return stored;
    };
    const answer = await this.records.during({ id, holder }, toAnswer, run).catch(async (error: unknown) => {
      // A refusal says that the thing was not done, whatever the request has stored on the way.
      await this.records.release(id, createdAt, error instanceof DomainError && error.status < 500);
      throw error;
    });
    if (!isDeepStrictEqual(stored, answer)) await this.records.finish({ id, holder }, answer);
    return answer;
  }

  /** Waits for the answer of a request that is running, at whichever daemon; takes over what has not been done there. */
  private async claimOrAnswer(record: NewRecord): Promise<IdempotencyRecord | null> {
    const untilMs = performance.now() + answerMaxMs;
    let existing = await this.claim(record);
    while (existing !== null && existing.requestHash === record.requestHash && performance.now() < untilMs) {
      if (existing.answer !== null && !this.running.has(record.id)) return existing;
      await pause(lookMs);
      const found = await this.records.find(record.id);
      existing = found === null || (await this.isAbandoned(record, found)) ? await this.claim(record) : found;
    }
    return existing;
  }

  private async claim(record: NewRecord): Promise<IdempotencyRecord | null> {
    const existing = await this.records.claim(record);
    if (existing === null || !(await this.isAbandoned(record, existing))) return existing;
    await this.records.release(record.id, existing.createdAt);
    return this.records.claim(record);
  }

  /** True if nobody works on the request any more: its daemon has ended, or takes too long. */
  private async isAbandoned({ id, createdAt }: NewRecord, existing: IdempotencyRecord): Promise<boolean> {
    if (existing.answer !== null || this.running.has(id)) return false;
    if (createdAt.getTime() - existing.createdAt.getTime() >= runningMaxMs) return true;
    return existing.holder !== null && !(await this.daemons.isRunning(existing.holder));
  }

  private replay({ id, requestHash }: NewRecord, existing: IdempotencyRecord): StoredAnswer {
    if (existing.requestHash !== requestHash) throw new DomainError('idempotency_mismatch');
    // Only an answered request is complete: then, for example, a mute is in force in the rooms.
    if (existing.answer === null || this.running.has(id))
      throw new DomainError('idempotency_in_progress', { retryAfterSeconds: 1 });
    if (existing.answer === 'erased') throw new DomainError('idempotency_answer_erased');
    return existing.answer;
  }
}
