/** Streams stored game events, oldest first. */
import type { GameEventExportQuery } from '../../../src/contract/gameplay/game-event-export.js';
import type { Database } from '../../platform/database/database.js';
import { type ExportAnswer, LineExports } from '../../platform/http/line-exports.js';
import { firstIdAt, madeAtMs } from '../../platform/ids/id-time.js';
import { type ExportRange, exportPage } from './export-store.js';

interface ExportCall extends Omit<ExportAnswer, 'limit'> {
  readonly projectId: string;
  readonly query: GameEventExportQuery;
}

export class EventExport {
  private readonly exports = new LineExports();

  constructor(private readonly database: Database) {}

  /** Throws rate_limited. */
  async stream({ projectId, query, ...answer }: ExportCall): Promise<void> {
    const range = rangeOf(projectId, query);
    let { after } = range;
    let place = after;
    await this.exports.stream({ ...answer, limit: query.limit }, async (left) => {
      const { events, passed } = await exportPage(this.database.read, { ...range, after }, left);
      if (passed === null) return { rows: events, next: null };
      after = passed;
      place = placeToGive(events.at(-1)?.id ?? place, passed);
      return { rows: events, next: place };
    });
  }
}

/** Returns the id to continue after. The last id may be of another tenant's event, so only its second is given. */
function placeToGive(own: string, passed: string): string {
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
