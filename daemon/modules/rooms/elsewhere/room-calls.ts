/**
 * Calls between the daemons of a database: one that has no rooms asks the one that has them, and answers its own client
 * only once that is done. A call is a row, so daemons need no way to each other besides the database.
 */

import type { z } from 'zod';
import { DomainError } from '../../../../src/contract/errors.js';
import type { RoleLease } from '../../../platform/database/role-lease.js';
import type { WakeUps } from '../../../platform/events/wake-ups.js';
import { uuidv7 } from '../../../platform/ids/new-id.js';
import type { Logger } from '../../../platform/observability/logger.js';
import { DueWork, nothingByTime } from '../../../platform/scheduler/due-work.js';
import { Repeat } from '../../../platform/scheduler/repeat.js';
import { systemClock } from '../../../platform/time/clock.js';
import type { OpenCall } from './call-store.js';

/** One kind of call, with its answer; both are JSON. */
export interface DaemonCall<I extends z.ZodType, O extends z.ZodType> {
  readonly method: string;
  readonly request: I;
  readonly answer: O;
}

/** The daemon that has the rooms. */
export type RoomRole = Pick<RoleLease, 'isShared' | 'isHeld' | 'url' | 'answeringUrl' | 'candidateUrls'>;

interface CallStore {
  add(call: OpenCall): Promise<unknown>;
  open(): Promise<OpenCall[]>;
  answer(id: string, answer: unknown): Promise<unknown>;
  /** null: there is none yet. */
  answerOf(id: string): Promise<unknown>;
  remove(id: string): Promise<unknown>;
  /** Another number once anything was stored; null: unknown. */
  readonly version: () => number | null;
}

/** Longer than a daemon that has stopped to work keeps its rooms. */
const answerMs = 12_000;
/** A wake-up that was lost costs this much. */
const lookMs = 250;
const serveMs = 1_000;
export class RoomCalls {
  private readonly handlers = new Map<string, (request: unknown) => Promise<unknown>>();
  private readonly underWay = new Set<string>();
  private readonly serving: Repeat;
  private readonly changes: DueWork;
  private unsubscribe: (() => void) | null = null;

  constructor(
    private readonly role: RoomRole,
    private readonly store: CallStore,
    private readonly wakeUps: WakeUps,
    private readonly log: Logger,
  ) {
    this.changes = new DueWork(store, systemClock, nothingByTime);
    this.serving = new Repeat('room-calls', serveMs, () => this.changes.run(() => this.serve()), log);
  }

  /** Says how a call is carried out where the rooms are. */
  handle<I extends z.ZodType, O extends z.ZodType>(
    { method, request, answer }: DaemonCall<I, O>,
    handler: (request: z.output<I>) => Promise<z.input<O>>,
  ): void {
    this.handlers.set(method, async (sent) => answer.parse(await handler(request.parse(sent))));
  }

  async start(): Promise<void> {
    if (!this.role.isShared) return;
    await this.wakeUps.start();
    this.unsubscribe = this.wakeUps.onWake(() => {
      this.changes.again();
      this.serving.now();
    });
    this.serving.start();
  }

  async stop(): Promise<void> {
    this.unsubscribe?.();
    await this.serving.stop();
    await this.wakeUps.stop();
  }

  /** The answer of the daemon that has the rooms; null where none has them any more. Throws room_unavailable. */
  async call<I extends z.ZodType, O extends z.ZodType>(
    { method, answer }: DaemonCall<I, O>,
    request: z.input<I>,
  ): Promise<z.output<O> | null> {
    const id = uuidv7();
    await this.store.add({ id, method, request });
    try {
      this.wakeUps.wake();
      const answered = await this.answered(id);
      return answered === null ? null : answer.parse(answered);
    } finally {
      await this.store
        .remove(id)
        .catch((error: unknown) => this.log.warn({ err: error }, 'a call could not be removed'));
    }
  }

  private async answered(id: string): Promise<unknown> {
    const until = performance.now() + answerMs;
    while (performance.now() < until) {
      const woken = this.woken();
      const answer = await this.store.answerOf(id);
      if (answer !== null) return answer;
      if (this.role.url === null) return null;
      await woken;
    }
    throw new DomainError('room_unavailable', {
      message: 'The daemon that runs the voice rooms does not answer. Try again in a moment.',
      retryAfterSeconds: 5,
    });
  }

  /** Resolves at the next wake-up, or after a while without one. */
  private woken(): Promise<void> {
    return new Promise((resolve) => {
      const done = () => {
        clearTimeout(timer);
        end();
        resolve();
      };
      const timer = setTimeout(done, lookMs);
      const end = this.wakeUps.onWake(done);
    });
  }

  /** Carries out what other daemons ask; at the same time, because one call may wait for the log. */
  private async serve(): Promise<void> {
    if (!this.role.isHeld) return this.changes.again();
    for (const call of await this.store.open()) {
      if (this.underWay.has(call.id)) continue;
      this.underWay.add(call.id);
      void this.carryOut(call)
        .catch((error: unknown) => {
          this.changes.again();
          this.log.error({ err: error, method: call.method }, 'a call of another daemon failed');
        })
        .finally(() => this.underWay.delete(call.id));
    }
  }

  private async carryOut({ id, method, request }: OpenCall): Promise<void> {
    const handler = this.handlers.get(method);
    if (handler === undefined) throw new Error(`No handler carries out ${method}.`);
    const answer = await handler(request);
    if (!this.role.isHeld) return; // its rooms are empty now, and the next holder answers
    await this.store.answer(id, answer);
    this.wakeUps.wake();
  }
}
