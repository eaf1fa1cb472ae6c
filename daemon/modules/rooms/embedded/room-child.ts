/**
 * One forked room process, from its start to its end: calls and their answers, notices, and a heartbeat. A fault of the
 * process or its channel ends the process and never the daemon. Only the heartbeat decides whether the process is
 * alive: it answers pings between its work, so a busy process survives and a silent one is killed.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { DomainError, type DomainErrorOptions } from '../../../../src/contract/errors.js';
import type { LimitName } from '../../../platform/limits/catalogue.js';
import { countRefusal } from '../../../platform/limits/refusals.js';
import type { Logger } from '../../../platform/observability/logger.js';
import { programFile } from '../../../platform/package.js';
import { type OnFault, WatchedProcess } from '../../../platform/processes/watched-process.js';
import { cannotRun, type EmbeddedMedia } from './media-port.js';
import { type ProcessCall, pingCall, type RefusalCode, stopCall, UpFrame } from './protocol.js';

/** Notices that the process sends by itself. */
export type Heard = Extract<UpFrame, { room: unknown }>;

export interface Patience {
  /** Milliseconds after which a missing answer is an error. */
  readonly timeoutMs: number;
  /** True if a missing answer kills the process, because it could go on forwarding what it should not. */
  readonly endsProcess: boolean;
}

const startTimeoutMs = 10_000;
const stopTimeoutMs = 2_000;
export const usualPingEveryMs = 1_000;
/** Ticks without a sign of life. Ticks and not time: a daemon that was itself suspended must not judge by the clock. */
const silentTicksMax = 10;
const retryAfterSeconds = 1;

const usualPatience: Patience = { timeoutMs: 5_000, endsProcess: false };

interface Pending {
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: Error) => void;
  readonly timer: NodeJS.Timeout;
}

/**
 * 2 MiB for new objects: with 8 speakers and 40 listeners the process takes 81 MiB instead of 105, at the same CPU. One thread
 * collects them: packets would wait until helper threads have had their turn, and those take a seventh of the CPU.
 */
const youngSpace = ['--max-semi-space-size=2', '--no-parallel-scavenge'];

export class RoomChild {
  /** Resolves when it takes calls. Rejects when it cannot run here: its port is taken, or a library does not load. */
  readonly ready: Promise<void>;
  /** Resolves when the process is gone. */
  readonly ended: Promise<void>;
  private readonly watched: WatchedProcess;
  private readonly pending = new Map<number, Pending>();
  private nextId = 1;
  private silentTicks = 0;
  private isOver = false;
  private heartbeat: NodeJS.Timeout | null = null;
  private settleStart: (error: Error | null) => void = () => {};

