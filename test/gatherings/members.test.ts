import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type CreateSanctionRequest, sanctionRoutes } from '../../src/contract/moderation/sanctions.js';
import { participantRoutes } from '../../src/contract/people/participants.js';
import { startDaemon, type TestDaemon } from '../support/daemon.js';
import { eventually } from '../support/eventually.js';
import { openStream } from '../support/stream.js';
import { type Gatherings, gatheringsOf } from './support.js';

let daemon: TestDaemon;
let now = new Date('2026-03-01T12:00:00.000Z');
let g: Gatherings;
beforeAll(async () => {
  daemon = await startDaemon({ now: () => now });
  g = gatheringsOf(daemon);
});
afterAll(() => daemon.stop());

const later = (ms: number) => {
  now = new Date(now.getTime() + ms);
};
const sanction = (externalUserId: string, body: Omit<CreateSanctionRequest, 'externalUserId'>) =>
  daemon.client.call(sanctionRoutes.create, {
    params: { projectId: daemon.projectId },
    body: { ...body, externalUserId },
  });
/** People who have joined, one millisecond after the other. */
const joined = async (joinCode: string, ...names: string[]) => {
  const people = [];
  for (const name of names) {
    const person = await g.person(name);
    later(1);
    people.push({ ...person, member: (await g.join(joinCode, person.id)).member });
  }
  return people as [(typeof people)[number], ...typeof people];
};

describe('POST …/gatherings/join', () => {
  it('gives a seat once, however often somebody joins', async () => {
    const { id, joinCode } = await g.create();
    const ann = await g.person('ann');
    const first = await g.join(joinCode, ann.id);
    expect(first).toMatchObject({
      success: true,
      error: null,
      gathering: { id, memberCount: 1, ownerId: ann.id },
      member: { participantId: ann.id, displayName: 'ann', role: 'owner', status: 'joined', ready: false },
    });
    expect(await g.join(joinCode, ann.id)).toEqual(first);
  });

  it('is 409 without a free seat, and works again when somebody has left', async () => {
    const { id, joinCode } = await g.create({ maxMembers: 2 });
    const [ann] = await joined(joinCode, 'ann', 'bob');
    const cid = await g.person('cid');
    await expect(g.join(joinCode, cid.id)).rejects.toMatchObject({ status: 409, code: 'gathering_full' });
    await g.leave(id, ann.id);
    expect((await g.join(joinCode, cid.id)).gathering).toMatchObject({ memberCount: 2 });
  });

  it('works in a private gathering, and after the start', async () => {
    const { id, joinCode } = await g.create({ accessPolicy: 'private' });
    await g.start(id);
    const [ann] = await joined(joinCode, 'ann');
    expect(ann.member).toMatchObject({ status: 'joined' });
  });

  it('takes the invited alone where a code is not enough', async () => {
    const { id, joinCode } = await g.create({ accessPolicy: 'invite-only' });
    const [ann, bob] = [await g.person('ann'), await g.person('bob')];
    await expect(g.join(joinCode, ann.id)).rejects.toMatchObject({ status: 409, code: 'gathering_invite_only' });
    const [invitation] = await g.invite(id, [ann.id]);
    expect((await g.join(joinCode, ann.id)).member.status).toBe('joined');
    expect(await g.invitations(id)).toMatchObject([{ id: invitation?.id, status: 'accepted' }]);
    expect(await g.add(id, bob.id)).toMatchObject({ status: 'joined' });
  });

  it('is 404 for an unknown code and an unknown participant', async () => {
    const { joinCode } = await g.create();
    const ann = await g.person('ann');
    await expect(g.join('AAAAAAAA', ann.id)).rejects.toMatchObject({ status: 404, code: 'join_code_unknown' });
    await expect(g.join(joinCode, 'x')).rejects.toMatchObject({ status: 404, code: 'participant_not_found' });
  });
});

