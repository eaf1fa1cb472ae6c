/** Gatherings, their members and invitations. */
import { randomUUID } from 'node:crypto';
import { uuidv7 } from 'uuidv7';
import type { SanctionType } from '../../../../src/contract/moderation/sanction-record.js';
import { sanctionRoutes } from '../../../../src/contract/moderation/sanctions.js';
import { type Gatherings, gatheringsOf } from '../../../gatherings/support.js';
import { but, type Case, type Cases, just, type Made, type SceneOf } from '../case.js';
import type { World } from '../world.js';
import { participant } from './moderation.js';

const unknown = '00000000-0000-7000-8000-000000000000';
const emailsPerHour = 200;
const mailedMax = 100;
const openInvitationsMax = 1_000;
const missesPerMinute = 20;

type Fields = Parameters<Gatherings['create']>[0];
const at = (world: World, projectId = world.projectId) => gatheringsOf({ client: world.client, projectId });
const gathering = (world: World, fields: Fields = {}) => at(world).create(fields);
const person = async (world: World): Promise<string> => (await participant(world)).id;

const impose = (world: World, type: SanctionType, participantId: string) =>
  world.client.call(sanctionRoutes.create, { params: { projectId: world.projectId }, body: { type, participantId } });
/** Somebody against whom the sanction is in force. */
async function sanctioned(world: World, type: SanctionType): Promise<string> {
  const { id } = await participant(world);
  await impose(world, type, id);
  return id;
}
const open: SceneOf = async (world) => ({ params: { id: (await gathering(world)).id } });
const ended: SceneOf = async (world) => {
  const { id } = await gathering(world);
  await at(world).start(id);
  await at(world).end(id);
  return { params: { id } };
};
const cancelled: SceneOf = async (world) => {
  const { id } = await gathering(world);
  await at(world).cancel(id);
  return { params: { id } };
};
async function full(world: World, fields: Fields = {}) {
  const made = await gathering(world, { ...fields, maxMembers: 2 });
  for (let seat = 0; seat < 2; seat += 1) await at(world).add(made.id, await person(world));
  return made;
}

/** Times, owner and letters of a made-up gathering are those of a quiet one. */
const quiet = (made: Made): Made => ({
  ...made,
  startsAt: undefined,
  endsAt: undefined,
  ownerId: undefined,
  participants: undefined,
});
const backwards = (world: World) => ({ startsAt: world.inSeconds(7_200), endsAt: world.inSeconds(3_600) });
/** A project that has sent as many letters as an hour allows. */
const talkative = async (world: World) => {
  const projectId = await world.project();
  const participants = Array.from({ length: mailedMax }, (_, n) => ({ email: `a${n}@example.com` }));
  const { id } = await at(world, projectId).create();
  const mail = (count: number) => at(world, projectId).update(id, { participants: participants.slice(0, count) });
  // A refused batch counts nothing, and the limit is the tenant's: another case may have used some of it.
  for (const count of [mailedMax, 1])
    for (let sent = 0, isRefused = false; sent <= emailsPerHour && !isRefused; sent += count)
      isRefused = await mail(count).then(
        () => false,
        () => true,
      );
  return { params: { projectId, id }, body: but({ ...quiet({}), name: 'x', participants: participants.slice(0, 1) }) };
};

/** Keeps a person, or the gathering, from giving a seat: the same of whatever operation takes one. */
const seats = (
  take: (world: World, gathering: { id: string; joinCode: string }, participantId: string) => ReturnType<SceneOf>,
): NonNullable<Case['refuses']> => ({
  participant_banned: async (world) => take(world, await gathering(world), await sanctioned(world, 'perm_ban')),
  party_restricted: async (world) => take(world, await gathering(world), await sanctioned(world, 'party_restriction')),
  gathering_full: async (world) => take(world, await full(world), await person(world)),
});

const member = async (world: World) => {
  const { id } = await gathering(world);
  return { id, memberId: (await at(world).add(id, await person(world))).id };
};
/** Somebody who is to move, and was sanctioned after getting the seat. */
const seatedThenSanctioned = async (world: World, type: SanctionType) => {
  const { id } = await gathering(world);
  const memberId = await person(world);
  await at(world).add(id, memberId);
  await impose(world, type, memberId);
  return { params: { id, memberId }, body: just({ gatheringId: (await gathering(world)).id }) };
};
/** Invited, and wants the seat now. */
const wantsSeat = async (world: World, { id }: { id: string }, participantId: string) => {
  await at(world).invite(id, [participantId]);
  return { params: { id, memberId: participantId }, body: just({ status: 'joined' }) };
};

