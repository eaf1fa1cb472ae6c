/** How much goes on in the rooms of some projects, small enough to be asked for each second. */
import { z } from 'zod';
import { isPerson } from '../../../../src/contract/rooms/room-events.js';

const Count = z.int();

export const RoomSums = z.object({
  open: Count,
  people: Count,
  speaking: Count,
  /** Most people first. */
  busiest: z.array(
    z.object({
      projectId: z.string(),
      roomId: z.string(),
      people: Count,
      speaking: Count,
      transcribed: z.boolean(),
    }),
  ),
});
export type RoomSums = z.infer<typeof RoomSums>;

interface SummedRoom {
  readonly projectId: string;
  readonly roomId: string;
  readonly peers: readonly { readonly bot: boolean; readonly observer: boolean }[];
  readonly speaking: readonly string[];
}

/** Sums over all rooms of the projects; names up to `take` of them. */
export function sumsOf(open: readonly SummedRoom[], projectIds: ReadonlySet<string>, take: number): RoomSums {
  const rooms = open
    .filter(({ projectId }) => projectIds.has(projectId))
    .map(({ projectId, roomId, peers, speaking }) => ({
      projectId,
      roomId,
      people: peers.filter(isPerson).length,
      speaking: speaking.length,
      transcribed: peers.some(({ bot }) => bot),
    }));
  const sum = (of: 'people' | 'speaking'): number => rooms.reduce((all, room) => all + room[of], 0);
  const busiest = rooms.toSorted((a, b) => b.people - a.people || a.roomId.localeCompare(b.roomId));
  return { open: rooms.length, people: sum('people'), speaking: sum('speaking'), busiest: busiest.slice(0, take) };
}
