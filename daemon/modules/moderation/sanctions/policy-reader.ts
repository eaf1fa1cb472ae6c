/** What people may do in rooms, as the database says it now. Knows no rooms. */
import type { Clock } from '../../../platform/clock.js';
import type { ErasedBans } from './erased-bans.js';
import { policyOf, type RoomPolicy, type Standing, standingIn, standingOf } from './rules.js';
import { type SanctionStore, toHolding } from './store.js';

/** The rooms in which sessions listen now, by session id; a session that has ended has none. */
export type RoomsOfSessions = (projectId: string, sessionIds: string[]) => Promise<ReadonlyMap<string, string>>;

export class PolicyReader {
  constructor(
    private readonly sanctions: SanctionStore,
    private readonly erasedBans: ErasedBans,
    private readonly roomsOf: RoomsOfSessions,
    private readonly now: Clock,
  ) {}

  /** What the person may do in this room. */
  async policy(projectId: string, roomId: string, externalUserId: string): Promise<RoomPolicy> {
    const standing = (await this.policies(projectId, [externalUserId])).get(externalUserId);
    return standing === undefined ? policyOf([]) : standingIn(standing, roomId);
  }

  /** What each of these people may do in every room of the project. */
  async policies(projectId: string, externalUserIds: string[]): Promise<Map<string, Standing>> {
    const now = this.now();
    const holdings = await this.erasedBans.holding(projectId, externalUserIds, now);
    for (const row of await this.sanctions.holding(projectId, externalUserIds, now))
      if (row.externalUserId !== null) holdings.get(row.externalUserId)?.push(toHolding(row));
    const sessionIds = [...holdings.values()].flat().flatMap(({ sessionId }) => sessionId ?? []);
    const rooms = sessionIds.length === 0 ? new Map() : await this.roomsOf(projectId, [...new Set(sessionIds)]);
    return new Map([...holdings].map(([person, inForce]) => [person, standingOf(inForce, rooms)]));
  }
}
