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
/** A replay waits for the client whenever this much lies unread; it must stay far below what cuts a client off. */
const replayBytesMax = 64 * 1024;

export const frame = ({ position, event }: PositionedEvent): Frame => ({
  position,
  event,
  text: `id: ${event.id}\ndata: ${JSON.stringify(event)}\n\n`,
});

export class EventStreamConnection {
  private sent: bigint;
  private replaying = true;
  /** The log has grown since the replay last began to read. */
  private grown = false;
  private gathered = '';
  private timer: NodeJS.Timeout | null = null;
  private writtenBytes = 0;
  private takenBytes = 0;
  private unreadSince: number | null = null;

  constructor(
    private readonly response: ServerResponse,
    private readonly filter: StreamFilter,
    private reach: Reach,
    after: bigint,
  ) {
    this.sent = after;
  }

  setReach(reach: Reach): void {
    this.reach = reach;
  }

  /** Events as they come; a replay that is still under way finds them in the log. */
  live(frames: readonly Frame[]): void {
    if (this.replaying) this.grown = true;
    else this.send(frames);
  }

  /** Sends what the log holds behind the start, page by page as the client reads, until nothing has come meanwhile. */
  async replay(log: EventLog): Promise<void> {
    for (;;) {
      this.grown = false;
      const page = await log.read({ after: this.sent, limit: replayPage });
      for (const one of page) {
        this.send([frame(one)]);
        if (this.gathered.length >= replayBytesMax) await this.drained();
        if (this.response.destroyed) return;
      }
      if (page.length < replayPage && !this.grown) break;
    }
    this.replaying = false;
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

  /** Whether the client leaves too much unread, or has read nothing of what waits for it for too long. */
  isStuck(nowMs: number): boolean {
    const unread = this.response.writableLength;
    const taken = this.writtenBytes - unread;
    if (unread === 0 || taken > this.takenBytes) this.unreadSince = null;
    else this.unreadSince ??= nowMs;
    this.takenBytes = taken;
    return unread > unreadBytesMax || (this.unreadSince !== null && nowMs - this.unreadSince > unreadMs);
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
    if (text === '' || this.response.writableEnded || this.response.destroyed) return;
    this.writtenBytes += Buffer.byteLength(text);
    this.response.write(text);
  }

  private async drained(): Promise<void> {
    this.flush();
    if (!this.response.writableNeedDrain || this.response.destroyed) return;
    await new Promise<void>((resolve) => {
      const done = () => {
        this.response.off('drain', done);
        this.response.off('close', done);
        resolve();
      };
      this.response.on('drain', done);
      this.response.on('close', done);
    });
  }
}
