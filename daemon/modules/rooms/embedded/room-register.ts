/** The rooms in use, by project, with a limit for each project and for the installation. */

import { FairShare, type ShareLimits } from '../../../platform/limits/fair-share.js';
import type { RoomAddress } from '../media/engine.js';
import type { VoiceRoom } from './room.js';

export class RoomRegister {
  private readonly projects = new Map<string, Map<string, VoiceRoom>>();
  private readonly places: FairShare;

  constructor(limits: ShareLimits) {
    this.places = new FairShare(limits);
  }

  find = ({ projectId, roomId }: RoomAddress): VoiceRoom | null => this.projects.get(projectId)?.get(roomId) ?? null;

  /** False when there is no place for another one now. */
  add(room: VoiceRoom): boolean {
    const { projectId, roomId } = room.key;
    if (!this.places.acquire(projectId)) return false;
    const rooms = this.projects.get(projectId) ?? new Map<string, VoiceRoom>();
    this.projects.set(projectId, rooms.set(roomId, room));
    return true;
  }

  forget({ key: { projectId, roomId } }: VoiceRoom): void {
    const rooms = this.projects.get(projectId);
    if (rooms?.delete(roomId) !== true) return;
    this.places.release(projectId);
    if (rooms.size === 0) this.projects.delete(projectId);
  }

  roomsOf = (projectId: string): VoiceRoom[] => [...(this.projects.get(projectId)?.values() ?? [])];

  all = (): VoiceRoom[] => [...this.projects.values()].flatMap((rooms) => [...rooms.values()]);
}
