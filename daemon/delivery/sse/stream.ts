/**
 * One event stream: replays from the log, then goes on live, without gap or repetition. A client that does not read is
 * waited for while it replays, and told why before it is cut off when it lags behind what happens.
 */
import type { ServerResponse } from 'node:http';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { EventLog } from '../../events/log.js';
import { namedFrame, SseWriter } from '../../http/sse-writer.js';
import { type Batch, frame } from './batch.js';
import type { View } from './filter.js';
import { replayBytesMax, replayPage } from './limits.js';
import type { Place } from './place.js';

/** Why a stream was ended by the daemon; told as `stream.closed`. */
export type Closing = 'access_gone' | 'slow_consumer' | 'shutting_down';

const sentences: Readonly<Record<Closing, string>> = {
  access_gone: 'The credential or the access to the project is gone. Log in again or use another key.',
  slow_consumer: 'Events came faster than they were read. Connect again with the last event id; nothing is lost.',
  shutting_down: 'The daemon is stopping. Connect again with the last event id; nothing is lost.',
};

export class EventStreamConnection {
  private readonly writer: SseWriter;
  private sent: bigint;
  private replaying = true;
  /** The log has grown since the replay last began to read. */
  private grown = false;

  constructor(
    response: ServerResponse,
    public view: View,
    { after, begin }: Pick<Place, 'after' | 'begin'>,
  ) {
    this.writer = new SseWriter(response);
    this.writer.open(begin);
    this.sent = after;
  }

  /** Events as they come; a replay that is still under way finds them in the log. */
  live(batch: Batch): void {
    if (this.replaying) this.grown = true;
    else if (batch.last > this.sent) {
      this.writer.write(batch.bytesFor(this.view, this.sent));
      this.sent = batch.last;
    }
  }

  /** Sends what the log holds behind the start, page by page as the client reads, until nothing has come meanwhile. */
  async replay(log: EventLog): Promise<void> {
    for (;;) {
      this.grown = false;
      const page = await log.read({ after: this.sent, limit: replayPage });
      let text = '';
      for (const { position, event } of page) {
        this.sent = position;
        if (this.view.shows(event)) text += frame(event);
        if (text.length < replayBytesMax) continue;
        this.writer.write(text);
        text = '';
        await this.writer.drained();
        if (this.gone) return;
      }
      this.writer.write(text);
      if (page.length < replayPage && !this.grown) break;
      await nextTurn(); // pages of which nothing is shown would keep the daemon from everything else
      if (this.gone) return;
    }
    this.replaying = false;
  }

  comment(text: string): void {
    this.writer.comment(text);
  }

  /** One frame with a name of its own, such as stream.gap. */
  named(event: string, data: object): void {
    this.writer.write(namedFrame(event, data));
  }

  /** Whether nothing goes out any more. */
  get gone(): boolean {
    return this.writer.gone;
  }

  /** Says why and ends the connection, if need be without waiting until the client has read that. */
  close(reason: Closing): void {
    this.writer.close(namedFrame('stream.closed', { reason, message: sentences[reason] }));
  }

  /** Whether the client does not read what is sent. */
  isStuck(nowMs: number): boolean {
    return this.writer.isStuck(nowMs);
  }
}
