/** Members who were banned, left and were invited again, or type wrong codes; and searches for gatherings. */
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { gatheringRoutes } from '../../src/contract/gatherings/gatherings.js';
import { sanctionRoutes } from '../../src/contract/moderation/sanctions.js';
import { participantRoutes } from '../../src/contract/people/participants.js';
import type { TestDaemon } from '../support/daemon.js';
import { describeDaemonsOnEachDatabase } from '../support/each-database.js';
import { eventually } from '../support/eventually.js';
import { type Gatherings, gatheringsOf } from './support.js';

describeDaemonsOnEachDatabase('gatherings', (start) => {
  let daemon: TestDaemon;
  let g: Gatherings;
  let now = new Date('2026-03-01T12:00:00.000Z');
  let count = 0;
  let name: (who: string) => string;
  beforeAll(async () => {
    daemon = await start({ now: () => now, settings: { EARSHOT_MAILS_PER_HOUR: '150' } });
    g = gatheringsOf(daemon);
  });
  afterAll(() => daemon.stop());
  beforeEach(() => {
    count += 1;
    const test = count;
    name = (who) => `${who}-${test}`;
  });

  const params = () => ({ projectId: daemon.projectId });
  const sanction = (externalUserId: string, body: object) =>
    daemon.client.call(sanctionRoutes.create, {
      params: params(),
      body: { type: 'temp_ban', externalUserId, duration: 3_600, ...body },
    });
  const banned = { status: 403, code: 'participant_banned' };

  it('let nobody who was banned since become ready or owner', async () => {
    const [ann, bob, cid] = [await g.person(name('ann')), await g.person(name('bob')), await g.person(name('cid'))];
    const { id } = await g.create({ ownerId: ann.id });
    for (const one of [bob, cid]) await g.add(id, one.id);
    await sanction(bob.externalUserId, {});
    await expect(g.change(id, bob.id, { ready: true })).rejects.toMatchObject(banned);
    await expect(g.change(id, bob.id, { status: 'ready' })).rejects.toMatchObject(banned);
    await expect(g.change(id, bob.id, { role: 'owner' })).rejects.toMatchObject(banned);
    await expect(g.update(id, { ownerId: bob.id })).rejects.toMatchObject(banned);
    await expect(g.add(id, bob.id, 'owner')).rejects.toMatchObject(banned);
    expect(await g.change(id, bob.id, { ready: false })).toMatchObject({ ready: false });
    await g.leave(id, ann.id);
    expect(await g.get(id)).toMatchObject({ ownerId: cid.id }); // bob has been there longer
    await expect(g.change(id, cid.id, { role: 'member' })).rejects.toMatchObject({ code: 'owner_required' });
    await g.leave(id, cid.id);
    expect(await g.get(id)).toMatchObject({ ownerId: null, memberCount: 1 });
  });

  it('drop a ready mark that waited when its person was banned meanwhile', async () => {
    const ann = await g.person(name('ann'));
    const { id } = await g.create({ ownerId: ann.id });
    await sanction(ann.externalUserId, { type: 'queue_delay', parameters: { delaySeconds: 60 } });
    expect(await g.change(id, ann.id, { ready: true })).toMatchObject({ ready: false, readyAt: expect.any(String) });
    await sanction(ann.externalUserId, {});
    now = new Date(now.getTime() + 61_000);
    await eventually(async () => {
      expect((await g.members(id))[0]).toMatchObject({ status: 'joined', ready: false, readyAt: null });
    });
  });

  it('keep that somebody was there who is invited again and declines, so that an erasure finds them', async () => {
    const ann = await daemon.client.call(participantRoutes.create, {
      params: params(),
      body: { externalUserId: name('ann'), displayName: 'Ann Example' },
    });
    const { id } = await g.create({ inviterName: 'Ann Example', inviterEmail: 'ann@example.test' });
    await g.add(id, ann.id);
    await g.leave(id, ann.id);
    const [invitation] = await g.invite(id, [ann.id]);
    expect(await g.members(id)).toMatchObject([{ status: 'invited', leftAt: now.toISOString() }]);
    const isFound = async () => (await g.list({ externalUserId: ann.externalUserId })).gatherings.map((one) => one.id);
    expect(await isFound()).toEqual([id]);
    await g.decline(invitation?.id ?? '');
    expect(await g.members(id)).toEqual([]);
    expect(await g.members(id, 'left')).toMatchObject([{ participantId: ann.id, leftAt: now.toISOString() }]);
    expect(await isFound()).toEqual([id]);
    await daemon.client.call(participantRoutes.remove, { params: { ...params(), id: ann.id } });
    expect(await g.get(id)).toMatchObject({ inviterName: null, inviterEmail: null });
  });

  it('forget somebody who was only invited and declines', async () => {
    const ann = await g.person(name('ann'));
    const { id } = await g.create();
    const [invitation] = await g.invite(id, [ann.id]);
    await g.decline(invitation?.id ?? '');
    expect([await g.members(id), await g.members(id, 'left')]).toEqual([[], []]);
    expect((await g.list({ externalUserId: ann.externalUserId })).total).toBe(0);
  });

  it('count emails of changes that are made, and of no others', async () => {
    const participants = Array.from({ length: 100 }, (_, index) => ({ email: `u${index}@example.test` }));
    const unknown = { status: 404, code: 'gathering_not_found' };
    for (let time = 0; time < 3; time += 1)
      await expect(g.update('unknown', { participants })).rejects.toMatchObject(unknown);
    await expect(g.create({ participants, ownerId: 'nobody' })).rejects.toMatchObject({ status: 404 });
    const { id } = await g.create({ participants });
    await expect(g.update(id, { participants })).rejects.toMatchObject({ status: 429, code: 'rate_limited' });
    await g.update(id, { participants: participants.slice(0, 50) });
  });

  it('keep a player who types wrong codes from finding any, and nobody else who plays by the same key', async () => {
    const [ann, bob] = [await g.person(name('ann')), await g.person(name('bob'))];
    const { joinCode } = await g.create();
    for (let miss = 0; miss < 20; miss += 1)
      await expect(g.join('AAAAAAAA', ann.id)).rejects.toMatchObject({ code: 'join_code_unknown' });
    const refused = { status: 429, code: 'rate_limited' };
    await expect(g.join(joinCode, ann.id)).rejects.toMatchObject(refused);
    const lookup = (participantId?: string) =>
      daemon.client.call(gatheringRoutes.lookup, { params: { ...params(), joinCode }, query: { participantId } });
    await expect(lookup(ann.id)).rejects.toMatchObject(refused);
    expect(await lookup(bob.id)).toMatchObject({ joinCode });
    expect(await lookup()).toMatchObject({ joinCode });
    await expect(lookup('nobody')).rejects.toMatchObject({ status: 404, code: 'participant_not_found' });
    expect(await g.join(joinCode, bob.id)).toMatchObject({ success: true });
  });

  it('are listed or unlisted, a private one always unlisted', async () => {
    const found = async (listed: 'true' | 'false') =>
      (await g.list({ listed, searchProperties: JSON.stringify({ of: name('list') }) })).gatherings.map(({ id }) => id);
    const searchProperties = { of: name('list') };
    const { id: hidden } = await g.create({ accessPolicy: 'private', listed: true, searchProperties });
    const { id: shown } = await g.create({ listed: true, searchProperties });
    const { id: unlisted } = await g.create({ listed: false, searchProperties });
    expect(await found('true')).toEqual([shown]);
    expect(await found('false')).toEqual([unlisted, hidden]);
  });

  it('are not all found by a property that an object does not keep', async () => {
    const invalid = { status: 400, code: 'validation_failed' };
    await expect(g.list({ searchProperties: '{"__proto__":1}' })).rejects.toMatchObject(invalid);
    await expect(g.list({ searchProperties: '{"a":1,"__proto__":{}}' })).rejects.toMatchObject(invalid);
    expect((await g.list({ searchProperties: '{"constructor":1}' })).total).toBe(0);
  });
});