describe('…/members', () => {
  it('are listed the longest first; those who left only when asked for', async () => {
    const { id, joinCode } = await g.create();
    const [ann, bob] = await joined(joinCode, 'ann', 'bob');
    const dan = await g.person('dan');
    await g.invite(id, [dan.id]);
    await g.leave(id, ann.member.id);
    await joined(joinCode, 'eve');
    const names = async (status?: 'left' | 'invited') => (await g.members(id, status)).map((one) => one.displayName);
    expect(await names()).toEqual(['bob', 'eve', 'dan']);
    expect(await names('left')).toEqual(['ann']);
    expect(await names('invited')).toEqual(['dan']);
    expect(await g.get(id)).toMatchObject({ memberCount: 2, ownerId: bob?.id });
  });

  it('are known by member id and by participant id', async () => {
    const { id, joinCode } = await g.create();
    const [ann] = await joined(joinCode, 'ann');
    expect(await g.change(id, ann.id, { ready: true })).toMatchObject({ status: 'ready', ready: true });
    expect(await g.change(id, ann.member.id, { ready: false })).toMatchObject({ status: 'joined', ready: false });
    await g.leave(id, ann.id);
    await expect(g.leave(id, ann.id)).rejects.toMatchObject({ status: 404, code: 'member_not_found' });
  });

  it('hand over to the longest one, and to nobody when nobody is left', async () => {
    const { id, joinCode } = await g.create();
    const [ann, bob, cid] = await joined(joinCode, 'ann', 'bob', 'cid');
    if (bob === undefined || cid === undefined) throw new Error('three joined');
    await g.change(id, bob.id, { status: 'left' });
    await joined(joinCode, 'bob');
    await g.change(id, ann.id, { role: 'member' });
    expect((await g.get(id)).ownerId).toBe(cid.id);
    await g.change(id, bob.id, { role: 'owner' });
    await g.leave(id, bob.id);
    expect((await g.get(id)).ownerId).toBe(ann.id);
    await g.leave(id, ann.id);
    await expect(g.change(id, cid.id, { role: 'member' })).rejects.toMatchObject({ code: 'owner_required' });
    await g.leave(id, cid.id);
    expect(await g.get(id)).toMatchObject({ ownerId: null, memberCount: 0 });
    await joined(joinCode, 'dan');
    expect(await g.members(id)).toMatchObject([{ displayName: 'dan', role: 'owner' }]);
  });

  it('take over when they are added as owners', async () => {
    const { id, joinCode } = await g.create();
    await joined(joinCode, 'ann');
    const bob = await g.person('bob');
    expect(await g.add(id, bob.id, 'owner')).toMatchObject({ role: 'owner' });
    expect((await g.get(id)).ownerId).toBe(bob.id);
  });

  it.each([
    { status: 'invited' },
    { status: 'left', role: 'owner' },
    { status: 'joined', ready: true },
    { status: 'ready', ready: false },
  ] as const)('refuse the change %o', async (body) => {
    const { id, joinCode } = await g.create();
    const [ann] = await joined(joinCode, 'ann');
    await expect(g.change(id, ann.id, body)).rejects.toMatchObject({ status: 400, code: 'member_change_invalid' });
  });
});

describe('invitations', () => {
  it('are one for each, and an open one is kept', async () => {
    const { id } = await g.create();
    const [ann, bob] = [await g.person('ann'), await g.person('bob')];
    const first = await g.invite(id, [ann.id]);
    const second = await g.invite(id, [ann.id, bob.id, bob.id]);
    expect(second).toHaveLength(2);
    expect(second[0]).toEqual(first[0]);
    expect(second[1]).toMatchObject({
      participantId: bob.id,
      status: 'pending',
      expiresAt: new Date(now.getTime() + 7 * 86_400_000).toISOString(),
    });
    expect(await g.get(id)).toMatchObject({ memberCount: 0 });
    await expect(g.invite(id, [ann.id, 'nobody'])).rejects.toMatchObject({ code: 'participant_not_found' });
  });

  it('are accepted by the invited one, once', async () => {
    const { id } = await g.create();
    const [ann, bob] = [await g.person('ann'), await g.person('bob')];
    const [{ id: invitation } = { id: '' }] = await g.invite(id, [ann.id]);
    expect((await g.pending(ann.id)).map((one) => one.gatheringId)).toContain(id);
    await expect(g.accept(invitation, bob.id)).rejects.toMatchObject({ status: 403, code: 'invitation_not_yours' });
    expect(await g.accept(invitation, ann.id)).toMatchObject({ success: true, member: { status: 'joined' } });
    await expect(g.accept(invitation, ann.id)).rejects.toMatchObject({ status: 409, code: 'invitation_closed' });
    await expect(g.decline(invitation)).rejects.toMatchObject({ status: 409, code: 'invitation_closed' });
  });

  it('stay open while the gathering is full', async () => {
    const { id, joinCode } = await g.create({ maxMembers: 2 });
    const dan = await g.person('dan');
    const [{ id: invitation } = { id: '' }] = await g.invite(id, [dan.id]);
    const [ann] = await joined(joinCode, 'ann', 'bob');
    await expect(g.accept(invitation, dan.id)).rejects.toMatchObject({ status: 409, code: 'gathering_full' });
    await g.leave(id, ann.id);
    expect(await g.accept(invitation, dan.id)).toMatchObject({ gathering: { memberCount: 2 } });
  });

  it('are declined by the invited one, and may be sent again', async () => {
    const { id } = await g.create();
    const ann = await g.person('ann');
    const [{ id: invitation } = { id: '' }] = await g.invite(id, [ann.id]);
    await g.decline(invitation);
    expect(await g.members(id)).toEqual([]);
    const [again] = await g.invite(id, [ann.id]);
    expect(again?.id).not.toBe(invitation);
    expect((await g.invitations(id)).map((one) => one.status)).toEqual(['pending', 'declined']);
    expect(await g.members(id)).toMatchObject([{ status: 'invited' }]);
  });

  it('run out to the millisecond, before the job has seen it and after', async () => {
    const { id } = await g.create();
    const ann = await g.person('ann');
    const [{ id: invitation } = { id: '' }] = await g.invite(
      id,
      [ann.id],
      new Date(now.getTime() + 1_000).toISOString(),
    );
    later(999);
    expect((await g.pending(ann.id)).map((one) => one.id)).toContain(invitation);
    later(1);
    expect((await g.pending(ann.id)).map((one) => one.id)).not.toContain(invitation);
    await expect(g.accept(invitation, ann.id)).rejects.toMatchObject({ code: 'invitation_closed' });
    expect(await g.invitations(id)).toMatchObject([{ status: 'declined', respondedAt: null }]);
    await eventually(async () => expect(await g.members(id)).toEqual([]), 15_000);
    later(-1_000);
    expect(await g.invitations(id)).toMatchObject([{ status: 'declined' }]);
  });

  it('are declined when the gathering is cancelled', async () => {
    const { id } = await g.create();
    const ann = await g.person('ann');
    const [{ id: invitation } = { id: '' }] = await g.invite(id, [ann.id]);
    await g.cancel(id);
    expect(await g.invitations(id)).toMatchObject([{ id: invitation, status: 'declined' }]);
    expect(await g.members(id)).toEqual([]);
  });
});

