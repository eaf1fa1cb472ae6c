/** Fetches stored game events answer by answer, and goes on behind the last one where an answer is cut off. */
import { sleep, waitMs } from '../client/back-off.js';
import type { EarshotClient } from '../client/earshot-client.js';
import { ApiError, DaemonUnreachable } from '../client/errors.js';
import { ExportEnd, ExportedGameEvent, gameEventRoutes } from '../contract/gameplay/game-event-export.js';
import { CutOff, linesOf } from './ndjson.js';

const eventsAtOnce = 50_000;
const failuresMax = 8;

export interface ExportRequest {
  readonly projectId: string;
  readonly since?: string;
  readonly until?: string;
  readonly userId?: string;
  /** Id behind which to begin. */
  readonly after?: string;
}

/** An event with its line as the daemon wrote it. */
export interface ExportedLine {
  readonly line: string;
  readonly event: ExportedGameEvent;
}

/** Everything there is, oldest first, an array at a time. Throws ApiError, DaemonUnreachable. */
export async function* exportedEvents(
  client: EarshotClient,
  { projectId, after, ...filter }: ExportRequest,
  signal: AbortSignal,
): AsyncGenerator<ExportedLine[], void> {
  let behind = after;
  for (let failures = 0; !signal.aborted; ) {
    const query = { ...filter, limit: eventsAtOnce, ...(behind === undefined ? {} : { after: behind }) };
    try {
      for await (const part of answerOf(client, projectId, query, signal)) {
        failures = 0;
        if (part.next === null) return;
        behind = part.next;
        if (part.lines.length > 0) yield part.lines;
      }
    } catch (error) {
      failures += 1;
      if (signal.aborted || !mayPass(error) || failures > failuresMax) throw error;
      const asked = error instanceof ApiError ? error.retryAfterSeconds : null;
      await sleep(asked === null ? waitMs(failures - 1) : asked * 1_000, signal);
    }
  }
}

const mayPass = (error: unknown): boolean =>
  error instanceof ApiError ? error.isPassing : error instanceof DaemonUnreachable || error instanceof CutOff;

interface Part {
  readonly lines: ExportedLine[];
  /** Where to go on; null: that was all. */
  readonly next: string | null;
}

type Query = Omit<ExportRequest, 'projectId'> & { readonly limit: number };

async function* answerOf(
  client: EarshotClient,
  projectId: string,
  query: Query,
  signal: AbortSignal,
): AsyncGenerator<Part, void> {
  const { body } = await client.open(gameEventRoutes.export, { params: { projectId }, query }, signal);
  for await (const lines of linesOf(body)) {
    const events: ExportedLine[] = [];
    for (const line of lines) {
      const read: unknown = JSON.parse(line);
      const end = ExportEnd.safeParse(read);
      if (!end.success) events.push({ line, event: ExportedGameEvent.parse(read) });
      else {
        const last = events.at(-1)?.event.id;
        if (last !== undefined) yield { lines: events, next: last };
        return yield { lines: [], next: end.data.next };
      }
    }
    const last = events.at(-1)?.event.id;
    if (last !== undefined) yield { lines: events, next: last };
  }
  throw new CutOff();
}
