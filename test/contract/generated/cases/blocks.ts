/** Blocks, by the team, by players and in rooms. */
import { randomUUID } from 'node:crypto';
import { but, type Case, type Cases, elsewhere } from '../case.js';
import { atDoor, peer, player } from './reports.js';

const somebody = () => but({ blockedUserId: randomUUID() });
const full = elsewhere('test/rooms/blocks.test.ts', 'block_limit_reached');
const inRoom: Case = { works: (world) => peer(world), refuses: atDoor };

export const blockCases: Cases = {
  blockPerson: {
    works: () => ({ params: { user: randomUUID() }, body: somebody() }),
    refuses: {
      block_self: () => ({ params: { user: 'ann' }, body: but({ blockedUserId: 'ann' }) }),
      block_limit_reached: full,
    },
  },
  unblockPerson: { works: () => ({ params: { user: randomUUID(), blockedUserId: randomUUID() } }) },
  listBlocks: { works: () => ({ params: { user: randomUUID() } }) },
  blockAsPlayer: {
    works: () => ({ body: somebody() }),
    refuses: {
      block_self: async (world) => ({ player: await player(world, 'ann'), body: but({ blockedUserId: 'ann' }) }),
      block_limit_reached: full,
    },
  },
  unblockAsPlayer: { works: () => ({ params: { blockedUserId: randomUUID() } }) },
  blockInRoom: {
    works: async (world) => ({ ...(await peer(world)), body: somebody() }),
    refuses: {
      ...atDoor,
      block_self: async (world) => {
        const userId = randomUUID();
        return { ...(await peer(world, randomUUID(), userId)), body: but({ blockedUserId: userId }) };
      },
      block_limit_reached: full,
    },
  },
  listBlocksInRoom: inRoom,
  unblockInRoom: {
    ...inRoom,
    works: async (world) => {
      const { params, ...scene } = await peer(world);
      return { ...scene, params: { ...params, blockedUserId: randomUUID() } };
    },
  },
};
