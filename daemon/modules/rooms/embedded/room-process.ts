/**
 * Keeps a room process running: started when the first person enters a room, and restarted whenever it ends, until the
 * daemon stops. Until then the daemon holds its port, so that nobody takes it in between.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from '../../../platform/observability/logger.js';
import type { OnFault } from '../../../platform/processes/watched-process.js';
import type { EmbeddedMedia } from './media-port.js';
import { MediaPort } from './media-port.js';
import type { ProcessCall } from './protocol.js';
import { type Heard, type Patience, RoomChild, unavailable } from './room-child.js';

interface RoomProcessOwner {
  heard(frame: Heard): void;
  /** It takes calls, for the first time or again. */
  ready(): Promise<void>;
  /** It has ended, and everybody in it has left. */
  ended(): void;
  /** It was running or did not start at all, and is being started again. */
  lost(): void;
  restarted(): void;
  readonly onFault: OnFault;
}

/** Delay before each further start of a process that dies; the last one repeats. */
const restartMs = [100, 500, 1_000, 2_000];
/** After a process that ran this long the delays begin again with the shortest. */
const healthyMs = 30_000;

export class RoomProcess {
  private child: RoomChild | null = null;
  private isReady = false;
  private readonly port: MediaPort;
  private firstStart: Promise<void> | null = null;
  private hasBegun = false;
  private deathsInARow = 0;
  private restartCount = 0;
  private readonly stopping = new AbortController();
  /** The rooms are closed for now; a new process starts for the next person who enters. */
  private isPaused = false;

  constructor(
    private readonly media: EmbeddedMedia,
    private readonly owner: RoomProcessOwner,
    private readonly log: Logger,
    private readonly pingEveryMs: number,
  ) {
    this.port = new MediaPort(media);
  }

  get id(): number | null {
    return this.child?.pid ?? null;
  }

  /** UDP port of all peers; 0 until a free one was chosen. */
  get mediaPort(): number {
    return this.port.number;
  }

  /** True if nobody has needed it so far, or it is starting for the first people who do. */
  get isYetToRun(): boolean {
    return !this.hasBegun;
  }

  get running(): boolean {
    return this.isReady && !this.isOver;
  }

  /** No further process is started. */
  private get isOver(): boolean {
    return this.isPaused || this.stopping.signal.aborted;
  }

  get restarts(): number {
    return this.restartCount;
  }

  /** Throws when its port is taken. */
  async start(): Promise<void> {
    await this.port.reserve();
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    await this.port.release();
    await this.child?.stop();
  }

  /** Ends the process, and everybody's connections with it, until somebody enters again. */
  async pause(): Promise<void> {
    if (this.firstStart === null || this.stopping.signal.aborted) return;
    this.isPaused = true;
    try {
      await this.child?.stop();
      await this.firstStart;
      this.owner.lost();
      this.firstStart = null;
      this.hasBegun = false;
      this.deathsInARow = 0;
      if (!this.stopping.signal.aborted) await this.port.reserve();
    } finally {
      this.isPaused = false;
    }
  }

  /** Throws what the process refuses with, and room_unavailable without a process. */
  call<Request, Result>(call: ProcessCall<Request, Result>, request: Request, patience?: Patience): Promise<Result> {
    if (this.child === null || !this.running) return Promise.reject(unavailable());
    return this.child.call(call, request, patience);
  }

  /** As `call`, for a person who enters: the first one starts the process. */
  async callToEnter<Request, Result>(
    call: ProcessCall<Request, Result>,
    request: Request,
    patience?: Patience,
  ): Promise<Result> {
    this.firstStart ??= this.begin();
    await this.firstStart;
    return this.call(call, request, patience);
  }

  private async begin(): Promise<void> {
    await this.port.release();
    if (this.isOver) return;
    try {
      await this.launch();
      this.hasBegun = true;
    } catch (error) {
      this.hasBegun = true;
      if (this.isOver) return;
      this.log.error({ err: error }, 'the room process did not start; trying again');
      void this.startAgain();
    }
  }

  private async launch(): Promise<void> {
    const startedAt = performance.now();
    const child = new RoomChild(
      { ...this.media, port: this.port.number },
      (frame) => this.owner.heard(frame),
      this.log,
      this.owner.onFault,
      this.pingEveryMs,
    );
    this.child = child;
    try {
      await child.ready;
      this.isReady = true;
      await this.owner.ready();
    } catch (error) {
      child.kill();
      await child.ended;
      this.forget();
      throw error;
    }
    void child.ended.then(() => this.revive(performance.now() - startedAt > healthyMs));
  }

  private forget(): void {
    this.isReady = false;
    this.child = null;
    this.owner.ended();
  }

  /** Everybody in it is notified, and a new process is started; never two at a time. */
  private async revive(hadBeenHealthy: boolean): Promise<void> {
    this.forget();
    if (this.isOver) return;
    this.log.warn('the room process ended; starting it again');
    if (hadBeenHealthy) this.deathsInARow = 0;
    await this.startAgain();
  }

  private async startAgain(): Promise<void> {
    this.owner.lost();
    while (await this.paused()) {
      try {
        await this.launch();
        this.restartCount += 1;
        this.owner.restarted();
        return;
      } catch (error) {
        if (this.isOver) return;
        this.log.error({ err: error }, 'the room process did not start; trying again');
      }
    }
  }

  /** False when the daemon has begun to stop. */
  private async paused(): Promise<boolean> {
    const { signal } = this.stopping;
    const pauseMs = restartMs[Math.min(this.deathsInARow, restartMs.length - 1)];
    this.deathsInARow += 1;
    await sleep(pauseMs, undefined, { signal, ref: false }).catch(() => {});
    return !this.isOver;
  }
}
