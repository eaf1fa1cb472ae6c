/** Decisions of rules, with the facts that they read, and the evidence of a sanction. */
import { z } from 'zod';
import {
  cutParts,
  ExternalUserId,
  Id,
  ItemPath,
  PageInfo,
  PageQuery,
  ProjectPath,
  Timestamp,
  TimestampInput,
} from '../common.js';
import { Review } from '../moderation/reviews.js';
import { Sanction, SanctionType } from '../moderation/sanction-record.js';
import { defineRoute } from '../route.js';
import { Message } from '../sessions/sessions.js';
import { RoleInGathering, RuleAction, RuleMode } from './rule-definition.js';
import { RuleVersion } from './rules.js';

const RuleFactAnnotation = z
  .object({
    id: z.string(),
    plugin: z.string(),
    type: z.string(),
    score: z.number().nullable(),
    categories: z.array(z.string()).describe('Categories and labels'),
    scores: z.record(z.string(), z.number()).describe('By category'),
  })
  .meta({ id: 'RuleFactAnnotation' });
export type RuleFactAnnotation = z.infer<typeof RuleFactAnnotation>;

/** Facts that a rule read before it decided. The words stay in the transcript, which never changes them. */
export const RuleFacts = z
  .object({
    at: Timestamp.describe('When the message was said or written'),
    messageId: z.string(),
    sessionId: z.string(),
    externalUserId: z.string(),
    origin: z.enum(['speech', 'text']).nullable(),
    confidence: z
      .number()
      .nullable()
      .default(null)
      .describe('How sure the recogniser is, 0–1; 1 for what was written; null: it does not say'),
    language: z.string().nullable().default(null).describe('Of the line; null: not known'),
    annotations: z.array(RuleFactAnnotation),
    role: RoleInGathering.nullable().describe('null: no condition reads it'),
    sanctions: z
      .array(z.object({ id: z.string(), type: SanctionType, at: Timestamp }))
      .nullable()
      .describe('Of the person; null: no condition reads it'),
    gameEvents: z
      .array(z.object({ event: z.string(), within: z.int(), count: z.int() }))
      .nullable()
      .describe('Of the person; null: no condition reads it'),
    counts: z
      .array(z.object({ condition: z.string().describe('Such as all.0'), count: z.int() }))
      .nullable()
      .default(null)
      .describe('Messages counted, including this one; 0: this one does not count; null: no condition counts'),
    exempt: z.boolean(),
    repeated: z.boolean().describe('True if the rule acted on this message before'),
    justImposed: z
      .array(SanctionType)
      .default([])
      .describe(
        'Kinds that it imposed on the person for messages within a second of this one; except for warnings, they are not imposed again',
      ),
    times: z.int().describe('How often it acted on the person, as far as that still counts'),
    sanctionsThisHour: z.int(),
    sanctionsPerHourMax: z.int(),
  })
  .meta({ id: 'RuleFacts' });
export type RuleFacts = z.infer<typeof RuleFacts>;

export const ruleOutcomes = ['matched', 'not_matched', 'exempt', 'repeated', 'capped', 'refused'] as const;
export const RuleOutcome = z.enum(ruleOutcomes);
export type RuleOutcome = z.infer<typeof RuleOutcome>;

/** Verdict that follows from a version and facts alone. */
export const RuleVerdict = z
  .object({
    outcome: RuleOutcome.exclude(['refused']),
    conditions: z
      .array(z.object({ condition: z.string().describe('Such as all.0'), holds: z.boolean() }))
      .describe('In the order of the definition'),
    score: z.number().nullable().describe('The greatest score that a condition found'),
    step: z.int().nullable().describe('From 1; null: nothing is done'),
    actions: z.array(RuleAction),
  })
  .meta({ id: 'RuleVerdict' });
export type RuleVerdict = z.infer<typeof RuleVerdict>;

export const RuleDecision = z
  .object({
    id: z.string(),
    projectId: z.string(),
    ruleId: z.string(),
    version: z.int(),
    mode: RuleMode,
    outcome: RuleOutcome.describe(
      'repeated: it acted on the message before, or imposed the same kind on the person within a second of it; capped: it has reached its limit per hour; refused: the sanction could not be imposed',
    ),
    eventId: z.string(),
    messageId: z.string().nullable(),
    sessionId: z.string().nullable(),
    externalUserId: z.string().nullable().describe('null: the person was erased, and the facts with them'),
    facts: RuleFacts.nullable(),
    verdict: RuleVerdict.nullable(),
    sanctionIds: z.array(z.string()).describe('That it imposed'),
    decidedAt: Timestamp,
  })
  .meta({ id: 'RuleDecision' });
