/** Reads what people may do in rooms, according to the database now. Knows no rooms. */

import { slicesOf } from '../../../platform/database/slices.js';
import type { Clock } from '../../../platform/time/clock.js';
import type { SessionDirectory } from '../../sessions/directory.js';
import type { ErasedBans } from './erased-ban-store.js';
import { policyIn, policyOf, type RoomPolicies, type RoomPolicy, roomPoliciesOf } from './rules.js';
import { toActiveSanction } from './sanction-rows.js';
import type { SanctionStore } from './store.js';

export class PolicyReader {
  constructor(
    private readonly sanctions: SanctionStore,
    private readonly erasedBans: ErasedBans,
    private readonly sessions: Pick<SessionDirectory, 'roomsOf'>,
    private readonly standingUrl: (sanctionId: string) => string,
    private readonly now: Clock,
  ) {}

  /** Returns the person's policy in this room. */
  async policy(projectId: string, roomId: string, externalUserId: string): Promise<RoomPolicy> {
    return (await this.inRooms(projectId, [externalUserId]))(roomId, externalUserId);
  }

  /** Answers what each of these people may do in a room. */
  async inRooms(projectId: string, externalUserIds: readonly string[]) {
    const policies = new Map<string, RoomPolicies>();
    for (const some of slicesOf(externalUserIds))
      for (const [person, own] of await this.policies(projectId, [...some])) policies.set(person, own);
    return (roomId: string, externalUserId: string): RoomPolicy => {
      const own = policies.get(externalUserId);
      return own === undefined ? policyOf([]) : policyIn(own, roomId);
    };
  }

  /** Returns the policies of these people in every room of the project. */
  async policies(projectId: string, externalUserIds: string[]): Promise<Map<string, RoomPolicies>> {
    const now = this.now();
    const active = await this.erasedBans.inForce(projectId, externalUserIds, now);
    for (const row of await this.sanctions.inForce(projectId, externalUserIds, now))
      if (row.externalUserId !== null)
        active.get(row.externalUserId)?.push(toActiveSanction(row, this.standingUrl(row.id)));
    const sessionIds = [...active.values()].flat().flatMap(({ sessionId }) => sessionId ?? []);
    const rooms =
      sessionIds.length === 0 ? new Map() : await this.sessions.roomsOf(projectId, [...new Set(sessionIds)]);
    return new Map([...active].map(([person, inForce]) => [person, roomPoliciesOf(inForce, rooms)]));
  }
}
