/** Brings what holds against people into the rooms where they are, and tells those whom it concerns. */
import type { SanctionEffects } from '../../moderation/sanctions/enforcement.js';
import { type RoomPolicy, type Standing, standingIn } from '../../moderation/sanctions/rules.js';
import type { PersonPolicy, RoomEngine, SpeakingPolicy } from './engine.js';
import type { RoomStreams } from './room-streams.js';

type Rooms = Pick<RoomEngine, 'setPolicies'>;
type Streams = Pick<RoomStreams, 'readersOf' | 'remove' | 'sanctionsChanged'>;

export const roomEffects = (rooms: Rooms, streams: Streams): SanctionEffects => ({
  async apply(projectId, standings) {
    const readers = streams.readersOf(projectId).filter(({ externalUserId }) => standings.has(externalUserId));
    // Whoever must go is told so first: a browser notices a closed connection only after seconds.
    for (const { externalUserId, roomId } of readers) {
      const standing = standings.get(externalUserId);
      if (standing !== undefined && standingIn(standing, roomId).banned !== null)
        await streams.remove(projectId, roomId, externalUserId, 'banned');
    }
    await rooms.setPolicies(projectId, new Map([...standings].map(([person, one]) => [person, policyFor(one)])));
    for (const person of new Set(readers.map(({ externalUserId }) => externalUserId)))
      await streams.sanctionsChanged(projectId, person);
  },
});

const policyFor = ({ everywhere, inRooms }: Standing): PersonPolicy => ({
  everywhere: speaking(everywhere),
  inRooms: new Map([...inRooms].map(([roomId, policy]) => [roomId, speaking(policy)])),
});

const speaking = ({ publish, audible, speakingSecondsPerMinute, banned }: RoomPolicy): SpeakingPolicy | null =>
  banned === null ? { publish, audible, speakingSecondsPerMinute } : null;
