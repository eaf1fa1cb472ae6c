/** Participants, their records, sanctions, batches, templates and reviews. */
import { randomUUID } from 'node:crypto';
import { uuidv7 } from 'uuidv7';
import { EarshotClient } from '../../../../src/client/earshot-client.js';
import { playerRoutes } from '../../../../src/contract/gameplay/players.js';
import { gatheringMemberRoutes } from '../../../../src/contract/gatherings/gathering-members.js';
import { gatheringRoutes } from '../../../../src/contract/gatherings/gatherings.js';
import { reviewRoutes } from '../../../../src/contract/moderation/reviews.js';
import { sanctionBatchRoutes } from '../../../../src/contract/moderation/sanction-batches.js';
import { sanctionTemplateRoutes, templatesMax } from '../../../../src/contract/moderation/sanction-templates.js';
import { sanctionRoutes } from '../../../../src/contract/moderation/sanctions.js';
import { statementRoutes } from '../../../../src/contract/moderation/statements.js';
import { notesMax, participantRecordRoutes } from '../../../../src/contract/people/participant-records.js';
import { participantRoutes } from '../../../../src/contract/people/participants.js';
import { personMoveRoutes } from '../../../../src/contract/people/person-moves.js';
import { bearer, but, type Cases, elsewhere, just, type Made, type SceneOf } from '../case.js';
import type { World } from '../world.js';

const unknown = '00000000-0000-7000-8000-000000000000';
const projectOf = ({ projectId }: World) => ({ projectId });

const held = elsewhere('test/reports/legal-hold.test.ts', 'legal_hold');

export const participant = (world: World, projectId = world.projectId) =>
  world.client.call(participantRoutes.create, { params: { projectId }, body: { externalUserId: randomUUID() } });
const person: SceneOf = async (world) => ({ params: { id: (await participant(world)).id } });

const sanction = (world: World, body: { type?: 'mute' | 'human_review' } = {}) =>
  world.client.call(sanctionRoutes.create, {
    params: projectOf(world),
    body: { type: 'mute', externalUserId: randomUUID(), ...body },
  });
const active: SceneOf = async (world) => ({ params: { id: (await sanction(world)).id } });
const revoked: SceneOf = async (world) => {
  const { id } = await sanction(world);
  await world.client.call(sanctionRoutes.revoke, { params: { ...projectOf(world), id }, body: {} });
  return { params: { id } };
};

/** Names nobody and nothing that is not there, no time that its kind forbids, and no ground without words. */
const sound = (made: Made): Made => {
  const { participantId: _p, sessionId: _s, template: _t, endAt: _e, parameters: _o, ...named } = made;
  const { evidence: _v, ground: _g, replaces: _b, duration, ...rest } = named;
  const term = made.type === 'perm_ban' ? {} : { duration: duration ?? 600 };
  return { ...rest, ...term, externalUserId: randomUUID() };
};

const review = async (world: World) => {
  const { id: sanctionId } = await sanction(world, { type: 'human_review' });
  const { reviews } = await world.client.call(reviewRoutes.list, { params: projectOf(world), query: { sanctionId } });
  return { ...projectOf(world), id: reviews[0]?.id ?? '' };
};
const appealed = async (world: World, author = world.client) => {
  const body = { type: 'mute' as const, externalUserId: randomUUID() };
  const { id } = await author.call(sanctionRoutes.create, { params: projectOf(world), body });
  const params = { ...projectOf(world), id };
  await world.client.call(reviewRoutes.appeal, { params, body: { statement: 'It was not me.' } });
  return params;
};
const appeal = async (world: World, author = world.client) => {
  const { id: sanctionId } = await appealed(world, author);
  const { reviews } = await world.client.call(reviewRoutes.list, { params: projectOf(world), query: { sanctionId } });
  return { ...projectOf(world), id: reviews[0]?.id ?? '' };
};
const tooLate = elsewhere('test/moderation/reviews.test.ts', 'is possible for six months after the sanction');
const suspendedAppeals = elsewhere(
  'test/moderation/reviews.test.ts',
  'that are manifestly unfounded lead to a warning, then to a suspension that a person confirms, which ends when one is reopened',
);
const ownSanction = async (world: World) => {
  const userId = randomUUID();
  const body = { type: 'mute' as const, externalUserId: userId };
  const { id } = await world.client.call(sanctionRoutes.create, { params: projectOf(world), body });
  const { token } = await world.client.call(playerRoutes.createToken, { params: { ...projectOf(world), userId } });
  return { params: { id }, player: token };
};
const codeOf = async (world: World, id: string): Promise<string> => {
  const { url } = await world.client.call(statementRoutes.get, { params: { ...projectOf(world), id } });
  return url?.split('/').at(-1) ?? '';
};
/** As the person, with the address of their page. */
const appealSelf = async (world: World, id: string) => {
  const params = { code: await codeOf(world, id) };
  return world.client.call(statementRoutes.appeal, { params, body: { statement: 'It was not me.' } });
};
const decided: SceneOf = async (world) => {
  const params = await review(world);
  await world.client.call(reviewRoutes.update, { params, body: { status: 'claimed' } });
  const body = { status: 'decided', decision: 'upheld' } as const;
  await world.client.call(reviewRoutes.update, { params, body });
  return { params };
};

