/** How the daemon that has the rooms carries out what the others ask of it. */
import { setTimeout as wait } from 'node:timers/promises';
import type { RoomEnforcer } from '../../moderation/sanctions/room-enforcer.js';
import type { CarriedRooms, RoomView } from '../media/engine.js';
import type { RoomCalls } from './room-calls.js';
import { sumsOf } from './room-sums.js';
import type { RoomsAnywhere } from './rooms-anywhere.js';
import { closeCall, evictCall, followCall, roomsCall, sumsCall } from './rooms-elsewhere.js';

interface ServedRooms {
  readonly engine: Pick<CarriedRooms, 'rooms' | 'room'>;
  readonly rooms: Pick<RoomsAnywhere, 'evict' | 'close'>;
  readonly follower: {
    /** Every event up to here has been passed on. */
    readonly position: bigint;
  };
  readonly enforcer: Pick<RoomEnforcer, 'applied'>;
}

const followEveryMs = 5;
const followMaxMs = 10_000;

export function serveCalls(calls: Pick<RoomCalls, 'handle'>, { engine, rooms, follower, enforcer }: ServedRooms): void {
  calls.handle(evictCall, async ({ projectId, roomId, externalUserId }) => ({
    tokenIds: await rooms.evict(projectId, roomId, externalUserId),
  }));
  calls.handle(closeCall, async ({ projectId }) => {
    await rooms.close(projectId);
    return {};
  });
  calls.handle(roomsCall, async ({ projectId, roomId }) => {
    const room = roomId === null ? null : engine.room({ projectId, roomId });
    const found: readonly RoomView[] = roomId === null ? engine.rooms(projectId) : room === null ? [] : [room];
    return found.map(({ roomId, peers, speaking }) => ({ roomId, peers: [...peers], speaking: [...speaking] }));
  });
  calls.handle(sumsCall, async ({ projectIds, take }) => sumsOf(engine.rooms(), new Set(projectIds), take));
  calls.handle(followCall, async ({ projectId, position }) => {
    const until = performance.now() + followMaxMs;
    while (follower.position < BigInt(position) && performance.now() < until) await wait(followEveryMs);
    await enforcer.applied([{ projectId }]);
    return {};
  });
}
