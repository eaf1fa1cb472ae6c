/** Filters for rows of sanctions. */

import { z } from 'zod';
import { banTypes, typesWhere } from '../../../../src/contract/moderation/sanction-kinds.js';
import type { Sanction } from '../../../../src/contract/moderation/sanction-record.js';
import type { SanctionListType } from '../../../../src/contract/moderation/sanctions.js';
import { madeWithin } from '../../../platform/database/made-within.js';
import { appealableSince } from '../reviews/rules.js';

export const notEnded = (now: Date) => ({
  revokedAt: null,
  expiredAt: null,
  OR: [{ endAt: null }, { endAt: { gt: now } }],
});
const begun = (now: Date) => ({ OR: [{ begunAt: { not: null } }, { startAt: { lte: now } }] });
export const inForce = (now: Date) => ({ AND: [notEnded(now), begun(now)] });

export interface SanctionFilter {
  readonly id?: { readonly in: string[] } | undefined;
  readonly type?: SanctionListType | undefined;
  readonly externalUserId?: string | undefined;
  readonly participantId?: string | undefined;
  readonly createdByUserId?: string | undefined;
  readonly createdByRuleId?: string | undefined;
  readonly bySystem?: boolean | undefined;
  readonly batchId?: string | undefined;
  readonly since?: string | undefined;
  readonly until?: string | undefined;
  readonly inForceAt?: Date | undefined;
  readonly notInForceAt?: Date | undefined;
  readonly endsBefore?: Date | undefined;
  /** Those that a person's standing may have: told, and active, to be appealed, or appealed (these ids). */
  readonly inStanding?: { readonly now: Date; readonly appealed: readonly string[] } | undefined;
  readonly inStatus?: { readonly status: Sanction['status']; readonly now: Date } | undefined;
}

const uuid = z.uuid();
/**
 * Evidence is JSON text; people who name a rule as their evidence are the creators themselves. What is no id would be
 * read as a pattern, and no rule has it.
 */
export const namesRule = (ruleId: string) =>
  uuid.safeParse(ruleId).success
    ? { evidence: { contains: JSON.stringify({ ruleId }).slice(1, -1) } }
    : { id: { in: [] } };
export const byRule = (ruleId: string) => ({ createdByUserId: null, ...namesRule(ruleId) });
const bySystemAlone = {
  createdByUserId: null,
  OR: [{ evidence: null }, { NOT: { evidence: { contains: '"ruleId":' } } }],
};

/** As `statusOf` says it of one row. */
const withStatus = (status: Sanction['status'], now: Date) => {
  if (status === 'active') return notEnded(now);
  if (status === 'revoked') return { revokedAt: { not: null } };
  return { revokedAt: null, OR: [{ expiredAt: { not: null } }, { endAt: { lte: now } }] };
};

const toldOnceOver = { in: [...typesWhere(({ told }) => told === 'once_over')] };
/** As statements of reasons say it, but for the last days of the time to appeal. */
const inStanding = (now: Date, appealed: readonly string[]) => {
  const since = { gte: appealableSince(now) };
  const isTold = { OR: [{ createdAt: since }, { type: toldOnceOver, endAt: since }] };
  return {
    type: { notIn: [...typesWhere(({ told }) => told === 'never')] },
    NOT: { AND: [{ type: toldOnceOver }, notEnded(now)] },
    OR: [notEnded(now), { AND: [withStatus('expired', now), isTold] }, { id: { in: [...appealed] } }],
  };
};

export const whereOf = (
  projectId: string,
  {
    type,
    inForceAt,
    notInForceAt,
    endsBefore,
    inStatus,
    inStanding: standing,
    since,
    until,
    createdByRuleId,
    bySystem,
    ...fields
  }: SanctionFilter,
) => ({
  projectId,
  ...fields,
  ...(type === undefined ? {} : { type: type === 'ban' ? { in: [...banTypes] } : type }),
  ...madeWithin({ since, until }),
  AND: [
    ...(createdByRuleId === undefined ? [] : [byRule(createdByRuleId)]),
    ...(bySystem === true ? [bySystemAlone] : []),
    ...(inForceAt === undefined ? [] : [inForce(inForceAt)]),
    ...(notInForceAt === undefined ? [] : [{ NOT: inForce(notInForceAt) }]),
    ...(endsBefore === undefined ? [] : [{ endAt: { lt: endsBefore } }]),
    ...(standing === undefined ? [] : [inStanding(standing.now, standing.appealed)]),
    ...(inStatus === undefined ? [] : [withStatus(inStatus.status, inStatus.now)]),
  ],
});
