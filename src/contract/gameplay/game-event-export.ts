/** Game events in bulk: sent by operators, and read back as they were stored, oldest first, as many as there are. */
import { z } from 'zod';
import { ExportEnd, ExternalUserId, exportLimit, Id, ProjectPath, Timestamp, TimestampInput } from '../common.js';
import { defineRoute } from '../route.js';
import {
  EventBatch,
  EventBatchAnswer,
  EventHeaders,
  eventBatchBytesMax,
  eventBatchMax,
  GameEventType,
} from './gameplay.js';

export const ExportedGameEvent = z
  .object({
    id: z.string(),
    createdAt: Timestamp,
    occurredAt: Timestamp.nullable().describe('When it happened, where that was before it was sent'),
    userId: z.string(),
    teamId: z.string().nullable(),
    eventName: z.string(),
    eventType: GameEventType,
    sessionId: z.string(),
    amount: z.int().describe('Value of the property that counts by default'),
    properties: z.record(z.string(), z.union([z.string(), z.number()]).meta({ id: 'GameEventProperty' })),
  })
  .meta({ id: 'ExportedGameEvent' });
export type ExportedGameEvent = z.infer<typeof ExportedGameEvent>;

export const GameEventExportQuery = z.object({
  since: TimestampInput.optional().describe('Only events stored at this time or later'),
  until: TimestampInput.optional().describe('Only events stored before this time; default: now'),
  userId: ExternalUserId.optional().describe('Only events of this player'),
  after: Id.optional().describe('Continue after this id'),
  limit: exportLimit('events'),
});
export type GameEventExportQuery = z.infer<typeof GameEventExportQuery>;

export const gameEventRoutes = {
  import: defineRoute({
    operationId: 'importGameEvents',
    summary: `Submit up to ${eventBatchMax} game events of any players; each gets its own result.`,
    group: 'Gameplay configuration',
    method: 'post',
    path: '/api/projects/{projectId}/game-events',
    auth: ['apiKey', 'bearer'],
    scope: 'gameplay',
    role: 'admin',
    params: ProjectPath,
    headers: EventHeaders,
    body: EventBatch,
    success: { status: 200, body: EventBatchAnswer },
    errors: ['rate_limited', 'overloaded'],
    bodyLimitBytes: eventBatchBytesMax,
    idempotencyKey: 'each',
  }),
  export: defineRoute({
    operationId: 'exportGameEvents',
    summary: 'Stream the stored game events, oldest first.',
    description:
      'One JSON object per line. The last line is `{"next": …}`: the id to continue from, or null at the end. An answer without that line was cut off: ask again with the last id as `after`. An answer ends at the limit or after some seconds, so even an answer without events may have a `next`.',
    group: 'Gameplay configuration',
    method: 'get',
    path: '/api/projects/{projectId}/game-events',
    auth: ['apiKey', 'bearer'],
    scope: 'gameplay:read',
    role: 'viewer',
    params: ProjectPath,
    query: GameEventExportQuery,
    success: {
      status: 200,
      contentType: 'application/x-ndjson',
      item: z.union([ExportedGameEvent, ExportEnd]).meta({ id: 'GameEventExportLine' }),
    },
    errors: ['rate_limited'],
  }),
};
