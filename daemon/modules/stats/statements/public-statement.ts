/** A sanction as the DSA Transparency Database takes it: what was restricted, why and how, and nothing about whom. */
import { isDeepStrictEqual } from 'node:util';
import { kindOf, typesWhere } from '../../../../src/contract/moderation/sanction-kinds.js';
import type { SanctionTemplate } from '../../../../src/contract/moderation/sanction-templates.js';
import type { Ground, StatementSource } from '../../../../src/contract/moderation/statement-basis.js';
import type { PublicStatement } from '../../../../src/contract/stats/public-statements.js';
import type { Restriction } from '../../../../src/contract/stats/transparency.js';
import type { SanctionRow } from '../../moderation/sanctions/sanction-rows.js';

/** What is said where moderators wrote something of their own, which may name people. */
const unstated = {
  law: 'The applicable law.',
  terms: 'The terms of use of the game.',
  explanation: 'What was said or done in the game is against this ground.',
};

interface RestrictingSanction {
  readonly type: string;
  readonly sessionId: string | null;
  readonly endAt: Date | string | null;
}

/** Sanctions that restrict nothing are not statements: Article 17(1). */
export const unrestricting: readonly string[] = typesWhere(({ restricts }) => restricts === null);

const categories: Readonly<Record<string, PublicStatement['category']>> = {
  minors_safety: 'STATEMENT_CATEGORY_PROTECTION_OF_MINORS',
  threats: 'STATEMENT_CATEGORY_VIOLENCE',
  hate: 'STATEMENT_CATEGORY_ILLEGAL_OR_HARMFUL_SPEECH',
  harassment: 'STATEMENT_CATEGORY_CYBER_VIOLENCE',
};
export const isKnownCategory = (category: string): boolean => new Map(Object.entries(categories)).has(category);
export const categoryOf = (category: string | undefined, isIllegal: boolean): PublicStatement['category'] =>
  new Map(Object.entries(categories)).get(category ?? '') ??
  (isIllegal ? 'STATEMENT_CATEGORY_ILLEGAL_OR_HARMFUL_SPEECH' : 'STATEMENT_CATEGORY_OTHER_VIOLATION_TC');

const found: Readonly<Record<StatementSource, string>> = {
  own_initiative: 'The provider found it on its own initiative.',
  report: 'It was brought up by a report of a player.',
  trusted_flagger: 'It was brought up by a notice of a trusted flagger.',
  order: 'It was brought up by an order of an authority.',
};
const sources: Readonly<Record<StatementSource, PublicStatement['source_type']>> = {
  own_initiative: 'SOURCE_VOLUNTARY',
  report: 'SOURCE_ARTICLE_16',
  trusted_flagger: 'SOURCE_TRUSTED_FLAGGER',
  order: 'SOURCE_TYPE_OTHER_NOTIFICATION', // never exported: Article 17(5)
};
const automation = {
  program: 'AUTOMATED_DECISION_FULLY',
  both: 'AUTOMATED_DECISION_PARTIALLY',
  person: 'AUTOMATED_DECISION_NOT_AUTOMATED',
} as const;
const contentTypes = { speech: 'CONTENT_TYPE_AUDIO', text: 'CONTENT_TYPE_TEXT' } as const;

// Article 52 of the Treaty on European Union: the states where it applies.
const union = 'AT BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK'.split(' ');

const dateOf = (time: Date): string => time.toISOString().slice(0, 10);
/** The longest text of a ground in the database. */
const groundMax = 500;

/** Returns what a sanction restricts, as the template of the transparency report names it; null: nothing. */
export function restrictionKindOf({ type, sessionId, endAt }: RestrictingSanction): Restriction | null {
  const { restricts } = kindOf(type);
  if (restricts === null) return null;
  if (restricts === 'visibility') return 'visibility_other';
  const of = restricts === 'account' && sessionId === null ? 'account' : 'service';
  return endAt === null && sessionId === null ? `${of}_termination` : `${of}_suspension`;
}

