/** Builds the services of moderation. */
import type { Platform } from '../../platform/platform.js';
import { ReviewOpening } from './reviews/opening.js';
import { RuleReviews } from './reviews/rule-reviews.js';
import { type Evidence, type ReviewedSanctions, ReviewService } from './reviews/service.js';
import { ReviewStore } from './reviews/store.js';
import type { AuthorNames } from './sanctions/authors.js';
import { AutomaticSanctions } from './sanctions/automatic.js';
import { BatchStore } from './sanctions/batch-store.js';
import { type NamesakesOf, SanctionBatches } from './sanctions/batches.js';
import { type KnownIds, SanctionDrafts } from './sanctions/drafts.js';
import { ErasedBans } from './sanctions/erased-ban-store.js';
import { SanctionErasure } from './sanctions/erasure.js';
import { HumanDecisions } from './sanctions/human-decisions.js';
import { SanctionIssuing } from './sanctions/issuing.js';
import { type PeopleLookup, SanctionJournal } from './sanctions/journal.js';
import { PolicyReader, type RoomsOfSessions } from './sanctions/policy-reader.js';
import type { RoomEnforcer } from './sanctions/room-enforcer.js';
import { SanctionService } from './sanctions/service.js';
import { SanctionStore } from './sanctions/store.js';
import { TemplateStore } from './sanctions/template-store.js';
import { SanctionTemplates } from './sanctions/templates.js';
import { SanctionTerms } from './sanctions/terms.js';
import { SanctionUndoing } from './sanctions/undoing.js';

/** The stored sanctions and their effect on rooms: rooms read this before any sanction is issued. */
export interface Policies {
  readonly reader: PolicyReader;
  readonly erasedBans: ErasedBans;
  readonly store: SanctionStore;
}

export function policiesOf(
  { database, now }: Pick<Platform, 'database' | 'now'>,
  { erasureKey, roomsOf }: { readonly erasureKey: Uint8Array; readonly roomsOf: RoomsOfSessions },
): Policies {
  const store = new SanctionStore(database);
  const erasedBans = new ErasedBans(database, erasureKey);
  return { reader: new PolicyReader(store, erasedBans, roomsOf, now), erasedBans, store };
}

interface ModerationPorts {
  readonly policies: Policies;
  readonly enforcer: RoomEnforcer;
  readonly people: PeopleLookup & { readonly namesakesOf: NamesakesOf };
  readonly authors: AuthorNames;
  readonly knownSessions: KnownIds;
  readonly knownRules: KnownIds;
  readonly evidence: Evidence & { readonly known: KnownIds };
}

export function moderationServices(
  { database, log, now }: Pick<Platform, 'database' | 'log' | 'now'>,
  ports: ModerationPorts,
) {
  const { policies, enforcer, people, authors, knownSessions, knownRules, evidence } = ports;
  const { store, erasedBans } = policies;
  const journal = new SanctionJournal(log, people, authors, now);
  const undoing = new SanctionUndoing(database, store, journal, enforcer, now);
  const templates = new SanctionTemplates(database, new TemplateStore(database), now);
  const reasons = (projectId: string, names: string[]) => templates.reasons(projectId, names);
  const reviewStore = new ReviewStore(database);
  const references = {
    sessions: knownSessions,
    messages: (projectId: string, ids: string[]) => evidence.known(projectId, ids),
    reviews: (projectId: string, ids: string[]) => reviewStore.known(projectId, ids),
    rules: knownRules,
  };
  const drafts = new SanctionDrafts(people, references, reasons, now);
  const opening = new ReviewOpening(reviewStore, now);
  const issuing = new SanctionIssuing(log, store, journal, opening);
  const sanctions = new SanctionService({ database, sanctions: store, drafts, journal, enforcer, issuing, now });
  const ruleReviews = new RuleReviews(database, log, reviewStore, store, now);
  const reviewed: ReviewedSanctions = {
    find: (...which) => sanctions.find(...which),
    naming: (...which) => sanctions.naming(...which),
    revokeIn: (...revocation) => sanctions.revokeIn(...revocation),
    restoreIn: (...revocation) => sanctions.restoreIn(...revocation),
    holds: (changed) => enforcer.holds(changed),
  };
  const reviews = new ReviewService({
    database,
    log,
    reviews: reviewStore,
    opening,
    sanctions: reviewed,
    evidence,
    now,
  });
  return {
    sanctions,
    reviews,
    templates,
    decidedByPeople: new HumanDecisions(store, reviewStore),
    automatic: new AutomaticSanctions(drafts, issuing, store, enforcer, undoing, ruleReviews),
    batches: new SanctionBatches({
      database,
      batches: new BatchStore(database),
      sanctions: store,
      drafts,
      enforcer,
      issuing,
      undoing,
      namesakesOf: (...asked) => people.namesakesOf(...asked),
      now,
    }),
    terms: new SanctionTerms({ database, sanctions: store, journal, enforcer, now }),
    erasure: new SanctionErasure({ database, log, sanctions: store, erasedBans, enforcer, now }),
  };
}
