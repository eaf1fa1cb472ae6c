/** What takes an act on sanctions back. */
import type { Sanction } from '../../../src/contract/moderation/sanction-record.js';
import { sanctionRoutes } from '../../../src/contract/moderation/sanctions.js';
import type { Undoable } from '../parts/undo.js';
import { client } from '../session/session.js';

interface ProjectParams {
  readonly projectId: string;
}

/** Revokes the sanction, and puts back what it replaced. */
export const undoOfSanction = (params: ProjectParams, { id }: Pick<Sanction, 'id'>, label: string): Undoable => ({
  label,
  run: () => client.call(sanctionRoutes.undo, { params: { ...params, id }, body: {} }),
});

/** Puts the sanctions in force again that one person has just revoked. */
export function undoOfRevocations(params: ProjectParams, revoked: readonly Sanction[], label: string): Undoable | null {
  const by = revoked[0]?.revokedByUserId ?? null;
  const times = revoked.flatMap(({ revokedAt }) => revokedAt ?? []).sort();
  const [since, last] = [times[0], times.at(-1)];
  if (by === null || since === undefined || last === undefined) return null;
  const until = new Date(Date.parse(last) + 1).toISOString();
  return {
    label,
    run: () => client.call(sanctionRoutes.undoActs, { params, body: { createdByUserId: by, since, until } }),
  };
}
