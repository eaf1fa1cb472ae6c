/** Applies people's policies in the rooms where they are, and notifies the people concerned. */
import type { PersonPolicy, RoomEngine, SpeakingPolicy } from './engine.js';
import type { SanctionNotice } from './removal.js';
import type { RoomStreams } from './room-streams.js';

/** What a person may do in one room, and why they may not be there. */
interface RoomPolicy extends SpeakingPolicy {
  readonly banned: SanctionNotice | null;
}

/** What a person may do in the rooms of a project. */
interface RoomPolicies {
  readonly everywhere: RoomPolicy;
  /** Rooms with a different policy, by room id. */
  readonly inRooms: ReadonlyMap<string, RoomPolicy>;
}

export interface RoomEffects {
  /** Whether this daemon has the rooms. */
  readonly areHere: boolean;
  /** Resolves once what this daemon has stored has taken effect in rooms of the project that another daemon has. */
  followElsewhere(projectId: string): Promise<void>;
  /** By external user id. Holds in every room when it resolves. */
  apply(projectId: string, people: ReadonlyMap<string, RoomPolicies>): Promise<void>;
}

type Rooms = Pick<RoomEngine, 'setPolicies'>;
interface Elsewhere {
  readonly areHere: boolean;
  follow(projectId: string, position: bigint): Promise<void>;
}

type Streams = Pick<RoomStreams, 'readersOf' | 'remove' | 'sanctionsChanged'>;

export const roomEffects = (
  rooms: Rooms,
  streams: Streams,
  elsewhere: Elsewhere,
  log: { readonly stored: bigint },
): RoomEffects => ({
  get areHere() {
    return elsewhere.areHere;
  },
  followElsewhere: async (projectId) => {
    if (!elsewhere.areHere) await elsewhere.follow(projectId, log.stored);
  },
  async apply(projectId, people) {
    const readers = streams.readersOf(projectId).filter(({ externalUserId }) => people.has(externalUserId));
    // Notify first, then disconnect: a browser notices a closed connection only after seconds.
    for (const { externalUserId, roomId } of readers) {
      const policies = people.get(externalUserId);
      if (policies !== undefined && (policies.inRooms.get(roomId) ?? policies.everywhere).banned !== null)
        await streams.remove(projectId, roomId, externalUserId, 'banned');
    }
    await rooms.setPolicies(projectId, new Map([...people].map(([person, one]) => [person, policyFor(one)])));
    for (const person of new Set(readers.map(({ externalUserId }) => externalUserId)))
      await streams.sanctionsChanged(projectId, person);
  },
});

const policyFor = ({ everywhere, inRooms }: RoomPolicies): PersonPolicy => ({
  everywhere: speaking(everywhere),
  inRooms: new Map([...inRooms].map(([roomId, policy]) => [roomId, speaking(policy)])),
});

const speaking = ({ publish, audible, speakingSecondsPerMinute, banned }: RoomPolicy): SpeakingPolicy | null =>
  banned === null ? { publish, audible, speakingSecondsPerMinute } : null;
