/** Sends the game events of a file, and waits for what they complete. */
import { askedWaitMs, sleep } from '../../client/back-off.js';
import type { EarshotClient } from '../../client/earshot-client.js';
import { ApiError } from '../../client/errors.js';
import { gameEventRoutes } from '../../contract/gameplay/game-event-export.js';
import { type EventPayload, eventBatchMax } from '../../contract/gameplay/gameplay.js';
import { playerRoutes } from '../../contract/gameplay/players.js';
import type { FileEvent } from './event-file.js';

interface RefusedEvent {
  readonly line: number;
  readonly code: string;
  readonly message: string;
}

interface Importing {
  readonly client: EarshotClient;
  readonly projectId: string;
  readonly signal: AbortSignal;
  /** Begins the keys of the events. */
  readonly key: string;
  /** Called with how many events were answered. */
  onProgress(answered: number): void;
}

/** Refusals that pass: the event is sent again. */
const passing: readonly string[] = ['rate_limited', 'overloaded'];
const retryMs = 1_000;
const pollMs = 500;

export interface Imported {
  readonly stored: number;
  readonly refused: readonly RefusedEvent[];
  /** The first line of which no answer came; null: all were answered. */
  readonly nextLine: number | null;
  /** What ended the import before that. */
  readonly failure: unknown;
}

/**
 * Imports events in the order of the file, batch by batch, until the signal or a failure. Each event has the same key in
 * every run of the same file, however the file is cut into batches, and the daemon stores it once: a run that continues
 * another one counts nothing twice.
 */
export async function importEvents(
  events: readonly FileEvent[],
  { client, projectId, signal, onProgress, key }: Importing,
): Promise<Imported> {
  const refused: RefusedEvent[] = [];
  let stored = 0;
  for (let first = 0; first < events.length; first += eventBatchMax) {
    const batch = events.slice(first, first + eventBatchMax);
    const keyed = batch.map(({ event }, index) => ({ idempotency_key: `${key}:${first}#${index}`, ...event }));
    try {
      const answers = await answersTo(keyed, { client, projectId, signal });
      if (answers === null) return { stored, refused, nextLine: batch[0]?.line ?? null, failure: null };
      for (const [index, { line }] of batch.entries()) {
        const { code = 'unexpected', message = 'The daemon gave no answer to this event.' } = answers[index] ?? {};
        if (code === null) stored += 1;
        else refused.push({ line, code, message });
      }
    } catch (failure) {
      return { stored, refused, nextLine: batch[0]?.line ?? null, failure };
    }
    onProgress(stored + refused.length);
  }
  return { stored, refused, nextLine: null, failure: null };
}

type BatchSending = Pick<Importing, 'client' | 'projectId' | 'signal'>;
type EventAnswers = readonly { readonly code: string | null; readonly message: string }[];

/** Sends the batch until no answer passes by waiting, in parts where it is too large. null: the signal came before. */
async function answersTo(events: readonly EventPayload[], sending: BatchSending): Promise<EventAnswers | null> {
  const { client, projectId, signal } = sending;
  while (!signal.aborted) {
    try {
      const body = { events: [...events] };
      const { results } = await client.call(gameEventRoutes.import, { params: { projectId }, body });
      if (!results.some(({ code }) => code !== null && passing.includes(code))) return results;
      await sleep(retryMs, signal);
    } catch (error) {
      if (error instanceof ApiError && error.status === 413 && events.length > 1)
        return await inHalves(events, sending);
      if (!(error instanceof ApiError && passing.includes(error.code))) throw error;
      await sleep(askedWaitMs(0, error.retryAfterSeconds ?? 1), signal);
    }
  }
  return null;
}

async function inHalves(events: readonly EventPayload[], sending: BatchSending): Promise<EventAnswers | null> {
  const middle = Math.ceil(events.length / 2);
  const first = await answersTo(events.slice(0, middle), sending);
  const second = first === null ? null : await answersTo(events.slice(middle), sending);
  return first === null || second === null ? null : [...first, ...second];
}

/** The users for whom the challenge is not completed when the time is over. */
export async function notCompleted(
  client: EarshotClient,
  { projectId, challengeId, userIds }: { projectId: string; challengeId: string; userIds: Iterable<string> },
  { seconds, signal }: { readonly seconds: number; readonly signal: AbortSignal },
): Promise<string[]> {
  const endsAtMs = performance.now() + seconds * 1_000;
  let waiting = [...new Set(userIds)];
  for (;;) {
    const open: string[] = [];
    for (const userId of waiting) {
      const { challenges } = await client.call(playerRoutes.get, { params: { projectId, userId } });
      const state = challenges.find((one) => one.challengeId === challengeId)?.state;
      if (state !== 'unclaimed' && state !== 'finished') open.push(userId);
    }
    waiting = open;
    if (waiting.length === 0 || performance.now() >= endsAtMs || signal.aborted) return waiting;
    await sleep(pollMs, signal);
  }
}
