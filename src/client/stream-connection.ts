/**
 * One connection of an event stream, until it is lost. Notices a daemon that has gone silent, and lets go of one that
 * sends faster than its events are taken: whoever connects again goes on behind the last one taken.
 */
import { EventSource } from 'eventsource';
import { DomainEvent, StreamClosed, StreamGap } from '../contract/events.js';

export type Arrival =
  /** `begin` is the event behind which the stream begins, or `earliest`; null: the daemon did not say. */
  | { readonly kind: 'connected'; readonly begin: string | null }
  | { readonly kind: 'event'; readonly event: DomainEvent; readonly text: string }
  | { readonly kind: 'gap'; readonly lastEventId: string; readonly oldestId: string | null }
  | { readonly kind: 'lost'; readonly error: Error };

/** Three heartbeats. */
const silenceMs = 45_000;
const waitingMax = 10_000;

/** The reasons may become more. */
const Closed = StreamClosed.pick({ message: true });

/** The other side speaks another language; to try again would not help. */
export class UnreadableStream extends Error {
  override name = 'UnreadableStream';
}

export class StreamConnection implements AsyncIterable<Arrival> {
  private readonly arrivals: Arrival[] = [];
  private wake: () => void = () => {};
  private silence: NodeJS.Timeout | undefined;
  private cause: Error | null = null;

  constructor(
    private readonly baseUrl: string,
    private readonly open: (signal: AbortSignal) => Promise<Response>,
    private readonly closing: AbortSignal,
  ) {}

  /** Ends behind `lost`, or when it is closed. */
  async *[Symbol.asyncIterator](): AsyncGenerator<Arrival, void> {
    const source = new EventSource(this.baseUrl, { fetch: (_, init) => this.fetch(init.signal) });
    const lose = (error: Error) => {
      this.arrive({ kind: 'lost', error });
      source.close();
      queueMicrotask(() => source.close()); // it sets a timer of its own once this event has been told
    };
    const read = (name: string, take: (data: unknown, text: string) => void) =>
      source.addEventListener(name, ({ data }) => {
        try {
          take(JSON.parse(data), data);
        } catch (cause) {
          lose(new UnreadableStream(`What came as ${name} is not what this version knows.`, { cause }));
        }
      });
    read('message', (data, text) => {
      this.arrive({ kind: 'event', event: DomainEvent.parse(data), text });
      if (this.arrivals.length >= waitingMax) lose(new Error('events came faster than they were taken'));
    });
    read('stream.gap', (data) => this.arrive({ kind: 'gap', ...StreamGap.parse(data) }));
    read('stream.closed', (data) => {
      this.cause = new Error(Closed.parse(data).message);
    });
    source.addEventListener('error', ({ message }) => lose(this.cause ?? new Error(message ?? 'closed by the daemon')));
    const stop = () => this.wake();
    this.closing.addEventListener('abort', stop);
    try {
      while (!this.closing.aborted) {
        const arrival = this.arrivals.shift();
        if (arrival === undefined) await this.next();
        else yield arrival;
        if (arrival?.kind === 'lost') return;
      }
    } finally {
      clearTimeout(this.silence);
      this.closing.removeEventListener('abort', stop);
      source.close();
    }
  }

  private arrive(arrival: Arrival): void {
    this.arrivals.push(arrival);
    this.wake();
  }

  private next(): Promise<void> {
    return new Promise((resolve) => {
      this.wake = resolve;
    });
  }

  /** Keeps why it failed, which an EventSource does not tell, and hears every byte, heartbeats too. */
  private async fetch(signal: AbortSignal) {
    const silent = new AbortController();
    const hear = () => {
      clearTimeout(this.silence);
      this.silence = setTimeout(() => {
        this.cause = new Error(`nothing was heard for ${silenceMs / 1_000} s`);
        silent.abort(this.cause);
      }, silenceMs);
    };
    hear();
    try {
      const { body, headers, redirected, status, url } = await this.open(AbortSignal.any([signal, silent.signal]));
      this.arrive({ kind: 'connected', begin: headers.get('last-event-id') });
      const heard = body?.pipeThrough(
        new TransformStream<Uint8Array, Uint8Array>({
          transform(bytes, through) {
            hear();
            through.enqueue(bytes);
          },
        }),
      );
      return { body: heard ?? null, headers, redirected, status, url };
    } catch (error) {
      this.cause = error instanceof Error ? error : new Error(String(error));
      throw this.cause;
    }
  }
}
