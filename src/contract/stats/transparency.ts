/**
 * Figures of the transparency report: Regulation (EU) 2022/2065, Articles 15 and 24, in the template of Commission
 * Implementing Regulation (EU) 2024/2835, Annex I.
 */
import { z } from 'zod';
import { ProjectPath, Timestamp } from '../common.js';
import { defineRoute } from '../route.js';

const Count = z.int().min(0);
const Seconds = z.number().nullable().meta({ unit: 'seconds' });
const Share = z.number().nullable();
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
  about: z
    .enum(['all', 'visibility', 'service', 'account', 'reports', 'trusted_flaggers'])
    .describe(
      'What the decision restricts; reports: complaints of reporters about what was decided on their reports; trusted_flaggers: of these, those of trusted flaggers',
    ),
  submitted: Count.describe('Appeals and complaints that came in'),
  upheld: Count.describe('Appeals and complaints after which the decision stayed'),
  reversed: Count.describe('Appeals and complaints after which it was taken back'),
  medianSeconds: Seconds.describe('Median time to decide them; null: none was decided'),
});

export const TransparencyFigures = z
  .object({
    year: z.int().describe('Calendar year'),
    since: z.string().describe('First day (UTC)'),
    until: z.string().describe('Last day (UTC); today, where the year is not over'),
    isOver: z.boolean().describe('The year is over, so its figures are final'),
    countedAt: Timestamp.describe('Everything up to here is counted'),
    service: z.string().describe('Name of the game: of the settings of the project, else of the project'),
    operator: z.string().nullable().describe('Who runs it: of the settings of the project'),
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
        measures: Count.describe('Decided by a program alone, such as a rule'),
        ownInitiative: Count.describe('Of them, those at the own initiative'),
        notAutomated: Count.describe('Measures that a person took'),
        notAutomatedOwnInitiative: Count.describe('Of them, those at the own initiative'),
        reviewed: Count.describe('Decided reviews and appeals about measures that a program decided'),
        overturned: Count.describe('Of them, those that took the measure back'),
        accuracy: Share.describe(
          'Share of the measures by programs that were not overturned, from 0 to 1; null: there were none',
        ),
        errorRate: Share.describe('Share of the overturned among those reviewed, from 0 to 1; null: none was reviewed'),
        ownInitiativeReviewed: Count.describe('As reviewed, of those at the own initiative'),
        ownInitiativeOverturned: Count.describe('As overturned, of those at the own initiative'),
        ownInitiativeAccuracy: Share.describe('As accuracy, of those at the own initiative'),
        ownInitiativeErrorRate: Share.describe('As errorRate, of those at the own initiative'),
        notices: Count.describe('Reports and notices that a program alone decided'),
        notAutomatedNotices: Count.describe('Reports and notices that a person decided, or confirmed'),
        trustedNotices: Count.describe('As notices, of those of trusted flaggers'),
        notAutomatedTrustedNotices: Count.describe('As notAutomatedNotices, of those of trusted flaggers'),
      })
      .describe('What programs decided, and what people did'),
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