describe('sanctions', () => {
  it('keep banned people out by every door, until the ban is over', async () => {
    const { id, joinCode } = await g.create();
    const ann = await g.person('banned');
    const [{ id: invitation } = { id: '' }] = await g.invite(id, [ann.id]);
    await sanction('banned', { type: 'temp_ban', duration: 60 });
    const refused = { status: 403, code: 'participant_banned' };
    await expect(g.join(joinCode, ann.id)).rejects.toMatchObject(refused);
    await expect(g.accept(invitation, ann.id)).rejects.toMatchObject(refused);
    await expect(g.add(id, ann.id)).rejects.toMatchObject(refused);
    await expect(g.create({ ownerId: ann.id })).rejects.toMatchObject(refused);
    later(60_000);
    expect((await g.join(joinCode, ann.id)).member.status).toBe('joined');
  });

  it('hold over an erasure: it is no way back in', async () => {
    const { joinCode } = await g.create();
    const before = await g.person('returning');
    await sanction('returning', { type: 'perm_ban' });
    const params = { projectId: daemon.projectId, id: before.id };
    await daemon.client.call(participantRoutes.remove, { params });
    const after = await g.person('returning');
    expect(after.id).not.toBe(before.id);
    await expect(g.join(joinCode, after.id)).rejects.toMatchObject({ status: 403, code: 'participant_banned' });
  });

  it('keep restricted people to small gatherings, which do not grow around them', async () => {
    const small = await g.create({ maxMembers: 3 });
    const large = await g.create({ maxMembers: 4 });
    const ann = await g.person('restricted');
    await sanction('restricted', { type: 'party_restriction', parameters: { maxGatheringSize: 3 } });
    const refused = { status: 403, code: 'party_restricted' };
    await expect(g.join(large.joinCode, ann.id)).rejects.toMatchObject(refused);
    await expect(g.create({ ownerId: ann.id, maxMembers: 4 })).rejects.toMatchObject(refused);
    await g.join(small.joinCode, ann.id);
    await expect(g.update(small.id, { maxMembers: 4 })).rejects.toMatchObject(refused);
    expect(await g.create({ ownerId: ann.id, maxMembers: 3 })).toMatchObject({ memberCount: 1 });
  });

  it('hold the ready mark back, over a restart', async () => {
    const { id, joinCode } = await g.create();
    const [ann] = await joined(joinCode, 'slow');
    await sanction('slow', { type: 'queue_delay', parameters: { delaySeconds: 60 } });
    const due = new Date(now.getTime() + 60_000).toISOString();
    expect(await g.change(id, ann.id, { ready: true })).toMatchObject({ ready: false, status: 'joined', readyAt: due });
    later(59_999);
    await daemon.restart();
    g = gatheringsOf(daemon);
    expect(await g.members(id)).toMatchObject([{ ready: false, readyAt: due }]);
    later(1);
    await eventually(async () => expect(await g.members(id)).toMatchObject([{ ready: true, readyAt: null }]), 15_000);
  });

  it('holds the mark no longer than its delay when the clock is set back, and not at all when it is set ahead', async () => {
    const dayMs = 86_400_000;
    const { id, joinCode } = await g.create();
    const [ann] = await joined(joinCode, 'travelling');
    await sanction('travelling', { type: 'queue_delay', parameters: { delaySeconds: 60 } });
    await g.change(id, ann.id, { ready: true });
    later(-dayMs);
    const anew = new Date(now.getTime() + 60_000).toISOString();
    await eventually(async () => expect(await g.members(id)).toMatchObject([{ ready: false, readyAt: anew }]), 15_000);
    later(60_000);
    await eventually(async () => expect(await g.members(id)).toMatchObject([{ ready: true, readyAt: null }]), 15_000);
    await g.change(id, ann.id, { ready: false });
    await g.change(id, ann.id, { ready: true });
    later(dayMs);
    await eventually(async () => expect(await g.members(id)).toMatchObject([{ ready: true, readyAt: null }]), 15_000);
  });

  it('appears when the delay is lifted, and waits as long as a changed one says', async () => {
    const { id, joinCode } = await g.create();
    const [ann] = await joined(joinCode, 'pardoned');
    const delay = await sanction('pardoned', { type: 'queue_delay', parameters: { delaySeconds: 600 } });
    const asked = now.getTime();
    await g.change(id, ann.id, { ready: true });
    const params = { projectId: daemon.projectId, id: delay.id };
    await daemon.client.call(sanctionRoutes.update, { params, body: { parameters: { delaySeconds: 300 } } });
    const sooner = new Date(asked + 300_000).toISOString();
    await eventually(async () => expect(await g.members(id)).toMatchObject([{ ready: false, readyAt: sooner }]));
    await daemon.client.call(sanctionRoutes.revoke, { params, body: {} });
    await eventually(async () => expect(await g.members(id)).toMatchObject([{ ready: true, readyAt: null }]));
  });

  it('may be taken back before it appears', async () => {
    const { id, joinCode } = await g.create();
    const [ann] = await joined(joinCode, 'wavering');
    await sanction('wavering', { type: 'queue_delay' });
    await g.change(id, ann.id, { ready: true });
    expect(await g.change(id, ann.id, { ready: false })).toMatchObject({ ready: false, readyAt: null });
  });
});

