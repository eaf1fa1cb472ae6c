/** Rules: what imposes sanctions by itself. A rule has versions, of which one judges. */
import { z } from 'zod';
import {
  Deleted,
  ExternalUserId,
  ItemPath,
  ProjectPath,
  QueryFlag,
  searchQuery,
  Timestamp,
  TimestampInput,
} from '../common.js';
import { defineRoute } from '../route.js';
import { RuleDefinition, RuleMode } from './rule-definition.js';

export const rulesPerProjectMax = 50;
export const versionsPerRuleMax = 100;
/** Conditions of a rule that ask for what was before the message: each is a question to the database. */
export const pastConditionsMax = 10;
/** Conditions of all rules of a project that count messages: each asks the database about each message that counts. */
export const countingConditionsMax = 100;
/** Characters of all phrases together, as they are compared. */
export const phraseCharactersMax = { rule: 50_000, project: 200_000 } as const;
const exemptMax = 500;
const sanctionsPerHourMost = 10_000;

const RuleName = z.string().trim().min(1).max(100).describe('Name, unique in the project');
const SanctionsPerHour = z
  .int()
  .min(0)
  .max(sanctionsPerHourMost)
  .describe('Limit of sanctions and reviews per hour; further ones are only recorded');
const Exempt = z.array(ExternalUserId).max(exemptMax).describe('People it never acts on');
/** Numbers go on when old versions give way. */
const versionMost = 1_000_000;
const Version = z.coerce.number<number>().int().min(1).max(versionMost);

export const RuleVersion = z
  .object({
    version: z.int(),
    definition: RuleDefinition,
    copyOf: z.int().nullable().describe('The version that a rollback copied'),
    createdByUserId: z.string(),
    createdAt: Timestamp,
  })
  .meta({ id: 'RuleVersion' });
export type RuleVersion = z.infer<typeof RuleVersion>;

export const Rule = z
  .object({
    id: z.string(),
    projectId: z.string(),
    name: z.string(),
    enabled: z.boolean(),
    version: z.int().describe('The version that judges'),
    definition: RuleDefinition.describe('Of that version'),
    sanctionsPerHourMax: z.int(),
    exempt: z.array(z.string()),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  })
  .meta({ id: 'Rule' });
export type Rule = z.infer<typeof Rule>;

export const RuleListQuery = z.object({
  search: searchQuery('the name'),
  enabled: QueryFlag.optional().describe('Only enabled ones, or only disabled ones'),
  mode: RuleMode.optional().describe('Only rules in this mode'),
});
export type RuleListQuery = z.infer<typeof RuleListQuery>;

/** Form of a rule in events, without exempt people, because events are kept longer than those may be. */
export const AnnouncedRule = Rule.omit({ exempt: true });

export const CreateRuleRequest = z
  .object({
    name: RuleName,
    enabled: z.boolean().default(true).describe('The rule judges messages from now on'),
    sanctionsPerHourMax: SanctionsPerHour.default(20),
    exempt: Exempt.default([]),
    definition: RuleDefinition,
  })
  .meta({ id: 'CreateRuleRequest' });
/** A rule as a file, in which unknown fields are refused. */
export const RuleFile = z.strictObject(CreateRuleRequest.shape).meta({ id: 'RuleFile' });

export type CreateRuleRequest = z.infer<typeof CreateRuleRequest>;

export const UpdateRuleRequest = z
  .object({
    name: RuleName.optional(),
    enabled: z.boolean().optional().describe('false: messages of that time are never judged'),
    sanctionsPerHourMax: SanctionsPerHour.optional(),
    exempt: Exempt.optional(),
    definition: RuleDefinition.optional().describe('Becomes a new version, unless it is unchanged'),
  })
  .meta({ id: 'UpdateRuleRequest' });
export type UpdateRuleRequest = z.infer<typeof UpdateRuleRequest>;

/** A rule file that changes a rule: fields that it does not state stay, and the mode where its definition states none. */
export const RuleChangeFile = z
  .strictObject(UpdateRuleRequest.shape)
  .extend({ definition: RuleDefinition.extend({ mode: RuleMode.optional() }).optional() });
export type RuleChangeFile = z.infer<typeof RuleChangeFile>;

const RollBackRuleRequest = z
  .object({ version: Version.describe('Becomes the newest version again') })
  .meta({ id: 'RollBackRuleRequest' });

export const RuleSwitch = z
  .object({
    stopped: z.boolean().describe('No rule of the project judges'),
    changedByUserId: z.string().nullable(),
    changedAt: Timestamp.nullable(),
  })
  .meta({ id: 'RuleSwitch' });
export type RuleSwitch = z.infer<typeof RuleSwitch>;

const SetRuleSwitchRequest = z
  .object({ stopped: z.boolean().describe('true: no rule judges; messages of that time are never judged') })
  .meta({ id: 'SetRuleSwitchRequest' });

export const UndoRuleRequest = z
  .object({
    since: TimestampInput.describe('Start of the period'),
    until: TimestampInput.optional().describe('End of the period; default: now'),
    reason: z.string().max(500).optional().describe('Why it is revoked'),
    dryRun: z.boolean().default(false).describe('Report what would be revoked, and change nothing'),
  })
  .meta({ id: 'UndoRuleRequest' });

