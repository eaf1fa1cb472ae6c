/** A day of moderation by the hour, with the same hours of the week before: for the overview, and the same to everybody. */
import { z } from 'zod';
import { ProjectPath, Timestamp, TimestampInput } from '../common.js';
import { defineRoute } from '../route.js';

export const hoursOfDay = 24;
const Count = z.int().min(0);
const Hour = z.object({
  at: Timestamp.describe('Start of the hour'),
  reports: Count.describe('Reports that came in'),
  sanctions: Count.describe('Sanctions that were imposed, without requests for a human review'),
  reportsBefore: Count.describe('Reports of the same hour a week before'),
  sanctionsBefore: Count.describe('Sanctions of the same hour a week before'),
});

export const ProjectDay = z
  .object({
    countedAt: Timestamp.describe('Everything up to here is counted'),
    hours: z.array(Hour).describe(`${hoursOfDay}, oldest first; those that are to come have counts of 0`),
  })
  .meta({ id: 'ProjectDay' });
export type ProjectDay = z.infer<typeof ProjectDay>;

export const projectDayRoutes = {
  get: defineRoute({
    operationId: 'getProjectDay',
    summary: 'Show the reports and sanctions of a day by the hour, and a week before.',
    description:
      'Counted from the event log by hours of UTC. The counts stay when events are deleted or people are erased.',
    group: 'Statistics',
    method: 'get',
    path: '/api/projects/{projectId}/stats/day',
    auth: ['apiKey', 'bearer'],
    scope: 'projects:read',
    role: 'viewer',
    params: ProjectPath,
    query: z.object({
      since: TimestampInput.optional().describe(
        'First hour: the one of this time; default: the first of this day (UTC)',
      ),
    }),
    success: { status: 200, body: ProjectDay },
    errors: [],
  }),
};
