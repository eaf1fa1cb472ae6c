/**
 * Writes one answer of server-sent events. Frames of a few milliseconds leave in one write, and it knows when its
 * client does not read: whoever keeps many of these asks `isStuck` now and then and cuts off.
 */
import type { ServerResponse } from 'node:http';

const gatherMs = 5;
const retryMs = 2_000;
const unreadBytesMax = 1024 * 1024;
const unreadMs = 30_000;

/** Between two comments that keep proxies from closing a quiet stream. */
export const heartbeatMs = 15_000;

export class SseWriter {
  private gathered = '';
  private timer: NodeJS.Timeout | null = null;
  private writtenBytes = 0;
  private takenBytes = 0;
  private unreadSince: number | null = null;

  constructor(private readonly response: ServerResponse) {}

  /** Sends the head of the answer. */
  open(): void {
    this.response.writeHead(200, {
      'Content-Type': 'text/event-stream; charset=utf-8',
      'Cache-Control': 'no-cache, no-transform',
      'X-Accel-Buffering': 'no',
    });
    this.response.write(`retry: ${retryMs}\n\n`);
  }

  get destroyed(): boolean {
    return this.response.destroyed;
  }

  /** Characters that wait for the next write. */
  get gatheredLength(): number {
    return this.gathered.length;
  }

  /** A whole frame, blank line included. */
  write(text: string): void {
    this.gathered += text;
    this.timer ??= setTimeout(() => this.flush(), gatherMs);
  }

  comment(text: string): void {
    this.write(`: ${text}\n\n`);
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

  /** Waits until the client has taken what was written, or is gone. */
  async drained(): Promise<void> {
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

  private flush(): void {
    if (this.timer !== null) clearTimeout(this.timer);
    this.timer = null;
    const text = this.gathered;
    this.gathered = '';
    if (text === '' || this.response.writableEnded || this.response.destroyed) return;
    this.writtenBytes += Buffer.byteLength(text);
    this.response.write(text);
  }
}
