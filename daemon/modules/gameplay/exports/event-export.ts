/**
 * Streams stored game events: a page, then the turn of others, then the next one as soon as the client has taken what was
 * written. No answer lasts long, so credentials are judged again and again, and nothing is held for a client that is gone.
 */
import type { ServerResponse } from 'node:http';
import type { ExportEnd, GameEventExportQuery } from '../../../../src/contract/gameplay/game-event-export.js';
import type { Database } from '../../../platform/database/database.js';
import { FairTurns } from '../../../platform/events/fair-turns.js';
import { drained } from '../../../platform/http/drained.js';
import { ExportPlaces } from '../../../platform/http/export-places.js';
import { firstIdAt, madeAtMs } from '../../../platform/id-time.js';
import { type ExportRange, exportPage } from './export-store.js';

/** How long one answer goes on. */
const answerMs = 10_000;

export interface ExportCall {
  readonly tenantId: string;
  readonly projectId: string;
  readonly query: GameEventExportQuery;
  readonly response: ServerResponse;
  /** Only the head of the answer is asked for. */
  readonly isHead: boolean;
}

export class EventExport {
  private readonly places = new ExportPlaces();
  private readonly turns = new FairTurns();

  constructor(private readonly database: Database) {}

  /** Throws rate_limited. */
  async stream({ tenantId, projectId, query, response, isHead }: ExportCall): Promise<void> {
    const leave = this.places.enter(tenantId);
    try {
      response.writeHead(200, { 'Content-Type': 'application/x-ndjson', 'Cache-Control': 'no-store' });
      const end = isHead ? null : await this.pages(tenantId, rangeOf(projectId, query), query.limit, response);
      response.end(end === null ? '' : `${JSON.stringify(end)}\n`);
    } finally {
      leave();
    }
  }

  /** null: the client is gone. */
  private async pages(
    tenantId: string,
    range: ExportRange,
    limit: number,
    response: ServerResponse,
  ): Promise<ExportEnd | null> {
    const endsAtMs = performance.now() + answerMs;
    let { after } = range;
    let told = after;
    let left = limit;
    while (left > 0 && performance.now() < endsAtMs) {
      const { events, passed } = await this.turns.run(tenantId, () =>
        exportPage(this.database.read, { ...range, after }, left),
      );
      if (response.destroyed) return null;
      const isTaken = response.write(events.map((event) => `${JSON.stringify(event)}\n`).join(''));
      if (passed === null) return { next: null };
      after = passed;
      told = placeToTell(events.at(-1)?.id ?? told, passed);
      left -= events.length;
      if (!isTaken && !(await drained(response))) return null;
    }
    return { next: told };
  }
}

/** Where to go on: the last id may be that of somebody else's event, so only its second is told. */
function placeToTell(own: string, passed: string): string {
  const second = firstIdAt(Math.floor(madeAtMs(passed) / 1_000) * 1_000);
  return own > second ? own : second;
}

const dateOf = (time: string | undefined): Date | null => (time === undefined ? null : new Date(time));

const rangeOf = (projectId: string, { since, until, userId, after = '' }: GameEventExportQuery): ExportRange => ({
  projectId,
  userId: userId ?? null,
  after,
  since: dateOf(since),
  until: dateOf(until),
});
