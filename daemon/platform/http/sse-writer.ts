/**
 * Writes one answer of server-sent events and detects that its client does not read: the owner of many of these calls
 * `isStuck` now and then and disconnects. Frames written in one turn leave in one packet.
 */
import type { ServerResponse } from 'node:http';
import { type Head, unsent } from './answer-headers.js';
import { unreadMs } from './drained.js';

export const eventStreamType = 'text/event-stream';
/** Neither the browser nor a proxy may keep or hold back what is sent. */
const streamHeaders = {
  'Content-Type': `${eventStreamType}; charset=utf-8`,
  'Cache-Control': 'no-store, no-transform',
  'X-Accel-Buffering': 'no',
};
const retryMs = 2_000;
const unreadBytesMax = 1024 * 1024;
/** How long a client may still read an ended stream. */
const farewellMs = 5_000;

/** Time between comments that keep proxies from closing a quiet stream; nginx does so after 60 s. */
export const heartbeatMs = 15_000;

/** A frame with an event name, which `onmessage` of an EventSource does not receive. */
export const namedFrame = (event: string, data: object): string => `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;

/** Frames that many streams get: encoded once, also as a chunk of HTTP/1.1 (RFC 9112, 7.1). */
export class SharedFrames {
  readonly plain: Buffer;
  readonly chunk: Buffer;

  constructor(frames: string) {
    const length = Buffer.byteLength(frames);
    const head = `${length.toString(16)}\r\n`;
    this.chunk = Buffer.from(`${head}${frames}\r\n`);
    this.plain = this.chunk.subarray(head.length, head.length + length);
  }
}

/** Without a blank line, because some clients take each for the end of a message, and report an empty one. */
const heartbeat = new SharedFrames(': heartbeat\n');

export class SseWriter {
  private writtenBytes = 0;
  private takenBytes = 0;
  private unreadSince: number | null = null;
  /** Something had to be left out, so nothing may follow: the client continues from what it has read. */
  private overrun = false;

  constructor(private readonly response: ServerResponse) {}

  /**
   * Sends the head of the answer. `begin` is the event after which the stream begins: a client that is disconnected
   * before its first event continues from there. An EventSource learns it from the `id:` line, other clients from the
   * header. `head`: where the headers of the answer were set, if not on the response.
   */
  open(begin: string | null = null, head: Head = this.response): void {
    const { response } = this;
    const { socket } = response;
    for (const [name, value] of Object.entries(streamHeaders)) head.setHeader(name, value);
    if (begin !== null) head.setHeader('Last-Event-ID', begin);
    response.writeHead(200, unsent(head));
    socket?.cork();
    response.flushHeaders(); // by itself: the response keeps its head, and one sent with text stays in a hundred pieces (3 KB)
    this.share(new SharedFrames(`retry: ${retryMs}\n${begin === null ? '' : `id: ${begin}\n`}\n`));
    socket?.uncork();
  }

  /** True once nothing can be sent any more. */
  get gone(): boolean {
    return this.response.destroyed || this.response.writableEnded;
  }

  get unreadBytes(): number {
    return this.response.writableLength;
  }

  /** Complete frames, including the blank lines. */
  write(frames: string): void {
    if (this.mayWrite(frames.length)) {
      this.writtenBytes += Buffer.byteLength(frames);
      this.response.write(frames);
    }
  }

  /**
   * As `write`. The chunk goes to the socket as it is, behind what the response has written: the response would make
   * three writes of it, for each stream anew.
   */
  share({ plain, chunk }: SharedFrames): void {
    if (!this.mayWrite(plain.length)) return;
    this.writtenBytes += plain.length;
    const { response } = this;
    if (response.chunkedEncoding && response.socket !== null) response.socket.write(chunk);
    else response.write(plain);
  }

  private mayWrite(length: number): boolean {
    if (length === 0 || this.overrun || this.gone) return false;
    this.overrun = this.response.writableLength > unreadBytesMax;
    return !this.overrun;
  }

  heartbeat(): void {
    this.share(heartbeat);
  }

  /** Ends the stream, with a last frame if there is one, also when the client has left much unread. */
  close(last = ''): void {
    if (this.gone) return;
    this.response.end(last);
    setTimeout(() => this.cutOff(), farewellMs).unref();
  }

  cutOff(): void {
    this.response.destroy();
  }

  /** True if the client has too much unread, or has read nothing for too long although something waits for it. */
  isStuck(nowMs: number): boolean {
    const unread = this.response.writableLength;
    const taken = this.writtenBytes - unread;
    if (unread === 0 || taken > this.takenBytes) this.unreadSince = null;
    else this.unreadSince ??= nowMs;
    this.takenBytes = taken;
    const waited = this.unreadSince !== null && nowMs - this.unreadSince > unreadMs;
    return this.overrun || unread > unreadBytesMax || waited;
  }

  /** Waits until the client has taken what was written, or has disconnected. */
  async drained(): Promise<void> {
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
