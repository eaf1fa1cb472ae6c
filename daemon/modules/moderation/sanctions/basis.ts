/**
 * What a sanction rests on, gathered from what led to it when it is imposed: Regulation (EU) 2022/2065, Article 17(3). It is
 * stored with the sanction; statements, figures and exports say what is stored, and guess nothing. Pure.
 */
import type { Sanction } from '../../../../src/contract/moderation/sanction-record.js';
import type { CreateSanctionRequest } from '../../../../src/contract/moderation/sanctions.js';
import {
  type DecidedBy,
  type FoundBy,
  type Ground,
  type StatementSource,
  unstatedOrigin,
} from '../../../../src/contract/moderation/statement-basis.js';
import type { SaidLine } from '../../sessions/evidence.js';

/** Who imposes sanctions. */
export interface SanctionAuthor {
  /** User, API key, or participant with a moderator's link; null: a rule. */
  readonly id: string | null;
  readonly isPerson: boolean;
}

/** What was judged: when it was said, and whether it was spoken or written. */
interface JudgedContent {
  /** The first of it; RFC 3339. */
  readonly at: string;
  readonly kinds: readonly ('speech' | 'text')[];
}

/** What its statement of reasons says besides. */
export interface SanctionBasis {
  readonly source: StatementSource;
  readonly foundBy: FoundBy;
  readonly decidedBy: DecidedBy;
  /** The case in which it was decided, and its category; null: it was imposed without one. */
  readonly caseId: string | null;
  readonly category: string | null;
  /** null: nothing says it. */
  readonly content: JudgedContent | null;
  readonly ground: Ground | null;
  readonly template: string | null;
  /** Reason by language. */
  readonly reasons: Readonly<Record<string, string>>;
}

/** What a case knows about the sanction that it imposes; it goes before what the request says. */
export interface LedBy {
  readonly caseId: string;
  readonly category: string;
  readonly source: StatementSource;
  readonly decidedBy: DecidedBy;
  /** When what was reported happened, where no message says it; RFC 3339. */
  readonly reportedAt: string | null;
  /** The law that an order names; it is the ground where neither request nor template names another law. */
  readonly law: string | null;
}

/** As long as the reference of a ground may be. */
const groundMax = 500;

export type DraftRequest = CreateSanctionRequest & { readonly led?: LedBy };

interface KnownEvidence {
  readonly messages: ReadonlyMap<string, SaidLine>;
  /** Reviews that rules asked for. */
  readonly askedByRules: ReadonlySet<string>;
}

/** Who found and who decided, and what was judged. */
export function originOf(
  { led, decidedBy, foundBy, source, evidence = {} }: DraftRequest,
  author: SanctionAuthor,
  known: KnownEvidence,
): Pick<SanctionBasis, 'source' | 'foundBy' | 'decidedBy' | 'caseId' | 'category' | 'content'> {
  const { messageIds = [], ruleId, reviewId } = evidence;
  const named = messageIds.flatMap((id) => known.messages.get(id) ?? []);
  const decider = decidedBy ?? (author.isPerson ? 'person' : 'program');
  const brought = led?.source ?? source ?? 'own_initiative';
  const isFound =
    ruleId !== undefined || known.askedByRules.has(reviewId ?? '') || named.some(({ isFlagged }) => isFlagged);
  const isOwnOfProgram = led === undefined && decider === 'program' && brought === 'own_initiative';
  return {
    source: brought,
    foundBy: foundBy ?? (isFound || isOwnOfProgram ? 'program' : 'person'),
    decidedBy: led?.decidedBy ?? decider,
    caseId: led?.caseId ?? null,
    category: led?.category ?? null,
    content: contentOf(named, led?.reportedAt ?? null),
  };
}

/** The law or the terms that it is against. `stated`: of the request, else of its template. */
export function groundOf(stated: Ground | null, { led }: DraftRequest): Ground | null {
  const law = led?.law ?? null;
  return law === null || stated?.kind === 'law' ? stated : { kind: 'law', reference: law.slice(0, groundMax) };
}

function contentOf(named: readonly SaidLine[], reportedAt: string | null): JudgedContent | null {
  const times = [...named.map(({ saidAt }) => saidAt.toISOString()), ...(reportedAt === null ? [] : [reportedAt])];
  const [at] = times.sort();
  if (at === undefined) return null;
  return { at, kinds: [...new Set(named.flatMap(({ origin }) => origin ?? []))].sort() };
}

interface BasedSanction {
  /** As it is stored; null and what is missing: of an earlier version. */
  readonly basis: Partial<SanctionBasis> | null;
  readonly evidence: Pick<NonNullable<Sanction['evidence']>, 'ruleId'> | null;
  readonly createdByUserId: string | null;
}

/** Earlier versions stored less. */
export const completeBasis = ({ basis, ...sanction }: BasedSanction): SanctionBasis => ({
  ...{ source: 'own_initiative', caseId: null, category: null, content: null },
  ...unstatedOrigin(sanction),
  ...{ ground: null, template: null, reasons: {} },
  ...basis,
});
