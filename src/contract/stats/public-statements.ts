/**
 * Statements of reasons for the DSA Transparency Database of the European Commission: Regulation (EU) 2022/2065,
 * Article 24(5). Names and values are those of the database's API, https://transparency.dsa.ec.europa.eu/page/api-documentation.
 */
import { z } from 'zod';
import { Id, ProjectPath, pageLimit, TimestampInput } from '../common.js';
import { defineRoute } from '../route.js';

/** Categories of the database that statements get, of the 16 that it has. */
const statementCategories = [
  'STATEMENT_CATEGORY_CYBER_VIOLENCE',
  'STATEMENT_CATEGORY_ILLEGAL_OR_HARMFUL_SPEECH',
  'STATEMENT_CATEGORY_NOT_SPECIFIED_NOTICE',
  'STATEMENT_CATEGORY_OTHER_VIOLATION_TC',
  'STATEMENT_CATEGORY_PROTECTION_OF_MINORS',
  'STATEMENT_CATEGORY_VIOLENCE',
] as const;

const DateText = z.string().describe('YYYY-MM-DD (UTC)');
const EndDate = DateText.nullable().optional().describe('Last day of the restriction; null: indefinite');

export const PublicStatement = z
  .object({
    decision_visibility: z
      .array(z.enum(['DECISION_VISIBILITY_OTHER']))
      .optional()
      .describe('Restriction of what others hear'),
    decision_visibility_other: z.string().optional().describe('Which restriction, in words'),
    end_date_visibility_restriction: EndDate,
    decision_provision: z
      .enum(['DECISION_PROVISION_PARTIAL_SUSPENSION', 'DECISION_PROVISION_PARTIAL_TERMINATION'])
      .optional()
      .describe('Restriction of the service'),
    end_date_service_restriction: EndDate,
    decision_account: z
      .enum(['DECISION_ACCOUNT_SUSPENDED', 'DECISION_ACCOUNT_TERMINATED'])
      .optional()
      .describe('Restriction of the account'),
    end_date_account_restriction: EndDate,
    account_type: z.enum(['ACCOUNT_TYPE_PRIVATE']).describe('Kind of account'),
    decision_ground: z
      .enum(['DECISION_GROUND_ILLEGAL_CONTENT', 'DECISION_GROUND_INCOMPATIBLE_CONTENT'])
      .describe('Law or terms'),
    illegal_content_legal_ground: z.string().optional().describe('The law that it is against'),
    illegal_content_explanation: z.string().optional().describe('Why it is against the law'),
    incompatible_content_ground: z.string().optional().describe('Section of the terms that it is against'),
    incompatible_content_explanation: z.string().optional().describe('Why it is against the terms'),
    content_type: z
      .array(z.enum(['CONTENT_TYPE_AUDIO', 'CONTENT_TYPE_TEXT', 'CONTENT_TYPE_OTHER']))
      .describe('What was judged: spoken lines, written lines, or something else'),
    content_type_other: z.string().optional().describe('What else was judged, in words'),
    category: z.enum(statementCategories),
    territorial_scope: z.array(z.string()).describe('The states of the European Union, ISO 3166'),
    content_date: DateText.describe(
      'Day of the first line that the sanction names, else of the first report; without either, of the sanction; YYYY-MM-DD (UTC)',
    ),
    application_date: DateText,
    decision_facts: z.string().describe('Composed of what is known in general; of free texts only those of templates'),
    source_type: z
      .enum(['SOURCE_VOLUNTARY', 'SOURCE_ARTICLE_16', 'SOURCE_TRUSTED_FLAGGER', 'SOURCE_TYPE_OTHER_NOTIFICATION'])
      .describe('Who brought it up'),
    automated_detection: z.enum(['Yes', 'No']).describe('Whether a program found it'),
    automated_decision: z
      .enum(['AUTOMATED_DECISION_FULLY', 'AUTOMATED_DECISION_PARTIALLY', 'AUTOMATED_DECISION_NOT_AUTOMATED'])
      .describe(
        'Whether a program decided, and whether a person took part; partially: a person confirmed its proposal',
      ),
    puid: z.string().describe('Id of the sanction'),
  })
  .meta({ id: 'PublicStatement' });
export type PublicStatement = z.infer<typeof PublicStatement>;

const PublicStatementPage = z
  .object({
    statements: z.array(PublicStatement).describe('Oldest first'),
    next: z.string().nullable().describe('Pass this as `after` to continue; null: there is no more'),
  })
  .meta({ id: 'PublicStatementPage' });

export const StatementExportQuery = z.object({
  since: TimestampInput.optional().describe('Only sanctions imposed at this time or later'),
  until: TimestampInput.optional().describe('Only sanctions imposed before this time'),
  after: Id.optional().describe('Continue after this id: `next` of the previous answer'),
  limit: pageLimit('Statements'),
});
export type StatementExportQuery = z.output<typeof StatementExportQuery>;

export const publicStatementRoutes = {
  export: defineRoute({
    operationId: 'exportStatements',
    summary: 'Export statements of reasons for the DSA Transparency Database.',
    description:
      'Oldest first, with the field names of the database and without personal data. Warnings and requests for a review restrict nothing and are left out, and so are sanctions under orders of authorities (Article 17(5)) and those of erased people.',
    group: 'Statistics',
    method: 'get',
    path: '/api/projects/{projectId}/stats/statements',
    auth: ['apiKey', 'bearer'],
    scope: 'sanctions:read',
    role: 'admin',
    params: ProjectPath,
    query: StatementExportQuery,
    success: { status: 200, body: PublicStatementPage },
    errors: [],
  }),
};
