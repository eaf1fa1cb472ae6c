/** Follows the events of a project: reconnects by itself, goes on behind the last event seen, and tells of gaps. */
import { EventSource } from 'eventsource';
import type { DomainEvent } from '../contract/events.js';
import { type ApiClient, credentialHeaders } from './api-client.js';

export interface FollowOptions {
  readonly projectId: string;
  readonly query: { readonly types?: unknown; readonly resources?: unknown; readonly since?: unknown };
  /** Told of reconnections and gaps, in words. */
  readonly tell: (line: string) => void;
}

/** Waiting time before each further attempt; the last one repeats. Varied by a quarter, so that clients spread out. */
const backOffMs = [500, 1_000, 2_000, 5_000, 10_000, 30_000];
const jitter = 0.25;
const waitingMax = 10_000;

type Arrival = { readonly event: DomainEvent } | { readonly lost: string } | { readonly refused: Error };

/** Never ends by itself; throws when the daemon refuses the stream. */
export async function* followEvents(
  client: ApiClient,
  { projectId, query, tell }: FollowOptions,
): AsyncGenerator<DomainEvent, never> {
  let lastEventId: string | null = null;
  for (let attempt = 0; ; ) {
    for await (const arrival of connection(client, projectId, query, lastEventId, tell)) {
      if ('refused' in arrival) throw arrival.refused;
      if ('lost' in arrival) {
        tell(`Connection lost (${arrival.lost}); trying again.`);
        break;
      }
      if (attempt > 0) tell('Connected again.');
      attempt = 0;
      lastEventId = arrival.event.id;
      yield arrival.event;
    }
    const step = backOffMs[Math.min(attempt, backOffMs.length - 1)] ?? 0;
    attempt += 1;
    await new Promise((resolve) => setTimeout(resolve, step * (1 - jitter + 2 * jitter * Math.random())));
  }
}

async function* connection(
  client: ApiClient,
  projectId: string,
  query: FollowOptions['query'],
  lastEventId: string | null,
  tell: (line: string) => void,
): AsyncGenerator<Arrival, void> {
  const url = new URL(
    `${client.baseUrl.replace(/\/$/, '')}/api/projects/${encodeURIComponent(projectId)}/events/stream`,
  );
  for (const [name, value] of Object.entries(query)) if (typeof value === 'string') url.searchParams.set(name, value);
  const arrivals: Arrival[] = [];
  let wake: () => void = () => {};
  const arrive = (arrival: Arrival) => {
    if (arrivals.length < waitingMax) arrivals.push(arrival);
    wake();
  };
  const headers = {
    ...credentialHeaders(client.credential),
    ...(lastEventId === null ? {} : { 'Last-Event-ID': lastEventId }),
  };
  const source = new EventSource(url, {
    fetch: (address, init) => fetch(address, { ...init, headers: { ...init.headers, ...headers } }),
  });
  source.addEventListener('message', ({ data }) => arrive({ event: JSON.parse(data) }));
  source.addEventListener('stream.gap', () =>
    tell('There is a gap: the daemon does not keep the last event any more.'),
  );
  source.addEventListener('error', ({ code, message }) => {
    const refused = code !== undefined && code >= 400 && code < 500 && code !== 429;
    arrive(
      refused
        ? { refused: new Error(`The daemon refused the stream (${code}).`) }
        : { lost: message ?? 'closed by the daemon' },
    );
    source.close();
    // It sets its own reconnect timer after this event has been told.
    queueMicrotask(() => source.close());
  });
  try {
    for (;;) {
      const arrival = arrivals.shift();
      if (arrival !== undefined) yield arrival;
      else
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
    }
  } finally {
    source.close();
  }
}
