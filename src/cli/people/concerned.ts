/** Whom something concerned: people by name, those of a batch, of a rule, or of a room. */
import type { EarshotClient } from '../../client/earshot-client.js';
import { sanctionRoutes } from '../../contract/moderation/sanctions.js';
import { roomVisitRoutes } from '../../contract/rooms/room-visits.js';
import { everyRow } from '../names/candidates.js';

export interface Concerned {
  /** External user ids. */
  readonly users: readonly string[];
  readonly batch?: string | undefined;
  /** Id. */
  readonly rule?: string | undefined;
  readonly room?: string | undefined;
  /** Of a rule and of a room. */
  readonly since: string;
}

/** Returns external user ids, each once. */
export async function concernedBy(
  client: EarshotClient,
  projectId: string,
  { users, batch, rule, room, since }: Concerned,
): Promise<string[]> {
  const sanctioned = async (query: { batchId: string } | { createdByRuleId: string; since: string }) => {
    const rows = await everyRow(
      client,
      (page) => client.call(sanctionRoutes.list, { params: { projectId }, query: { ...query, ...page } }),
      ({ sanctions }) => sanctions,
    );
    return rows.flatMap(({ externalUserId }) => externalUserId ?? []);
  };
  const visited = async (roomId: string) =>
    (await client.call(roomVisitRoutes.list, { params: { projectId, roomId }, query: { since } })).map(
      ({ externalUserId }) => externalUserId,
    );
  return [
    ...new Set([
      ...users,
      ...(batch === undefined ? [] : await sanctioned({ batchId: batch })),
      ...(rule === undefined ? [] : await sanctioned({ createdByRuleId: rule, since })),
      ...(room === undefined ? [] : await visited(room)),
    ]),
  ];
}
