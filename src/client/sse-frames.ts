/**
 * Reads one connection of server-sent events through an EventSource, frame by frame, and notices a daemon that has gone
 * silent. An EventSource would connect again by rules of its own; here the caller decides that, so it is closed at the
 * first loss.
 */
import { EventSource } from 'eventsource';
import type { Answer } from './transport.js';

export interface SseFrame {
  /** `message` where the frame has no name. */
  readonly event: string;
  readonly data: string;
}

interface SseRequest {
  readonly url: URL | string;
  /** Frames with another name are passed over. */
  readonly names: readonly string[];
  /** Requests the stream; the signal ends it. The frames end with the error that it throws. */
  readonly open: (left: AbortSignal) => Promise<Answer>;
  /** Ends the frames. */
  readonly closing?: AbortSignal;
  /** After this time without anything the daemon is lost. Default: three heartbeats, of which the daemon sends one in 15 s. */
  readonly silenceMs?: () => number | undefined;
}

const usualSilenceMs = 45_000;

/** Ends with the answer. Throws what `open` throws, and when the answer is cut or nothing came for too long. */
export const sseFrames = (request: SseRequest): AsyncGenerator<SseFrame, void> =>
  new SseConnection(request.silenceMs).frames(request);

class SseConnection {
  private readonly waiting: SseFrame[] = [];
  private readonly left = new AbortController();
  private ended = false;
  /** Why, where it did not end by itself. An EventSource keeps only a text of it. */
  private failure: unknown = null;
  private silence: ReturnType<typeof setTimeout> | undefined;
  private wake = () => {};
  private woken = this.sleep();

  constructor(private readonly silenceMs: SseRequest['silenceMs']) {}

  async *frames({ url, names, open, closing }: SseRequest): AsyncGenerator<SseFrame, void> {
    const source = new EventSource(url, { fetch: () => this.ask(open) });
    for (const name of names) {
      source.addEventListener(name, ({ data }) => {
        this.waiting.push({ event: name, data });
        this.wake();
      });
    }
    source.addEventListener('error', ({ message }) => {
      this.end(message === undefined ? null : new Error(message));
      queueMicrotask(() => source.close()); // it sets the timer for its next attempt behind this event
    });
    const close = () => this.end(null);
    closing?.addEventListener('abort', close);
    if (closing?.aborted === true) close();
    try {
      for (;;) {
        await this.until(() => this.waiting.length > 0 || this.ended);
        if (this.waiting.length === 0) break;
        const frames = this.waiting.splice(0);
        this.wake();
        yield* frames;
      }
    } finally {
      closing?.removeEventListener('abort', close);
      source.close();
      this.left.abort(); // an EventSource that has given up by itself does not end the connection
      this.end(null);
    }
    if (this.failure !== null) throw this.failure;
  }

  /** The first reason counts; later ones follow from it. */
  private end(failure: unknown): void {
    if (!this.ended) this.failure = failure;
    this.ended = true;
    clearTimeout(this.silence); // the read of an aborted `fetch` may never settle, and the timer would hold the process
    this.wake();
  }

  private async ask(open: SseRequest['open']) {
    try {
      const { body, headers, redirected, status, url } = await open(this.left.signal);
      return { body: body === null ? null : { getReader: () => this.reader(body) }, headers, redirected, status, url };
    } catch (error) {
      this.end(error);
      throw error;
    }
  }

  /** Reads more only when the frames before were taken, so that the daemon notices a slow reader. */
  private reader(body: ReadableStream<Uint8Array>) {
    const reader = body.getReader();
    const read = async () => {
      await this.until(() => this.waiting.length === 0 || this.ended);
      try {
        return await this.inTime(reader.read());
      } catch (error) {
        this.end(error);
        throw error;
      }
    };
    return { read, cancel: () => reader.cancel() };
  }

  private async until(reached: () => boolean): Promise<void> {
    while (!reached()) await this.woken;
  }

  /** Resolves when `wake` is called, which makes the promise for the next time. */
  private sleep(): Promise<void> {
    return new Promise((resolve) => {
      this.wake = () => {
        this.woken = this.sleep();
        resolve();
      };
    });
  }

  private async inTime<T>(promise: Promise<T>): Promise<T> {
    if (this.ended) return promise;
    const silent = new Promise<never>((_, reject) => {
      const ms = this.silenceMs?.() ?? usualSilenceMs;
      this.silence = setTimeout(() => reject(new Error(`no data for ${ms / 1_000} s`)), ms);
    });
    try {
      return await Promise.race([promise, silent]);
    } finally {
      clearTimeout(this.silence);
    }
  }
}