const invitation = async (world: World, { id }: { id: string }, participantId: string) => {
  const [sent] = await at(world).invite(id, [participantId]);
  return { params: { invitationId: sent?.id ?? '' }, body: just({ participantId }) };
};
const declined: SceneOf = async (world) => {
  const scene = await invitation(world, await gathering(world), await person(world));
  await at(world).decline(scene.params.invitationId);
  return scene;
};

const noSuchCode = '22222222';
/** Somebody who has missed as often as a minute allows. */
async function guesser(world: World): Promise<string> {
  const participantId = await person(world);
  const miss = () =>
    at(world)
      .join(noSuchCode, participantId)
      .catch(() => null);
  await Promise.all(Array.from({ length: missesPerMinute }, miss));
  return participantId;
}
const byCode = async (_: World, { joinCode }: { joinCode: string }, participantId: string) => ({
  body: just({ joinCode, participantId }),
});

export const gatheringCases: Cases = {
  createGathering: {
    works: () => ({ body: quiet }),
    refuses: {
      gathering_time_invalid: (world) => ({ body: but(backwards(world)) }),
      participant_not_found: () => ({ body: just({ name: 'x', ownerId: unknown }) }),
      participant_banned: async (world) => ({
        body: just({ name: 'x', ownerId: await sanctioned(world, 'perm_ban') }),
      }),
      party_restricted: async (world) => ({
        body: just({ name: 'x', ownerId: await sanctioned(world, 'party_restriction') }),
      }),
      rate_limited: talkative,
    },
  },
  listGatherings: { works: () => ({ query: { status: 'active', searchProperties: '{"mode":"ranked"}' } }) },
  getGathering: { works: open },
  updateGathering: {
    works: async (world) => ({ ...(await open(world)), body: quiet }),
    refuses: {
      gathering_closed: ended,
      gathering_too_small: async (world) => {
        const { id } = await gathering(world);
        for (let seat = 0; seat < 3; seat += 1) await at(world).add(id, await person(world));
        return { params: { id }, body: just({ maxMembers: 2 }) };
      },
      gathering_time_invalid: (world) => ({ body: just(backwards(world)) }),
      member_not_found: () => ({ body: just({ ownerId: unknown }) }),
      participant_banned: async (world) => {
        const { id } = await gathering(world);
        const ownerId = await person(world);
        await at(world).add(id, ownerId);
        await impose(world, 'perm_ban', ownerId);
        return { params: { id }, body: just({ ownerId }) };
      },
      party_restricted: async (world) => {
        const { id } = await gathering(world, { maxMembers: 2 });
        const { id: participantId } = await participant(world);
        await at(world).add(id, participantId);
        const body = { type: 'party_restriction', participantId } as const;
        await world.client.call(sanctionRoutes.create, { params: { projectId: world.projectId }, body });
        return { params: { id }, body: just({ maxMembers: 10 }) };
      },
      rate_limited: talkative,
    },
  },
  deleteGathering: { works: open, refuses: { gathering_closed: ended } },
  startGathering: {
    works: open,
    refuses: {
      gathering_closed: ended,
      settings_not_configured: async (world) => {
        const projectId = await world.bareProject();
        return { params: { projectId, id: (await at(world, projectId).create({ autoStartSession: true })).id } };
      },
    },
  },
  endGathering: {
    works: async (world) => {
      const { id } = await gathering(world);
      await at(world).start(id);
      return { params: { id } };
    },
    refuses: { gathering_closed: cancelled },
  },
  joinGathering: {
    works: async (world) => byCode(world, await gathering(world), await person(world)),
    refuses: {
      ...seats(byCode),
      gathering_closed: async (world) => {
        const made = await gathering(world);
        await at(world).cancel(made.id);
        return byCode(world, made, await person(world));
      },
      participant_not_found: async (world) => byCode(world, await gathering(world), unknown),
      join_code_unknown: async (world) => byCode(world, { joinCode: noSuchCode }, await person(world)),
      gathering_invite_only: async (world) =>
        byCode(world, await gathering(world, { accessPolicy: 'invite-only' }), await person(world)),
      rate_limited: async (world) => byCode(world, await gathering(world), await guesser(world)),
    },
  },
  lookupGathering: {
    works: async (world) => ({
      params: { joinCode: (await gathering(world)).joinCode },
      query: { participantId: await person(world) },
    }),
    refuses: {
      join_code_unknown: () => ({ params: { joinCode: noSuchCode } }),
      participant_not_found: async (world) => ({
        params: { joinCode: (await gathering(world)).joinCode },
        query: { participantId: unknown },
      }),
      rate_limited: async (world) => ({ query: { participantId: await guesser(world) } }),
    },
  },

  addGatheringMember: {
    works: async (world) => ({ ...(await open(world)), body: but({ participantId: await person(world) }) }),
    refuses: {
      ...seats(async (_, { id }, participantId) => ({ params: { id }, body: just({ participantId }) })),
      gathering_closed: ended,
      participant_not_found: () => ({ body: just({ participantId: unknown }) }),
    },
  },
  listGatheringMembers: { works: open },
  updateGatheringMember: {
    works: async (world) => ({ params: await member(world), body: ({ ready }) => ({ ready }) }),
    refuses: {
      ...seats(wantsSeat),
      gathering_closed: async (world) => {
        const params = await member(world);
        await at(world).cancel(params.id);
        return { params };
      },
      member_not_found: () => ({ params: { memberId: unknown } }),
      member_change_invalid: () => ({ body: just({ status: 'left', ready: true }) }),
      owner_required: () => ({ body: just({ role: 'member' }) }),
    },
  },
  moveGatheringMember: {
    works: async (world) => ({
      params: await member(world),
      body: just({ gatheringId: (await gathering(world)).id }),
    }),
    refuses: {
      participant_banned: (world) => seatedThenSanctioned(world, 'perm_ban'),
      party_restricted: (world) => seatedThenSanctioned(world, 'party_restriction'),
      gathering_full: async (world) => ({
        params: await member(world),
        body: just({ gatheringId: (await full(world)).id }),
      }),
      gathering_closed: async (world) => {
        const params = await member(world);
        await at(world).cancel(params.id);
        return { params, body: just({ gatheringId: (await gathering(world)).id }) };
      },
      member_not_found: () => ({ params: { memberId: unknown } }),
      member_change_invalid: async (world) => {
        const params = await member(world);
        return { params, body: just({ gatheringId: params.id }) };
      },
    },
  },
  removeGatheringMember: {
    works: async (world) => ({ params: await member(world) }),
    refuses: {
      gathering_closed: async (world) => {
        const params = await member(world);
        await at(world).cancel(params.id);
        return { params };
      },
      member_not_found: () => ({ params: { memberId: unknown } }),
    },
  },

  sendGatheringInvitations: {
    works: async (world) => ({ ...(await open(world)), body: but({ participantIds: [await person(world)] }) }),
    refuses: {
      gathering_closed: ended,
      gathering_time_invalid: async (world) => ({
        body: just({ participantIds: [await person(world)], expiresAt: '2020-01-01T00:00:00Z' }),
      }),
      participant_not_found: () => ({ body: but({ participantIds: [unknown] }) }),
      invitation_limit_reached: async (world) => {
        const { id: gatheringId } = await gathering(world);
        const row = {
          gatheringId,
          projectId: world.projectId,
          status: 'pending',
          createdAt: new Date(world.inSeconds(0)),
          expiresAt: new Date(world.inSeconds(3_600)),
        };
        const data = Array.from({ length: openInvitationsMax }, () => {
          const who = randomUUID();
          return { ...row, id: uuidv7(), participantId: who, externalUserId: who };
        });
        await world.rows((tx) => tx.gatheringInvitation.createMany({ data }));
        return { params: { id: gatheringId } };
      },
    },
  },
  listGatheringInvitations: { works: open },
  acceptGatheringInvitation: {
    works: async (world) => invitation(world, await gathering(world), await person(world)),
    refuses: {
      ...seats(invitation),
      invitation_not_yours: async (world) => ({ body: just({ participantId: await person(world) }) }),
      invitation_closed: declined,
    },
  },
  declineGatheringInvitation: {
    works: async (world) => invitation(world, await gathering(world), await person(world)),
    refuses: { invitation_closed: declined },
  },
};