  constructor(
    private readonly media: EmbeddedMedia,
    private readonly heard: (frame: Heard) => void,
    private readonly log: Logger,
    onFault: OnFault,
    private readonly pingEveryMs = usualPingEveryMs,
  ) {
    const program = programFile('modules/rooms/embedded/process');
    const args = [
      String(media.port),
      media.bindAddress ?? '',
      media.announcedAddress ?? '',
      media.announcesLoopback ? 'loopback' : '',
      String(media.orphanMs ?? ''),
    ];
    const child = fork(program, args, {
      serialization: 'advanced',
      env: {},
      execArgv: youngSpace,
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    this.watched = new WatchedProcess(child, onFault);
    this.ready = this.begun();
    this.ended = this.over();
    child.on('message', (message) => this.receive(message));
    this.ready.then(
      () => this.beat(),
      () => this.kill(),
    );
  }

  get pid(): number | null {
    return this.child.pid ?? null;
  }

  /** Ends a process that is not needed any more. */
  kill(): void {
    this.watched.kill(null);
  }

  /** Throws the refusals of the process, and room_unavailable when it has ended or does not answer in time. */
  call<Request, Result>(
    { name, result }: ProcessCall<Request, Result>,
    request: Request,
    { timeoutMs, endsProcess }: Patience = usualPatience,
  ): Promise<Result> {
    if (this.isOver) return Promise.reject(unavailable());
    const id = this.nextId++;
    const answered = new Promise<unknown>((resolve, reject) => {
      const timer = setTimeout(() => {
        // When a deadline kills the process, its caller learns of it only once nothing can be forwarded any more.
        if (endsProcess) this.giveUp(`it did not carry out ${name} within ${timeoutMs} ms`);
        else this.settle(id, (late) => late.reject(unavailable()));
      }, timeoutMs);
      this.pending.set(id, { resolve, reject, timer });
      // Without a callback a broken channel would be an `error` event.
      this.child.send({ id, name, request }, (error) => {
        if (error !== null) this.giveUp(`its channel is broken: ${error.message}`);
      });
    });
    return answered.then((answer) => result.parse(answer));
  }

  /** Asks it to end, and ends it when it does not. */
  async stop(): Promise<void> {
    if (this.heartbeat !== null) clearInterval(this.heartbeat);
    this.call(stopCall, {}).catch(() => this.kill());
    const late = setTimeout(() => this.giveUp(`it did not end within ${stopTimeoutMs} ms`), stopTimeoutMs);
    await this.ended;
    clearTimeout(late);
  }

  private begun(): Promise<void> {
    return new Promise((resolve, reject) => {
      const late = setTimeout(() => this.settleStart(new Error('The room process did not get ready.')), startTimeoutMs);
      this.settleStart = (error) => {
        clearTimeout(late);
        if (error === null) resolve();
        else reject(error);
      };
    });
  }

  private over(): Promise<void> {
    return new Promise((resolve) => {
      const gone = (error: Error) => {
        this.isOver = true;
        if (this.heartbeat !== null) clearInterval(this.heartbeat);
        this.settleStart(error);
        for (const id of [...this.pending.keys()]) this.settle(id, ({ reject }) => reject(unavailable()));
        resolve();
      };
      this.child.once('exit', () => gone(new Error('The room process ended at once.')));
      this.child.on('error', (error) => {
        if (this.child.pid === undefined) gone(error);
        else this.log.warn({ err: error }, 'the room process could not be reached');
      });
    });
  }

  private get child(): ChildProcess {
    return this.watched.child;
  }

  private beat(): void {
    if (this.isOver) return;
    this.heartbeat = setInterval(() => {
      this.silentTicks += 1;
      if (this.silentTicks > silentTicksMax) this.giveUp(`it left ${silentTicksMax} pings unanswered`);
      else this.call(pingCall, {}).catch(() => {}); // any answer counts, whatever it contains
    }, this.pingEveryMs);
  }

  private giveUp(reason: string): void {
    if (this.isOver) return;
    this.log.warn({ pid: this.pid, reason }, 'the room process is being ended');
    this.watched.kill(reason);
  }

  private receive(message: unknown): void {
    if (this.isOver) return; // what is still in the channel is about people who have already left
    this.silentTicks = 0;
    const parsed = UpFrame.safeParse(message);
    if (parsed.success) this.onFrame(parsed.data);
    else this.giveUp(`it sent an unreadable message: ${parsed.error.message}`);
  }

  private onFrame(frame: UpFrame): void {
    if (frame.kind === 'ready') this.settleStart(null);
    else if (frame.kind === 'failed') this.settleStart(new Error(cannotRun(this.media.port, frame.message)));
    else if (frame.kind === 'reply') this.settle(frame.id, ({ resolve }) => resolve(frame.result));
    else if (frame.kind === 'refusal')
      this.settle(frame.id, ({ reject }) => reject(refusalOf(frame.code, frame.message)));
    else if (frame.kind === 'log') this.log[frame.level]({ detail: frame.detail }, frame.message);
    else this.heard(frame);
  }

  private settle(id: number, how: (pending: Pending) => void): void {
    const pending = this.pending.get(id);
    if (pending === undefined) return;
    this.pending.delete(id);
    clearTimeout(pending.timer);
    how(pending);
  }
}

/** Starts a room process on any free port and ends it. Throws when it cannot run on this machine. */
export async function tryRoomProcess(log: Logger): Promise<void> {
  let failure: Error | null = null;
  const onFault: OnFault = ({ cause, detail }) => {
    failure = new Error(`The room process ended by a fault: ${detail ?? cause}.`);
  };
  const child = new RoomChild(
    { port: 0, bindAddress: null, announcedAddress: null, announcesLoopback: false, orphanMs: null },
    () => {},
    log,
    onFault,
  );
  await child.ready.finally(() => child.stop());
  if (failure !== null) throw failure;
}

const refusalDetails: Readonly<Partial<Record<RefusalCode, DomainErrorOptions>>> = {
  overloaded: {
    message: 'Too many people are connecting at the moment. Send the offer again after the seconds in Retry-After.',
    retryAfterSeconds: 2,
  },
  rate_limited: {
    message: 'Your client sent far more packets than speech needs and was disconnected. Join again in a minute.',
    retryAfterSeconds: 60,
  },
  room_limit_reached: { retryAfterSeconds: 30 },
  room_full: { retryAfterSeconds: 10 },
};
/** Limits of the room process, whose figures nobody scrapes: they are counted here. */
const limitOf: Readonly<Partial<Record<RefusalCode, LimitName>>> = {
  overloaded: 'connecting_peers',
  room_limit_reached: 'open_rooms',
  room_full: 'room_seats',
};
function refusalOf(code: RefusalCode | null, message: string): Error {
  if (code === null) return new Error(message);
  const limit = limitOf[code];
  if (limit !== undefined) countRefusal(limit);
  return new DomainError(code, refusalDetails[code]);
}
export const unavailable = (): DomainError => new DomainError('room_unavailable', { retryAfterSeconds });
