/** Turns the verdict of a rule that is enforced into sanctions, reviews and an event, ready to be stored. */
import { DomainError } from '../../../../src/contract/errors.js';
import type { CreateSanctionRequest } from '../../../../src/contract/moderation/sanctions.js';
import type { RuleFacts, RuleMatch, RuleVerdict } from '../../../../src/contract/rules/rule-decisions.js';
import type { NewEvent } from '../../../platform/events/logged.js';
import type { AutomaticSanctions } from '../../moderation/sanctions/automatic.js';
import type { RuleRow } from '../resource/rule-store.js';

export type SanctionPreparation = Pick<AutomaticSanctions, 'prepare'>;

export interface Effects {
  readonly sanctionIds: readonly string[];
  readonly events: readonly NewEvent[];
  /** null: no sanction is imposed. */
  readonly sanctions: Awaited<ReturnType<SanctionPreparation['prepare']>> | null;
}

export const noEffects: Effects = { sanctionIds: [], events: [], sanctions: null };

interface Match {
  readonly decisionId: string;
  readonly rule: RuleRow;
  readonly facts: RuleFacts;
  readonly verdict: RuleVerdict;
}

/** null: the sanctions were refused. */
export async function effectsOf(impose: SanctionPreparation, match: Match): Promise<Effects | null> {
  const { rule, verdict } = match;
  const requests = verdict.actions.flatMap((action) => requestOf(action, match) ?? []);
  const sanctions = requests.length === 0 ? null : await prepared(impose, rule, requests);
  if (requests.length > 0 && sanctions === null) return null;
  const sanctionIds = (sanctions?.sanctions ?? []).map(({ id }) => id);
  const events = verdict.actions.flatMap(({ webhook }) =>
    webhook === undefined ? [] : [matched(match, webhook.label, sanctionIds)],
  );
  return { sanctionIds, events, sanctions };
}

async function prepared(impose: SanctionPreparation, rule: RuleRow, requests: readonly CreateSanctionRequest[]) {
  try {
    return await impose.prepare(rule, requests);
  } catch (error) {
    if (error instanceof DomainError) return null;
    throw error;
  }
}

function requestOf(
  { sanction, review }: RuleVerdict['actions'][number],
  { rule, facts, verdict }: Match,
): CreateSanctionRequest | null {
  const evidence = {
    messageIds: [facts.messageId],
    ruleId: rule.id,
    ruleVersion: rule.version,
    ...(verdict.score === null ? {} : { score: verdict.score }),
  };
  const target = { externalUserId: facts.externalUserId, evidence };
  if (review !== undefined) {
    const reason = review.statement === '' ? rule.name : review.statement;
    return { ...target, type: 'human_review', reason, sessionId: facts.sessionId };
  }
  if (sanction === undefined) return null;
  const { scope, reason = rule.name, ...terms } = sanction;
  return { ...target, ...terms, reason, ...(scope === 'session' ? { sessionId: facts.sessionId } : {}) };
}

function matched({ decisionId, rule, facts, verdict }: Match, label: string, sanctionIds: string[]): NewEvent {
  const { messageId, sessionId, externalUserId } = facts;
  const data: RuleMatch = {
    id: decisionId,
    ruleId: rule.id,
    ruleName: rule.name,
    version: rule.version,
    label,
    messageId,
    sessionId,
    externalUserId,
    score: verdict.score,
    step: verdict.step ?? 1,
    sanctionIds,
  };
  return {
    type: 'rule.matched',
    tenantId: rule.tenantId,
    projectId: rule.projectId,
    resourceId: `rule-decision:${decisionId}`,
    action: 'occurred',
    data,
    subjectUserId: externalUserId,
  };
}
