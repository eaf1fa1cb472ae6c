/** Looks up which part a person has in the gathering of a session's room. */
import type { RoleInGathering } from '../../../../src/contract/rules/rule-definition.js';
import type { GatheringStore } from '../../gatherings/store.js';
import type { SessionDirectory } from '../../sessions/directory.js';

export class RoomRoles {
  constructor(
    private readonly sessions: Pick<SessionDirectory, 'roomOf'>,
    private readonly gatherings: Pick<GatheringStore, 'roleIn'>,
  ) {}

  async roleIn(projectId: string, sessionId: string, externalUserId: string): Promise<RoleInGathering> {
    const roomId = await this.sessions.roomOf(projectId, sessionId);
    return roomId === null ? 'none' : ((await this.gatherings.roleIn(projectId, roomId, externalUserId)) ?? 'none');
  }
}
