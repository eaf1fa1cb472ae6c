/** Keeps a room process running: started with the daemon, and restarted whenever it ends, until the daemon stops. */
import { createSocket } from 'node:dgram';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from '../../../platform/observability/logger.js';
import type { Call } from './protocol.js';
import { type EmbeddedMedia, type Heard, type Patience, RoomChild, unavailable } from './room-child.js';

export interface RoomProcessOwner {
  heard(frame: Heard): void;
  /** It takes calls, for the first time or again. */
  ready(): Promise<void>;
  /** It has ended, and everybody in it has left. */
  ended(): void;
  /** It was running, and is being started again. */
  lost(): void;
  restarted(): void;
}

/** Delay before each further start of a process that dies; the last one repeats. */
const restartMs = [100, 500, 1_000, 2_000];
/** After a process that ran this long the delays begin again with the shortest. */
const healthyMs = 30_000;

export class RoomProcess {
  private child: RoomChild | null = null;
  private isReady = false;
  private mediaPort: number;
  private deathsInARow = 0;
  private restartCount = 0;
  private readonly stopping = new AbortController();

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

  /** UDP port of all peers; 0 until a free one was chosen. */
  get port(): number {
    return this.mediaPort;
  }

  get running(): boolean {
    return this.isReady && !this.stopping.signal.aborted;
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
    this.stopping.abort();
    await this.child?.stop();
  }

  /** Throws what the process refuses with, and room_unavailable without a process. */
  call<Request, Result>(call: Call<Request, Result>, request: Request, patience?: Patience): Promise<Result> {
    if (this.child === null || !this.running) return Promise.reject(unavailable());
    return this.child.call(call, request, patience);
  }

  private async launch(): Promise<void> {
    const startedAt = performance.now();
    const child = new RoomChild({ ...this.media, port: this.mediaPort }, (frame) => this.owner.heard(frame), this.log);
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
    if (this.stopping.signal.aborted) return;
    this.log.warn('the room process ended; starting it again');
    this.owner.lost();
    if (hadBeenHealthy) this.deathsInARow = 0;
    while (await this.paused()) {
      try {
        await this.launch();
        this.restartCount += 1;
        this.owner.restarted();
        return;
      } catch (error) {
        if (this.stopping.signal.aborted) return;
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
    return !signal.aborted;
  }
}

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
