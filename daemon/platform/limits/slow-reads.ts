/**
 * Reads that take long begin one after the other, tenants in turn: a tenant whose read takes eight times as long waits for eight
 * turns of another's. After each, the event loop serves everybody else for a while. Reads that took little time lately wait for
 * no turn, few of a tenant at once; which they are is measured, by tenant and operation.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import { atMost } from '../collections/at-most.js';
import { FairQueue, unlimited } from './fair-queue.js';
import { countWait } from './refusals.js';

/** A read that took no longer waits for no turn. */
const quickMs = 5;
/** Reads of one tenant that are under way without a turn: of an operation that was quick, with another range it may not be. */
const quickMax = 6;
/** A read that takes longer waits for something outside, or is made of parts: the next one begins beside it. */
const aloneMs = 100;
/** So many reads of one tenant go on beside each other, each counted for this time at most. */
const tenantMax = 8;
const countedMs = 1_000;
/** Turns of the event loop for others after a read, for no longer than it took. Without others they take no time. */
const turnsBetween = 16;
/** Operations of tenants whose times are remembered. */
const rememberedMax = 10_000;
/** A read that is quicker than those before lowers the time that is expected of the next one by so much. */
const slowness = 0.8;

interface ReadInTurn {
  readonly start: () => void;
  readonly expectedMs: number;
}

export class SlowReads {
  private readonly expected = new LRUCache<string, number>(atMost(rememberedMax));
  private readonly waiting = new FairQueue<ReadInTurn>('slow_reads', unlimited, ({ expectedMs }) =>
    Math.max(1, Math.round(expectedMs / quickMs)),
  );
  /** Reads under way by tenant. */
  private readonly ofTenant = new Map<string, number>();
  private running = 0;

  /** @param concurrency reads in turn at the same time: one where SQLite answers within the event loop */
  constructor(private readonly concurrency: number) {}

  /** Runs the read, in turn where it may take long. Throws what it throws. */
  async run<T>(tenantId: string, operationId: string, read: () => Promise<T>): Promise<T> {
    const name = `${tenantId} ${operationId}`;
    const expectedMs = this.expected.get(name);
    if (expectedMs !== undefined && expectedMs <= quickMs && this.countOf(tenantId) < quickMax)
      return this.timed(name, this.enter(tenantId), read);
    const pass = await this.turn(tenantId, expectedMs ?? quickMs);
    const leave = this.enter(tenantId);
    const began = performance.now();
    const timers = [setTimeout(pass, aloneMs), setTimeout(leave, countedMs)];
    try {
      return await this.timed(name, leave, read);
    } finally {
      for (const timer of timers) clearTimeout(timer);
      void letOthersWork(performance.now() - began).then(pass);
    }
  }

  private async timed<T>(name: string, leave: () => void, read: () => Promise<T>): Promise<T> {
    const began = performance.now();
    try {
      return await read();
    } finally {
      const tookMs = Math.min(performance.now() - began, aloneMs);
      this.expected.set(name, Math.max(tookMs, (this.expected.get(name) ?? 0) * slowness));
      leave();
    }
  }

  /** Resolves when the turn has come, to the function that passes it on. */
  private async turn(tenantId: string, expectedMs: number): Promise<() => void> {
    if (this.running < this.concurrency && this.mayBegin(tenantId)) this.running += 1;
    else {
      countWait('slow_reads');
      await new Promise<void>((start) => this.waiting.push(tenantId, { start, expectedMs }));
    }
    return once(() => {
      this.running -= 1;
      this.startNext();
    });
  }

  private startNext(): void {
    if (this.running >= this.concurrency) return;
    const [next] = this.waiting.take(1, Number.POSITIVE_INFINITY, this.mayBegin);
    if (next === undefined) return;
    this.running += 1;
    next.start();
  }

  private readonly mayBegin = (tenantId: string): boolean => this.countOf(tenantId) < tenantMax;

  private countOf(tenantId: string): number {
    return this.ofTenant.get(tenantId) ?? 0;
  }

  private enter(tenantId: string): () => void {
    this.ofTenant.set(tenantId, this.countOf(tenantId) + 1);
    return once(() => {
      const left = this.countOf(tenantId) - 1;
      if (left === 0) this.ofTenant.delete(tenantId);
      else this.ofTenant.set(tenantId, left);
      this.startNext();
    });
  }
}

function once(work: () => void): () => void {
  let isDone = false;
  return () => {
    if (isDone) return;
    isDone = true;
    work();
  };
}

async function letOthersWork(tookMs: number): Promise<void> {
  const until = performance.now() + tookMs;
  for (let turn = 0; turn < turnsBetween && (turn === 0 || performance.now() < until); turn += 1) await nextTurn();
}
