/** Sanctions as lines of a person's timeline: what was imposed, and how it ended. */
import type { Sanction } from '../../../../src/contract/moderation/sanction-record.js';
import type { HistoryEntry } from '../../../../src/contract/people/participant-records.js';
import { system } from './authors.js';

const because = (reason: string | null): string => (reason === null || reason === '' ? '' : `: ${reason}`);

export const sanctionHistory = (sanctions: readonly Sanction[]): HistoryEntry[] =>
  sanctions.flatMap(({ id, type, status, reason, startAt, endAt, revokedAt, revokeReason, ...made }) => {
    const entry = (at: string, what: string): HistoryEntry => ({
      at,
      kind: 'sanction',
      what,
      resourceId: `sanction:${id}`,
      partOf: null,
    });
    const until = endAt === null ? '' : ` until ${endAt}`;
    const imposed = entry(
      startAt,
      `${type}${until} by ${made.createdBy ?? made.createdByUserId ?? system}${because(reason)}`,
    );
    if (revokedAt !== null) return [imposed, entry(revokedAt, `${type} revoked${because(revokeReason)}`)];
    return status === 'expired' && endAt !== null ? [imposed, entry(endAt, `${type} over`)] : [imposed];
  });
