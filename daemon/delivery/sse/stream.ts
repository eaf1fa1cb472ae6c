/**
 * One event stream: replays from the log, then goes on live, without gap or repetition. Frames of a few milliseconds
 * leave in one write, and a client that does not read is cut off.
 */
import type { ServerResponse } from 'node:http';
import type { EventLog, PositionedEvent } from '../../events/log.js';
import { isWithin, passes, type Reach, type StreamFilter } from './filter.js';

/** An event with the bytes that every stream sends for it. */
export interface Frame extends PositionedEvent {
  readonly text: string;
}

const gatherMs = 5;
const unreadBytesMax = 1024 * 1024;
const unreadMs = 30_000;
const replayPage = 500;

export const frame = ({ position, event }: PositionedEvent): Frame => ({
  position,
  event,
  text: `id: ${event.id}\ndata: ${JSON.stringify(event)}\n\n`,
});

export class EventStreamConnection {
  private sent: bigint;
  private waiting: Frame[] | null = [];
  private gathered = '';
  private timer: NodeJS.Timeout | null = null;
  private unreadSince: number | null = null;

  constructor(
    private readonly response: ServerResponse,
    private readonly filter: StreamFilter,
    private reach: Reach,
    after: bigint,
  ) {
    this.sent = after;
  }

  /** The place in the log up to which this stream has been served. */
  get position(): bigint {
    return this.sent;
  }

  setReach(reach: Reach): void {
    this.reach = reach;
  }

  /** Events as they come; kept until the replay has reached them. */
  live(frames: readonly Frame[]): void {
    if (this.waiting !== null) this.waiting.push(...frames);
    else this.send(frames);
  }

  /** Sends what the log holds behind the start, then what has come meanwhile. */
  async replay(log: EventLog): Promise<void> {
    for (;;) {
      const page = await log.read({ after: this.sent, limit: replayPage });
      this.send(page.map(frame));
      if (page.length < replayPage || this.response.destroyed) break;
      await this.drained();
    }
    const waiting = this.waiting ?? [];
    this.waiting = null;
    this.send(waiting);
  }

  comment(text: string): void {
    this.write(`: ${text}\n\n`);
  }

  /** One frame with a name of its own, such as stream.gap. */
  named(event: string, data: unknown): void {
    this.write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
  }

  /** Says why, then ends the connection. */
  close(reason: string): void {
    this.flush();
    if (!this.response.writableEnded) this.response.end(`: closed, ${reason}\n\n`);
  }

  /** Whether the client has left too much unread for too long. */
  isStuck(nowMs: number): boolean {
    if (this.response.writableLength === 0) this.unreadSince = null;
    else this.unreadSince ??= nowMs;
    return (
      this.response.writableLength > unreadBytesMax ||
      (this.unreadSince !== null && nowMs - this.unreadSince > unreadMs)
    );
  }

  cutOff(): void {
    this.response.destroy();
  }

  private send(frames: readonly Frame[]): void {
    for (const { position, event, text } of frames) {
      if (position <= this.sent) continue;
      this.sent = position;
      if (passes(this.filter, event) && isWithin(this.reach, event)) this.write(text);
    }
  }

  private write(text: string): void {
    this.gathered += text;
    this.timer ??= setTimeout(() => this.flush(), gatherMs);
  }

  private flush(): void {
    if (this.timer !== null) clearTimeout(this.timer);
    this.timer = null;
    const text = this.gathered;
    this.gathered = '';
    if (text !== '' && !this.response.writableEnded && !this.response.destroyed) this.response.write(text);
  }

  private async drained(): Promise<void> {
    this.flush();
    if (!this.response.writableNeedDrain) return;
    await new Promise<void>((resolve) => {
      this.response.once('drain', resolve);
      this.response.once('close', resolve);
    });
  }
}
