/** How the daemon that has the rooms carries out what the others ask of it. */
import { setTimeout as wait } from 'node:timers/promises';
import type { RoomFleet } from '../embedded/room-fleet.js';
import type { RoomView } from '../media/engine.js';
import type { RoomCalls } from './room-calls.js';
import { sumsOf } from './room-sums.js';
import { closeCall, evictCall, followCall, roomsCall, sumsCall } from './rooms-elsewhere.js';

interface Rooms {
  readonly engine: Pick<RoomFleet, 'rooms' | 'room'>;
  evict(projectId: string, roomId: string | null, externalUserId: string, reason: 'kicked'): Promise<string[]>;
  close(projectId: string): Promise<void>;
  readonly follower: {
    /** Every event up to here has been passed on. */
    readonly position: bigint;
  };
  readonly enforcer: {
    holds(about: Iterable<{ readonly projectId: string }>): Promise<void>;
  };
}

const followEveryMs = 5;
const followMaxMs = 10_000;

export function serveCalls(
  calls: Pick<RoomCalls, 'handle'>,
  { engine, evict, close, follower, enforcer }: Rooms,
): void {
  calls.handle(evictCall, async ({ projectId, roomId, externalUserId }) => ({
    tokenIds: await evict(projectId, roomId, externalUserId, 'kicked'),
  }));
  calls.handle(closeCall, async ({ projectId }) => {
    await close(projectId);
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
    await enforcer.holds([{ projectId }]);
    return {};
  });
}