describe('POST …/gatherings/{id}/members/{memberId}/move', () => {
  it('gives the seat there and frees the one here, or changes nothing', async () => {
    const red = await g.create({ maxMembers: 2 });
    const blue = await g.create({ maxMembers: 2, accessPolicy: 'private' });
    const [ann, bob] = await joined(red.joinCode, 'red ann', 'red bob');
    const moved = await g.move(red.id, ann.id, blue.id);
    expect(moved).toMatchObject({ gatheringId: blue.id, participantId: ann.id, role: 'owner', status: 'joined' });
    expect(await g.get(red.id)).toMatchObject({ memberCount: 1, ownerId: bob?.id });
    expect(await g.get(blue.id)).toMatchObject({ memberCount: 1, ownerId: ann.id });

    const cid = await g.person('blue cid');
    await g.add(blue.id, cid.id);
    await expect(g.move(red.id, bob?.member.id ?? '', blue.id)).rejects.toMatchObject({ code: 'gathering_full' });
    expect(await g.get(red.id)).toMatchObject({ memberCount: 1, ownerId: bob?.id });
    await expect(g.move(red.id, ann.id, blue.id)).rejects.toMatchObject({ status: 404, code: 'member_not_found' });
    await g.invite(red.id, [cid.id]);
    await expect(g.move(red.id, cid.id, blue.id)).rejects.toMatchObject({ code: 'member_change_invalid' });
    await expect(g.move(red.id, bob?.id ?? '', 'nothing')).rejects.toMatchObject({ code: 'gathering_not_found' });
    await expect(g.move(red.id, bob?.id ?? '', red.id)).rejects.toMatchObject({ code: 'member_change_invalid' });
  });

  it('is announced as somebody who left and joined', async () => {
    const [from, to] = [await g.create(), await g.create()];
    const [dan] = await joined(from.joinCode, 'moving dan');
    later(1);
    const query = { types: 'gathering.member.*', since: now.toISOString() };
    await g.move(from.id, dan.id, to.id);
    const stream = await openStream(
      `${daemon.url}/api/projects/${daemon.projectId}/events/stream?${new URLSearchParams(query)}`,
      { 'X-API-Key': daemon.apiKey },
    );
    const told = [(await stream.next()).data, (await stream.next()).data].map((data) => {
      const { type, payload } = data as { type: string; payload: { data: { gatheringId: string } } };
      return [type, payload.data.gatheringId];
    });
    stream.close();
    expect(told).toEqual([
      ['gathering.member.left', from.id],
      ['gathering.member.joined', to.id],
    ]);
  });
});
