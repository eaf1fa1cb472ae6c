/**
 * Follows domain events without losing any: connects again by itself, continues after the last event taken, and reports
 * a gap when the daemon does not keep the following events any more. The answer's header Last-Event-ID says where a
 * connection began, so nothing is lost when it is cut before its first event.
 */
import type { CallInput, Route } from '../contract/route.js';
import { eventRoutes } from '../contract/streams/event-streams.js';
import { askedWaitMs, sleep, steadyMs, waitMs } from './back-off.js';
import { ApiError, Redirected, UnreadableStream } from './errors.js';
import { StreamConnection } from './stream-connection.js';
import type { EventStreamOptions, StreamNotice } from './stream-notice.js';
import type { Answer } from './transport.js';

/** Opens a route that answers with a stream. */
interface Opener {
  readonly baseUrl: string;
  open<R extends Route>(route: R, input: CallInput<R>, signal: AbortSignal): Promise<Answer>;
}

export class EventStream implements AsyncIterable<StreamNotice> {
  private readonly closing = new AbortController();
  /** The last event taken, or the one after which the first connection began. */
  private lastEventId: string | null = null;

  constructor(
    private readonly client: Opener,
    private readonly options: EventStreamOptions,
  ) {}

  close(): void {
    this.closing.abort();
  }

  /** Ends when closed. Throws ApiError when the daemon refuses the stream for good, Redirected, UnreadableStream. */
  async *[Symbol.asyncIterator](): AsyncGenerator<StreamNotice, void> {
    const { signal } = this.closing;
    for (let attempt = 0; !signal.aborted; attempt += 1) {
      const began = performance.now();
      let tookSome = false;
      let lost = new Error('closed');
      for await (const arrival of this.connect()) {
        if (arrival.kind === 'lost') {
          lost = arrival.error;
          if (!mayPass(lost)) throw lost;
          break;
        }
        if (arrival.kind === 'connected') this.rememberBegin(arrival.begin);
        if (arrival.kind === 'event') {
          this.lastEventId = arrival.event.id;
          tookSome = true;
        }
        yield arrival.kind === 'connected' ? { kind: 'connected' } : arrival;
      }
      if (signal.aborted) return;
      if (tookSome || performance.now() - began > steadyMs) attempt = 0;
      const retryInMs = askedWaitMs(waitMs(attempt), lost instanceof ApiError ? lost.retryAfterSeconds : null);
      yield { kind: 'lost', reason: lost.message, error: lost, retryInMs };
      await sleep(retryInMs, signal);
    }
  }

  private connect(): StreamConnection {
    const { projectId, types, resources, user, since, partials } = this.options;
    const query = {
      ...(types === undefined ? {} : { types }),
      ...(resources === undefined ? {} : { resources }),
      ...(user === undefined ? {} : { user }),
      ...(since === undefined ? {} : { since }),
      ...(partials === undefined ? {} : { partials: String(partials) }),
      ...(this.lastEventId === null ? {} : { 'last-event-id': this.lastEventId }),
    };
    const { client } = this;
    const open = (signal: AbortSignal) =>
      projectId === null
        ? client.open(eventRoutes.streamAll, { query }, signal)
        : client.open(eventRoutes.streamProject, { params: { projectId }, query }, signal);
    return new StreamConnection(client.baseUrl, open, this.closing.signal);
  }

  private rememberBegin(begin: string | null): void {
    if (this.lastEventId !== null || this.options.since !== undefined) return;
    this.lastEventId = begin;
  }
}

const mayPass = (error: Error): boolean =>
  !(
    error instanceof UnreadableStream ||
    error instanceof Redirected ||
    (error instanceof ApiError && !error.isPassing)
  );
