/** Cases of the operations of a moderator's link. */
import { randomUUID } from 'node:crypto';
import { uuidv7 } from 'uuidv7';
import { requestAccess } from '../../../../src/client/room/request-access.js';
import { RoomPublisher } from '../../../../src/client/voice/publisher.js';
import { sanctionRoutes } from '../../../../src/contract/moderation/sanctions.js';
import { notesMax } from '../../../../src/contract/people/participant-records.js';
import { participantRoutes } from '../../../../src/contract/people/participants.js';
import type { RoomAct } from '../../../../src/contract/rooms/room-moderation.js';
import { tokenRoutes } from '../../../../src/contract/rooms/tokens.js';
import { bearer, but, type Case, type Cases, elsewhere, just, type Scene } from '../case.js';
import type { World } from '../world.js';

const projectOf = ({ projectId }: World) => ({ projectId });

async function tokenOf(world: World, roomId: string, userId: string, moderate: boolean): Promise<string> {
  const body = { roomId, userId, permissions: { moderate } };
  return (await world.client.call(tokenRoutes.generateForProject, { params: projectOf(world), body })).token;
}

const moderator = async (world: World, roomId: string, userId: string = randomUUID()) => ({
  params: { roomId },
  headers: bearer(await tokenOf(world, roomId, userId, true)),
});

/** Somebody in a room, and a moderator of that room. */
async function inRoom(world: World): Promise<{ readonly externalUserId: string; readonly scene: Scene }> {
  const [roomId, externalUserId] = [randomUUID(), randomUUID()];
  const person = new RoomPublisher(
    await requestAccess(world.client, world.projectId, { roomId, userId: externalUserId }),
  );
  person.ended.catch(() => {}); // removed, as it should be
  await person.join();
  return { externalUserId, scene: { ...(await moderator(world, roomId)), body: but({ externalUserId }) } };
}

const refuses: Case['refuses'] = {
  room_token_invalid: () => ({ headers: bearer('x.y.z') }),
  room_token_forbids: async (world) => {
    const roomId = randomUUID();
    return { params: { roomId }, headers: bearer(await tokenOf(world, roomId, randomUUID(), false)) };
  },
  participant_banned: async (world) => {
    const [roomId, externalUserId] = [randomUUID(), randomUUID()];
    const scene = await moderator(world, roomId, externalUserId);
    const body = { type: 'temp_ban' as const, externalUserId, duration: 600 };
    await world.client.call(sanctionRoutes.create, { params: projectOf(world), body });
    return scene;
  },
};
const act: Case = {
  works: async (world) => (await inRoom(world)).scene,
  refuses: { ...refuses, peer_not_found: () => ({ body: but({ externalUserId: 'nobody' }) }) },
};

/** A mute by the moderator. */
async function muted(world: World) {
  const { externalUserId, scene } = await inRoom(world);
  const answer = await fetch(`${world.daemon.url}/rooms/${scene.params?.roomId}/moderation/mute`, {
    method: 'POST',
    headers: { ...scene.headers, 'Content-Type': 'application/json' },
    body: JSON.stringify({ externalUserId }),
  });
  const { sanctionId } = (await answer.json()) as RoomAct;
  return { ...scene, body: just({ externalUserId, sanctionId }), sanctionId: sanctionId ?? '' };
}

export const roomModerationCases: Cases = {
  muteInRoom: act,
  kickFromRoom: act,
  banFromRoom: {
    ...act,
    refuses: {
      ...act.refuses,
      ban_needs_second_person: elsewhere('test/moderation/second-pair-of-eyes.test.ts', 'ban_needs_second_person'),
    },
  },
  noteInRoom: {
    ...act,
    refuses: {
      ...act.refuses,
      participant_note_limit: async (world) => {
        const { externalUserId, scene } = await inRoom(world);
        const { id: participantId, joinedAt } = await world.client.call(participantRoutes.create, {
          params: projectOf(world),
          body: { externalUserId },
        });
        const note = { ...projectOf(world), participantId, text: '.', createdByUserId: 'x', createdAt: joinedAt };
        const data = Array.from({ length: notesMax }, () => ({ ...note, id: uuidv7() }));
        await world.rows((tx) => tx.participantNote.createMany({ data }));
        return scene;
      },
    },
  },
  undoInRoom: {
    works: muted,
    refuses: {
      ...refuses,
      sanction_not_found: () => ({ body: just({ externalUserId: 'ann' }) }),
      participant_note_not_found: () => ({ body: just({ externalUserId: 'ann', noteId: randomUUID() }) }),
      sanction_not_active: async (world) => {
        const { sanctionId, ...scene } = await muted(world);
        await world.client.call(sanctionRoutes.revoke, { params: { ...projectOf(world), id: sanctionId }, body: {} });
        return scene;
      },
    },
  },
};
