/**
 * One event stream: replays from the log, then goes on live, without gap or repetition. The replay waits for a slow
 * client; a client that falls behind live events gets the reason and is disconnected.
 */
import type { EventLog } from '../../platform/events/log.js';
import type { Outgoing } from '../../platform/http/bind.js';
import { namedFrame, type SharedFrames, SseWriter } from '../../platform/http/sse-writer.js';
import type { Batch } from './batch.js';
import type { View } from './filter.js';
import type { LogEnd } from './log-end.js';
import type { StreamStart } from './place.js';

/** Why the daemon ended a stream; sent as `stream.closed`. */
type Closing = 'access_gone' | 'slow_consumer' | 'shutting_down';

const sentences: Readonly<Record<Closing, string>> = {
  access_gone: 'The credential or its access to the project was revoked. Log in again or use another key.',
  slow_consumer: 'Events arrived faster than they were read. Connect again with the last event id; nothing is lost.',
  shutting_down: 'The daemon is stopping. Connect again with the last event id; nothing is lost.',
};

/** A client with more than this unread gets no text of people who are still speaking. */
const passingUnreadMax = 16 * 1024;

export class EventStreamConnection {
  private readonly writer: SseWriter;
  private sent: bigint;
  private replaying = true;

  constructor(
    { response, head }: Outgoing,
    public view: View,
    { after, begin }: Pick<StreamStart, 'after' | 'begin'>,
  ) {
    this.writer = new SseWriter(response);
    this.writer.open(begin, head);
    this.sent = after;
  }

  /** Live events; a replay that is still going on finds them in the log. */
  live(batch: Batch): void {
    if (this.replaying || batch.last <= this.sent) return;
    this.writer.share(batch.framesFor(this.view, this.sent));
    this.sent = batch.last;
  }

  /** A frame that may be lost: left out while the client has anything to catch up with. */
  passing(frame: SharedFrames): void {
    if (!this.replaying && this.writer.unreadBytes < passingUnreadMax) this.writer.share(frame);
  }

  /**
   * Sends what the log holds after the start, page by page as the client reads, up to what was passed on to live
   * streams. Each page takes a turn among those of `owner` and of everybody else.
   */
  async replay(log: EventLog, end: Pick<LogEnd, 'position'>, owner: string): Promise<void> {
    while (!this.gone && this.sent < end.position) {
      await log.turns.run(owner, () => this.replayPage(log, end.position));
      await this.writer.drained();
    }
    this.replaying = false;
  }

  private async replayPage(log: EventLog, to: bigint): Promise<void> {
    if (this.gone) return;
    const { parts, logFilter: filter } = this.view;
    const { events, end } = await log.pages.read({ parts, filter, after: this.sent, to });
    // Checked again: the owner's rights may have changed while the page was read.
    this.writer.write(events.map(({ event }) => (this.view.shows(event) ? this.view.frame(event) : '')).join(''));
    this.sent = end;
  }

  heartbeat(): void {
    this.writer.heartbeat();
  }

  /** One frame with a name of its own, such as stream.gap. */
  named(event: string, data: object): void {
    this.writer.write(namedFrame(event, data));
  }

  /** True once nothing can be sent any more. */
  get gone(): boolean {
    return this.writer.gone;
  }

  /** Sends the reason and ends the connection, if necessary without waiting for the client to read it. */
  close(reason: Closing): void {
    this.writer.close(namedFrame('stream.closed', { reason, message: sentences[reason] }));
  }

  /** True if the client does not read what is sent. */
  isStuck(nowMs: number): boolean {
    return this.writer.isStuck(nowMs);
  }
}
