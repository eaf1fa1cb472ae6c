/**
 * Turns requests into the rows to store, or into refusals. Set-based: ten thousand requests need as many database
 * queries as one.
 */

import { DomainError } from '../../../../src/contract/errors.js';
import { banTypes, kindOf } from '../../../../src/contract/moderation/sanction-kinds.js';
import type { SanctionTemplate } from '../../../../src/contract/moderation/sanction-templates.js';
import type { Participant } from '../../../../src/contract/people/participants.js';
import { needsSecondPerson } from '../../../../src/contract/reports/report-settings.js';
import { dateOrNull } from '../../../platform/database/column-values.js';
import { mapWithPauses } from '../../../platform/database/slices.js';
import type { ProjectGrant } from '../../../platform/http/caller.js';
import { uuidv7 } from '../../../platform/ids/new-id.js';
import type { Clock } from '../../../platform/time/clock.js';
import type { SaidLine, SpokenEvidence } from '../../sessions/evidence.js';
import type { BanConfirmations } from '../cases.js';
import { isAskedByRule, type ReviewStore } from '../reviews/store.js';
import { type DraftRequest, groundOf, originOf, type SanctionAuthor, type SanctionBasis } from './basis.js';
import type { PeopleLookup } from './journal.js';
import { endedBy, parametersOf, termOf } from './rules.js';
import { type SanctionRow, typeOf } from './sanction-rows.js';
import type { SanctionTemplates } from './templates.js';

export interface KnownIds {
  /** Returns the ids that the project has, out of these. */
  known(projectId: string, ids: string[]): Promise<ReadonlySet<string>>;
}

/** Looks up what a sanction refers to. */
interface SanctionReferences {
  readonly sessions: KnownIds;
  readonly messages: Pick<SpokenEvidence, 'facts'>;
  readonly reviews: Pick<ReviewStore, 'byIds'>;
  /** Rules as `id`, their versions as `id@version`. */
  readonly rules: KnownIds;
}

interface DraftContext {
  readonly byId: ReadonlyMap<string, Participant>;
  readonly byExternalId: ReadonlyMap<string, Participant>;
  readonly sessions: ReadonlySet<string>;
  readonly messages: ReadonlyMap<string, SaidLine>;
  readonly reviews: ReadonlySet<string>;
  readonly askedByRules: ReadonlySet<string>;
  readonly rules: ReadonlySet<string>;
  readonly templates: ReadonlyMap<string, SanctionTemplate>;
}

export class SanctionDrafts {
  constructor(
    private readonly people: PeopleLookup,
    private readonly references: SanctionReferences,
    private readonly templates: Pick<SanctionTemplates, 'named'>,
    private readonly settings: BanConfirmations,
    private readonly now: Clock,
    /** True where the rooms cannot hold speech to so many seconds a minute. */
    private readonly lacksSpeechLimits = false,
  ) {}

  /** A row or a refusal for each request, in their order. */
  async prepare(
    grant: Pick<ProjectGrant, 'tenantId' | 'projectId'>,
    author: SanctionAuthor,
    requests: readonly DraftRequest[],
  ): Promise<(SanctionRow | DomainError)[]> {
    const known = await this.lookUp(grant.projectId, requests);
    // Only bans of people, keys and links are asked about: what a case imposes was confirmed there, rules are nobody's decision.
    const isAsked = ({ type, led }: DraftRequest): boolean =>
      author.id !== null && led === undefined && banTypes.includes(type);
    const settings = requests.some(isAsked) ? await this.settings.get(grant.projectId) : null;
    const now = this.now();
    return mapWithPauses(requests, (request) => {
      try {
        if (this.lacksSpeechLimits) refuseSpeechLimit(request);
        const row = draft(grant, author, request, known, now);
        if (settings !== null && isAsked(request)) refuseAlone(settings, row);
        return row;
      } catch (error) {
        if (error instanceof DomainError) return error;
        throw error;
      }
    });
  }

  private async lookUp(projectId: string, requests: readonly DraftRequest[]): Promise<DraftContext> {
    const named = (field: 'participantId' | 'externalUserId' | 'sessionId' | 'template'): string[] => [
      ...new Set(requests.flatMap((request) => request[field] ?? [])),
    ];
    const evidence = requests.flatMap((request) => request.evidence ?? []);
    const messageIds = new Set(evidence.flatMap((one) => one.messageIds ?? []));
    const reviewIds = new Set(evidence.flatMap((one) => one.reviewId ?? []));
    const ruleIds = new Set(evidence.flatMap((one) => one.ruleId ?? []));
    const [byId, byExternalId, sessions, messages, reviews, rules, templates] = await Promise.all([
      this.people.byIds(projectId, named('participantId')),
      this.people.byExternalIds(projectId, named('externalUserId')),
      this.references.sessions.known(projectId, named('sessionId')),
      this.references.messages.facts(projectId, [...messageIds]),
      this.references.reviews.byIds(projectId, [...reviewIds]),
      this.references.rules.known(projectId, [...ruleIds]),
      this.templates.named(projectId, named('template')),
    ]);
    return {
      byId: new Map(byId.map((one) => [one.id, one])),
      byExternalId: new Map(byExternalId.map((one) => [one.externalUserId, one])),
      sessions,
      messages,
      reviews: new Set(reviews.map(({ id }) => id)),
      askedByRules: new Set(reviews.filter(isAskedByRule).map(({ id }) => id)),
      rules,
      templates,
    };
  }
}