export const UndoneRule = z
  .object({
    ruleId: z.string(),
    dryRun: z.boolean().describe('Nothing was changed: the numbers say what would be'),
    revoked: z.int().describe('Sanctions that this call revoked'),
    ended: z.int().describe('Sanctions of that time that had ended before'),
    reviews: z.int().describe('Open reviews of that time that it had asked for, which this call overturned'),
  })
  .meta({ id: 'UndoneRule' });
export type UndoneRule = z.infer<typeof UndoneRule>;

const group = 'Rules';
const auth = ['apiKey', 'bearer'] as const;
const writing = { group, auth, scope: 'plugins', role: 'admin' } as const;
const reading = { group, auth, scope: 'plugins:read', role: 'viewer' } as const;
const refusals = [
  'sanction_time_invalid',
  'sanction_parameters_invalid',
  'rule_name_taken',
  'rule_limit',
  'rule_plugin_not_installed',
] as const;

export const ruleRoutes = {
  list: defineRoute({
    ...reading,
    operationId: 'listRules',
    summary: 'List the rules of the project.',
    method: 'get',
    path: '/api/projects/{projectId}/rules',
    params: ProjectPath,
    query: RuleListQuery,
    success: { status: 200, body: z.array(Rule) },
    errors: [],
  }),
  create: defineRoute({
    ...writing,
    operationId: 'createRule',
    summary: 'Create a rule; unless its mode is enforce, it only records what it would do.',
    method: 'post',
    path: '/api/projects/{projectId}/rules',
    params: ProjectPath,
    body: CreateRuleRequest,
    success: { status: 201, body: Rule },
    errors: refusals,
  }),
  get: defineRoute({
    ...reading,
    operationId: 'getRule',
    summary: 'Show a rule with the version that judges.',
    method: 'get',
    path: '/api/projects/{projectId}/rules/{id}',
    params: ItemPath,
    success: { status: 200, body: Rule },
    errors: ['rule_not_found'],
  }),
  update: defineRoute({
    ...writing,
    operationId: 'updateRule',
    summary: 'Change a rule; a changed definition becomes a new version.',
    method: 'patch',
    path: '/api/projects/{projectId}/rules/{id}',
    params: ItemPath,
    body: UpdateRuleRequest,
    success: { status: 200, body: Rule },
    errors: ['rule_not_found', ...refusals],
  }),
  remove: defineRoute({
    ...writing,
    operationId: 'deleteRule',
    summary: 'Delete a rule; its sanctions stay, with their evidence.',
    method: 'delete',
    path: '/api/projects/{projectId}/rules/{id}',
    params: ItemPath,
    success: { status: 200, body: Deleted.meta({ id: 'DeleteRuleResponse' }) },
    errors: ['rule_not_found'],
  }),
  versions: defineRoute({
    ...reading,
    operationId: 'listRuleVersions',
    cursor: ['version'],
    summary: 'List the versions of a rule, newest first.',
    method: 'get',
    path: '/api/projects/{projectId}/rules/{id}/versions',
    params: ItemPath,
    success: { status: 200, body: z.array(RuleVersion) },
    errors: ['rule_not_found'],
  }),
  rollBack: defineRoute({
    ...writing,
    operationId: 'rollBackRule',
    summary: 'Make an earlier version judge again, as a new version.',
    method: 'post',
    path: '/api/projects/{projectId}/rules/{id}/rollback',
    params: ItemPath,
    body: RollBackRuleRequest,
    success: { status: 200, body: Rule },
    errors: ['rule_not_found', 'rule_version_not_found', 'rule_limit', 'rule_plugin_not_installed'],
  }),
  undo: defineRoute({
    operationId: 'undoRule',
    summary: 'Revoke what a rule imposed in a period of time.',
    description:
      'Revokes sanctions that have not ended, 1,000 at a time. If the call is interrupted, repeat it: it continues with the rest. To undo a deleted rule, use its id.',
    group,
    method: 'post',
    path: '/api/projects/{projectId}/rules/{id}/undo',
    auth,
    scope: 'sanctions',
    role: 'moderator',
    params: ItemPath,
    body: UndoRuleRequest,
    success: { status: 200, body: UndoneRule },
    errors: ['rule_not_found'],
  }),
  getSwitch: defineRoute({
    ...reading,
    operationId: 'getRuleSwitch',
    summary: 'Show whether the rules of the project are stopped.',
    method: 'get',
    path: '/api/projects/{projectId}/rule-switch',
    params: ProjectPath,
    success: { status: 200, body: RuleSwitch },
    errors: [],
  }),
  setSwitch: defineRoute({
    ...writing,
    role: 'moderator',
    operationId: 'setRuleSwitch',
    summary: 'Stop every rule of the project at once, or resume them.',
    method: 'put',
    path: '/api/projects/{projectId}/rule-switch',
    params: ProjectPath,
    body: SetRuleSwitchRequest,
    success: { status: 200, body: RuleSwitch },
    errors: [],
  }),
};
