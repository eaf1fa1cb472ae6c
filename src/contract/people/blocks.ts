/**
 * Blocks: whom a person does not want to hear. The blocked person is not told. By a key or a moderator for anybody, and by a
 * player token or a room token for its holder.
 */
import { z } from 'zod';
import { ExternalUserId, PageInfo, PageQuery, ProjectPath, QueryFlag, RoomId, Timestamp } from '../common.js';
import { defineRoute } from '../route.js';

/** People whom one person may block. */
export const blocksMax = 1_000;

export const PlayerBlock = z
  .object({
    tenantId: z.string(),
    projectId: z.string(),
    externalUserId: z.string().describe('Who blocks'),
    blockedUserId: z.string().describe('Whom they do not hear'),
    createdAt: Timestamp,
  })
  .meta({ id: 'PlayerBlock' });
export type PlayerBlock = z.infer<typeof PlayerBlock>;

/** Form in events, which every viewer reads: nobody learns from it whom the person blocks. */
export const AnnouncedBlock = PlayerBlock.omit({ blockedUserId: true });
export type AnnouncedBlock = z.infer<typeof AnnouncedBlock>;

/** A block as the person sees it who made it. */
const OwnBlock = PlayerBlock.pick({ blockedUserId: true, createdAt: true }).meta({ id: 'OwnBlock' });

const BlockRequest = z
  .object({ blockedUserId: ExternalUserId.describe('Person to block') })
  .meta({ id: 'BlockRequest' });

export const BlockListResponse = PageInfo.extend({ blocks: z.array(PlayerBlock) }).meta({ id: 'BlockListResponse' });
export type BlockListResponse = z.infer<typeof BlockListResponse>;
const OwnBlockListResponse = PageInfo.extend({ blocks: z.array(OwnBlock) }).meta({ id: 'OwnBlockListResponse' });

const BlockListQuery = PageQuery.extend({
  byOthers: QueryFlag.optional().describe('The people who block this person, instead'),
});
export type BlockListQuery = z.output<typeof BlockListQuery>;

const group = 'Blocks';
const auth = ['apiKey', 'bearer'] as const;
const path = '/api/projects/{projectId}/people/{user}/blocks';
const Blocker = ProjectPath.extend({
  user: ExternalUserId.describe('External user id or participant id of who blocks'),
});
const Blocked = ExternalUserId.describe('Person who is blocked');
const player = { group, auth: ['playerToken'], projectIn: 'gameplay' } as const;
const room = { group, auth: ['roomToken'], role: 'viewer' } as const;
const InRoom = z.object({ roomId: RoomId });
const refusals = ['block_self', 'block_limit_reached'] as const;
const atDoor = ['room_token_invalid', 'participant_banned', 'room_closed'] as const;
const effect =
  'From the answer on, and in rooms that they join later, they do not hear the person or see their lines. The person is not told. A block that there is already stays as it is.';

export const blockRoutes = {
  create: defineRoute({
    operationId: 'blockPerson',
    summary: 'Block a person for another one, who hears them no more.',
    description: effect,
    group,
    method: 'post',
    path,
    auth,
    scope: 'participants',
    role: 'moderator',
    params: Blocker,
    body: BlockRequest,
    success: { status: 201, body: PlayerBlock },
    errors: [...refusals],
  }),
  list: defineRoute({
    operationId: 'listBlocks',
    cursor: ['createdAt', 'externalUserId', 'blockedUserId'],
    summary: 'List whom a person blocks, or who blocks them, newest first.',
    group,
    method: 'get',
    path,
    auth,
    scope: 'participants:read',
    role: 'moderator',
    params: Blocker,
    query: BlockListQuery,
    success: { status: 200, body: BlockListResponse },
    errors: [],
  }),
  remove: defineRoute({
    operationId: 'unblockPerson',
    summary: 'End a block: they hear the person again.',
    description: 'Does nothing where there is no such block.',
    group,
    method: 'delete',
    path: `${path}/{blockedUserId}`,
    auth,
    scope: 'participants',
    role: 'moderator',
    params: Blocker.extend({ blockedUserId: Blocked }),
    success: { status: 204 },
    errors: [],
  }),
};

export const playerBlockRoutes = {
  create: defineRoute({
    ...player,
    operationId: 'blockAsPlayer',
    summary: 'Block a person: you hear them no more.',
    description: effect,
    method: 'post',
    path: '/api/v1/blocks',
    body: BlockRequest,
    success: { status: 201, body: OwnBlock },
    errors: ['player_token_invalid', ...refusals],
  }),
  list: defineRoute({
    ...player,
    operationId: 'listOwnBlocks',
    cursor: ['createdAt', 'blockedUserId'],
    summary: 'List whom you block, newest first.',
    method: 'get',
    path: '/api/v1/blocks',
    query: PageQuery,
    success: { status: 200, body: OwnBlockListResponse },
    errors: ['player_token_invalid'],
  }),
  remove: defineRoute({
    ...player,
    operationId: 'unblockAsPlayer',
    summary: 'End a block: you hear the person again.',
    description: 'Does nothing where there is no such block.',
    method: 'delete',
    path: '/api/v1/blocks/{blockedUserId}',
    params: z.object({ blockedUserId: Blocked }),
    success: { status: 204 },
    errors: ['player_token_invalid'],
  }),
};

export const roomBlockRoutes = {
  create: defineRoute({
    ...room,
    operationId: 'blockInRoom',
    summary: 'Block a person: you hear them no more, in this and in every other room.',
    description: effect,
    method: 'post',
    path: '/rooms/{roomId}/blocks',
    params: InRoom,
    body: BlockRequest,
    success: { status: 201, body: OwnBlock },
    errors: [...atDoor, ...refusals],
  }),
  list: defineRoute({
    ...room,
    operationId: 'listBlocksInRoom',
    cursor: ['createdAt', 'blockedUserId'],
    summary: 'List whom you block, in the room or not, newest first.',
    method: 'get',
    path: '/rooms/{roomId}/blocks',
    params: InRoom,
    query: PageQuery,
    success: { status: 200, body: OwnBlockListResponse },
    errors: [...atDoor],
  }),
  remove: defineRoute({
    ...room,
    operationId: 'unblockInRoom',
    summary: 'End a block: you hear the person again.',
    description: 'Does nothing where there is no such block.',
    method: 'delete',
    path: '/rooms/{roomId}/blocks/{blockedUserId}',
    params: InRoom.extend({ blockedUserId: Blocked }),
    success: { status: 204 },
    errors: [...atDoor],
  }),
};
