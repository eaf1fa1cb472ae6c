/** The evidence of a sanction as lines that a moderator reads from top to bottom. */
import { annotationLabel } from '../../client/annotation-label.js';
import type { RuleDecision, SanctionChain } from '../../contract/rules/rule-decisions.js';
import type { RuleCondition, RuleDefinition } from '../../contract/rules/rule-definition.js';
import { harmless } from '../../text/printable.js';
import { authorOf } from '../names/moderators.js';

const indent = '  ';

/** `mute of u_42, active until …` and below it why. */
export function evidenceView(chain: SanctionChain, nameOf: (id: string | null) => string | null): string[] {
  const { sanction, rule, version, decision, messages, reviews, gone } = chain;
  const { type, externalUserId, status, endAt, createdAt } = sanction;
  const until = endAt === null ? 'until revoked' : `until ${endAt}`;
  const lines = [
    `Sanction  ${type} of ${externalUserId ?? sanction.participantId}, ${status}, ${until}`,
    `${indent}imposed ${createdAt} by ${authorOf(sanction, nameOf)}${shownReason(sanction.reason)}`,
    ...(rule === null ? [] : ruleLines(chain)),
    ...(decision === null ? [] : decisionLines(decision, version?.definition ?? null)),
    ...messages.map(({ timestamp, senderName, content, annotations = [] }) => {
      const labels = annotations.map(annotationLabel).join(', ');
      return `Message   ${timestamp} ${senderName}: ${content}${labels === '' ? '' : `  [${labels}]`}`;
    }),
    ...reviews.map(({ id, kind, status: state, decision: decided }) => `Review    ${kind} ${id}: ${decided ?? state}`),
    ...gone.map((what) => `Gone      ${what}`),
  ];
  return lines.map(harmless);
}

const shownReason = (reason: string | null): string => (reason === null || reason === '' ? '' : `, told: ${reason}`);

function ruleLines({ rule, sanction, version }: SanctionChain): string[] {
  const { score, ruleVersion } = sanction.evidence ?? {};
  const copy = version?.copyOf === null || version === null ? '' : `, a copy of version ${version.copyOf}`;
  return [
    `Rule      ${rule?.name} (${rule?.id})${rule?.deleted === true ? ', deleted since' : ''}`,
    `${indent}version ${ruleVersion ?? 'not named'}${copy}${score === undefined ? '' : `, score ${score}`}`,
  ];
}

function decisionLines({ id, facts, verdict, mode }: RuleDecision, definition: RuleDefinition | null): string[] {
  if (facts === null || verdict === null) return [`Decision  ${id} (${mode})`];
  const { times, sanctionsThisHour, sanctionsPerHourMax } = facts;
  return [
    `Decision  ${id} (${mode}): step ${verdict.step}, after ${times} ${times === 1 ? 'time' : 'times'} before`,
    ...verdict.conditions.map(({ condition, holds }) => {
      const stated = conditionOf(definition, condition);
      return `${indent}${holds ? 'holds' : 'does not hold'}  ${condition}${stated === null ? '' : `  ${JSON.stringify(stated)}`}`;
    }),
    `${indent}${sanctionsThisHour} of ${sanctionsPerHourMax} sanctions of this hour were imposed before`,
  ];
}

/** `all.0` → that condition of the version. */
function conditionOf(definition: RuleDefinition | null, place: string): RuleCondition | null {
  const [list = '', index = ''] = place.split('.');
  const lists: Readonly<Record<string, readonly RuleCondition[]>> = { ...definition?.when };
  return lists[list]?.[Number(index)] ?? null;
}
