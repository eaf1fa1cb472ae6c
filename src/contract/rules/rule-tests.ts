/**
 * Trying a rule on stored transcripts, a page of messages at a time; the caller passes on what the rule did in the
 * pages before.
 */
import { z } from 'zod';
import { Id, ProjectPath, Timestamp, TimestampInput } from '../common.js';
import { SanctionType } from '../moderation/sanction-record.js';
import { defineRoute } from '../route.js';
import { RuleAction, RuleDefinition } from './rule-definition.js';

const carriedMax = 10_000;
const countedMax = 4_000;
const testBodyBytes = 4 * 1024 * 1024;

const RuleTestMatch = z
  .object({
    messageId: z.string(),
    sessionId: z.string(),
    externalUserId: z.string(),
    at: Timestamp,
    step: z.int(),
    score: z.number().nullable(),
    actions: z.array(RuleAction),
  })
  .meta({ id: 'RuleTestMatch' });
export type RuleTestMatch = z.infer<typeof RuleTestMatch>;

/** Actions that a rule would have taken, as far as they still count. */
const RuleTestPast = z
  .array(
    z.object({
      externalUserId: z.string(),
      sessionId: z.string().default(''),
      at: Timestamp,
      sanctions: z.array(SanctionType),
    }),
  )
  .max(carriedMax)
  .meta({ id: 'RuleTestPast' });
export type RuleTestPast = z.infer<typeof RuleTestPast>;

/** Messages that a condition of the rule counts, as far as they may still count. */
const RuleTestCounted = z
  .array(z.object({ of: z.string(), externalUserId: z.string(), sessionId: z.string(), at: Timestamp }))
  .max(countedMax)
  .default([])
  .meta({ id: 'RuleTestCounted' });
export type RuleTestCounted = z.infer<typeof RuleTestCounted>;

const RuleTestPlace = z
  .object({
    after: z.string().max(200).describe('Message after which to continue'),
    from: Timestamp.describe('When it was said'),
    tested: RuleTestPast,
    live: RuleTestPast,
    testedCounted: RuleTestCounted,
    liveCounted: RuleTestCounted,
  })
  .meta({ id: 'RuleTestPlace' });
export type RuleTestPlace = z.infer<typeof RuleTestPlace>;

export const RuleTestRequest = z
  .object({
    definition: RuleDefinition.describe('The rule to try'),
    exempt: z.array(z.string().max(200)).max(500).default([]),
    sanctionsPerHourMax: z.int().min(0).max(10_000).default(20),
    ruleId: Id.optional().describe('A rule of the project to compare with: the version that judges'),
    since: TimestampInput.describe('Messages from this time on'),
    until: TimestampInput.describe('Messages before this time'),
    place: RuleTestPlace.optional().describe('`next` of the previous answer'),
  })
  .meta({ id: 'RuleTestRequest' });
export type RuleTestRequest = z.infer<typeof RuleTestRequest>;

/** People's decision about a person in a session. */
const HumanDecision = z
  .object({
    externalUserId: z.string(),
    sessionId: z.string(),
    sanctioned: z.boolean().describe('false: a review overturned the sanction, or somebody revoked it'),
    at: Timestamp,
  })
  .meta({ id: 'HumanDecision' });
export type HumanDecision = z.infer<typeof HumanDecision>;

export const RuleTestAnswer = z
  .object({
    messages: z.int().describe('That were judged'),
    annotated: z.int().describe('Those of them that a plugin had annotated'),
    upTo: Timestamp,
    tested: z.array(RuleTestMatch).describe('What the rule would have done'),
    live: z.array(RuleTestMatch).describe('What the rule to compare with would have done'),
    people: z
      .array(HumanDecision)
      .describe('What people decided in this time; empty for API keys without the scope sanctions:read'),
    next: RuleTestPlace.nullable().describe('null: that was all'),
  })
  .meta({ id: 'RuleTestAnswer' });
export type RuleTestAnswer = z.infer<typeof RuleTestAnswer>;

export const ruleTestRoutes = {
  run: defineRoute({
    operationId: 'testRule',
    summary: 'Report what a rule would have done for stored transcripts; nothing is stored or done.',
    description:
      'An answer covers a page of messages. Ask again with its `next` as `place` until that is null. Annotations are read as plugins made them then; roles in gatherings as they are now. An API key needs messages:read for conditions on words, and sanctions:read for conditions on sanctions and for `people`.',
    group: 'Rules',
    auth: ['apiKey', 'bearer'],
    scope: 'plugins:read',
    role: 'moderator',
    method: 'post',
    path: '/api/projects/{projectId}/rule-tests',
    params: ProjectPath,
    body: RuleTestRequest,
    success: { status: 200, body: RuleTestAnswer },
    errors: ['rule_not_found', 'rule_plugin_not_installed', 'sanction_time_invalid', 'sanction_parameters_invalid'],
    bodyLimitBytes: testBodyBytes,
    idempotencyKey: false,
  }),
};
