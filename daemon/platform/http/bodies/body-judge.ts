/**
 * Has large bodies judged in a thread of its own: unpacking, parsing and judging 4 MiB takes hundreds of milliseconds, in
 * which the event loop would serve nobody. One body at a time, tenants in turn. The thread ends when it is not needed.
 */
import { Worker } from 'node:worker_threads';
import { DomainError } from '../../../../src/contract/errors.js';
import { FairTurns } from '../../limits/fair-turns.js';
import { programFile } from '../../package.js';
import type { BodyAnswer, BodyJob } from './body-thread.js';
import { add, type Piece } from './pieces.js';

export interface JudgedBody {
  readonly value: unknown;
  /** Fields that the operation does not have, as a header names them; empty: none. */
  readonly ignored: string;
  /** As `hashOfBody` writes it. */
  hash(): string;
}

/** A thread that is not needed takes memory. */
const threadIdleMs = 60_000;
/** A body that keeps the thread for longer is refused, and the thread ended. */
const answerMs = 10_000;
/** The values of 4 MiB of JSON take up to thirty times as much. */
const resourceLimits = { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 32 };

const tooMuchWork = () =>
  new DomainError('body_too_large', { message: 'The body holds too many values. Send less at a time.' });

export class BodyJudge {
  private readonly turns = new FairTurns('large_bodies');
  private thread: Worker | null = null;
  private idle: NodeJS.Timeout | null = null;

  /** Throws what the body is refused with. */
  judge(tenantId: string, job: BodyJob): Promise<JudgedBody> {
    return this.turns.run(tenantId, () => this.ask(job));
  }

  async stop(): Promise<void> {
    if (this.idle !== null) clearTimeout(this.idle);
    const { thread } = this;
    this.thread = null;
    await thread?.terminate();
  }

  private async ask(job: BodyJob): Promise<JudgedBody> {
    if (this.idle !== null) clearTimeout(this.idle);
    this.thread ??= this.begin();
    const { thread } = this;
    thread.ref();
    try {
      const answer = await answerOf<BodyAnswer>(thread, job);
      if ('code' in answer) throw new DomainError(answer.code, detailed(answer));
      const { hash, value, ignored, pieces } = answer;
      for (let left = pieces; left > 0; left -= 1) add(await answerOf<Piece>(thread, null), value);
      return { value, ignored, hash: () => hash };
    } finally {
      thread.unref();
      this.idle = setTimeout(() => void this.stop(), threadIdleMs).unref();
    }
  }

  private begin(): Worker {
    const thread = new Worker(programFile('platform/http/bodies/body-thread'), { resourceLimits });
    thread.on('error', () => {}); // whoever waits for an answer learns of it by its end
    thread.once('exit', () => {
      if (this.thread === thread) this.thread = null;
    });
    return thread;
  }
}

const detailed = ({ message, details }: Extract<BodyAnswer, { code: unknown }>) =>
  details === undefined ? { message } : { message, details };

/** The answer of the thread to one message. Throws body_too_large where it ends without one. */
function answerOf<Answer>(thread: Worker, message: BodyJob | null): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const finish = (end: () => void): void => {
      clearTimeout(timer);
      thread.off('message', onMessage).off('exit', onExit);
      end();
    };
    const onMessage = (answer: Answer) => finish(() => resolve(answer));
    const onExit = () => finish(() => reject(tooMuchWork()));
    const timer = setTimeout(() => void thread.terminate(), answerMs);
    thread.on('message', onMessage).on('exit', onExit);
    thread.postMessage(message);
  });
}
