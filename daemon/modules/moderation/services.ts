/** Builds the services of moderation. */
import { KeptIds } from '../../platform/database/kept-ids.js';
import type { Platform } from '../../platform/platform.js';
import type { AccountDirectory } from '../identity/directory.js';
import type { ParticipantDirectory } from '../people/directory.js';
import type { NoticeStore } from '../people/notice-store.js';
import type { SettingsStore } from '../projects/settings/store.js';
import type { ProjectStore } from '../projects/store.js';
import type { SpokenEvidence } from '../sessions/evidence.js';
import type { AppealMisuse, BanConfirmations, CaseReader, ReviewCases, SanctionOutcomes } from './cases.js';
import type { ClaimHolders } from './claim-holders.js';
import type { ModerationRecords } from './records.js';
import { ReviewOpening } from './reviews/opening.js';
import { RuleReviews } from './reviews/rule-reviews.js';
import { type Evidence, ReviewService } from './reviews/service.js';
import type { AuthorNames } from './sanctions/authors.js';
import { AutomaticSanctions } from './sanctions/automatic.js';
import { BatchStore } from './sanctions/batch-store.js';
import { type Namesakes, SanctionBatches } from './sanctions/batches.js';
import { type KnownIds, SanctionDrafts } from './sanctions/drafts.js';
import { SanctionErasure } from './sanctions/erasure.js';
import { HumanDecisions } from './sanctions/human-decisions.js';
import { SanctionIssuing } from './sanctions/issuing.js';
import { type PeopleLookup, SanctionJournal } from './sanctions/journal.js';
import { KeptEvidence } from './sanctions/kept-evidence.js';
import type { RoomEnforcer } from './sanctions/room-enforcer.js';
import { SanctionService } from './sanctions/service.js';
import { TemplateStore } from './sanctions/template-store.js';
import { SanctionTemplates } from './sanctions/templates.js';
import { SanctionTerms } from './sanctions/terms.js';
import { SanctionUndoing } from './sanctions/undoing.js';
import { StandingService } from './standing/service.js';
import { StatementWriter } from './standing/statements.js';

interface ModerationPorts {
  readonly records: ModerationRecords;
  readonly enforcer: RoomEnforcer;
  readonly people: PeopleLookup & Namesakes & Pick<ParticipantDirectory, 'lock' | 'matching'>;
  readonly notices: Pick<NoticeStore, 'newest'>;
  readonly projects: Pick<ProjectStore, 'isOpen'>;
  /** The names of game and operator. */
  readonly services: Pick<SettingsStore, 'serviceOf'>;
  readonly authors: AuthorNames;
  readonly sessions: KnownIds;
  readonly rules: KnownIds;
  readonly evidence: Evidence & Pick<SpokenEvidence, 'facts'>;
  readonly accounts: Pick<AccountDirectory, 'behind' | 'names'>;
  readonly decided: CaseReader;
  readonly settings: BanConfirmations;
  readonly holders: ClaimHolders;
  readonly cases: ReviewCases;
  readonly misuse: AppealMisuse;
  readonly outcomes: SanctionOutcomes;
  /** True where the rooms cannot hold speech to so many seconds a minute. */
  readonly lacksSpeechLimits?: boolean;
}

export function moderationServices(
  { database, log, now }: Pick<Platform, 'database' | 'log' | 'now'>,
  ports: ModerationPorts,
) {
  const { records, enforcer, people, authors, sessions, rules, evidence, cases, misuse, outcomes } = ports;
  const { store, erasedBans, reviews: reviewStore, takenBack, standingCodes: codes, standingUrl } = records;
  const statements = new StatementWriter(reviewStore, people, standingUrl, ports.services, now);
  const journal = new SanctionJournal(log, people, authors, statements, now);
  const undoing = new SanctionUndoing(database, store, erasedBans, journal, enforcer, outcomes, now);
  const templates = new SanctionTemplates(database, new TemplateStore(database), now);
  const references = { sessions, messages: evidence, reviews: reviewStore, rules };
  const drafts = new SanctionDrafts(
    ...([people, references, templates, ports.settings, now] as const),
    ports.lacksSpeechLimits,
  );
  const opening = new ReviewOpening(reviewStore, cases, people, now);
  const kept = new KeptIds(database);
  const issuing = new SanctionIssuing(log, store, journal, opening, kept);
  const sanctions = new SanctionService({
    ...{
      settings: ports.settings,
      database,
      sanctions: store,
      drafts,
      journal,
      enforcer,
      issuing,
      undoing,
      outcomes,
      now,
    },
  });
  const ruleReviews = new RuleReviews(database, log, reviewStore, cases, store, now);
  const reviews = new ReviewService({
    database,
    log,
    reviews: reviewStore,
    takenBack,
    opening,
    sanctions,
    people,
    enforcer,
    evidence,
    cases,
    misuse,
    accounts: ports.accounts,
    decided: ports.decided,
    rows: store,
    statements,
    holders: ports.holders,
    now,
  });
  return {
    sanctions,
    reviews,
    standing: new StandingService({
      ...{ sanctions: store, reviews, appeals: reviewStore, statements, codes, now },
      ...{ misuse, people, notices: ports.notices, projects: ports.projects },
    }),
    templates,
    decidedByPeople: new HumanDecisions(store, reviewStore),
    automatic: new AutomaticSanctions(drafts, issuing, store, enforcer, undoing, ruleReviews, takenBack, now),
    batches: new SanctionBatches({
      database,
      batches: new BatchStore(database),
      sanctions: store,
      erasedBans,
      drafts,
      enforcer,
      issuing,
      undoing,
      people,
      now,
    }),
    terms: new SanctionTerms({ database, sanctions: store, journal, enforcer, now }),
    keptEvidence: new KeptEvidence(kept, store, reviewStore, now),
    erasure: new SanctionErasure({ database, journal, sanctions: store, erasedBans, enforcer, now }),
  };
}
