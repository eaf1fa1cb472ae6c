/** People in rooms, sanctioned, kicked, moved and erased at a daemon that has no rooms: the answer comes once it holds. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { createResource } from '../../src/client/room/resource.js';
import { RoomEvents } from '../../src/client/room/room-events.js';
import { figureRoutes } from '../../src/contract/figures/figures.js';
import { sanctionRoutes } from '../../src/contract/moderation/sanctions.js';
import { blockRoutes } from '../../src/contract/people/blocks.js';
import { personRoutes } from '../../src/contract/people/person.js';
import { personMoveRoutes } from '../../src/contract/people/person-moves.js';
import { roomAnnouncementRoutes } from '../../src/contract/rooms/room-announcements.js';
import { roomRestrictionRoutes } from '../../src/contract/rooms/room-restrictions.js';
import { roomRoutes } from '../../src/contract/rooms/rooms.js';
import { tokenRoutes } from '../../src/contract/rooms/tokens.js';
import { eventually } from '../support/eventually.js';
import { hasPostgresql } from '../support/postgresql.js';
import { earshotd } from '../support/program.js';
import { answering, deadOffer, postOffer, roomToken } from '../support/room-client.js';
import { Listener, Speaker } from '../support/room-peers.js';
import { TwoDaemons } from '../support/two-daemons.js';

const here = 0;
const elsewhere = 1;
const roomId = 'stage';

describe.skipIf(!hasPostgresql)('a daemon without the role voice', { timeout: 60_000 }, () => {
  let pair: TwoDaemons;
  const peers: { close(): void }[] = [];
  beforeAll(async () => {
    pair = await TwoDaemons.start();
  }, 60_000);
  afterEach(() => {
    for (const peer of peers.splice(0)) peer.close();
  });
  afterAll(() => pair.stop());

  const params = () => ({ projectId: pair.projectId });
  const client = () => pair.client(elsewhere);
  const join = async <Peer extends Speaker | Listener>(peer: Peer, kind: 'whip' | 'whep', person: string) => {
    peers.push(peer);
    const token = await roomToken(pair.client(here), pair.projectId, roomId, person);
    await peer.join(answering(pair.daemons[here].url, kind, roomId, token));
    return peer;
  };
  /** Somebody who speaks and is heard; `silent` says whether anything is heard of what they say from now on. */
  const speakerWithListener = async (person: string) => {
    const listener = await join(new Listener(`${person}-ear`, 2), 'whep', `${person}-ear`);
    const speaker = await join(new Speaker(person), 'whip', person);
    const stop = speaker.talkOn();
    await eventually(() => expect(listener.heard.length).toBeGreaterThan(10));
    return {
      heardFromNowOn: async () => {
        const from = speaker.spoken;
        await eventually(() => expect(speaker.spoken).toBeGreaterThan(from + 40));
        await stop();
        await listener.settled();
        return listener.heardSince(from);
      },
    };
  };

  it('mutes the whole room before it answers', async () => {
    const { heardFromNowOn } = await speakerWithListener('mia');
    const place = { params: { ...params(), roomId } };
    await client().call(roomRestrictionRoutes.mute, { ...place, body: {} });
    expect(await heardFromNowOn()).toBeLessThanOrEqual(1);
    await client().call(roomRestrictionRoutes.unmute, place);
  });

  it('announces to everybody in the room', async () => {
    const token = await roomToken(pair.client(here), pair.projectId, roomId, 'ola');
    const events = new RoomEvents({ url: `${pair.daemons[here].url}/rooms/${roomId}`, token, encryption: null });
    peers.push(events);
    const told: string[] = [];
    events.subscribe((event) => told.push(event.type === 'room.announced' ? event.text : event.type));
    await events.open();
    await eventually(() => expect(told).toContain('room.state'));
    const body = { text: 'The final begins at nine.' };
    await client().call(roomAnnouncementRoutes.announce, { params: { ...params(), roomId }, body });
    await eventually(() => expect(told).toContain(body.text));
  });

  it('closes a room before it answers, and opens it again when its time is over', async () => {
    const { heardFromNowOn } = await speakerWithListener('gus');
    const place = { params: { ...params(), roomId } };
    const { closed } = await client().call(roomRestrictionRoutes.close, { ...place, body: { duration: 10 } });
    expect((await client().call(roomRoutes.get, place)).peers).toEqual([]);
    expect(await heardFromNowOn()).toBe(0);
    await expect(join(new Speaker('gus'), 'whip', 'gus')).rejects.toThrow('room_closed');
    await eventually(() => join(new Speaker('gus'), 'whip', 'gus'), 40_000);
    expect(Date.now()).toBeGreaterThanOrEqual(Date.parse(closed?.until ?? ''));
    await speakerWithListener('hal');
  });

  it('keeps people out of a room that was closed there before the rooms knew it', async () => {
    const params = { projectId: pair.projectId, roomId: 'vault' };
    await client().call(roomRestrictionRoutes.close, { params, body: {} });
    const token = await roomToken(pair.client(here), pair.projectId, 'vault', 'ida');
    const refused = await postOffer(pair.daemons[here].url, 'whip', 'vault', token, deadOffer('whip'));
    expect({ status: refused.status, body: await refused.json() }).toMatchObject({
      status: 403,
      body: { code: 'room_closed', message: 'A moderator has closed this room.' },
    });
    await client().call(roomRestrictionRoutes.reopen, { params });
    const accepted = await postOffer(pair.daemons[here].url, 'whip', 'vault', token, deadOffer('whip'));
    expect(accepted.status).toBe(201);
  });

  it('mutes before it answers', async () => {
    const { heardFromNowOn } = await speakerWithListener('ann');
    await client().call(sanctionRoutes.create, { params: params(), body: { type: 'mute', externalUserId: 'ann' } });
    expect(await heardFromNowOn()).toBe(0);
  });

  it('lets somebody hear no more whom they block, before it answers', async () => {
    const { heardFromNowOn } = await speakerWithListener('bea');
    const block = { params: { ...params(), user: 'bea-ear' }, body: { blockedUserId: 'bea' } };
    const before = Array.from({ length: 5 }, (_, index) =>
      client().call(blockRoutes.create, { ...block, body: { blockedUserId: `other-${index}` } }),
    );
    await client().call(blockRoutes.create, block);
    await Promise.all(before);
    expect(await heardFromNowOn()).toBe(0);
  });

  it('shows who is in the rooms, and kicks before it answers', async () => {
    const { heardFromNowOn } = await speakerWithListener('bob');
    const rooms = await client().call(roomRoutes.list, { params: params(), query: {} });
    const names = rooms.flatMap(({ peers }) => peers.map(({ externalUserId }) => externalUserId));
    expect(names).toEqual(expect.arrayContaining(['bob', 'bob-ear']));
    const bob = { params: { ...params(), roomId, externalUserId: 'bob' } };
    const { rooms: figures } = await client().call(figureRoutes.live, {});
    expect(figures.open).toBe(rooms.length);
    expect(figures.busiest).toContainEqual(expect.objectContaining({ roomId, projectId: pair.projectId }));
    expect(figures.people).toBeGreaterThanOrEqual(2);
    await client().call(roomRoutes.kick, bob);
    expect(await heardFromNowOn()).toBe(0);
    await expect(client().call(roomRoutes.kick, bob)).rejects.toMatchObject({ status: 404, code: 'peer_not_found' });
  });

  it('moves a person out of the room before it answers', async () => {
    const { heardFromNowOn } = await speakerWithListener('cid');
    await eventually(async () =>
      expect(
        await client().call(personMoveRoutes.move, {
          params: { ...params(), user: 'cid' },
          body: { externalUserId: 'cid-2' },
        }),
      ).toMatchObject({ participant: { externalUserId: 'cid-2' } }),
    );
    expect(await heardFromNowOn()).toBe(0);
  });

  it('moves somebody who has just joined for the first time, and nobody of the former id is left', async () => {
    const people = Array.from({ length: 5 }, (_, n) => `new-${n}`);
    for (const user of people) {
      await join(new Speaker(user), 'whip', user);
      const body = { externalUserId: `${user}-moved` };
      await client().call(personMoveRoutes.move, { params: { ...params(), user }, body });
    }
    await new Promise((resolve) => setTimeout(resolve, 2_000)); // what the rooms have to record is recorded
    for (const user of people)
      expect(await client().call(personRoutes.get, { params: { ...params(), user } })).toMatchObject({
        externalUserId: `${user}-moved`,
      });
  });

  it('erases a person who is in the room before it answers', async () => {
    const { heardFromNowOn } = await speakerWithListener('dan');
    await client().call(personRoutes.erase, { params: { ...params(), user: 'dan' } });
    expect(await heardFromNowOn()).toBe(0);
  });

  it('gives out tokens whose address is that of the rooms, and says at WHIP where they are', async () => {
    const { url } = pair.daemons[here];
    const issued = await eventually(async () => {
      const body = { roomId, userId: 'eve' };
      const answer = await client().call(tokenRoutes.generateForProject, { params: params(), body });
      expect(answer.url).toBe(`${url}/rooms/${roomId}`);
      return answer;
    });
    const refused = await postOffer(pair.daemons[elsewhere].url, 'whip', roomId, issued.token, deadOffer('whip'));
    expect({ status: refused.status, body: await refused.json() }).toMatchObject({
      status: 421,
      body: { code: 'room_elsewhere', details: [{ path: 'url', message: `${url}/rooms/${roomId}/whip` }] },
    });
    const stream = await fetch(`${pair.daemons[elsewhere].url}/rooms/${roomId}/events`);
    expect(stream.status).toBe(421);
    const access = { url: `${pair.daemons[elsewhere].url}/rooms/${roomId}`, token: issued.token, encryption: null };
    const { location } = await createResource(access, 'whip', deadOffer('whip'));
    expect(location.origin).toBe(url);
    const events = new RoomEvents(access);
    const state = new Promise((resolve) => events.subscribe((event) => event.type === 'room.state' && resolve(event)));
    await events.open();
    expect(await state).toMatchObject({ you: { externalUserId: 'eve' } });
    events.close();
  });

  it('says when no daemon has the role any more', async () => {
    const ready = async () => {
      const response = await fetch(`${pair.daemons[elsewhere].url}/health/ready`);
      return { status: response.status, ...Ready.parse(await response.json()) };
    };
    expect(await ready()).toEqual({ status: 200, problems: [] });
    await pair.daemons[here].end('SIGTERM');
    await eventually(async () => expect((await ready()).warnings?.map(({ part }) => part)).toEqual(['voice']));
    const { dataDir } = pair.daemons[elsewhere];
    const { stdout } = await earshotd(dataDir, ['doctor'], { env: { DATABASE_URL: pair.databaseUrl } });
    expect(stdout).toMatch(/warning +voice role +No running daemon of this database has the role voice/);
    const token = await roomToken(client(), pair.projectId, roomId, 'fay');
    const refused = await postOffer(pair.daemons[elsewhere].url, 'whip', roomId, token, deadOffer('whip'));
    expect({ status: refused.status, body: await refused.json() }).toMatchObject({
      status: 503,
      body: { code: 'room_unavailable' },
    });
    await client().call(personRoutes.erase, { params: { ...params(), user: 'ann' } });
  });
});

const Problems = z.array(z.object({ part: z.string(), problem: z.string() }));
const Ready = z.object({ problems: Problems, warnings: Problems.optional() }).transform(({ problems, warnings }) => ({
  problems,
  ...(warnings === undefined ? {} : { warnings }),
}));