export type RuleDecision = z.infer<typeof RuleDecision>;

/** Match of a rule, as in `rule.matched`. */
export const RuleMatch = z
  .object({
    id: z.string().describe('Decision'),
    ruleId: z.string(),
    ruleName: z.string(),
    version: z.int(),
    label: z.string(),
    messageId: z.string(),
    sessionId: z.string(),
    externalUserId: z.string(),
    score: z.number().nullable(),
    step: z.int(),
    sanctionIds: z.array(z.string()),
  })
  .meta({ id: 'RuleMatch' });
export type RuleMatch = z.infer<typeof RuleMatch>;

const RuleDecisionListResponse = PageInfo.extend({ decisions: z.array(RuleDecision) }).meta({
  id: 'RuleDecisionListResponse',
});

export const RuleReplay = z
  .object({
    decisionId: z.string(),
    identical: z
      .boolean()
      .nullable()
      .describe('null: it cannot be decided again, because something is no longer stored'),
    gone: z.array(z.string()).describe('What is no longer stored, and why'),
    verdict: RuleVerdict.nullable().describe('Decision of the same version from the same facts now'),
  })
  .meta({ id: 'RuleReplay' });
export type RuleReplay = z.infer<typeof RuleReplay>;

/** Why a sanction was imposed, as far as it is still known. */
export const SanctionChain = z
  .object({
    sanction: Sanction,
    rule: z
      .object({ id: z.string(), name: z.string(), deleted: z.boolean() })
      .nullable()
      .describe('null: no rule is named'),
    version: RuleVersion.nullable(),
    decision: RuleDecision.nullable().describe(
      'null: a person imposed the sanction, the decision is no longer stored, or the caller may not read it',
    ),
    messages: z.array(Message).describe('The messages that it names, with annotations'),
    reviews: z.array(Review).describe('Reviews of the sanction'),
    gone: z.array(z.string()).describe('What is no longer stored, and why'),
    cut: cutParts(
      ['messages', 'reviews'],
      'Read the remaining messages with listMessages, the remaining reviews with listReviews',
    ),
  })
  .meta({ id: 'SanctionChain' });
export type SanctionChain = z.infer<typeof SanctionChain>;

const group = 'Rules';
const auth = ['apiKey', 'bearer'] as const;
const reading = { group, auth, scope: 'plugins:read', role: 'viewer' } as const;

export const ruleDecisionRoutes = {
  list: defineRoute({
    ...reading,
    operationId: 'listRuleDecisions',
    summary: 'List what rules decided, newest first.',
    method: 'get',
    path: '/api/projects/{projectId}/rule-decisions',
    params: ProjectPath,
    query: PageQuery.extend({
      ruleId: Id.optional().describe('Of this rule'),
      externalUserId: ExternalUserId.optional().describe('Only decisions about this person'),
      outcome: RuleOutcome.optional().describe('Only these'),
      since: TimestampInput.optional().describe('Only decisions made at this time or later'),
      until: TimestampInput.optional().describe('Only decisions made before this time'),
    }),
    success: { status: 200, body: RuleDecisionListResponse },
    errors: [],
  }),
  get: defineRoute({
    ...reading,
    operationId: 'getRuleDecision',
    summary: 'Show a decision with the facts that the rule read.',
    method: 'get',
    path: '/api/projects/{projectId}/rule-decisions/{id}',
    params: ItemPath,
    success: { status: 200, body: RuleDecision },
    errors: ['rule_decision_not_found'],
  }),
  replay: defineRoute({
    ...reading,
    operationId: 'replayRuleDecision',
    summary: 'Repeat a decision from its stored facts, and say whether the result is the same.',
    method: 'get',
    path: '/api/projects/{projectId}/rule-decisions/{id}/replay',
    params: ItemPath,
    success: { status: 200, body: RuleReplay },
    errors: ['rule_decision_not_found'],
  }),
  chain: defineRoute({
    ...reading,
    scope: 'sanctions:read',
    operationId: 'getSanctionEvidence',
    summary: 'Show why a sanction was imposed: rule, version, facts, messages, reviews.',
    description:
      'API keys without the scope messages:read get no messages; without plugins:read, no decision and no reviews.',
    method: 'get',
    path: '/api/projects/{projectId}/sanctions/{id}/evidence',
    params: ItemPath,
    success: { status: 200, body: SanctionChain },
    errors: ['sanction_not_found'],
  }),
};
