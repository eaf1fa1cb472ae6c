/** One event stream: replays from the log, then goes on live, without gap or repetition. */
import type { ServerResponse } from 'node:http';
import type { EventLog, PositionedEvent } from '../../events/log.js';
import { SseWriter } from '../../http/sse-writer.js';
import { isWithin, passes, type Reach, type StreamFilter } from './filter.js';

/** An event with the bytes that every stream sends for it. */
export interface Frame extends PositionedEvent {
  readonly text: string;
}

const replayPage = 500;
/** A replay waits for the client whenever this much lies unread; it must stay far below what cuts a client off. */
const replayBytesMax = 64 * 1024;

export const frame = ({ position, event }: PositionedEvent): Frame => ({
  position,
  event,
  text: `id: ${event.id}\ndata: ${JSON.stringify(event)}\n\n`,
});

export class EventStreamConnection {
  private readonly writer: SseWriter;
  private sent: bigint;
  private replaying = true;
  /** The log has grown since the replay last began to read. */
  private grown = false;

  constructor(
    response: ServerResponse,
    private readonly filter: StreamFilter,
    private reach: Reach,
    after: bigint,
  ) {
    this.writer = new SseWriter(response);
    this.writer.open();
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
        if (this.writer.gatheredLength >= replayBytesMax) await this.writer.drained();
        if (this.writer.destroyed) return;
      }
      if (page.length < replayPage && !this.grown) break;
    }
    this.replaying = false;
  }

  comment(text: string): void {
    this.writer.comment(text);
  }

  /** One frame with a name of its own, such as stream.gap. */
  named(event: string, data: unknown): void {
    this.writer.write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
  }

  /** Says why, then ends the connection. */
  close(reason: string): void {
    this.writer.close(reason);
  }

  /** Whether the client does not read what is sent. */
  isStuck(nowMs: number): boolean {
    return this.writer.isStuck(nowMs);
  }

  cutOff(): void {
    this.writer.cutOff();
  }

  private send(frames: readonly Frame[]): void {
    for (const { position, event, text } of frames) {
      if (position <= this.sent) continue;
      this.sent = position;
      if (passes(this.filter, event) && isWithin(this.reach, event)) this.writer.write(text);
    }
  }
}