/** Throws provider_unsupported. */
function refuseSpeechLimit({ type }: DraftRequest): void {
  if (kindOf(type).inRooms.includes('speak_at_length'))
    throw new DomainError('provider_unsupported', {
      message: `The rooms of this installation are carried by LiveKit, which cannot hold speech to so many seconds a minute: ${type} would have no effect. Impose a mute that ends.`,
    });
}

/** Throws ban_needs_second_person. */
export function refuseAlone(
  settings: Parameters<typeof needsSecondPerson>[0],
  row: Pick<SanctionRow, 'type' | 'startAt' | 'endAt'>,
): void {
  const seconds = row.endAt === null ? null : (row.endAt.getTime() - row.startAt.getTime()) / 1_000;
  if (needsSecondPerson(settings, typeOf(row), seconds)) throw new DomainError('ban_needs_second_person');
}

/** People are people. Throws validation_failed. */
export function refuseProgram({ isPerson }: Pick<SanctionAuthor, 'isPerson'>, { decidedBy }: Deciding, path: string) {
  if (!isPerson || decidedBy !== 'program') return;
  throw new DomainError('validation_failed', {
    message: 'A person who is signed in decides as a person. Leave decidedBy out, or use an API key.',
    details: [{ path, message: 'must be person, or absent' }],
  });
}
type Deciding = Pick<DraftRequest, 'decidedBy'>;

/** Throws the refusals of createSanction. */
function draft(
  { tenantId, projectId }: Pick<ProjectGrant, 'tenantId' | 'projectId'>,
  author: SanctionAuthor,
  request: DraftRequest,
  known: DraftContext,
  now: Date,
): SanctionRow {
  const target = targetOf(request, known);
  if (request.sessionId !== undefined && !known.sessions.has(request.sessionId))
    throw new DomainError('session_not_found');
  refuseForeignEvidence(request, known);
  if (request.led === undefined) refuseProgram(author, request, 'body.decidedBy');
  const startAt = dateOrNull(request.startAt) ?? now;
  const requested = { startAt, durationSeconds: request.duration ?? null, endAt: dateOrNull(request.endAt) };
  const term = termOf(request.type, requested);
  return {
    id: uuidv7(),
    tenantId,
    projectId,
    ...target,
    sessionId: request.sessionId ?? null,
    type: request.type,
    scope: request.scope ?? null,
    metadata: request.metadata ?? null,
    parameters: parametersOf(request.type, request.parameters),
    evidence: request.evidence ?? null,
    ...reasonOf(request, author, known),
    note: request.note ?? null,
    ...term,
    begunAt: startAt <= now ? startAt : null,
    ...endedBy(term, now),
    createdByUserId: author.id,
    createdAt: now,
    updatedAt: now,
    revokedAt: null,
    revokedByUserId: null,
    revokeReason: null,
    batchId: null,
    batchLine: null,
    changedByUserIds: null,
  };
}

/** Evidence must exist in the project. Throws validation_failed. */
function refuseForeignEvidence({ evidence, led }: DraftRequest, { messages, reviews, rules }: DraftContext): void {
  if (led !== undefined) return; // of the case itself, also where its rule or lines are deleted by now
  const { messageIds = [], reviewId, ruleId, ruleVersion } = evidence ?? {};
  const details = messageIds.flatMap((id, index) =>
    messages.has(id)
      ? []
      : [{ path: `body.evidence.messageIds.${index}`, message: `the project has no message ${id}` }],
  );
  if (reviewId !== undefined && !reviews.has(reviewId))
    details.push({ path: 'body.evidence.reviewId', message: `the project has no review ${reviewId}` });
  if (ruleId !== undefined && !rules.has(ruleId))
    details.push({ path: 'body.evidence.ruleId', message: `the project has no rule ${ruleId}` });
  else if (ruleVersion !== undefined && ruleId === undefined)
    details.push({ path: 'body.evidence.ruleId', message: 'a rule version needs its rule' });
  else if (ruleVersion !== undefined && !rules.has(`${ruleId}@${ruleVersion}`))
    details.push({ path: 'body.evidence.ruleVersion', message: `the rule has no version ${ruleVersion}` });
  if (details.length === 0) return;
  const missing = details.map(({ message }) => message).join('; ');
  const message = `The evidence does not belong to the project: ${missing}. Correct or omit it.`;
  throw new DomainError('validation_failed', { message, details });
}

/** A participant also sets the external user id, so that the sanction outlives the participant's row. */
function targetOf({ participantId, externalUserId }: DraftRequest, { byId, byExternalId }: DraftContext) {
  if (participantId === undefined) {
    if (externalUserId === undefined) throw new DomainError('sanction_target_required');
    return { participantId: byExternalId.get(externalUserId)?.id ?? null, externalUserId };
  }
  const participant = byId.get(participantId);
  if (participant === undefined) throw new DomainError('participant_not_found');
  if (externalUserId !== undefined && externalUserId !== participant.externalUserId)
    throw new DomainError('sanction_target_mismatch');
  return { participantId, externalUserId: participant.externalUserId };
}

/** A reason of its own goes before that of the template, in every language. Throws sanction_template_not_found. */
function reasonOf(
  request: DraftRequest,
  author: SanctionAuthor,
  known: DraftContext,
): Pick<SanctionRow, 'reason' | 'basis'> {
  const { reason, template, ground } = request;
  const stored = template === undefined ? null : known.templates.get(template);
  if (stored === undefined) throw new DomainError('sanction_template_not_found');
  const basis: SanctionBasis = {
    ...originOf(request, author, known),
    ground: groundOf(ground ?? stored?.ground ?? null, request),
    template: template ?? null,
    reasons: reason === undefined ? (stored?.reasons ?? {}) : {},
  };
  return { reason: reason ?? stored?.reason ?? null, basis };
}
