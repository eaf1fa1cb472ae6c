/**
 * Rows of game events in the order of their ids, which is that of their times. All events of the installation are passed
 * by id, a bounded number at once: an index of each project's events would cost every event that is stored.
 */
import type { ExportedGameEvent } from '../../../src/contract/gameplay/game-event-export.js';
import { GameEventType } from '../../../src/contract/gameplay/gameplay.js';
import type { Reader } from '../../platform/database/database.js';
import { firstIdAt } from '../../platform/ids/id-time.js';
import { latestIdTime } from '../../platform/ids/new-id.js';
import { slackMs } from './event-store.js';
import { propertiesOf } from './model/columns.js';

/** Rows that one query looks at: some milliseconds, in which the event loop serves nobody else. */
const rowsAtOnce = 100;
const columns = {
  id: true,
  projectId: true,
  occurredAt: true,
  createdAt: true,
  userId: true,
  teamId: true,
  eventName: true,
  eventType: true,
  sessionId: true,
  amount: true,
  metaData: true,
} as const;

/** Selects the events to export, of one player where `userId` is given. */
export interface ExportRange {
  readonly projectId: string;
  readonly userId: string | null;
  /** Id behind which to go on; empty: from the first on. */
  readonly after: string;
  readonly since: Date | null;
  readonly until: Date | null;
}

function idsOf({ after, since, until }: ExportRange): { gt: string; lt?: string } {
  const begin = since === null ? '' : firstIdAt(since.getTime() - slackMs);
  const end = until === null ? {} : { lt: firstIdAt(latestIdTime(until.getTime() + slackMs) + 1) };
  return { gt: after > begin ? after : begin, ...end };
}

interface ExportPage {
  readonly events: readonly ExportedGameEvent[];
  /** The last id that was read; null: there are no more. */
  readonly passed: string | null;
}

export async function exportPage(reader: Reader, range: ExportRange, limit: number): Promise<ExportPage> {
  const { projectId, userId, since, until } = range;
  const rows = await reader.gameEvent.findMany({
    where: { ...(userId === null ? {} : { projectId, userId }), id: idsOf(range) },
    orderBy: { id: 'asc' },
    take: rowsAtOnce,
    select: columns,
  });
  const own = rows.filter(
    ({ projectId: of, createdAt }) =>
      of === projectId && (since === null || since <= createdAt) && (until === null || createdAt < until),
  );
  const given = own.slice(0, limit);
  const isCut = given.length < own.length;
  return {
    passed: isCut ? (given.at(-1)?.id ?? null) : rows.length < rowsAtOnce ? null : (rows.at(-1)?.id ?? null),
    events: given.map(({ projectId: _, metaData, createdAt, occurredAt, amount, eventType, ...row }) => ({
      ...row,
      createdAt: createdAt.toISOString(),
      occurredAt: occurredAt?.toISOString() ?? null,
      eventType: GameEventType.parse(eventType),
      amount: Number(amount),
      properties: propertiesOf(metaData),
    })),
  };
}
