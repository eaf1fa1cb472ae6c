/** Reports, their settings, and the operations of players on them. */
import { randomUUID } from 'node:crypto';
import { EarshotClient } from '../../../../src/client/earshot-client.js';
import { requestAccess } from '../../../../src/client/room/request-access.js';
import { RoomPublisher } from '../../../../src/client/voice/publisher.js';
import { speechFrames } from '../../../../src/client/voice/speech-frames.js';
import { playerRoutes } from '../../../../src/contract/gameplay/players.js';
import { sanctionRoutes } from '../../../../src/contract/moderation/sanctions.js';
import { caseRoutes } from '../../../../src/contract/reports/cases.js';
import { reportSettingsRoutes } from '../../../../src/contract/reports/report-settings.js';
import { complaintRoutes, reportRoutes } from '../../../../src/contract/reports/reports.js';
import { roomRestrictionRoutes } from '../../../../src/contract/rooms/room-restrictions.js';
import { tokenRoutes } from '../../../../src/contract/rooms/tokens.js';
import { sessionRoutes } from '../../../../src/contract/sessions/sessions.js';
import { eventually } from '../../../support/eventually.js';
import { tone } from '../../../support/tone.js';
import { apiKey, bearer, but, type Case, type Cases, elsewhere, just, type Scene, type SceneOf } from '../case.js';
import type { World } from '../world.js';
import { suspended } from './cases.js';

const soundPatienceMs = 20_000;
const speaker = 'heard';
const projectOf = ({ projectId }: World) => ({ projectId });

const report = (world: World, reporterUserId: string = randomUUID()) =>
  world.client.call(reportRoutes.create, {
    params: projectOf(world),
    body: { reporterUserId, externalUserId: randomUUID(), category: 'spam' },
  });
const stored: SceneOf = async (world) => ({ params: { id: (await report(world)).id } });

/** About somebody, of a category that there is, and with no message that there is not. */
const sound = () => ({ ...whom(), roomId: 'raid' });
const whom = () => ({ externalUserId: randomUUID(), category: 'spam' });
const limit = elsewhere('test/reports/cases.test.ts', 'rate_limited');
const refusals = (fields: () => object): Case['refuses'] => ({
  rate_limited: limit,
  report_target_required: () => ({ body: just({ category: 'spam' }) }),
  report_category_unknown: () => ({ body: just({ ...fields(), category: 'nothing-like-it' }) }),
});

const heard = new WeakMap<World, Promise<string>>();
/** A report with sound, one for all requests: somebody has to say it. */
const withSound = (world: World): Promise<string> => {
  const known = heard.get(world) ?? speakAndReport(world);
  heard.set(world, known);
  return known;
};
async function speakAndReport(world: World): Promise<string> {
  const params = projectOf(world);
  const roomId = randomUUID();
  await world.client.call(reportSettingsRoutes.update, { params, body: { evidenceSeconds: 60 } });
  await world.client.call(sessionRoutes.create, { params, body: { title: roomId, externalRoomId: roomId } });
  const ann = new RoomPublisher(await requestAccess(world.client, world.projectId, { roomId, userId: speaker }));
  await ann.join();
  try {
    return await eventually(async () => {
      await ann.play(speechFrames(tone(1), 0));
      // The clock of this world runs ahead of the room's.
      const joined = { where: { externalUserId: speaker }, data: { joinedAt: new Date(0) } };
      await world.rows((tx) => tx.participant.updateMany(joined));
      const said = { externalUserId: speaker, roomId, evidence: { lastSeconds: 60 } };
      const body = { reporterUserId: randomUUID(), category: 'spam', ...said };
      const { id } = await world.client.call(reportRoutes.create, { params, body });
      const { sound } = await world.client.call(reportRoutes.get, { params: { ...params, id } });
      if (sound.length === 0) throw new Error('The report has no sound yet.');
      return id;
    }, soundPatienceMs);
  } finally {
    await ann.leave();
  }
}

