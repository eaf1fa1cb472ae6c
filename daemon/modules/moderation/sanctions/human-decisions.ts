/** Decisions of people: sanctions that they imposed, took back, or judged in a review. */
import type { ReviewStore } from '../reviews/store.js';
import type { SanctionRow } from './sanction-rows.js';
import type { SanctionStore } from './store.js';

/** Sanctions that are looked at together. */
const sanctionsAtOnce = 2_000;

/** Returns those of the ids that are accounts. */
type PeopleOf = (ids: readonly string[]) => Promise<ReadonlySet<string>>;

interface DecidedByPeople {
  readonly sanction: SanctionRow & { readonly externalUserId: string };
  /** false: a review overturned it, or somebody took it back. */
  readonly stands: boolean;
  readonly at: Date;
}

export class HumanDecisions {
  constructor(
    private readonly sanctions: SanctionStore,
    private readonly reviews: Pick<ReviewStore, 'decidedAbout'>,
  ) {}

  /**
   * Decisions about all sanctions created in this time, newest first: of each the last that a person made. What rules and
   * API keys decided is left out; `peopleOf` says which of these ids are accounts.
   */
  async about(projectId: string, span: { after: Date; until: Date }, peopleOf: PeopleOf): Promise<DecidedByPeople[]> {
    const found: DecidedByPeople[] = [];
    for (let before: string | undefined; ; ) {
      const rows = await this.sanctions.allBetween(projectId, { ...span, before, take: sanctionsAtOnce });
      found.push(...(await this.decidedOf(projectId, rows, peopleOf)));
      before = rows.at(-1)?.id;
      if (rows.length < sanctionsAtOnce) return found;
    }
  }

  private async decidedOf(projectId: string, rows: readonly SanctionRow[], peopleOf: PeopleOf) {
    const reviews = await this.reviews.decidedAbout(
      projectId,
      rows.map(({ id }) => id),
    );
    const byId = new Map(reviews.map((review) => [review.sanctionId, review]));
    const decided = rows.flatMap((row) => {
      if (row.externalUserId === null) return [];
      const sanction = { ...row, externalUserId: row.externalUserId };
      const { decision, decidedAt = null, decidedByUserId = null } = byId.get(row.id) ?? {};
      const isAsked = row.type === 'human_review';
      return [
        {
          sanction,
          decisions: [
            { by: decidedByUserId, stands: decision === 'upheld', at: decidedAt },
            { by: row.revokedByUserId, stands: false, at: row.revokedAt },
            { by: isAsked ? null : row.createdByUserId, stands: true, at: row.createdAt },
          ],
        },
      ];
    });
    const ids = decided.flatMap(({ decisions }) => decisions.flatMap(({ by }) => by ?? []));
    const people = await peopleOf([...new Set(ids)]);
    return decided.flatMap(({ sanction, decisions }) => {
      const { stands, at = null } = decisions.find(({ by }) => by !== null && people.has(by)) ?? {};
      return stands === undefined || at === null ? [] : [{ sanction, stands, at }];
    });
  }
}
