/**
 * Keeps the evidence of sanctions until the last appeal against them can be decided (Regulation (EU) 2022/2065, Article 20(1)):
 * the cases that led to them, with their reports, and the messages that they name.
 */
import { isToldType } from '../../../../src/contract/moderation/sanction-kinds.js';
import type { KeptIds, KeptRow } from '../../../platform/database/kept-ids.js';
import type { PersonalData } from '../../../platform/scheduler/keep-personal-data.js';
import type { Clock } from '../../../platform/time/clock.js';
import { dayMs } from '../../../platform/time/spans.js';
import { appealableUntil } from '../reviews/rules.js';
import type { ReviewStore } from '../reviews/store.js';
import { statusOf } from './rules.js';
import { type SanctionRow, typeOf } from './sanction-rows.js';
import type { SanctionStore } from './store.js';

/** The ids that a new sanction keeps; none where nobody can appeal. */
export function keptBy(row: SanctionRow): KeptRow[] {
  if (!isToldType(typeOf(row))) return [];
  const { id: sanctionId, projectId } = row;
  const { caseId } = row.basis;
  const ids = new Set([...(caseId === null ? [] : [caseId]), ...(row.evidence?.messageIds ?? [])]);
  return [...ids].map((keptId) => ({ projectId, keptId, sanctionId, checkAt: appealableUntil(row) }));
}

export class KeptEvidence implements PersonalData {
  readonly kind = 'ids of evidence';

  constructor(
    private readonly kept: KeptIds,
    private readonly sanctions: Pick<SanctionStore, 'byIds'>,
    private readonly reviews: Pick<ReviewStore, 'withWaitingAppeal'>,
    private readonly now: Clock,
  ) {}

  /** Gives up to `limit` ids free of sanctions that can be appealed against no more. */
  async prune(limit: number): Promise<number> {
    const now = this.now();
    let released = 0;
    for (const [projectId, ids] of await this.kept.due(now, limit)) {
      const rows = await this.sanctions.byIds(projectId, ids);
      const waiting = await this.reviews.withWaitingAppeal(projectId, ids);
      const needed = new Set(rows.flatMap((row) => (waiting.has(row.id) || isAppealable(row, now) ? [row.id] : [])));
      released += await this.kept.release(ids.filter((id) => !needed.has(id)));
      await this.kept.postpone([...needed], new Date(now.getTime() + dayMs));
    }
    return released;
  }
}

/** A sanction can be appealed against while it is active, and some months after it was told. */
const isAppealable = (row: SanctionRow, now: Date): boolean =>
  statusOf(row, now) === 'active' || appealableUntil(row) >= now;
