/** Builds the services of moderation. */
import type { Platform } from '../../platform/platform.js';
import type { AccountDirectory } from '../identity/directory.js';
import type { ParticipantDirectory } from '../people/directory.js';
import type { NoticeStore } from '../people/notice-store.js';
import type { ProjectStore } from '../projects/store.js';
import type { CaseIntake } from '../reports/cases/intake.js';
import type { ReportOutcomes } from '../reports/cases/outcomes.js';
import type { MisuseNotices } from '../reports/reporters/misuse.js';
import type { ReporterStore } from '../reports/reporters/reporter-store.js';
import type { SpokenEvidence } from '../sessions/evidence.js';
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
  readonly people: PeopleLookup & Namesakes & Pick<ParticipantDirectory, 'lock'>;
  readonly notices: Pick<NoticeStore, 'newest'>;
  readonly projects: Pick<ProjectStore, 'isOpen'>;
  readonly authors: AuthorNames;
  readonly sessions: KnownIds;
  readonly rules: KnownIds;
  readonly evidence: Evidence & Pick<SpokenEvidence, 'facts'>;
  readonly accounts: Pick<AccountDirectory, 'behind'>;
  readonly holders: ClaimHolders;
  readonly cases: Pick<CaseIntake, 'addReviews' | 'reviewsDecided' | 'proposerOf'>;
  readonly misuse: Pick<MisuseNotices, 'announceAppeals' | 'appealsSuspendedUntil' | 'told'>;
  readonly reporters: Pick<ReporterStore, 'find'>;
  readonly outcomes: Pick<ReportOutcomes, 'during'>;
}

export function moderationServices(
  { database, log, publicUrl, now }: Pick<Platform, 'database' | 'log' | 'publicUrl' | 'now'>,
  ports: ModerationPorts,
) {
  const { records, enforcer, people, authors, sessions, rules, evidence, cases, misuse, reporters, outcomes } = ports;
  const { store, erasedBans, reviews: reviewStore, takenBack, standingCodes: codes } = records;
  const statements = new StatementWriter(reviewStore, people, codes, publicUrl, now);
  const journal = new SanctionJournal(log, people, authors, statements, now);
  const undoing = new SanctionUndoing(database, store, erasedBans, journal, enforcer, outcomes, now);
  const templates = new SanctionTemplates(database, new TemplateStore(database), now);
  const references = { sessions, messages: evidence, reviews: reviewStore, rules };
  const drafts = new SanctionDrafts(people, references, templates, now);
  const opening = new ReviewOpening(reviewStore, cases, people, now);
  const issuing = new SanctionIssuing(log, store, journal, opening);
  const sanctions = new SanctionService({
    ...{ database, sanctions: store, drafts, journal, enforcer, issuing, undoing, outcomes, now },
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
    holders: ports.holders,
    now,
  });
  return {
    sanctions,
    reviews,
    standing: new StandingService({
      ...{ sanctions: store, reviews, appeals: reviewStore, statements, codes, now },
      ...{ unfounded: takenBack, reporters, misuse, people, notices: ports.notices, projects: ports.projects },
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
    erasure: new SanctionErasure({ database, journal, sanctions: store, erasedBans, enforcer, now }),
  };
}
