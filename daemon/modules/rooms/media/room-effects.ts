/** Applies people's policies in the rooms where they are, and notifies the people concerned. */

import type { RoomPolicies, RoomPolicy, SanctionNotice } from '../../moderation/sanctions/rules.js';
import type { BlockStore } from '../blocks/store.js';
import type { RoomsElsewhere } from '../elsewhere/rooms-elsewhere.js';
import { type Restrictions, type RoomRestrictionReader, restrictedBy } from '../restrictions/restrictions.js';
import type { CarriedRooms, PersonPolicy, SpeakingPolicy } from './engine.js';
import type { RoomStreams } from './room-streams.js';
import type { Seats } from './seats.js';

type EffectRooms = Pick<CarriedRooms, 'setPolicies' | 'remove' | 'lookInto'>;
type EffectStreams = Pick<RoomStreams, 'readersOf' | 'remove' | 'policyChanged'>;

export class RoomEffects {
  constructor(
    private readonly rooms: EffectRooms,
    private readonly streams: EffectStreams,
    private readonly elsewhere: Pick<RoomsElsewhere, 'areHere' | 'follow'>,
    private readonly people: {
      readonly restricted: Pick<RoomRestrictionReader, 'inProject'>;
      readonly seats: Pick<Seats, 'in' | 'isModerator'>;
      readonly blocks: Pick<BlockStore, 'blockedBy'>;
    },
    private readonly log: { readonly stored: bigint },
  ) {}

  /** True while this daemon has the rooms. */
  get areHere(): boolean {
    return this.elsewhere.areHere;
  }

  /** Resolves once what this daemon has stored has taken effect in rooms of the project that another daemon has. */
  async followElsewhere(projectId: string): Promise<void> {
    if (!this.elsewhere.areHere) await this.elsewhere.follow(projectId, this.log.stored);
  }

  /** By external user id. Holds in every room when it resolves. */
  async apply(projectId: string, people: ReadonlyMap<string, RoomPolicies>): Promise<void> {
    const { rooms, streams } = this;
    const { restricted, seats, blocks } = this.people;
    const rules = await restricted.inProject(projectId);
    for (const roomId of rules.keys()) await rooms.lookInto(projectId, roomId);
    const blocked = await blocks.blockedBy(projectId, [...people.keys()]);
    const readers = streams.readersOf(projectId).filter(({ externalUserId }) => people.has(externalUserId));
    // Notify first, then disconnect: a browser notices a closed connection only after seconds.
    for (const { externalUserId, roomId, moderate } of readers) {
      const policies = people.get(externalUserId);
      if (policies !== undefined && (policies.inRooms.get(roomId) ?? policies.everywhere).banned !== null)
        await streams.remove(projectId, roomId, externalUserId, 'banned');
      else if (rules.get(roomId)?.closed && !moderate && !seats.isModerator({ projectId, roomId }, externalUserId))
        await streams.remove(projectId, roomId, externalUserId, 'closed');
    }
    for (const [roomId, { closed }] of rules)
      for (const person of closed === null ? [] : new Set(seats.in({ projectId, roomId })))
        if (people.has(person) && !seats.isModerator({ projectId, roomId }, person))
          await rooms.remove(projectId, roomId, person, 'room_closed');
    const policies = new Map<string, PersonPolicy>();
    for (const [person, own] of people) {
      const foreign = [...rules].filter(([roomId]) => !seats.isModerator({ projectId, roomId }, person));
      policies.set(person, { ...policyFor(own, foreign), blocked: blocked.get(person) ?? [] });
    }
    await rooms.setPolicies(projectId, policies);
    for (const person of new Set(readers.map(({ externalUserId }) => externalUserId)))
      await streams.policyChanged(projectId, person);
  }
}

/** With the rules of muted and closed rooms in which the person is no moderator. */
function policyFor(
  { everywhere, inRooms }: RoomPolicies,
  rules: readonly (readonly [roomId: string, Restrictions])[],
): Omit<PersonPolicy, 'blocked'> {
  const rooms = new Map([...inRooms].map(([roomId, policy]) => [roomId, speaking({ ...policy, closed: null })]));
  for (const [roomId, rule] of rules)
    rooms.set(roomId, speaking(restrictedBy(rule, inRooms.get(roomId) ?? everywhere)));
  return { everywhere: speaking({ ...everywhere, closed: null }), inRooms: rooms };
}

const speaking = ({
  publish,
  audible,
  speakingSecondsPerMinute,
  banned,
  closed,
}: RoomPolicy & { readonly closed: SanctionNotice | null }): SpeakingPolicy | null =>
  banned === null && closed === null ? { publish, audible, speakingSecondsPerMinute } : null;
