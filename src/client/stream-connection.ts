/**
 * One connection of an event stream, until it is lost. Disconnects when the daemon sends faster than events are taken:
 * the next connection continues after the last one taken.
 */
import { DomainEvent, type EarshotEvent } from '../contract/events.js';
import { PartialMessage, partialType } from '../contract/sessions/partial-messages.js';
import { StreamClosed, StreamGap } from '../contract/streams/event-streams.js';
import { hasForm } from './answer-form.js';
import { StreamNotPassed, UnreadableStream } from './errors.js';
import { type SseFrame, sseFrames } from './sse-frames.js';
import type { Answer } from './transport.js';

type Arrival =
  /** `begin` is the event after which the stream begins, or `earliest`; null: the daemon did not say. */
  | { readonly kind: 'connected'; readonly begin: string | null }
  | { readonly kind: 'event'; readonly event: EarshotEvent; readonly text: string }
  | { readonly kind: 'partial'; readonly partial: PartialMessage }
  | { readonly kind: 'gap'; readonly lastEventId: string; readonly oldestId: string | null }
  | { readonly kind: 'lost'; readonly error: Error };

const waitingMax = 10_000;
/** The daemon sends the head of a stream at once. */
const headMsDefault = 20_000;

const closed = 'stream.closed';

export class StreamConnection implements AsyncIterable<Arrival> {
  private readonly arrivals: Arrival[] = [];
  private wake: () => void = () => {};

  constructor(
    private readonly baseUrl: string,
    private readonly open: (signal: AbortSignal) => Promise<Answer>,
    private readonly closing: AbortSignal,
    private readonly headMs = headMsDefault,
  ) {}

  /** Ends behind `lost`, or when it is closed. */
  async *[Symbol.asyncIterator](): AsyncGenerator<Arrival, void> {
    if (this.closing.aborted) return;
    const left = new AbortController();
    const stop = () => {
      left.abort();
      this.wake();
    };
    this.closing.addEventListener('abort', stop);
    void this.read(left.signal).then(
      (error) => this.arrive({ kind: 'lost', error }),
      (error: unknown) =>
        this.arrive({ kind: 'lost', error: error instanceof Error ? error : new Error(String(error)) }),
    );
    try {
      while (!this.closing.aborted) {
        const arrival = this.arrivals.shift();
        if (arrival === undefined) await this.next();
        else yield arrival;
        if (arrival?.kind === 'lost') return;
      }
    } finally {
      left.abort();
      this.closing.removeEventListener('abort', stop);
    }
  }

  /** Takes events as they come; resolves to the reason why the connection ended. */
  private async read(closing: AbortSignal): Promise<Error> {
    const open = async (left: AbortSignal) => {
      const response = await this.begun(left);
      this.arrive({ kind: 'connected', begin: response.headers.get('last-event-id') });
      return response;
    };
    const names = ['message', 'stream.gap', partialType, closed];
    for await (const frame of sseFrames({ url: this.baseUrl, names, open, closing })) {
      const arrival = arrivalOf(frame);
      if (arrival.kind === 'lost') return arrival.error;
      this.arrive(arrival);
      if (this.arrivals.length >= waitingMax) return new Error('events arrived faster than they were read');
    }
    return new Error('closed by the daemon');
  }

  /** The answer, once its head is there. Throws StreamNotPassed. */
  private async begun(left: AbortSignal): Promise<Answer> {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new StreamNotPassed(this.baseUrl, this.headMs)), this.headMs);
    });
    try {
      return await Promise.race([this.open(left), late]);
    } finally {
      clearTimeout(timer);
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
}

/** Throws UnreadableStream. */
function arrivalOf({ event, data: text }: SseFrame): Arrival {
  const data = jsonOf(text);
  if (event === closed && hasForm(StreamClosed, data)) return { kind: 'lost', error: new Error(data.message) };
  if (event === 'stream.gap' && hasForm(StreamGap, data)) return { kind: 'gap', ...data };
  if (event === partialType && hasForm(PartialMessage, data)) return { kind: 'partial', partial: data };
  if (event === 'message' && isEvent(data)) return { kind: 'event', event: data, text };
  throw new UnreadableStream(`The form of the event ${event} is unknown to this version.`);
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Looks at the envelope alone: the data is the daemon's word, as the results of calls are. */
const isEvent = (data: unknown): data is EarshotEvent => hasForm(DomainEvent, data);
