/**
 * Figures of the transparency report: Regulation (EU) 2022/2065, Articles 15 and 24, in the template of Commission
 * Implementing Regulation (EU) 2024/2835, Annex I.
 */
import { z } from 'zod';
import { ProjectPath, Timestamp } from '../common.js';
import { defineRoute } from '../route.js';

const Count = z.int().min(0);
const Seconds = z.number().nullable().meta({ unit: 'seconds' });
const Category = z.string().describe('Category of the template, such as STATEMENT_CATEGORY_VIOLENCE; TOTAL: of all');

/** Restrictions of the template that sanctions are. */
export const Restriction = z.enum([
  'visibility_other',
  'service_suspension',
  'service_termination',
  'account_suspension',
  'account_termination',
]);
export type Restriction = z.infer<typeof Restriction>;

const OrdersRow = z.object({
  memberState: z.string().describe('ISO 3166; TOTAL: of all'),
  category: Category,
  toAct: Count.describe('Orders to act against illegal content'),
  toActReceiptSeconds: Seconds.describe('Median time to confirm their receipt; null: none was confirmed'),
  toActEffectSeconds: Seconds.describe('Median time to give effect to them; null: none had effect'),
  toInform: Count.describe('Orders to give information'),
  toInformReceiptSeconds: Seconds.describe('Median time to confirm their receipt; null: none was confirmed'),
  toInformEffectSeconds: Seconds.describe('Median time to answer them; null: none was answered'),
});

const NoticesRow = z.object({
  category: Category,
  trusted: z.boolean().describe('Only those of trusted flaggers'),
  notices: Count.describe('Notices that came in'),
  medianSeconds: Seconds.describe('Median time to decide them; null: none was decided'),
  actionsByLaw: Count.describe('Led to a measure because of the law'),
  actionsByTerms: Count.describe('Led to a measure because of the terms'),
});

const MeasuresRow = z.object({
  basis: z.enum(['law', 'terms']).describe('What the measures rest on'),
  category: Category,
  measures: Count.describe("Taken at the provider's own initiative"),
  detectedByRules: Count.describe('Of them, those that a rule detected'),
  byRestriction: z.partialRecord(Restriction, Count).describe('By kind of restriction'),
});

const ComplaintsRow = z.object({
  about: z.enum(['all', 'visibility', 'service', 'account']).describe('What the decision restricts'),
  submitted: Count.describe('Appeals that came in'),
  upheld: Count.describe('Appeals after which the decision stayed'),
  reversed: Count.describe('Appeals after which it was taken back'),
  medianSeconds: Seconds.describe('Median time to decide them; null: none was decided'),
});

export const TransparencyFigures = z
  .object({
    year: z.int().describe('Calendar year'),
    since: z.string().describe('First day (UTC)'),
    until: z.string().describe('Last day (UTC)'),
    countedAt: Timestamp.describe('Everything up to here is counted'),
    service: z.string().describe('Name of the project'),
    orders: z.array(OrdersRow).describe('By Member State and category, with totals'),
    notices: z.array(NoticesRow).describe('By category, with totals, of all and of trusted flaggers'),
    measures: z.array(MeasuresRow).describe('Own-initiative measures by basis and category, with totals'),
    complaints: z.array(ComplaintsRow).describe('By what the decision restricts'),
    suspensions: z
      .object({
        manifestlyIllegal: Count.describe('Accounts suspended or terminated because of the law'),
        unfoundedNotices: Count.describe('Suspensions for manifestly unfounded reports'),
        unfoundedComplaints: Count.describe('Suspensions for manifestly unfounded appeals'),
      })
      .describe('Suspensions of Article 23'),
    automated: z
      .object({
        measures: Count.describe('Taken by a rule alone, without a person'),
        ownInitiative: Count.describe('Of them, those at the own initiative'),
        notAutomated: Count.describe('Measures that a person took'),
        notAutomatedOwnInitiative: Count.describe('Of them, those at the own initiative'),
        reviewed: Count.describe('Decided reviews and appeals about measures of rules'),
        overturned: Count.describe('Of them, those that took the measure back'),
        accuracy: z
          .number()
          .nullable()
          .describe('Share of the measures by rules that were not overturned, from 0 to 1; null: there were none'),
        errorRate: z
          .number()
          .nullable()
          .describe('Share of the overturned among those reviewed, from 0 to 1; null: none was reviewed'),
      })
      .describe('Measures of rules'),
    activeRecipients: z
      .array(z.object({ month: z.string().describe('YYYY-MM'), people: Count }))
      .describe('People who joined a voice room in the month, within 2 %; 12 months, without those that are to come'),
    averageMonthlyActiveRecipients: z.number().nullable().describe('Average of these months; null: none was counted'),
  })
  .meta({ id: 'TransparencyFigures' });
export type TransparencyFigures = z.infer<typeof TransparencyFigures>;

const TransparencyQuery = z.object({
  year: z.coerce.number<number>().int().min(2020).max(9_998).describe('Calendar year (UTC)'),
});

export const transparencyRoutes = {
  get: defineRoute({
    operationId: 'getTransparencyFigures',
    summary: 'Show the figures of the transparency report of a year.',
    description:
      'Counted from the event log by day, like the figures of moderation. They name nobody, and stay when events are deleted or people are erased.',
    group: 'Statistics',
    method: 'get',
    path: '/api/projects/{projectId}/stats/transparency',
    auth: ['apiKey', 'bearer'],
    scope: 'reports:read',
    role: 'admin',
    params: ProjectPath,
    query: TransparencyQuery,
    success: { status: 200, body: TransparencyFigures },
    errors: [],
  }),
};