export const player = async (world: World, userId: string): Promise<string> => {
  const params = { ...projectOf(world), userId };
  return (await world.client.call(playerRoutes.createToken, { params })).token;
};
const ofSelf = (userId: string) => just({ externalUserId: userId, category: 'spam' });
/** A message of a room in which only its author was. */
async function saidElsewhere(world: World): Promise<string> {
  const [roomId, params] = [randomUUID(), projectOf(world)];
  const body = { title: roomId, externalRoomId: roomId, autoStart: false };
  const { id } = await world.client.call(sessionRoutes.create, { params, body });
  const said = { externalUserId: randomUUID(), content: 'Nobody else is here.' };
  return (await world.client.call(sessionRoutes.say, { params: { ...params, id }, body: said })).id;
}
/** A player who has just spoken in the room that they report. */
async function inRoom(world: World) {
  const [userId, roomId, params] = [randomUUID(), randomUUID(), projectOf(world)];
  const body = { title: roomId, externalRoomId: roomId, autoStart: false };
  const { id } = await world.client.call(sessionRoutes.create, { params, body });
  const said = { externalUserId: userId, content: 'Stop it.' };
  await world.client.call(sessionRoutes.say, { params: { ...params, id }, body: said });
  return { player: await player(world, userId), body: but({ ...whom(), roomId }) };
}

export async function peer(world: World, roomId: string = randomUUID(), userId: string = randomUUID()) {
  const body = { roomId, userId };
  const { token } = await world.client.call(tokenRoutes.generateForProject, { params: projectOf(world), body });
  return { params: { roomId }, headers: bearer(token) };
}
export const atDoor: Case['refuses'] = {
  room_token_invalid: () => ({ headers: bearer('x.y.z') }),
  participant_banned: async (world) => {
    const externalUserId = randomUUID();
    const scene = await peer(world, randomUUID(), externalUserId);
    const body = { type: 'temp_ban' as const, externalUserId, duration: 600 };
    await world.client.call(sanctionRoutes.create, { params: projectOf(world), body });
    return scene;
  },
  room_closed: async (world) => {
    const scene = await peer(world);
    const params = { ...projectOf(world), roomId: scene.params.roomId };
    await world.client.call(roomRestrictionRoutes.close, { params, body: {} });
    return scene;
  },
};

/** A report that is decided, by the key or by a person. */
async function decidedReport(world: World, by = world.client) {
  const userId = randomUUID();
  const made = await report(world, userId);
  const params = { ...projectOf(world), id: made.caseId ?? '' };
  await by.call(caseRoutes.decide, { params, body: { decision: 'no_action', reasonCode: 'no_violation' } });
  return { id: made.id, player: await player(world, userId) };
}
async function receiptCode(world: World, id: string): Promise<string> {
  const receipt = await world.client.call(complaintRoutes.receipt, { params: { ...projectOf(world), id } });
  return receipt.url?.split('/').at(-1) ?? '';
}
async function complainedReport(world: World, by = world.client) {
  const scene = await decidedReport(world, by);
  const code = await receiptCode(world, scene.id);
  await world.client.call(complaintRoutes.complain, { params: { code }, body: { statement: 'No.' } });
  return { ...scene, code };
}
const complaintRefusals = (scene: (world: World, id: string, token: string) => Promise<Scene>): Case['refuses'] => ({
  report_undecided: async (world) => {
    const userId = randomUUID();
    return scene(world, (await report(world, userId)).id, await player(world, userId));
  },
  report_already_complained: async (world) => {
    const { id, player: token } = await complainedReport(world);
    return scene(world, id, token);
  },
  complaint_too_late: async (world) => {
    const { id, player: token } = await decidedReport(world);
    const decidedAt = new Date(0);
    await world.rows((tx) => tx.report.updateMany({ where: { id }, data: { decidedAt } }));
    return scene(world, id, token);
  },
});