function restrictionOf({ type, sessionId, startAt, endAt }: SanctionRow): Partial<PublicStatement> {
  const end = endAt === null ? null : dateOf(endAt < startAt ? startAt : endAt);
  const { restricts } = kindOf(type);
  if (restricts === 'visibility')
    return {
      decision_visibility: ['DECISION_VISIBILITY_OTHER'],
      decision_visibility_other: 'Other players do not hear what the recipient says.',
      end_date_visibility_restriction: end,
    };
  if (restricts === 'account' && sessionId === null)
    return {
      decision_account: end === null ? 'DECISION_ACCOUNT_TERMINATED' : 'DECISION_ACCOUNT_SUSPENDED',
      end_date_account_restriction: end,
    };
  return {
    decision_provision:
      end === null && sessionId === null
        ? 'DECISION_PROVISION_PARTIAL_TERMINATION'
        : 'DECISION_PROVISION_PARTIAL_SUSPENSION',
    end_date_service_restriction: end,
  };
}

function groundOf(ground: Ground | null, isOfTemplate: boolean): Partial<PublicStatement> {
  const kind = ground?.kind ?? 'terms';
  const stated = isOfTemplate && ground !== null ? ground : null;
  const reference = (stated?.reference ?? unstated[kind]).slice(0, groundMax);
  const explanation = stated?.explanation ?? unstated.explanation;
  return kind === 'law'
    ? { illegal_content_legal_ground: reference, illegal_content_explanation: explanation }
    : { incompatible_content_ground: reference, incompatible_content_explanation: explanation };
}

/** What was judged: lines that the sanction names; of behaviour, or where it names none, what can be said of it. */
function contentOf({ type, basis }: SanctionRow): Pick<PublicStatement, 'content_type' | 'content_type_other'> {
  const kinds = basis.content?.kinds ?? [];
  const { isForPlay } = kindOf(type);
  if (!isForPlay && kinds.length > 0) return { content_type: kinds.map((kind) => contentTypes[kind]) };
  const other = isForPlay ? 'Behaviour in a game' : 'Not specified';
  return { content_type: ['CONTENT_TYPE_OTHER'], content_type_other: other };
}

/** The category of the case, else that of the template; of a notice against the law that has neither: not specified. */
function categoryOfSanction({ basis }: SanctionRow): PublicStatement['category'] {
  const { category, template, source, ground } = basis;
  const named = [category, template].find((one) => isKnownCategory(one ?? ''));
  const isOfNotice = source === 'report' || source === 'trusted_flagger';
  const isIllegal = ground?.kind === 'law';
  return named === undefined && isIllegal && isOfNotice
    ? 'STATEMENT_CATEGORY_NOT_SPECIFIED_NOTICE'
    : categoryOf(named ?? undefined, isIllegal);
}

export function publicStatementOf(row: SanctionRow, template: SanctionTemplate | undefined): PublicStatement {
  const { source, ground, foundBy, decidedBy, content } = row.basis;
  const isIllegal = ground?.kind === 'law';
  const reason = template !== undefined && template.reason === row.reason ? template.reason : null;
  return {
    ...restrictionOf(row),
    account_type: 'ACCOUNT_TYPE_PRIVATE',
    decision_ground: isIllegal ? 'DECISION_GROUND_ILLEGAL_CONTENT' : 'DECISION_GROUND_INCOMPATIBLE_CONTENT',
    ...groundOf(ground, template !== undefined && isDeepStrictEqual(template.ground, ground)),
    ...contentOf(row),
    category: categoryOfSanction(row),
    territorial_scope: union,
    content_date: (content?.at ?? row.createdAt.toISOString()).slice(0, 10),
    application_date: dateOf(row.startAt),
    decision_facts: [
      ...(reason === null ? [] : [reason.endsWith('.') ? reason : `${reason}.`]),
      `Voice or behaviour of a player in a game. ${found[source]}`,
      ...(foundBy === 'program' ? ['A program of the provider detected it.'] : []),
    ].join(' '),
    source_type: sources[source],
    automated_detection: foundBy === 'program' ? 'Yes' : 'No',
    automated_decision: automation[decidedBy],
    puid: row.id,
  };
}
