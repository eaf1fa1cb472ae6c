/** Who hears whom in a room of LiveKit, as stored at this moment. */
import type { PolicyReader } from '../../moderation/sanctions/policy-reader.js';
import type { BlockStore } from '../blocks/store.js';
import type { RoomAddress } from '../media/engine.js';

export class Hearing {
  constructor(
    private readonly policies: Pick<PolicyReader, 'inRooms'>,
    private readonly blocks: Pick<BlockStore, 'blockedBy'>,
  ) {}

  /** Answers whether others may hear a speaker at all. */
  async audible({ projectId, roomId }: RoomAddress, speakers: readonly string[]) {
    const policyOf = await this.policies.inRooms(projectId, [...speakers]);
    return (speaker: string): boolean => policyOf(roomId, speaker).audible;
  }

  /** Answers whether a listener may hear a speaker. */
  async among({ projectId, roomId }: RoomAddress, listeners: readonly string[], speakers: readonly string[]) {
    const [policyOf, blocked] = await Promise.all([
      this.policies.inRooms(projectId, [...speakers]),
      this.blocks.blockedBy(projectId, [...listeners]),
    ]);
    return (listener: string, speaker: string): boolean => {
      const { audible, publish, banned } = policyOf(roomId, speaker);
      return audible && publish && banned === null && !(blocked.get(listener) ?? []).includes(speaker);
    };
  }
}
