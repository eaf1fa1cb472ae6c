/** Who was in a room in a period of time, from the event log. */
import { z } from 'zod';
import { ProjectPath, RoomId, Timestamp, TimestampInput } from '../common.js';
import { defineRoute } from '../route.js';

const RoomVisit = z
  .object({
    participantId: z.string(),
    externalUserId: z.string(),
    displayName: z.string(),
    joinedAt: Timestamp.nullable().describe('null: before the period'),
    leftAt: Timestamp.nullable().describe('null: not yet, or nobody knows when, as after a crash of the daemon'),
    reason: z.string().nullable().describe('Why they left'),
    here: z.boolean().describe('Is in the room now'),
  })
  .meta({ id: 'RoomVisit' });
export type RoomVisit = z.infer<typeof RoomVisit>;

const RoomVisitQuery = z.object({
  since: TimestampInput.describe('Start of the period'),
  until: TimestampInput.optional().describe('End of the period; default: now'),
});
export type RoomVisitQuery = z.output<typeof RoomVisitQuery>;

export const roomVisitRoutes = {
  list: defineRoute({
    operationId: 'listRoomVisits',
    cursor: ['joinedAt', 'participantId'],
    summary: 'List who was in a room in a period of time, by the time at which they joined.',
    description:
      'Somebody who left and came back is there twice. It reaches back as far as the event log is kept; people who were erased are left out.',
    group: 'Rooms',
    method: 'get',
    path: '/api/projects/{projectId}/rooms/{roomId}/visits',
    auth: ['apiKey', 'bearer'],
    scope: 'sessions:read',
    role: 'viewer',
    params: ProjectPath.extend({ roomId: RoomId }),
    query: RoomVisitQuery,
    success: { status: 200, body: z.array(RoomVisit) },
    errors: [],
  }),
};
