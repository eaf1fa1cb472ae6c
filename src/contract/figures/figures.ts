/** Live figures: what goes on in a tenant at this moment, for a screen that is looked at. `/metrics` is for programs that keep it. */
import { z } from 'zod';
import { Timestamp } from '../common.js';
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
      people: Count.describe('Bots left out'),
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
        .describe(`Most people first, up to ${busiestMax}`),
    }),
    deliveries: z.object({
      pending: Count.describe('Not at their end'),
      delivered: Count.describe('Within the last minute'),
      retried: Count.describe('Attempts of the last minute that failed and will be repeated'),
      failed: Count.describe('Given up within the last minute'),
    }),
    queues: z
      .object({
        gameEvents: Count.describe('Game events that wait to be stored'),
        utterances: Count.describe('Utterances that wait for the recogniser, or are with it'),
      })
      .describe('Of the daemon that answers, for all tenants together'),
    storage: z
      .object({
        today: Count.describe('Since midnight (UTC)'),
        total: Count.describe('Within the days that data is kept'),
        dayMax: Count.nullable().describe('What may be stored in a day; null: no limit'),
        totalMax: Count.nullable().describe('What may be stored in all; null: no limit'),
      })
      .describe('Bytes that the tenant has stored, of the event log and of game events, as they were written'),
    requests: z
      .object({
        lastMinute: Count,
        worstMs: z
          .number()
          .describe('Longest time of the last minute, from the head of a request to the end of its answer'),
        slowest: z
          .array(z.object({ method: z.string(), route: z.string(), lastMinute: Count, worstMs: z.number() }))
          .describe(`Slowest first, up to ${busiestMax}`),
      })
      .describe('Of the daemon that answers, for all tenants together; streams are left out'),
  })
  .meta({ id: 'LiveFigures' });
export type LiveFigures = z.infer<typeof LiveFigures>;

export const figureRoutes = {
  live: defineRoute({
    operationId: 'getLiveFigures',
    summary: 'Show what goes on in the tenant now: rooms, people, events, deliveries, queues and the slowest requests.',
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
