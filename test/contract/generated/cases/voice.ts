/** Sessions, transcripts and rooms. */
import { randomUUID } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { requestAccess } from '../../../../src/client/room/request-access.js';
import { RoomPublisher } from '../../../../src/client/voice/publisher.js';
import type { SanctionType } from '../../../../src/contract/moderation/sanction-record.js';
import { sanctionRoutes } from '../../../../src/contract/moderation/sanctions.js';
import { settingsRoutes } from '../../../../src/contract/projects/settings.js';
import { sessionRoutes } from '../../../../src/contract/sessions/sessions.js';
import { but, type Cases, elsewhere, type SceneOf } from '../case.js';
import type { World } from '../world.js';

interface Fields {
  readonly projectId?: string;
  readonly externalRoomId?: string;
}
const session = async (world: World, fields: Fields = {}) => {
  const { projectId = world.projectId, externalRoomId = randomUUID() } = fields;
  const body = { title: 'A session', externalRoomId, autoStart: false };
  const { id } = await world.client.call(sessionRoutes.create, { params: { projectId }, body });
  return { projectId, id };
};
const one: SceneOf = async (world) => ({ params: await session(world) });

/** A line of somebody under such a sanction. */
const writes =
  (type: SanctionType): SceneOf =>
  async (world) => {
    const params = await session(world);
    const externalUserId = randomUUID();
    const body = { type, externalUserId };
    await world.client.call(sanctionRoutes.create, { params: { projectId: params.projectId }, body });
    return { params, body: but({ externalUserId, judged: undefined }) };
  };

/** Ended, so that another may use its room. */
const endedSession = async (world: World, externalRoomId: string) => {
  const params = await session(world, { externalRoomId });
  await world.client.call(sessionRoutes.stop, { params });
  await world.rows((tx) => tx.session.updateMany({ where: { id: params.id }, data: { status: 'ended' } }));
  return params;
};
const withoutSettings = async (world: World) => {
  const projectId = await world.project();
  const params = await session(world, { projectId });
  await world.client.call(settingsRoutes.remove, { params: { projectId } });
  return params;
};

const manyBots = elsewhere('test/hostile/session-flood.test.ts', 'are limited for each project');

const ofOthers = {
  settings_not_configured: async (world: World) => ({
    params: { projectId: await world.bareProject(), roomId: randomUUID() },
    body: but({}),
  }),
  provider_unsupported: async (world: World) => {
    const projectId = await world.project();
    const settings = { tokenProvider: 'access_key' as const, tokenProviderSettings: { accessKey: 'no such key' } };
    await world.client.call(settingsRoutes.update, { params: { projectId }, body: settings });
    return { params: { projectId, roomId: randomUUID() }, body: but({}) };
  },
};

const announcedRoom = {
  works: () => ({ params: { roomId: randomUUID() }, body: but({}) }),
  refuses: ofOthers,
};
const restrictedRoom = {
  works: () => ({ params: { roomId: randomUUID() }, body: but({}) }),
  refuses: {
    ...ofOthers,
    room_limit_reached: elsewhere('test/rooms/restrictions.test.ts', 'are limited for each project'),
  },
};
const freeRoom = { works: () => ({ params: { roomId: randomUUID() } }) };

export const voiceCases: Cases = {
  announceInRoom: announcedRoom,
  listRoomVisits: { works: () => ({ params: { roomId: randomUUID() }, query: { since: '2026-01-01T00:00:00Z' } }) },
  muteRoom: restrictedRoom,
  unmuteRoom: freeRoom,
  closeRoom: restrictedRoom,
  reopenRoom: freeRoom,
  searchMessages: { works: (world) => ({ query: { q: 'words', since: world.inSeconds(-3_600) } }) },
  createSession: {
    works: () => ({ body: but({ externalRoomId: randomUUID(), autoStart: false }) }),
    refuses: {
      settings_not_configured: async (world) => ({
        params: { projectId: await world.bareProject() },
        body: but({ gateway: 'wss://voice.example' }),
      }),
      bot_limit_reached: manyBots,
      room_has_session: async (world) => {
        const externalRoomId = randomUUID();
        await session(world, { externalRoomId });
        return { body: but({ externalRoomId }) };
      },
    },
  },
  getSession: { works: one },
  listBotStates: { works: one },
  startSession: {
    works: one,
    refuses: {
      settings_not_configured: async (world) => ({ params: await withoutSettings(world) }),
      bot_limit_reached: manyBots,
      room_has_session: async (world) => {
        const externalRoomId = randomUUID();
        const params = await endedSession(world, externalRoomId);
        await session(world, { externalRoomId });
        return { params };
      },
    },
  },
  stopSession: { works: one },
  deleteSession: { works: one, refuses: { legal_hold: elsewhere('test/reports/legal-hold.test.ts', 'legal_hold') } },
  listMessages: {
    works: async (world) => {
      const params = await session(world);
      const body = { externalUserId: 'ann', content: 'Hello.' };
      const { id: after } = await world.client.call(sessionRoutes.say, { params, body });
      return { params, query: { after } };
    },
  },
  createMessage: {
    works: one,
    refuses: {
      participant_banned: writes('perm_ban'),
      participant_muted: writes('mute'),
      participant_limited: writes('rate_limit'),
    },
  },
  getDebugAudio: {
    works: async (world) => {
      const params = await session(world, { projectId: await world.project() });
      const { projectId } = params;
      await world.client.call(settingsRoutes.debugAudio, { params: { projectId }, body: { enabled: true } });
      const body = { externalUserId: 'ann', content: 'Hello.' };
      const { id: messageId } = await world.client.call(sessionRoutes.say, { params, body });
      const folder = join(world.daemon.dataDir, 'audio');
      mkdirSync(folder, { recursive: true });
      writeFileSync(join(folder, `${messageId}.wav`), 'RIFF');
      const data = { audioFile: `${messageId}.wav`, audioExpiresAt: new Date(world.inSeconds(3_600)) };
      await world.rows((tx) => tx.message.updateMany({ where: { id: messageId }, data }));
      return { params: { ...params, messageId } };
    },
  },
  kickPeer: {
    works: async (world) => {
      const place = { roomId: randomUUID(), externalUserId: 'ann' };
      const fields = { roomId: place.roomId, userId: place.externalUserId };
      const ann = new RoomPublisher(await requestAccess(world.client, world.projectId, fields));
      ann.ended.catch(() => {}); // removed, as it should be
      await ann.join();
      return { params: place };
    },
  },
};
