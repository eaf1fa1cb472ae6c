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
  /** Called with how many events were answered. */
  onProgress(answered: number): void;
}

/** Refusals that pass: the event is sent again. */
const passing: readonly string[] = ['rate_limited', 'overloaded'];
const retryMs = 1_000;
const pollMs = 500;

/** Imports events in the order of the file, batch by batch, until the signal. Returns the number stored, and the refused ones. */
export async function importEvents(
  events: readonly FileEvent[],
  { client, projectId, signal, onProgress }: Importing,
): Promise<{ readonly stored: number; readonly refused: readonly RefusedEvent[] }> {
  const refused: RefusedEvent[] = [];
  let waiting = [...events];
  let stored = 0;
  while (waiting.length > 0 && !signal.aborted) {
    const batch = waiting.slice(0, eventBatchMax);
    const results = await answersTo(batch, { client, projectId, signal });
    const again: FileEvent[] = [];
    for (const [index, one] of batch.entries()) {
      const { code = 'overloaded', message = '' } = results[index] ?? {};
      if (code === null) stored += 1;
      else if (passing.includes(code)) again.push(one);
      else refused.push({ line: one.line, code, message });
    }
    waiting = [...again, ...waiting.slice(eventBatchMax)];
    onProgress(stored + refused.length);
    if (again.length > 0) await sleep(retryMs, signal);
  }
  return { stored, refused };
}

/** An empty list: the batch as a whole has to wait. */
async function answersTo(
  batch: readonly FileEvent[],
  { client, projectId, signal }: Pick<Importing, 'client' | 'projectId' | 'signal'>,
): Promise<readonly { readonly code: string | null; readonly message: string }[]> {
  const body = { events: batch.map(({ event }) => event) };
  try {
    return (await client.call(gameEventRoutes.import, { params: { projectId }, body })).results;
  } catch (error) {
    if (!(error instanceof ApiError && passing.includes(error.code))) throw error;
    await sleep(askedWaitMs(0, error.retryAfterSeconds ?? 1), signal);
    return [];
  }
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
