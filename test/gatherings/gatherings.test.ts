import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startDaemon, type TestDaemon } from '../support/daemon.js';
import { eventually } from '../support/eventually.js';
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
const hourMs = 3_600_000;

describe('POST …/gatherings', () => {
  it('creates a lobby of eight with a code and a room of that name', async () => {
    const gathering = await g.create();
    expect(gathering).toMatchObject({
      status: 'CREATED',
      type: 'lobby',
      maxMembers: 8,
      memberCount: 0,
      accessPolicy: 'public',
      listed: false,
      ownerId: null,
      roomId: gathering.joinCode,
      expiresAt: '2026-03-02T12:00:00.000Z',
    });
    expect(gathering.joinCode).toMatch(/^[A-HJ-NP-Z2-9]{8}$/);
  });

  it('keeps every field over a restart', async () => {
    const owner = await g.person('keeper');
    const sent = {
      name: 'Raid',
      description: 'Bring torches',
      type: 'appointment',
      maxMembers: 5,
      accessPolicy: 'private',
      listed: true,
      startsAt: '2026-03-05T20:00:00.000Z',
      endsAt: '2026-03-05T22:00:00.000Z',
      timezone: 'Europe/Berlin',
      roomId: 'raid room',
      autoStartSession: true,
      properties: { map: { name: 'caves' } },
      searchProperties: { mode: 'ranked', level: 7 },
      ownerId: owner.id,
      inviterName: 'Ann',
      inviterEmail: 'ann@example.com',
    } as const;
    const created = await g.create(sent);
    expect(created).toMatchObject({ ...sent, memberCount: 1, expiresAt: '2026-03-05T23:00:00.000Z' });
    await daemon.restart();
    g = gatheringsOf(daemon);
    const { members, ...read } = await g.get(created.id);
    expect(read).toEqual(created);
    expect(members).toMatchObject([{ participantId: owner.id, role: 'owner', status: 'joined' }]);
  });

  it('is read back the same after a restart, with everybody in it', async () => {
    const { id, joinCode } = await g.create({ searchProperties: { walk: true } });
    const [ann, bob, cid, dan] = [
      await g.person('w1'),
      await g.person('w2'),
      await g.person('w3'),
      await g.person('w4'),
    ];
    for (const person of [ann, bob, cid]) await g.join(joinCode, person.id);
    await g.invite(id, [dan.id]);
    await g.change(id, bob.id, { ready: true });
    await g.leave(id, cid.id);
    await g.update(id, { name: 'Walked' });
    await g.start(id, 'walk room');
    const all = async () => ({
      one: await g.get(id),
      found: await g.list({ searchProperties: '{"walk":true}' }),
      byCode: await g.lookup(joinCode),
      members: await g.members(id),
      left: await g.members(id, 'left'),
      invitations: await g.invitations(id),
      pending: await g.pending(dan.id),
    });
    const written = await all();
    expect(written).toMatchObject({
      one: { name: 'Walked', status: 'STARTED', memberCount: 2, ownerId: ann.id },
      found: { total: 1 },
      members: [{ status: 'joined' }, { status: 'ready' }, { status: 'invited' }],
      left: [{ participantId: cid.id }],
      pending: [{ participantId: dan.id, status: 'pending' }],
    });
    await daemon.restart();
    g = gatheringsOf(daemon);
    expect(await all()).toEqual(written);
  });

  it.each([
    ['a zone that is none', { timezone: 'Mars/Olympus' }, 'validation_failed'],
    ['one seat', { maxMembers: 1 }, 'validation_failed'],
    ['101 seats', { maxMembers: 101 }, 'validation_failed'],
    [
      'an end before the start',
      { startsAt: '2026-03-05T20:00:00Z', endsAt: '2026-03-05T20:00:00Z' },
      'gathering_time_invalid',
    ],
  ])('refuses %s', async (_, body, code) => {
    await expect(g.create(body)).rejects.toMatchObject({ status: 400, code });
  });

  it('refuses an owner whom nobody knows', async () => {
    await expect(g.create({ ownerId: 'nobody' })).rejects.toMatchObject({ status: 404, code: 'participant_not_found' });
  });
});

