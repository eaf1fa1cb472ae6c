/** A row of a sanction, and what is shown of it. */
import { sanctionTypes } from '../../../../src/contract/moderation/sanction-kinds.js';
import type { Sanction, SanctionType } from '../../../../src/contract/moderation/sanction-record.js';
import type { Participant } from '../../../../src/contract/people/participants.js';
import {
  jsonOrNull,
  numberOrNull,
  oneOf,
  timeOrNull,
  type WithValues,
  withJson,
} from '../../../platform/database/column-values.js';
import { completeBasis, type SanctionBasis } from './basis.js';
import { type ActiveSanction, isInForce, statusOf } from './rules.js';

export interface SanctionRow {
  readonly id: string;
  readonly tenantId: string;
  readonly projectId: string;
  readonly participantId: string | null;
  readonly externalUserId: string | null;
  readonly sessionId: string | null;
  readonly type: string;
  readonly scope: Sanction['scope'];
  readonly metadata: Sanction['metadata'];
  readonly parameters: Sanction['parameters'];
  readonly evidence: Sanction['evidence'];
  readonly basis: SanctionBasis;
  readonly reason: string | null;
  readonly note: string | null;
  readonly duration: number | null;
  readonly startAt: Date;
  readonly begunAt: Date | null;
  readonly endAt: Date | null;
  readonly expiredAt: Date | null;
  readonly createdByUserId: string | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly revokedAt: Date | null;
  readonly revokedByUserId: string | null;
  readonly revokeReason: string | null;
  /** Users and keys that changed it, or put it back, after it was imposed. */
  readonly changedByUserIds: readonly string[] | null;
  readonly batchId: string | null;
  readonly batchLine: number | null;
}

/** As the table holds it. */
type StoredSanction = WithValues<
  SanctionRow,
  Record<'scope' | 'metadata' | 'parameters' | 'evidence' | 'basis' | 'changedByUserIds', string | null> & {
    readonly duration: bigint | number | null;
  }
>;

export function toRow(stored: StoredSanction): SanctionRow {
  const evidence: SanctionRow['evidence'] = jsonOrNull(stored.evidence);
  return {
    ...stored,
    duration: numberOrNull(stored.duration),
    scope: jsonOrNull(stored.scope),
    metadata: jsonOrNull(stored.metadata),
    parameters: jsonOrNull(stored.parameters),
    evidence,
    basis: completeBasis({ basis: jsonOrNull(stored.basis), evidence, createdByUserId: stored.createdByUserId }),
    changedByUserIds: jsonOrNull(stored.changedByUserIds),
  };
}

/** Fields of a row as the table holds them. */
export const toStored = <Fields extends Partial<SanctionRow>>(fields: Fields) =>
  withJson(fields, 'scope', 'metadata', 'parameters', 'evidence', 'basis', 'changedByUserIds');

/** Records who changes a sanction. */
export const changedBy = ({ changedByUserIds }: SanctionRow, actorId: string) => ({
  changedByUserIds: [...new Set([...(changedByUserIds ?? []), actorId])],
});

export interface SanctionedPerson {
  /** Participant id. */
  readonly id: string;
  readonly externalUserId: string;
}

export const typeOf = (row: Pick<SanctionRow, 'type'>): SanctionType => oneOf(sanctionTypes, row.type) ?? 'warn';

export const toActiveSanction = (
  row: Pick<SanctionRow, 'type' | 'endAt' | 'reason' | 'parameters' | 'sessionId'>,
  standingUrl: string | null = null,
): ActiveSanction => ({
  standingUrl,
  type: typeOf(row),
  endAt: row.endAt,
  reason: row.reason,
  parameters: row.parameters,
  sessionId: row.sessionId,
});

/**
 * Without the note, which only moderators may read. `isActive` and `status` agree with the clock, even before the
 * expiry job has run.
 */
export const toSanction = (row: SanctionRow, participant: Participant | null, now: Date): Sanction => ({
  id: row.id,
  tenantId: row.tenantId,
  projectId: row.projectId,
  participantId: row.participantId,
  externalUserId: row.externalUserId,
  sessionId: row.sessionId,
  type: typeOf(row),
  scope: row.scope,
  metadata: row.metadata,
  parameters: row.parameters,
  evidence: row.evidence,
  source: row.basis.source,
  foundBy: row.basis.foundBy,
  decidedBy: row.basis.decidedBy,
  caseId: row.basis.caseId,
  category: row.basis.category,
  ground: row.basis.ground,
  template: row.basis.template,
  reason: row.reason,
  duration: row.duration,
  startAt: row.startAt.toISOString(),
  endAt: timeOrNull(row.endAt),
  createdByUserId: row.createdByUserId,
  createdAt: row.createdAt.toISOString(),
  updatedAt: row.updatedAt.toISOString(),
  revokedAt: timeOrNull(row.revokedAt),
  revokedByUserId: row.revokedByUserId,
  revokeReason: row.revokeReason,
  batchId: row.batchId,
  isActive: isInForce(row, now),
  status: statusOf(row, now),
  participant,
});
