/** The part of cases and reports that moderation needs. They rest on moderation and fulfil this; moderation knows none of them. */
import type { SanctionCase } from '../../../src/contract/moderation/reviews.js';
import type { Misuse } from '../../../src/contract/reports/misuse.js';
import type { ReportSettings } from '../../../src/contract/reports/report-settings.js';
import type { Transaction } from '../../platform/database/database.js';
import type { ReviewRow } from './reviews/store.js';
import type { SanctionRow } from './sanctions/sanction-rows.js';

/** Keeps the cases in which reviews are in step with them, within the transaction of the reviews. */
export interface ReviewCases {
  /** @param options.minors the people among them who are known to be minors */
  addReviews(
    tx: Transaction,
    reviews: readonly ReviewRow[],
    options?: { readonly minors?: ReadonlySet<string> },
  ): Promise<void>;
  reviewsDecided(tx: Transaction, projectId: string, reviewIds: readonly string[], byUserId: string): Promise<void>;
  /** The person who proposed the sanction that a case imposed; null: nobody else than who imposed it. */
  proposerOf(
    tx: Transaction,
    sanction: Pick<ReviewRow, 'sanctionId' | 'projectId' | 'externalUserId'>,
  ): Promise<string | null>;
}

/** Shows the decided case that led to a sanction; null: the case is gone. */
export interface CaseReader {
  of(projectId: string, id: string): Promise<SanctionCase | null>;
}

/** Warnings and suspensions of people for manifestly unfounded appeals (Digital Services Act, Article 23(2)). */
export interface AppealMisuse {
  /** Stores and announces what follows when an appeal was decided as manifestly unfounded, or that was taken back. */
  appealsChanged(
    tx: Transaction,
    project: Pick<SanctionRow, 'tenantId' | 'projectId'>,
    externalUserId: string,
    unfounded: { readonly before: readonly Date[]; readonly after: readonly Date[] },
  ): Promise<void>;
  /** Until when a person may not appeal; null: they may. */
  appealsSuspendedUntil(projectId: string, externalUserId: string): Promise<Date | null>;
  /** Returns what holds for somebody now, also for their reports, in the first of the languages that there is. */
  told(projectId: string, externalUserId: string, languages: readonly (string | null | undefined)[]): Promise<Misuse[]>;
}

/** Keeps what rests on sanctions in step with them. */
export interface SanctionOutcomes {
  /** Runs a change of locked sanctions of one project, or of the reviews about them, and lets what rests on them follow. */
  during<T>(
    tx: Transaction,
    sanctions: readonly Pick<SanctionRow, 'id' | 'tenantId' | 'projectId' | 'externalUserId'>[],
    change: () => Promise<T>,
  ): Promise<T>;
}

/** Says which bans of a project a second person confirms. */
export interface BanConfirmations {
  get(projectId: string): Promise<Pick<ReportSettings, 'confirmPermanentBans' | 'confirmBansOver'>>;
}
