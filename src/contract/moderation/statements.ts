/**
 * Statements of reasons: what a sanctioned person is told, with the fields of Regulation (EU) 2022/2065 (Digital Services
 * Act), Article 17(3), and the person's appeal, Article 20.
 */
import { z } from 'zod';
import { Id, ItemPath, PathPart, Timestamp } from '../common.js';
import { Language } from '../language.js';
import { PersonNotice } from '../people/person-notices.js';
import { Misuse } from '../reports/misuse.js';
import { defineRoute } from '../route.js';
import { ReviewDecision, statementMax } from './review-decision.js';
import { SanctionStatus, SanctionType } from './sanction-record.js';
import { DecidedBy, FoundBy, Ground, StatementSource } from './statement-basis.js';

export const StatementAppeal = z
  .object({
    state: z
      .enum(['possible', 'waiting', 'decided', 'over'])
      .describe('over: it was not appealed in time, or the sanction was revoked'),
    until: Timestamp.nullable().describe('Last moment for an appeal; null: as long as the sanction is in force'),
    statement: z.string().nullable().describe('What the person said'),
    decision: ReviewDecision.nullable(),
    answer: z.string().nullable().describe('Why it was decided so'),
    decidedAt: Timestamp.nullable(),
    inName: z
      .object({
        statement: z.string().nullable().describe('What they said'),
        decision: ReviewDecision.nullable(),
        answer: z.string().nullable().describe('Why it was decided so'),
        decidedAt: Timestamp.nullable(),
      })
      .nullable()
      .describe("An appeal that the team or the game made in the person's name; the person can appeal all the same"),
  })
  .meta({ id: 'StatementAppeal' });
export type StatementAppeal = z.infer<typeof StatementAppeal>;

export const StatementOfReasons = z
  .object({
    sanctionId: z.string(),
    game: z.string().describe('Name of the game: of the settings of the project, else of the project'),
    operator: z.string().nullable().describe('Who runs it, and how to reach them: of the settings of the project'),
    type: SanctionType,
    sessionOnly: z.boolean().describe('It applies in one session, not in the whole project'),
    startAt: Timestamp,
    endAt: Timestamp.nullable().describe('null: until revoked'),
    status: SanctionStatus,
    issuedAt: Timestamp,
    facts: z.string().nullable().describe('Facts and circumstances: the reason, in this language where it is known'),
    source: StatementSource,
    foundBy: FoundBy.describe('Who found what it is about'),
    decidedBy: DecidedBy.describe('Who decided; both: a program proposed it, and a person confirmed it'),
    automatedDetection: z.boolean().describe('A program found it: `foundBy`'),
    automatedDecision: z.boolean().describe('No person took part in the decision: `decidedBy` is program'),
    ground: Ground.nullable(),
    appeal: StatementAppeal,
    language: z.string().describe('Language of title and text'),
    title: z.string(),
    text: z.string().describe('All of it for the person, one paragraph a line'),
    url: z
      .string()
      .nullable()
      .describe(
        "The person's page, which needs no account. Whoever has the address can read it and appeal, so it is null for those who may not impose sanctions, and in answers that are kept for repeats",
      ),
  })
  .meta({ id: 'StatementOfReasons' });
export type StatementOfReasons = z.infer<typeof StatementOfReasons>;

export const standingMax = 50;

export const Standing = z
  .object({
    externalUserId: z.string(),
    statements: z
      .array(StatementOfReasons)
      .describe(
        `Sanctions in force, ended ones that can be appealed, and appealed ones, from the newest on, up to ${standingMax}. Where there are more, waiting appeals go before sanctions in force, and these before the rest`,
      ),
    misuse: z
      .array(Misuse)
      .max(2)
      .describe('Warnings and suspensions for reports or appeals that were manifestly unfounded'),
    notices: z.array(PersonNotice).describe('Messages of the team to this person, newest first'),
  })
  .meta({ id: 'Standing' });
export type Standing = z.infer<typeof Standing>;

const LanguageQuery = z.object({
  language: Language.optional().describe("Language of the texts; default: the person's own, else English"),
});
const LanguageHeaders = z.object({
  'accept-language': z.string().max(1000).optional().describe('Used where the language of the person is not known'),
});
const OwnAppealRequest = z
  .object({ statement: z.string().trim().min(1).max(statementMax).describe('What the person says') })
  .meta({ id: 'OwnAppealRequest' });

const group = 'Statements';
export const CodePath = z.object({
  code: PathPart(100).describe('The last part of the address of the page'),
});
const player = { group, auth: ['playerToken'], projectIn: 'gameplay' } as const;
const appealErrors = [
  ...(['sanction_not_active', 'appeal_too_late', 'sanction_already_appealed'] as const),
  'appeals_suspended',
] as const;

export const statementRoutes = {
  get: defineRoute({
    operationId: 'getStatement',
    summary: 'Show what the sanctioned person is told: the statement of reasons.',
    group,
    method: 'get',
    path: '/api/projects/{projectId}/sanctions/{id}/statement',
    auth: ['apiKey', 'bearer'],
    scope: 'sanctions:read',
    role: 'viewer',
    params: ItemPath,
    query: LanguageQuery,
    success: { status: 200, body: StatementOfReasons },
    errors: ['sanction_not_found', 'sanction_without_statement'],
  }),
  mine: defineRoute({
    ...player,
    operationId: 'getMyStanding',
    summary: 'Show the player what holds against them, why, and until when.',
    description: 'A shadow mute is not in it while it is in force.',
    method: 'get',
    path: '/api/v1/me/standing',
    query: LanguageQuery,
    headers: LanguageHeaders,
    success: { status: 200, body: Standing },
    errors: ['player_token_invalid'],
  }),
  appealMine: defineRoute({
    ...player,
    operationId: 'appealMySanction',
    summary: 'Appeal against a sanction as the sanctioned player.',
    method: 'post',
    path: '/api/v1/me/standing/{id}/appeal',
    params: z.object({ id: Id.describe('Sanction') }),
    query: LanguageQuery,
    headers: LanguageHeaders,
    body: OwnAppealRequest,
    success: { status: 201, body: StatementOfReasons },
    errors: ['player_token_invalid', 'sanction_not_found', ...appealErrors],
  }),
  read: defineRoute({
    operationId: 'readStatement',
    summary: 'Show the statement of reasons whose code somebody has.',
    group,
    method: 'get',
    path: '/api/standing/{code}',
    auth: [],
    params: CodePath,
    query: LanguageQuery,
    headers: LanguageHeaders,
    success: { status: 200, body: StatementOfReasons },
    errors: ['standing_code_invalid'],
  }),
  notices: defineRoute({
    operationId: 'readStandingNotices',
    summary: 'Show the messages of the team to the person whose code somebody has, newest first.',
    group,
    method: 'get',
    path: '/api/standing/{code}/notices',
    auth: [],
    params: CodePath,
    success: { status: 200, body: z.array(PersonNotice) },
    errors: ['standing_code_invalid'],
  }),
  appeal: defineRoute({
    operationId: 'appealStatement',
    summary: 'Appeal against the sanction whose code somebody has.',
    group,
    method: 'post',
    path: '/api/standing/{code}/appeal',
    auth: [],
    params: CodePath,
    query: LanguageQuery,
    headers: LanguageHeaders,
    body: OwnAppealRequest,
    success: { status: 201, body: StatementOfReasons },
    errors: ['standing_code_invalid', ...appealErrors],
    idempotencyKey: false,
  }),
};