const batch = async (world: World) => {
  const body = { batchId: randomUUID(), items: [{ type: 'mute' as const, externalUserId: randomUUID() }] };
  await world.client.call(sanctionBatchRoutes.apply, { params: projectOf(world), body });
  return body;
};
const template = async (world: World) => {
  const params = { ...projectOf(world), name: randomUUID() };
  await world.client.call(sanctionTemplateRoutes.set, { params, body: { reason: 'Be kind.' } });
  return params;
};

/** The setting holds for the whole project of the other scenes. */
const secondPerson = elsewhere('test/moderation/second-pair-of-eyes.test.ts', 'ban_needs_second_person');

export const moderationCases: Cases = {
  getParticipant: { works: person },
  updateParticipant: { works: person },
  deleteParticipant: { works: person, refuses: { legal_hold: held } },
  getParticipantHistory: { works: person },
  erasePerson: {
    works: async (world) => ({ params: { user: (await participant(world)).externalUserId } }),
    refuses: {
      legal_hold: held,
      person_moved: async (world) => {
        const { externalUserId: user } = await participant(world);
        const params = { ...projectOf(world), user };
        await world.client.call(personMoveRoutes.move, { params, body: { externalUserId: randomUUID() } });
        return { params: { user } };
      },
    },
  },
  getPerson: { works: async (world) => ({ params: { user: (await participant(world)).externalUserId } }) },
  exportPerson: {
    works: async (world) => ({ params: { user: (await participant(world)).externalUserId } }),
    refuses: {
      participant_not_found: () => ({ params: { user: unknown } }),
      rate_limited: elsewhere('test/people/person-export.test.ts', 'refuses a third export of the tenant'),
    },
  },
  previewPersonMove: {
    works: async (world) => ({
      params: { user: (await participant(world)).externalUserId },
      query: { externalUserId: randomUUID() },
    }),
    refuses: {
      participant_not_found: () => ({ params: { user: unknown }, query: { externalUserId: randomUUID() } }),
      person_move_to_self: async (world) => {
        const { externalUserId } = await participant(world);
        return { params: { user: externalUserId }, query: { externalUserId } };
      },
    },
  },
  movePerson: {
    works: async (world) => ({ params: { user: (await participant(world)).externalUserId } }),
    refuses: {
      participant_not_found: () => ({ params: { user: unknown } }),
      person_move_to_self: async (world) => {
        const { externalUserId } = await participant(world);
        return { params: { user: externalUserId }, body: just({ externalUserId }) };
      },
      person_move_conflict: async (world) => {
        const [one, other] = [await participant(world), await participant(world)];
        const body = { name: 'Lobby', ownerId: one.id };
        const { id } = await world.client.call(gatheringRoutes.create, { params: projectOf(world), body });
        await world.client.call(gatheringMemberRoutes.add, {
          params: { ...projectOf(world), id },
          body: { participantId: other.id },
        });
        return { params: { user: one.id }, body: just({ externalUserId: other.externalUserId }) };
      },
    },
  },
  listParticipantNotes: { works: person },
  notifyPeople: { works: () => ({}) },
  listAlikePeople: { works: person },
  listShiftNotes: { works: () => ({}) },
  createShiftNote: { works: () => ({}) },
  createParticipantNote: {
    works: person,
    refuses: {
      participant_note_limit: async (world) => {
        const { id: participantId, joinedAt } = await participant(world);
        const note = { ...projectOf(world), participantId, text: '.', createdByUserId: 'x', createdAt: joinedAt };
        const data = Array.from({ length: notesMax }, () => ({ ...note, id: uuidv7() }));
        await world.rows((tx) => tx.participantNote.createMany({ data }));
        return { params: { id: participantId } };
      },
    },
  },
  deleteParticipantNote: {
    works: async (world) => {
      const params = { ...projectOf(world), id: (await participant(world)).id };
      const { id } = await world.client.call(participantRecordRoutes.addNote, { params, body: { text: 'A note.' } });
      return { params: { ...params, noteId: id } };
    },
  },

  createSanction: {
    works: () => ({ body: sound }),
    refuses: {
      ban_needs_second_person: secondPerson,
      provider_unsupported: elsewhere('test/peers/livekit/rooms.peers.ts', 'say what they cannot do'),
      sanction_not_found: () => ({ body: just({ type: 'mute', externalUserId: 'u', replaces: [unknown] }) }),
      sanction_target_required: () => ({ body: just({ type: 'mute' }) }),
      sanction_target_mismatch: async (world) => {
        const { id } = await participant(world);
        return { body: just({ type: 'mute', participantId: id, externalUserId: 'somebody else' }) };
      },
      sanction_time_invalid: () => ({ body: just({ type: 'temp_ban', externalUserId: 'u' }) }),
      sanction_parameters_invalid: () => ({
        body: just({ type: 'mute', externalUserId: 'u', parameters: { delaySeconds: 1 } }),
      }),
      participant_not_found: () => ({ body: just({ type: 'mute', participantId: unknown }) }),
      session_not_found: () => ({ body: just({ type: 'mute', externalUserId: 'u', sessionId: unknown }) }),
      sanction_template_not_found: () => ({ body: just({ type: 'mute', externalUserId: 'u', template: 'none' }) }),
    },
  },
  getSanction: { works: active },
  updateSanction: {
    works: async (world) => ({ ...(await active(world)), body: but({ endAt: undefined, parameters: undefined }) }),
    refuses: {
      ban_needs_second_person: secondPerson,
      sanction_not_active: revoked,
      sanction_time_invalid: () => ({ body: just({ endAt: '2020-01-01T00:00:00Z' }) }),
      sanction_parameters_invalid: () => ({ body: just({ parameters: { delaySeconds: 1 } }) }),
    },
  },
  revokeSanction: { works: active, refuses: { sanction_not_active: revoked } },
  undoSanction: { works: active, refuses: { sanction_not_active: revoked } },
  undoActs: { works: () => ({ body: but({ createdByUserId: unknown }) }) },
  applySanctions: {
    works: () => ({
      body: (made) => ({
        ...made,
        batchId: randomUUID(),
        items: Array.isArray(made.items) ? made.items.map(sound) : [],
      }),
    }),
    refuses: {
      sanction_batch_refused: () => ({ body: just({ items: [{ type: 'mute' }] }) }),
      sanction_batch_undone: async (world) => {
        const body = await batch(world);
        const params = { ...projectOf(world), id: body.batchId };
        await world.client.call(sanctionBatchRoutes.undo, { params, body: {} });
        return { body: just(body) };
      },
    },
  },
  undoSanctions: { works: async (world) => ({ params: { id: (await batch(world)).batchId } }) },
  setSanctionTemplate: {
    works: () => ({ params: { name: randomUUID() } }),
    refuses: {
      sanction_template_limit: async (world) => {
        const projectId = await world.bareProject();
        const template = { projectId, reason: 'Be kind.', updatedAt: new Date(world.inSeconds(0)) };
        const data = Array.from({ length: templatesMax }, () => ({ ...template, name: randomUUID() }));
        await world.rows((tx) => tx.sanctionTemplate.createMany({ data }));
        return { params: { projectId } };
      },
    },
  },
  deleteSanctionTemplate: { works: async (world) => ({ params: await template(world) }) },

  getReview: { works: async (world) => ({ params: await review(world) }) },
  updateReview: {
    works: async (world) => ({
      params: await review(world),
      body: ({ status, note }) => ({ note, status: status === 'decided' ? 'claimed' : status }),
    }),
    refuses: {
      review_decision_required: () => ({ body: just({ status: 'decided' }) }),
      review_not_claimed: () => ({ body: just({ status: 'decided', decision: 'upheld' }) }),
      review_decided: async (world) => ({ ...(await decided(world)), body: just({ status: 'open' }) }),
      review_claimed: async (world) => {
        const params = await review(world);
        await world.client.call(reviewRoutes.update, { params, body: { status: 'claimed' } });
        const { token } = await world.person('moderator');
        return { params, headers: bearer(token), body: just({ status: 'claimed' }) };
      },
      appeal_person_required: async (world) => ({
        params: await appeal(world),
        body: just({ status: 'claimed' }),
      }),
      appeal_own_sanction: async (world) => {
        const { token } = await world.person('moderator');
        const own = new EarshotClient({ baseUrl: world.daemon.url, credential: { kind: 'bearer', token } });
        const params = await appeal(world, own);
        return { params, headers: bearer(token), body: just({ status: 'claimed' }) };
      },
      appeal_not_unfounded: () => ({ body: just({ status: 'decided', decision: 'overturned', unfounded: true }) }),
      appeal_answer_required: async (world) => {
        const { token } = await world.person('moderator');
        const own = new EarshotClient({ baseUrl: world.daemon.url, credential: { kind: 'bearer', token } });
        const params = await appeal(world);
        await own.call(reviewRoutes.update, { params, body: { status: 'claimed' } });
        return { params, headers: bearer(token), body: just({ status: 'decided', decision: 'upheld' }) };
      },
    },
  },
  appealSanction: {
    works: active,
    refuses: {
      sanction_not_active: revoked,
      sanction_already_appealed: async (world) => {
        return { params: await appealed(world) };
      },
      appeal_too_late: tooLate,
    },
  },

  getStatement: {
    works: active,
    refuses: {
      sanction_without_statement: async (world) => ({
        params: { id: (await sanction(world, { type: 'human_review' })).id },
      }),
    },
  },
  getMyStanding: { works: () => ({}) },
  appealMySanction: {
    works: async (world) => ownSanction(world),
    refuses: {
      sanction_not_active: async (world) => {
        const scene = await ownSanction(world);
        await world.client.call(sanctionRoutes.revoke, { params: { ...projectOf(world), ...scene.params }, body: {} });
        return scene;
      },
      sanction_already_appealed: async (world) => {
        const scene = await ownSanction(world);
        await appealSelf(world, scene.params.id);
        return scene;
      },
      appeals_suspended: suspendedAppeals,
      appeal_too_late: tooLate,
    },
  },
  readStatement: {
    works: async (world) => ({ params: { code: await codeOf(world, (await sanction(world)).id) } }),
    refuses: { standing_code_invalid: () => ({ params: { code: 'x' } }) },
  },
  readStandingNotices: {
    works: async (world) => ({ params: { code: await codeOf(world, (await sanction(world)).id) } }),
    refuses: { standing_code_invalid: () => ({ params: { code: 'x' } }) },
  },
  appealStatement: {
    works: async (world) => ({ params: { code: await codeOf(world, (await sanction(world)).id) } }),
    refuses: {
      standing_code_invalid: () => ({ params: { code: 'x' } }),
      sanction_not_active: async (world) => {
        const { params } = await revoked(world);
        return { params: { code: await codeOf(world, params?.id ?? '') } };
      },
      sanction_already_appealed: async (world) => {
        const { id } = await sanction(world);
        await appealSelf(world, id);
        return { params: { code: await codeOf(world, id) } };
      },
      appeals_suspended: suspendedAppeals,
      appeal_too_late: tooLate,
    },
  },
};
