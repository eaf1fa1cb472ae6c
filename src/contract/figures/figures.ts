/**
 * Live figures: what goes on in a tenant, and what waits in a project, at this moment, for a screen that is looked at.
 * `/metrics` is for programs that keep it.
 */
import { z } from 'zod';
import { ProjectPath, Timestamp } from '../common.js';
import { defineRoute } from '../route.js';

/** Rooms and requests that the answer names; the sums cover all. */
export const busiestMax = 50;

const Count = z.int().min(0);

export const LiveFigures = z
  .object({
    at: Timestamp,
    version: z.string(),
    events: z.object({
      perSecond: z.number().describe('On average over the last ten seconds'),
      lastMinute: Count,
      types: z.array(z.object({ type: z.string(), lastMinute: Count })).describe('Most frequent first'),
    }),
    rooms: z.object({
      open: Count,
      people: Count.describe('Without bots'),
      speaking: Count,
      busiest: z
        .array(
          z.object({
            projectId: z.string(),
            projectName: z.string(),
            roomId: z.string(),
            people: Count,
            speaking: Count,
            transcribed: z.boolean().describe('A bot listens'),
          }),
        )
        .describe(`By number of people, up to ${busiestMax}`),
    }),
    deliveries: z.object({
      pending: Count.describe('Not over'),
      delivered: Count.describe('Within the last minute'),
      retried: Count.describe('Attempts within the last minute that failed and will be repeated'),
      failed: Count.describe('Given up within the last minute'),
    }),
    queues: z
      .object({
        gameEvents: Count.describe('Game events waiting to be stored'),
        utterances: Count.describe('Utterances waiting for the recogniser or being recognised'),
      })
      .describe('Of the answering daemon, for all tenants'),
    storage: z
      .object({
        today: Count.describe('Since midnight (UTC)'),
        total: Count.describe('Over the days for which data is kept'),
        dayMax: Count.nullable().describe('Limit of what is stored in a day; null: no limit'),
        totalMax: Count.nullable().describe('Limit of what is stored in total; null: no limit'),
      })
      .describe('Bytes of the event log and of game events that the tenant has stored, as they were written'),
    requests: z
      .object({
        lastMinute: Count,
        worstMs: z
          .number()
          .describe('Longest time within the last minute, from the head of a request to the end of its answer'),
        slowest: z
          .array(z.object({ method: z.string(), route: z.string(), lastMinute: Count, worstMs: z.number() }))
          .describe(`Slowest first, up to ${busiestMax}`),
      })
      .describe('Of the answering daemon, for all tenants; without streams'),
  })
  .meta({ id: 'LiveFigures' });
export type LiveFigures = z.infer<typeof LiveFigures>;

/** Parts of the last hour in which sanctions are counted. */
export const partsOfHour = 12;

export const ProjectFigures = z
  .object({
    at: Timestamp,
    cases: z
      .object({
        waiting: Count.describe('Not decided'),
        overdue: Count.describe('Of them, those that missed their service goal'),
        oldestAt: Timestamp.nullable().describe('When the oldest of them was opened; null: none waits'),
      })
      .describe('Cases of reports, reviews and appeals'),
    appeals: z
      .object({
        waiting: Count.describe('Not decided'),
        oldestAt: Timestamp.nullable().describe('When the oldest of them was made; null: none waits'),
      })
      .describe('Appeals against sanctions; each is in a case, too'),
    sanctions: z.object({
      active: Count.describe('In force'),
      lastHour: Count.describe('Imposed within the last hour'),
      parts: z.array(Count).describe('The same by five minutes, twelve counts, oldest first'),
    }),
    webhooks: z
      .object({
        failing: Count.describe('To which nothing has been delivered since some time, or that were disabled for it'),
        failingSince: Timestamp.nullable().describe('Since when the first of them has failed; null: none fails'),
      })
      .describe('Webhooks whose deliveries fail'),
  })
  .meta({ id: 'ProjectFigures' });
export type ProjectFigures = z.infer<typeof ProjectFigures>;

export const figureRoutes = {
  project: defineRoute({
    operationId: 'getProjectFigures',
    summary: 'Show how much waits in a project: cases, appeals, sanctions, webhooks that fail.',
    description: 'Everybody who may read the project gets the same numbers.',
    group: 'Watching',
    method: 'get',
    path: '/api/projects/{projectId}/figures',
    auth: ['apiKey', 'bearer'],
    scope: 'projects:read',
    role: 'viewer',
    params: ProjectPath,
    success: { status: 200, body: ProjectFigures },
    errors: [],
  }),
  live: defineRoute({
    operationId: 'getLiveFigures',
    summary: 'Show what is going on in the tenant: rooms, people, events, deliveries, queues and the slowest requests.',
    description: 'Rooms, events and deliveries are those of the tenant on every daemon of the database.',
    group: 'Watching',
    method: 'get',
    path: '/api/figures',
    auth: ['apiKey', 'bearer'],
    scope: 'projects:read',
    tenantRole: 'admin',
    success: { status: 200, body: LiveFigures },
    errors: [],
  }),
};