describe('PATCH …/gatherings/{id}', () => {
  it('changes what is sent, clears what is null, leaves the rest', async () => {
    const { id, joinCode } = await g.create({ description: 'old', roomId: 'r1', searchProperties: { mode: 'casual' } });
    const changed = await g.update(id, {
      name: 'New',
      description: null,
      roomId: null,
      searchProperties: { mode: 'duo' },
    });
    expect(changed).toMatchObject({ name: 'New', description: null, roomId: joinCode, type: 'lobby', maxMembers: 8 });
    const found = await g.list({ searchProperties: '{"mode":"duo"}' });
    expect(found.gatherings.map((one) => one.id)).toEqual([id]);
    expect((await g.list({ searchProperties: '{"mode":"casual"}' })).total).toBe(0);
  });

  it('never takes a seat from under somebody', async () => {
    const { id, joinCode } = await g.create();
    for (const name of ['s1', 's2', 's3']) await g.join(joinCode, (await g.person(name)).id);
    await expect(g.update(id, { maxMembers: 2 })).rejects.toMatchObject({ status: 409, code: 'gathering_too_small' });
    expect(await g.update(id, { maxMembers: 3 })).toMatchObject({ maxMembers: 3 });
  });

  it('makes a member owner, and nobody else', async () => {
    const { id, joinCode } = await g.create();
    const [ann, bob, cid] = [await g.person('ann'), await g.person('bob'), await g.person('cid')];
    const { member } = await g.join(joinCode, ann.id);
    await g.join(joinCode, bob.id);
    expect(await g.update(id, { ownerId: bob.id })).toMatchObject({ ownerId: bob.id });
    expect(await g.update(id, { ownerId: member.id })).toMatchObject({ ownerId: ann.id });
    expect((await g.get(id)).members).toMatchObject([{ role: 'owner' }, { role: 'member' }]);
    await expect(g.update(id, { ownerId: cid.id })).rejects.toMatchObject({ status: 404, code: 'member_not_found' });
  });
});

describe('GET …/gatherings', () => {
  it('reads pending as CREATED and active as CREATED or STARTED, in either case', async () => {
    const mode = 'states';
    const made = await Promise.all(
      ['a', 'b', 'c'].map((name) => g.create({ name, listed: true, searchProperties: { mode } })),
    );
    const [a, b, c] = made.map(({ id }) => id);
    if (a === undefined || b === undefined || c === undefined) throw new Error('three were made');
    await g.start(b);
    await g.end(c);
    const names = async (status?: string) => {
      const { gatherings } = await g.list({ status, listed: 'true', searchProperties: JSON.stringify({ mode }) });
      return gatherings.map(({ name }) => name).sort();
    };
    expect(await names()).toEqual(['a', 'b', 'c']);
    expect(await names('pending')).toEqual(['a']);
    expect(await names('active')).toEqual(['a', 'b']);
    expect(await names('Ended')).toEqual(['c']);
    await expect(names('over')).rejects.toMatchObject({ status: 400 });
  });

  it('hides private ones from those who look for listed ones', async () => {
    const { id } = await g.create({ listed: true, accessPolicy: 'private' });
    const ids = async (listed?: string) => (await g.list({ listed, limit: 200 })).gatherings.map((one) => one.id);
    expect(await ids('true')).not.toContain(id);
    expect(await ids()).toContain(id);
  });

  it('finds by all of the wanted properties, by value and kind', async () => {
    const { id } = await g.create({ searchProperties: { mode: 'mixed', level: 7, hard: true } });
    const total = async (wanted: object) => (await g.list({ searchProperties: JSON.stringify(wanted) })).total;
    expect(await total({ mode: 'mixed', level: 7, hard: true })).toBe(1);
    expect(await total({ mode: 'mixed', level: '7' })).toBe(0);
    expect(await total({ mode: 'mixed', level: 8 })).toBe(0);
    expect((await g.get(id)).searchProperties).toEqual({ mode: 'mixed', level: 7, hard: true });
    await expect(g.list({ searchProperties: 'mode' })).rejects.toMatchObject({ status: 400 });
  });
});

describe('join codes', () => {
  it('are read in any case, with hyphens', async () => {
    const { id, joinCode } = await g.create();
    const typed = `${joinCode.slice(0, 4)}-${joinCode.slice(4)}`.toLowerCase();
    expect(await g.lookup(typed)).toMatchObject({ id, joinCode });
  });

  it('are 429 after twenty misses a minute, right ones too', async () => {
    const guesser = gatheringsOf({ client: await daemon.clientWith(['gatherings']), projectId: daemon.projectId });
    const { joinCode } = await g.create();
    for (let miss = 0; miss < 20; miss += 1)
      await expect(guesser.lookup('AAAAAAAA')).rejects.toMatchObject({ status: 404, code: 'join_code_unknown' });
    await expect(guesser.lookup(joinCode)).rejects.toMatchObject({ status: 429, code: 'rate_limited' });
    expect(await g.lookup(joinCode)).toMatchObject({ joinCode });
  });

  it('are unknown when they look like none', async () => {
    await expect(g.lookup('not a code')).rejects.toMatchObject({ status: 404, code: 'join_code_unknown' });
  });
});

