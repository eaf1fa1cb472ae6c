/** Figures of moderation: what came in, what was done about it, how soon, and how much of it was taken back. */
import { z } from 'zod';
import { ProjectPath, Timestamp, TimestampInput } from '../common.js';
import { SanctionType } from '../moderation/sanction-record.js';
import { StatementSource } from '../moderation/statement-basis.js';
import { defineRoute } from '../route.js';

/** Rows of each "most" list. */
export const mostMax = 20;
/** Days of an answer, the newest. */
export const daysMax = 1_100;
const listMax = 200;

const Count = z.int().min(0);
const Seconds = z.number().meta({ unit: 'seconds' });

export const SanctionOrigin = z.enum(['person', 'key', 'rule', 'player', 'system']);
export type SanctionOrigin = z.infer<typeof SanctionOrigin>;

/** How decisions lasted: of those that somebody looked at again. */
const lasting = {
  sanctions: Count.describe('Imposed in this time'),
  reviewed: Count.describe('Decided reviews and appeals about them'),
  overturned: Count.describe('Of them, those that took the sanction back'),
  overturnedShare: z.number().nullable().describe('Overturned of reviewed, from 0 to 1; null: none was reviewed'),
};

export const ModerationStats = z
  .object({
    since: z.string().describe('First day (UTC)'),
    until: z.string().describe('Last day (UTC)'),
    countedAt: Timestamp.describe('Everything up to here is counted'),
    reports: z.object({
      total: Count.describe('Reports that came in'),
      byCategory: z.array(z.object({ category: z.string(), reports: Count })).describe('By the category at the time'),
      bySource: z.array(z.object({ source: z.string(), reports: Count })).describe('By who sent them'),
      byOutcome: z.array(z.object({ outcome: z.string(), reports: Count })).describe('Of those decided in this time'),
    }),
    complaints: z
      .object({
        total: Count.describe('That came in'),
        upheld: Count.describe('After which the decision stayed'),
        overturned: Count.describe('After which the report was opened again'),
      })
      .describe('Complaints of reporters about what was decided on their reports'),
    cases: z.object({
      opened: Count.describe('Cases that were opened'),
      overdue: Count.describe('That missed the service goal of their category'),
    }),
    decisions: z
      .array(
        z.object({
          kind: z
            .enum(['case', 'report', 'human_review', 'appeal', 'complaint'])
            .describe('complaint: of a reporter about what was decided on the report'),
          decided: Count.describe('How many were decided'),
          medianSeconds: Seconds.nullable().describe('From creation to decision, within 5 %; null: none was decided'),
          p90Seconds: Seconds.nullable().describe('Nine of ten were decided sooner'),
        }),
      )
      .describe('How soon they were decided'),
    sanctions: z.object({
      total: Count.describe('Without requests for a human review'),
      revoked: Count.describe('Revoked in this time'),
      byKind: z
        .array(
          z.object({
            type: SanctionType,
            origin: SanctionOrigin.describe('Who imposed it'),
            source: StatementSource.describe('Who brought it up'),
            sanctions: Count,
          }),
        )
        .describe('By type, origin and source'),
    }),
    rules: z.array(z.object({ id: z.string(), name: z.string().nullable(), ...lasting })).describe(`Up to ${listMax}`),
    templates: z.array(z.object({ name: z.string(), ...lasting })).describe(`Up to ${listMax}`),
    moderators: z
      .array(
        z.object({
          id: z.string().describe('User or API key'),
          name: z.string().nullable().describe('E-mail address, or name of the key'),
          ...lasting,
          agreement: z
            .number()
            .nullable()
            .describe('Share of their sanctions that a second person upheld, of those reviewed; null: none was'),
          decided: Count.describe('Reviews, and cases without a review, that they decided'),
          hours: Count.describe('Hours of the clock in which they decided any'),
          decidedPerHour: z.number().nullable().describe('null: they decided none'),
        }),
      )
      .describe(`Up to ${listMax}, most work first`),
    mostReported: z
      .array(z.object({ externalUserId: z.string(), reports: Count }))
      .describe(`Up to ${mostMax}, of the reports that are kept; erased people are in no list`),
    mostSanctioned: z
      .array(z.object({ externalUserId: z.string(), sanctions: Count }))
      .describe(`Up to ${mostMax}; erased people are in no list`),
    rooms: z
      .array(z.object({ roomId: z.string(), reports: Count, sanctions: Count }))
      .describe(`Up to ${mostMax} with most reports and sanctions, where the room is known`),
    hours: z
      .array(z.object({ hour: z.int().min(0).max(23).describe('0 to 23'), reports: Count, sanctions: Count }))
      .describe('Hours of the day (UTC)'),
    days: z
      .array(
        z.object({
          day: z.string().describe('YYYY-MM-DD (UTC)'),
          reports: Count,
          sanctions: Count,
          decided: Count.describe('Cases and reviews that were decided'),
        }),
      )
      .describe(`Days on which there was something, the newest ${daysMax}`),
  })
  .meta({ id: 'ModerationStats' });
export type ModerationStats = z.infer<typeof ModerationStats>;

const ModerationRebuild = z
  .object({
    since: z
      .string()
      .nullable()
      .describe('Days before it stay as they were counted; null: the log has nothing to count'),
    events: Count.describe('Events that were counted'),
  })
  .meta({ id: 'ModerationRebuild' });
export type ModerationRebuild = z.infer<typeof ModerationRebuild>;

export const StatsQuery = z.object({
  since: TimestampInput.optional().describe(
    'From the day of this time on (UTC), at most 1,100 days; default: 30 days before the last',
  ),
  until: TimestampInput.optional().describe('Up to the day of this time; default: today'),
});
export type StatsQuery = z.output<typeof StatsQuery>;

const shared = { group: 'Statistics', auth: ['apiKey', 'bearer'], role: 'admin', params: ProjectPath } as const;

export const moderationStatsRoutes = {
  get: defineRoute({
    ...shared,
    operationId: 'getModerationStats',
    summary: 'Show what moderation did: reports, sanctions, decisions, overturned ones.',
    description: 'Counted from the event log by day. The counts stay when events are deleted or people are erased.',
    method: 'get',
    path: '/api/projects/{projectId}/stats/moderation',
    scope: 'reports:read',
    query: StatsQuery,
    success: { status: 200, body: ModerationStats },
    errors: [],
  }),
  rebuild: defineRoute({
    ...shared,
    operationId: 'rebuildModerationStats',
    summary: 'Count the figures of moderation anew from the event log.',
    description:
      'Days of which the log has lost events stay as they are. Of erased people only the number of events is known: they are counted as `erased`.',
    method: 'post',
    path: '/api/projects/{projectId}/stats/moderation/rebuild',
    scope: 'reports',
    success: { status: 200, body: ModerationRebuild },
    errors: [],
  }),
};
