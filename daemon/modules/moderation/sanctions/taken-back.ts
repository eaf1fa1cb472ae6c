/** Sanctions that no longer stand, and the unfounded appeals that still count. */
import type { Reader, Transaction } from '../../../platform/database/database.js';
import type { ReviewStore } from '../reviews/store.js';
import { replacementOf } from './rules.js';
import type { SanctionStore } from './store.js';

export class SanctionsTakenBack {
  constructor(
    private readonly sanctions: Pick<SanctionStore, 'revokedAmong'>,
    private readonly reviews: Pick<ReviewStore, 'decidedAbout' | 'decidedAppeals' | 'unfoundedAppeals'>,
  ) {}

  /**
   * Those of the sanctions that were revoked, or overturned by a review after they had ended. One that another replaced stands
   * while that one does.
   */
  async among(projectId: string, ids: readonly string[], reader?: Reader | Transaction): Promise<ReadonlySet<string>> {
    if (ids.length === 0) return new Set();
    const revoked = await this.sanctions.revokedAmong(projectId, ids, reader);
    const decided = await this.reviews.decidedAbout(projectId, ids, reader);
    const replacements = revoked.flatMap((row) => replacementOf(row) ?? []);
    const gone = await this.among(projectId, [...new Set(replacements)], reader);
    const withdrawn = revoked.filter((row) => {
      const replacement = replacementOf(row);
      return replacement === null || gone.has(replacement);
    });
    const overturned = decided.filter(({ decision }) => decision === 'overturned');
    return new Set([...withdrawn.map(({ id }) => id), ...overturned.map(({ sanctionId }) => sanctionId)]);
  }

  /** How many appeals of a person's own were decided since then. */
  decidedAppeals = (projectId: string, externalUserId: string, since: Date, reader?: Reader | Transaction) =>
    this.reviews.decidedAppeals(projectId, externalUserId, since, reader);

  /** When the manifestly unfounded appeals of a person were decided, without those against what was taken back since. */
  async unfoundedAppeals(projectId: string, externalUserId: string, reader?: Reader | Transaction): Promise<Date[]> {
    const appeals = await this.reviews.unfoundedAppeals(projectId, externalUserId, reader);
    const ids = appeals.map(({ sanctionId }) => sanctionId);
    const gone = await this.among(projectId, ids, reader);
    return appeals.flatMap(({ sanctionId, decidedAt }) => (gone.has(sanctionId) ? [] : (decidedAt ?? [])));
  }
}
