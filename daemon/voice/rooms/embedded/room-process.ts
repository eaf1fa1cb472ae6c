/** The forked process that carries the sound: asked by calls, heard by notices, started anew when it dies or hangs. */
import { type ChildProcess, fork } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { createRequire } from 'node:module';
import { DomainError } from '../../../../src/contract/errors.js';
import type { Logger } from '../../../observability/logger.js';
import { type Call, type RefusalCode, stopCall, UpFrame } from './protocol.js';

export interface EmbeddedMedia {
  /** UDP port of all peers; 0 picks a free one, kept across restarts. */
  readonly port: number;
  readonly bindAddress: string | null;
  readonly announcedAddress: string | null;
}

/** What the process tells unasked. */
export type Heard = Extract<UpFrame, { room: unknown }>;

export interface RoomProcessOwner {
  heard(frame: Heard): void;
  /** It takes calls, for the first time or again. */
  ready(): Promise<void>;
  /** It is gone with everybody who was in it. */
  ended(): void;
  /** It was running, and is being started again. */
  lost(): void;
  restarted(): void;
}

const callTimeoutMs = 5_000;
const startTimeoutMs = 10_000;
const stopTimeoutMs = 2_000;
/** Waiting time before each further start of a process that dies; the last one repeats. */
const restartMs = [100, 500, 2_000, 10_000];
const healthyMs = 30_000;

interface Pending {
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: Error) => void;
  readonly timer: NodeJS.Timeout;
}

export class RoomProcess {
  private child: ChildProcess | null = null;
  private isReady = false;
  private stopping = false;
  private mediaPort: number;
  private startedAt = 0;
  private deaths = 0;
  private restartCount = 0;
  private nextId = 1;
  private timer: NodeJS.Timeout | null = null;
  private readonly pending = new Map<number, Pending>();

  constructor(
    private readonly media: EmbeddedMedia,
    private readonly owner: RoomProcessOwner,
    private readonly log: Logger,
  ) {
    this.mediaPort = media.port;
  }

  get id(): number | null {
    return this.child?.pid ?? null;
  }

  /** UDP port of all peers; 0 until a free one was picked. */
  get port(): number {
    return this.mediaPort;
  }

  get running(): boolean {
    return this.isReady && !this.stopping;
  }

  get restarts(): number {
    return this.restartCount;
  }

  /** Throws when the process cannot run here: its port is taken, or the media library does not load. */
  async start(): Promise<void> {
    if (this.mediaPort === 0) this.mediaPort = await freePort();
    await this.launch();
  }

  async stop(): Promise<void> {
    const { child } = this;
    const asked = this.call(stopCall, {});
    this.stopping = true;
    if (this.timer !== null) clearTimeout(this.timer);
    asked.catch(() => child?.kill('SIGKILL'));
    if (child === null || child.exitCode !== null) return;
    const ended = new Promise((resolve) => child.once('exit', resolve));
    const late = setTimeout(() => child.kill('SIGKILL'), stopTimeoutMs);
    await ended;
    clearTimeout(late);
  }

  /** Throws what the process refuses with, and room_unavailable without a process. */
  call<Request, Result>({ name, result }: Call<Request, Result>, request: Request): Promise<Result> {
    const { child } = this;
    if (child === null || !this.isReady) return Promise.reject(unavailable());
    const id = this.nextId++;
    return new Promise<Result>((resolve, reject) => {
      // A process that does not answer may still forward what it should not: end it.
      const timer = setTimeout(() => child.kill('SIGKILL'), callTimeoutMs);
      this.pending.set(id, { resolve: (answer) => resolve(result.parse(answer)), reject, timer });
      child.send({ id, name, request });
    });
  }

  private async launch(): Promise<void> {
    const program = createRequire(import.meta.url).resolve('#dist/daemon/voice/rooms/embedded/process.js');
    const args = [String(this.mediaPort), this.media.bindAddress ?? '', this.media.announcedAddress ?? ''];
    const child = fork(program, args, {
      serialization: 'advanced',
      env: {},
      execArgv: [],
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    this.child = child;
    this.startedAt = Date.now();
    child.once('exit', () => this.ended());
    await new Promise<void>((resolve, reject) => {
      const late = setTimeout(() => reject(new Error('The room process did not get ready.')), startTimeoutMs);
      const settle = (error: Error | null) => {
        clearTimeout(late);
        if (error === null) resolve();
        else reject(error);
      };
      child.once('exit', () => settle(new Error('The room process ended at once.')));
      child.on('message', (message) => {
        const frame = UpFrame.parse(message);
        if (frame.kind === 'ready') settle(null);
        else if (frame.kind === 'failed')
          settle(
            new Error(
              `The voice rooms cannot run on UDP port ${this.mediaPort}: ${frame.message}. Set EARSHOT_MEDIA_PORT.`,
            ),
          );
        else this.take(frame);
      });
    });
    this.isReady = true;
    await this.owner.ready();
  }

  /** Whoever waits is told, and a new one is started. */
  private ended(): void {
    const wasReady = this.isReady;
    this.isReady = false;
    this.child = null;
    for (const { reject, timer } of this.pending.values()) {
      clearTimeout(timer);
      reject(unavailable());
    }
    this.pending.clear();
    this.owner.ended();
    if (this.stopping || !wasReady) return;
    this.log.warn('the room process ended; starting it again');
    this.owner.lost();
    this.deaths = Date.now() - this.startedAt > healthyMs ? 0 : this.deaths;
    this.restart();
  }

  private restart(): void {
    const wait = restartMs[Math.min(this.deaths, restartMs.length - 1)];
    this.deaths += 1;
    this.timer = setTimeout(() => {
      this.launch().then(
        () => {
          this.restartCount += 1;
          this.owner.restarted();
        },
        (error: unknown) => {
          if (this.stopping) return;
          this.log.error({ err: error }, 'the room process did not start; trying again');
          this.restart();
        },
      );
    }, wait);
  }

  private take(frame: Exclude<UpFrame, { kind: 'ready' | 'failed' }>): void {
    if (frame.kind === 'reply') this.settle(frame.id, ({ resolve }) => resolve(frame.result));
    else if (frame.kind === 'refusal')
      this.settle(frame.id, ({ reject }) => reject(refusalOf(frame.code, frame.message)));
    else if (frame.kind === 'log') this.log[frame.level]({ detail: frame.detail }, frame.message);
    else this.owner.heard(frame);
  }

  private settle(id: number, how: (pending: Pending) => void): void {
    const pending = this.pending.get(id);
    if (pending === undefined) return;
    this.pending.delete(id);
    clearTimeout(pending.timer);
    how(pending);
  }
}

const refusalOf = (code: RefusalCode | null, message: string): Error =>
  code === null ? new Error(message) : new DomainError(code);
const unavailable = (): DomainError => new DomainError('room_unavailable', { retryAfterSeconds: 1 });

function freePort(): Promise<number> {
  const socket = createSocket('udp4');
  return new Promise((resolve, reject) => {
    socket.once('error', reject);
    socket.bind(0, () => {
      const { port } = socket.address();
      socket.close(() => resolve(port));
    });
  });
}