describe('states', () => {
  it('go from CREATED to STARTED to ENDED, each step once', async () => {
    const { id } = await g.create();
    expect(await g.start(id, 'hall')).toMatchObject({ status: 'STARTED', roomId: 'hall', expiresAt: null });
    expect(await g.start(id, 'other')).toMatchObject({ status: 'STARTED', roomId: 'hall' });
    expect(await g.end(id)).toMatchObject({ status: 'ENDED' });
    expect(await g.end(id)).toMatchObject({ status: 'ENDED' });
  });

  it('are left by nobody once closed', async () => {
    const { id, joinCode } = await g.create();
    const ann = await g.person('ann');
    const { member } = await g.join(joinCode, ann.id);
    expect(await g.cancel(id)).toMatchObject({ status: 'CANCELLED', memberCount: 1 });
    const closed = { status: 409, code: 'gathering_closed' };
    await expect(g.cancel(id)).rejects.toMatchObject(closed);
    await expect(g.start(id)).rejects.toMatchObject(closed);
    await expect(g.end(id)).rejects.toMatchObject(closed);
    await expect(g.update(id, { name: 'x' })).rejects.toMatchObject(closed);
    await expect(g.join(joinCode, ann.id)).rejects.toMatchObject(closed);
    await expect(g.add(id, ann.id)).rejects.toMatchObject(closed);
    await expect(g.invite(id, [ann.id])).rejects.toMatchObject(closed);
    await expect(g.change(id, member.id, { ready: true })).rejects.toMatchObject(closed);
    await expect(g.leave(id, member.id)).rejects.toMatchObject(closed);
  });

  it('expire when they have been without members for 24 hours', async () => {
    const { id, joinCode } = await g.create();
    const ann = await g.person('ann');
    later(20 * hourMs);
    const { member } = await g.join(joinCode, ann.id);
    expect((await g.get(id)).expiresAt).toBeNull();
    later(20 * hourMs);
    await g.leave(id, member.id);
    expect((await g.get(id)).expiresAt).toBe(new Date(now.getTime() + 24 * hourMs).toISOString());
    later(24 * hourMs);
    await eventually(async () => expect(await g.get(id)).toMatchObject({ status: 'EXPIRED' }), 15_000);
  });
});

describe('appointments', () => {
  const at = (ms: number) => new Date(now.getTime() + ms).toISOString();

  it('start by themselves and are over an hour after their end, over restarts', async () => {
    const { id } = await g.create({ type: 'appointment', startsAt: at(hourMs), endsAt: at(2 * hourMs) });
    const other = await g.create({ type: 'lobby', startsAt: at(hourMs) });
    later(hourMs);
    await daemon.restart();
    g = gatheringsOf(daemon);
    await eventually(async () => expect(await g.get(id)).toMatchObject({ status: 'STARTED' }), 15_000);
    expect(await g.get(other.id)).toMatchObject({ status: 'CREATED' });
    later(2 * hourMs);
    await eventually(async () => expect(await g.get(id)).toMatchObject({ status: 'ENDED' }), 15_000);
  });

  it('start once when the clock jumps back by a day', async () => {
    const { id } = await g.create({ type: 'appointment', startsAt: at(hourMs) });
    later(hourMs);
    await eventually(async () => expect(await g.get(id)).toMatchObject({ status: 'STARTED' }), 15_000);
    later(-24 * hourMs);
    const canary = await g.create({ type: 'appointment', startsAt: at(-1) });
    await eventually(async () => expect(await g.get(canary.id)).toMatchObject({ status: 'STARTED' }), 15_000);
    expect(await g.get(id)).toMatchObject({ status: 'STARTED' });
    later(24 * hourMs);
  });

  it('expire instead when they were slept through', async () => {
    const { id } = await g.create({ type: 'appointment', startsAt: at(hourMs) });
    later(25 * hourMs);
    await eventually(async () => expect(await g.get(id)).toMatchObject({ status: 'EXPIRED' }), 15_000);
  });
});