export const reportCases: Cases = {
  getReportReceipt: { works: stored },
  decideComplaint: {
    works: async (world) => {
      const [{ id }, { token }] = [await complainedReport(world), await world.person('moderator')];
      return { params: { id }, headers: bearer(token) };
    },
    refuses: {
      complaint_not_waiting: async (world) => {
        const [{ id }, { token }] = [await decidedReport(world), await world.person('moderator')];
        return { params: { id }, headers: bearer(token) };
      },
      complaint_own_decision: async (world) => {
        const { token } = await world.person('moderator');
        const own = new EarshotClient({ baseUrl: world.daemon.url, credential: { kind: 'bearer', token } });
        return { params: { id: (await complainedReport(world, own)).id }, headers: bearer(token) };
      },
      appeal_person_required: async (world) => ({
        params: { id: (await complainedReport(world)).id },
        headers: apiKey(world.daemon.apiKey),
      }),
    },
  },
  complainAsPlayer: {
    works: async (world) => {
      const { id, player: token } = await decidedReport(world);
      return { params: { id }, player: token };
    },
    refuses: { ...complaintRefusals(async (_, id, token) => ({ params: { id }, player: token })) },
  },
  readReceipt: {
    works: async (world) => ({ params: { code: await receiptCode(world, (await report(world)).id) } }),
    refuses: { receipt_code_invalid: () => ({ params: { code: 'x' } }) },
  },
  complainWithCode: {
    works: async (world) => ({ params: { code: await receiptCode(world, (await decidedReport(world)).id) } }),
    refuses: {
      ...complaintRefusals(async (world, id) => ({ params: { code: await receiptCode(world, id) } })),
      receipt_code_invalid: () => ({ params: { code: 'x' } }),
    },
  },
  createReport: {
    works: () => ({ body: but(sound()) }),
    refuses: {
      ...refusals(sound),
      report_self: () => ({ body: but({ ...sound(), reporterUserId: 'ann', externalUserId: 'ann' }) }),
      reporting_suspended: async (world) => ({ body: but({ ...sound(), reporterUserId: await suspended(world) }) }),
    },
  },
  getReport: { works: stored },
  getReportAudio: {
    works: async (world) => ({ params: { id: await withSound(world) }, query: { externalUserId: speaker } }),
    refuses: { report_audio_not_found: stored },
  },
  updateReportSettings: {
    works: () => ({ body: just({ categories: [{ name: 'spam' }, { name: 'threats', weight: 9, goalHours: 4 }] }) }),
  },
  reportAsPlayer: {
    works: async (world) => inRoom(world),
    refuses: {
      ...refusals(whom),
      report_not_heard: async (world) => ({
        player: await player(world, randomUUID()),
        body: just({ ...whom(), evidence: { messageIds: [await saidElsewhere(world)] } }),
      }),
      report_not_in_room: async (world) => ({ player: await player(world, randomUUID()), body: but(sound()) }),
      report_self: async (world) => ({ player: await player(world, 'ann'), body: ofSelf('ann') }),
      reporting_suspended: async (world) => ({
        player: await player(world, await suspended(world)),
        body: just(whom()),
      }),
    },
  },
  getOwnReport: {
    works: async (world) => {
      const userId = randomUUID();
      const { id } = await report(world, userId);
      return { params: { id }, player: await player(world, userId) };
    },
  },
  reportInRoom: {
    works: async (world) => ({ ...(await peer(world)), body: but(whom()) }),
    refuses: {
      ...atDoor,
      report_category_unknown: () => ({ body: but({ ...whom(), category: 'nothing-like-it' }) }),
      report_not_heard: async (world) => ({
        ...(await peer(world)),
        body: just({ ...whom(), evidence: { messageIds: [await saidElsewhere(world)] } }),
      }),
      rate_limited: limit,
      reporting_suspended: async (world) => ({
        ...(await peer(world, randomUUID(), await suspended(world))),
        body: but(whom()),
      }),
      report_self: async (world) => {
        const userId = randomUUID();
        return { ...(await peer(world, randomUUID(), userId)), body: but({ ...whom(), externalUserId: userId }) };
      },
    },
  },
  getReportInRoom: {
    works: async (world) => {
      const userId = randomUUID();
      const scene = await peer(world, randomUUID(), userId);
      return { ...scene, params: { ...scene.params, id: (await report(world, userId)).id } };
    },
    refuses: {
      ...atDoor,
      report_not_found: async (world) => {
        const { params, ...scene } = await peer(world);
        return { ...scene, params: { ...params, id: randomUUID() } };
      },
    },
  },
};
