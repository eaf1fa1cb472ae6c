/** Part of the composition root: sanctions, from their stores to their routes and their effect in the rooms. */
import type { DomainEvent } from '../../../src/contract/events.js';
import type { Participant } from '../../../src/contract/people/participants.js';
import type { Clock } from '../../platform/clock.js';
import type { Database } from '../../platform/database/database.js';
import type { LogFollower } from '../../platform/events/follower.js';
import type { EventLog } from '../../platform/events/log.js';
import type { BoundRoute } from '../../platform/http/bind.js';
import type { Logger } from '../../platform/observability/logger.js';
import type { Eraser } from '../people/service.js';
import { type ParticipantStore, toParticipant } from '../people/store.js';
import { reviewRouter } from './reviews/routes.js';
import { type Evidence, type ReviewedSanctions, ReviewService } from './reviews/service.js';
import { ReviewStore } from './reviews/store.js';
import { SanctionBatches } from './sanctions/batches.js';
import { type KnownIds, SanctionDrafts } from './sanctions/drafts.js';
import { Enforcement, type RoomsOfSessions, type SanctionEffects } from './sanctions/enforcement.js';
import { ErasedBans } from './sanctions/erased-bans.js';
import { SanctionErasure } from './sanctions/erasure.js';
import { SanctionIssuing } from './sanctions/issuing.js';
import { type PeopleLookup, SanctionJournal } from './sanctions/journal.js';
import { sanctionBatchRouter, sanctionRouter, sanctionTemplateRouter } from './sanctions/routes.js';
import { SanctionService } from './sanctions/service.js';
import { SanctionStore } from './sanctions/store.js';
import { SanctionTemplates } from './sanctions/templates.js';
import { SanctionTerms } from './sanctions/terms.js';

interface Neighbours {
  readonly database: Database;
  readonly log: EventLog;
  readonly participants: ParticipantStore;
  readonly evidence: Evidence & { readonly known: KnownIds };
  readonly sessions: { readonly known: KnownIds; readonly roomsOf: RoomsOfSessions };
  readonly effects: SanctionEffects;
  /** Of the keyed hashes that bans of erased people are known by. */
  readonly erasureKey: Uint8Array;
  readonly now: Clock;
}

export interface Moderation {
  readonly sanctions: SanctionService;
  readonly reviews: ReviewService;
  readonly batches: SanctionBatches;
  readonly enforcement: Enforcement;
  readonly terms: SanctionTerms;
  /** Takes a person's sanctions and reviews, in the transaction that erases them elsewhere. */
  readonly erase: Eraser;
  readonly erasure: SanctionErasure;
  readonly routes: BoundRoute[];
}

export function composeModeration(neighbours: Neighbours): Moderation {
  const { database, log, participants, sessions, evidence, effects, erasureKey, now } = neighbours;
  const store = new SanctionStore(database);
  const erasedBans = new ErasedBans(database, erasureKey);
  const people: PeopleLookup = {
    byIds: async (projectId, ids) => (await participants.byIds(projectId, ids)).map(toParticipant),
    byExternalIds: async (projectId, ids): Promise<Participant[]> =>
      (await participants.byExternalIds(projectId, ids)).map(toParticipant),
  };
  const journal = new SanctionJournal(log, people, now);
  const templates = new SanctionTemplates(database, now);
  const reasons = (projectId: string, names: string[]) => templates.reasons(projectId, names);
  const reviewStore = new ReviewStore(database);
  const pointed = {
    sessions: sessions.known,
    messages: (projectId: string, ids: string[]) => evidence.known(projectId, ids),
    reviews: (projectId: string, ids: string[]) => reviewStore.known(projectId, ids),
  };
  const drafts = new SanctionDrafts(people, pointed, reasons, now);
  const issuing = new SanctionIssuing(log, store, journal, (issued, actorId) => reviews.openingFor(issued, actorId));
  const enforcement = new Enforcement(store, erasedBans, sessions.roomsOf, effects, now);
  const sanctions = new SanctionService(database, store, drafts, journal, enforcement, issuing, now);
  const reviewed: ReviewedSanctions = {
    find: (...which) => sanctions.find(...which),
    naming: (...which) => sanctions.naming(...which),
    revokeIn: (...revocation) => sanctions.revokeIn(...revocation),
    enforceAll: (changed) => enforcement.enforceAll(changed),
  };
  const reviews = new ReviewService(database, log, reviewStore, reviewed, evidence, now);
  const batches = new SanctionBatches(database, store, drafts, journal, enforcement, issuing, now);
  const erasure = new SanctionErasure(database, log, store, erasedBans, enforcement, now);
  return {
    sanctions,
    reviews,
    batches,
    enforcement,
    terms: new SanctionTerms(database, store, erasedBans, journal, enforcement, now),
    erase: async (tx, projectId, person) => {
      await erasure.erase(tx, projectId, person);
      await reviewStore.remove(tx, projectId, person);
    },
    erasure,
    routes: [
      ...sanctionRouter(sanctions, erasure),
      ...sanctionBatchRouter(batches),
      ...sanctionTemplateRouter(templates),
      ...reviewRouter(reviews),
    ],
  };
}

/**
 * Brings into this daemon's rooms what was imposed on another one, and what a session's end lifts. Enforcing what
 * holds already is harmless.
 */
export function followModeration(follower: LogFollower, enforcement: Enforcement, logger: Logger): () => void {
  const follow = async (events: readonly DomainEvent[]): Promise<void> => {
    await enforcement.enforceAll(events.filter(({ type }) => type.startsWith('sanction.')).map(whomFor));
    for (const { projectId, resourceId } of events.filter(({ type }) => /^session\.(updated|deleted)$/.test(type)))
      if (projectId !== undefined) await enforcement.sessionChanged(projectId, resourceId.slice('session:'.length));
  };
  return follower.onEvents((events) => {
    follow(events.map(({ event }) => event)).catch((error: unknown) =>
      logger.error({ err: error }, 'sanctions of the log could not be brought into the rooms'),
    );
  });
}

const whomFor = ({ projectId = '', payload: { data } }: DomainEvent) => {
  const person = typeof data === 'object' && data !== null ? Reflect.get(data, 'externalUserId') : null;
  return { projectId, externalUserId: typeof person === 'string' ? person : null };
};
