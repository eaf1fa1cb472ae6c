/**
 * Keeps a room process running: started when the first person enters a room, and restarted whenever it ends, until the
 * daemon stops. Until then the daemon holds its port, so that nobody takes it in between.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { TroubleReport } from '../../../platform/observability/condition.js';
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

const starts = { begins: 'the room process does not start; trying again', ends: 'the room process has started' };
/** Delay before each further start of a process that dies; the last one repeats. */
const restartMs = [100, 500, 1_000, 2_000];
/** After a process that ran this long the delays begin again with the shortest. */
const healthyMs = 30_000;

export class RoomProcess {
  private readonly port: MediaPort;
  /** null: nobody has entered so far, or since the last pause. */
  private run: RoomProcessRun | null = null;
  private pausing: Promise<void> | null = null;
  private isStopped = false;
  private restartCount = 0;

  constructor(
    private readonly media: EmbeddedMedia,
    private readonly owner: RoomProcessOwner,
    private readonly log: Logger,
    private readonly pingEveryMs: number,
  ) {
    this.port = new MediaPort(media);
  }

  get id(): number | null {
    return this.run?.child?.pid ?? null;
  }

  /** UDP port of all peers; 0 until a free one was chosen. */
  get mediaPort(): number {
    return this.port.number;
  }

  /** True if nobody has needed it so far, or it is starting for the first people who do. */
  get isYetToRun(): boolean {
    return this.run?.hasBegun !== true;
  }

  get running(): boolean {
    return this.run?.isReady === true;
  }

  get restarts(): number {
    return this.restartCount;
  }

  /** Throws when its port is taken. */
  async start(): Promise<void> {
    await this.port.reserve();
  }

  async stop(): Promise<void> {
    this.isStopped = true;
    await this.pausing?.catch(() => {}); // whoever paused is told
    await this.run?.end();
    await this.port.release();
  }

  /** Ends the process, and everybody's connections with it, until somebody enters again. */
  pause(): Promise<void> {
    if (this.run === null || this.isStopped) return Promise.resolve();
    this.pausing ??= this.closeRooms(this.run).finally(() => {
      this.pausing = null;
    });
    return this.pausing;
  }

  /** Throws what the process refuses with, and room_unavailable without a process. */
  call<Request, Result>(call: ProcessCall<Request, Result>, request: Request, patience?: Patience): Promise<Result> {
    const { child = null, isReady = false } = this.run ?? {};
    if (child === null || !isReady) return Promise.reject(unavailable());
    return child.call(call, request, patience);
  }

  /** As `call`, for a person who enters: the first one starts the process. */
  async callToEnter<Request, Result>(
    call: ProcessCall<Request, Result>,
    request: Request,
    patience?: Patience,
  ): Promise<Result> {
    if (this.isStopped) throw unavailable();
    this.run ??= this.open();
    await this.run.entered;
    return this.call(call, request, patience);
  }

  private open(): RoomProcessRun {
    const owner: RoomProcessOwner = {
      ...this.owner,
      restarted: () => {
        this.restartCount += 1;
        this.owner.restarted();
      },
    };
    const newChild = () =>
      new RoomChild(
        { ...this.media, port: this.port.number },
        (frame) => owner.heard(frame),
        this.log,
        owner.onFault,
        this.pingEveryMs,
      );
    return new RoomProcessRun(this.port.release(), newChild, owner, this.log);
  }

  private async closeRooms(run: RoomProcessRun): Promise<void> {
    await run.end();
    this.owner.lost();
    try {
      if (!this.isStopped) await this.port.reserve();
    } finally {
      this.run = null;
    }
  }
}

/**
 * One span in which the rooms are open: from the first person who enters to the next pause or the stop. It has its process
 * and its waits for itself, so that none of them outlives it and meets the process of the next span.
 */
class RoomProcessRun {
  /** null while there is none. */
  child: RoomChild | null = null;
  /** The first start has succeeded or failed. */
  hasBegun = false;
  /** Resolves then, or when the span ends before. */
  readonly entered: Promise<void>;
  private takesCalls = false;
  private readonly ending = new AbortController();
  private readonly over: Promise<void>;
  private readonly trouble: TroubleReport;
  private enter: () => void = () => {};

  /** `portReleased`: the port is free for the process. */
  constructor(
    portReleased: Promise<void>,
    private readonly newChild: () => RoomChild,
    private readonly owner: RoomProcessOwner,
    private readonly log: Logger,
  ) {
    this.trouble = new TroubleReport(log, starts);
    this.entered = new Promise((resolve) => {
      this.enter = resolve;
    });
    this.over = portReleased.then(() => this.keepRunning()).finally(this.enter);
  }

  get isReady(): boolean {
    return this.takesCalls && !this.ending.signal.aborted;
  }

  /** Resolves when there is no process of this span, and none follows. */
  async end(): Promise<void> {
    this.ending.abort();
    await this.child?.stop();
    await this.over;
  }

  /** Never two processes at a time. */
  private async keepRunning(): Promise<void> {
    const { signal } = this.ending;
    let [deathsInARow, isLost] = [0, false];
    while (!signal.aborted) {
      const startedAt = performance.now();
      const child = await this.launch();
      if (signal.aborted) return child?.ended.then(() => this.forget());
      if (child !== null && isLost) this.owner.restarted();
      this.hasBegun = true;
      this.enter();
      if (child !== null) {
        await child.ended;
        this.forget();
        if (signal.aborted) return;
        this.log.warn('the room process ended; starting it again');
        if (performance.now() - startedAt > healthyMs) deathsInARow = 0;
      }
      if (child !== null || !isLost) this.owner.lost();
      isLost = true;
      const restMs = restartMs[Math.min(deathsInARow, restartMs.length - 1)];
      deathsInARow += 1;
      await sleep(restMs, undefined, { signal, ref: false }).catch(() => {});
    }
  }

  /** null: it did not start. */
  private async launch(): Promise<RoomChild | null> {
    const child = this.newChild();
    this.child = child;
    try {
      await child.ready;
      this.takesCalls = true;
      await this.owner.ready();
      this.trouble.set(null);
      return child;
    } catch (error) {
      child.kill();
      await child.ended;
      this.forget();
      if (!this.ending.signal.aborted) this.trouble.set({ err: error });
      return null;
    }
  }

  private forget(): void {
    this.takesCalls = false;
    this.child = null;
    this.owner.ended();
  }
}
