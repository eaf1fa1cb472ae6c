/** Sends the game events of a file, and waits for what they complete. */
import { askedWaitMs, sleep } from '../../client/back-off.js';
import type { EarshotClient } from '../../client/earshot-client.js';
import { ApiError } from '../../client/errors.js';
import { gameEventRoutes } from '../../contract/gameplay/game-event-export.js';
import { eventBatchMax } from '../../contract/gameplay/gameplay.js';
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
  /** Begins the keys of the batches. */
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
 * Imports events in the order of the file, batch by batch, until the signal or a failure. A batch has the same events and
 * the same key in every run of the same file, and the daemon stores each event of a key once: a run that continues
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
    try {
      const answers = await answersTo(batch, { client, projectId, signal, key: `${key}:${first}` });
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

type EventAnswers = readonly { readonly code: string | null; readonly message: string }[];

/** Sends the batch until no answer passes by waiting. null: the signal came before. */
async function answersTo(
  batch: readonly FileEvent[],
  { client, projectId, signal, key }: Omit<Importing, 'onProgress'>,
): Promise<EventAnswers | null> {
  const body = { events: batch.map(({ event }) => event) };
  while (!signal.aborted) {
    try {
      const headers = { 'idempotency-key': key };
      const { results } = await client.call(gameEventRoutes.import, { params: { projectId }, headers, body });
      if (!results.some(({ code }) => code !== null && passing.includes(code))) return results;
      await sleep(retryMs, signal);
    } catch (error) {
      if (!(error instanceof ApiError && passing.includes(error.code))) throw error;
      await sleep(askedWaitMs(0, error.retryAfterSeconds ?? 1), signal);
    }
  }
  return null;
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
