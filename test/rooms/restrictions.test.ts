/** Rooms that are muted or closed to everybody but moderators, proved by what is heard and who is let in. */
import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { Database } from '../../daemon/platform/database/database.js';
import { RoomEvents } from '../../src/client/room/room-events.js';
import type { RoomStreamEvent } from '../../src/contract/rooms/room-events.js';
import { roomRestrictionRoutes } from '../../src/contract/rooms/room-restrictions.js';
import { roomRoutes } from '../../src/contract/rooms/rooms.js';
import { tokenRoutes } from '../../src/contract/rooms/tokens.js';
import { commandLine } from '../support/cli.js';
import { startDaemon, type TestDaemon } from '../support/daemon.js';
import { eventually } from '../support/eventually.js';
import { answering } from '../support/room-client.js';
import { Listener, Speaker } from '../support/room-peers.js';
import { openStream } from '../support/stream.js';

let daemon: TestDaemon;
const ends: { close(): void }[] = [];
beforeAll(async () => {
  daemon = await startDaemon();
});
afterEach(() => {
  for (const one of ends.splice(0)) one.close();
});
afterAll(() => daemon.stop());

const at = (roomId: string) => ({ params: { projectId: daemon.projectId, roomId } });
const restrict = (kind: 'mute' | 'close', roomId: string, duration?: number) =>
  daemon.client.call(roomRestrictionRoutes[kind], { ...at(roomId), body: { duration } });
const lift = (kind: 'unmute' | 'reopen', roomId: string) => daemon.client.call(roomRestrictionRoutes[kind], at(roomId));
const tokenOf = async (userId: string, roomId: string, moderate = false) => {
  const body = { roomId, userId, permissions: { moderate } };
  return (await daemon.client.call(tokenRoutes.generateForProject, { params: { projectId: daemon.projectId }, body }))
    .token;
};
const join = async <Peer extends Speaker | Listener>(
  peer: Peer,
  kind: 'whip' | 'whep',
  roomId: string,
  token: string,
): Promise<Peer> => {
  ends.push(peer);
  await peer.join(answering(daemon.url, kind, roomId, token));
  return peer;
};
const speaker = async (name: string, roomId: string, moderate = false) =>
  join(new Speaker(name), 'whip', roomId, await tokenOf(name, roomId, moderate));
/** A moderator, whom no restriction puts out or silences. */
const listener = async (roomId: string) =>
  join(new Listener('ear', 4), 'whep', roomId, await tokenOf('ear', roomId, true));
/** Measures how much of somebody's current speech is heard. */
const heardOf = async (who: Speaker, ear: Listener) => {
  ear.heard.length = 0;
  const from = who.spoken;
  await who.talk(20);
  await ear.settled();
  return ear.heardSince(from);
};

describe('a muted room', { timeout: 60_000 }, () => {
  it('silences those who are there and those who come, and no moderator, until it is lifted', async () => {
    const roomId = randomUUID();
    const ear = await listener(roomId);
    const ann = await speaker('ann', roomId);
    await eventually(async () => expect(await heardOf(ann, ear)).toBeGreaterThan(10));

    await restrict('mute', roomId);
    expect(await heardOf(ann, ear)).toBeLessThanOrEqual(1);
    const late = await speaker('late', roomId);
    expect(await heardOf(late, ear)).toBe(0);
    const guard = await speaker('guard', roomId, true);
    await eventually(async () => expect(await heardOf(guard, ear)).toBeGreaterThan(10));
    const { muted, peers } = await daemon.client.call(roomRoutes.get, at(roomId));
    expect(muted).toMatchObject({ until: null });
    const silent = peers.filter((peer) => peer.muted).map(({ externalUserId }) => externalUserId);
    expect(silent.sort()).toEqual(['ann', 'late']);

    expect(await lift('unmute', roomId)).toEqual({ roomId, muted: null, closed: null });
    await eventually(async () => expect(await heardOf(late, ear)).toBeGreaterThan(10));
  });

  it('lets everybody speak again when its time is over', async () => {
    const roomId = randomUUID();
    const ear = await listener(roomId);
    const ann = await speaker('ann', roomId);
    await restrict('mute', roomId, 3);
    expect(await heardOf(ann, ear)).toBeLessThanOrEqual(1);
    await eventually(async () => expect(await heardOf(ann, ear)).toBeGreaterThan(10), 20_000);
    expect((await daemon.client.call(roomRoutes.get, at(roomId))).muted).toBeNull();
  });

  it('stays muted when the daemon starts again', async () => {
    const roomId = randomUUID();
    await restrict('mute', roomId);
    await daemon.restart();
    const ear = await listener(roomId);
    const ann = await speaker('ann', roomId);
    expect(await heardOf(ann, ear)).toBe(0);
    const guard = await speaker('guard', roomId, true);
    await eventually(async () => expect(await heardOf(guard, ear)).toBeGreaterThan(10));
  });
});

describe('a closed room', { timeout: 60_000 }, () => {
  it('puts everybody out but moderators, says why, and lets nobody in until it is open again', async () => {
    const roomId = randomUUID();
    const ear = await listener(roomId);
    await speaker('ann', roomId);
    const told: RoomStreamEvent[] = [];
    const place = { url: `${daemon.url}/rooms/${roomId}`, token: await tokenOf('ann', roomId), encryption: null };
    const events = new RoomEvents(place);
    events.subscribe((event) => told.push(event));
    ends.push(events);
    await events.open();
    await eventually(() => expect(told.map(({ type }) => type)).toContain('room.state'));

    const { closed } = await restrict('close', roomId, 600);
    await eventually(() =>
      expect(told.at(-1)).toEqual({
        type: 'room.removed',
        reason: 'closed',
        resourceId: null,
        message: 'A moderator has closed this room.',
        because: null,
        until: closed?.until,
        standingUrl: null,
        rejoin: false,
      }),
    );
    const people = async () =>
      (await daemon.client.call(roomRoutes.get, at(roomId))).peers.map(({ externalUserId }) => externalUserId);
    await eventually(async () => expect(await people()).toEqual(['ear']));
    await expect(speaker('late', roomId)).rejects.toThrow('room_closed');
    const guard = await speaker('guard', roomId, true);
    await eventually(async () => expect(await heardOf(guard, ear)).toBeGreaterThan(10));

    await lift('reopen', roomId);
    const late = await speaker('late', roomId);
    await eventually(async () => expect(await heardOf(late, ear)).toBeGreaterThan(10));
  });

  it('stays closed when the daemon starts again, and opens when its time is over', async () => {
    const roomId = randomUUID();
    const { closed } = await restrict('close', roomId, 8);
    await daemon.restart();
    const events = await openStream(
      `${daemon.url}/api/projects/${daemon.projectId}/events/stream?resources=room:${roomId}`,
      {
        'X-API-Key': daemon.apiKey,
      },
    );
    ends.push(events);
    await expect(speaker('ann', roomId)).rejects.toThrow('room_closed');
    await eventually(() => speaker('ann', roomId), 30_000);
    expect(Date.now()).toBeGreaterThanOrEqual(Date.parse(closed?.until ?? ''));
    expect((await daemon.client.call(roomRoutes.get, at(roomId))).closed).toBeNull();
    await eventually(async () =>
      expect((await events.next()).data).toMatchObject({
        type: 'room.restricted',
        payload: { data: { roomId, muted: null, closed: null } },
      }),
    );
  });

  it('is listed though nobody is in it', async () => {
    const roomId = randomUUID();
    await restrict('close', roomId);
    const rooms = await daemon.client.call(roomRoutes.list, { params: { projectId: daemon.projectId } });
    expect(rooms.find((room) => room.roomId === roomId)).toMatchObject({
      peers: [],
      muted: null,
      closed: { until: null },
    });
    await lift('reopen', roomId);
  });
});

describe('earshot who and earshot why', { timeout: 60_000 }, () => {
  const cli = commandLine(() => ({ EARSHOT_URL: daemon.url, EARSHOT_API_KEY: daemon.apiKey }));
  afterAll(() => cli.dispose());

  it('tell a muted room from a mute of the person, and name closed rooms to whoever is kept out', async () => {
    const [stage, vault] = [randomUUID(), randomUUID()];
    await speaker('wanda', stage);
    await speaker('warden', stage, true);
    await speaker('warden', vault, true);
    await restrict('mute', stage);
    await restrict('close', vault, 600);

    const muted = `The room ${stage} is muted to everybody but moderators until it is lifted.`;
    const closed = new RegExp(`The room ${vault} is closed to everybody but moderators until \\d{4}`);
    const wanda = await cli.run(['why', 'wanda', '--json']);
    expect(wanda.code).toBe(1);
    const [{ findings }] = JSON.parse(wanda.stdout);
    expect(findings).toEqual([
      { ok: true, says: `Is in room ${stage}, muted.` },
      { ok: false, says: muted, remedy: `earshot rooms unmute ${stage}` },
      { ok: false, says: expect.stringMatching(closed), remedy: `earshot rooms reopen ${vault}` },
    ]);
    const warden = await cli.run(['why', 'warden', '--json']);
    expect(warden.code).toBe(0);
    const says = JSON.parse(warden.stdout)[0].findings.map((finding: { says: string }) => finding.says);
    expect(says).toContain('Nothing keeps them from joining or speaking.');
    expect(says).toContainEqual(expect.stringMatching(closed));

    expect((await cli.run(['who', 'wanda'])).stdout).toContain(
      `${stage}  muted  room muted to all but moderators, until it is lifted`,
    );
    expect((await cli.run(['who', 'warden'])).stdout).toMatch(
      new RegExp(`${vault}  speaks  room closed to all but moderators, ends \\d{4}`),
    );
    const room = await cli.run(['why', stage]);
    expect(room.stdout).not.toContain('earshot unmute');
    expect(room.stdout).toContain(`earshot rooms unmute ${stage}`);

    await lift('unmute', stage);
    await lift('reopen', vault);
    expect((await cli.run(['why', 'wanda'])).stdout).toContain('Nothing keeps them');
  });
});

describe('muted and closed rooms', () => {
  it('are limited for each project', async () => {
    const database = await Database.connect(daemon.databaseUrl);
    const rows = Array.from({ length: 1_000 }, (_, index) => ({
      projectId: daemon.projectId,
      roomId: `full-${index}`,
      kind: 'mute',
      since: new Date(),
      endAt: null,
    }));
    await database.transaction((tx) => tx.roomRestriction.createMany({ data: rows }));
    await expect(restrict('mute', randomUUID())).rejects.toMatchObject({ code: 'room_limit_reached' });
    await expect(restrict('mute', 'full-7', 60)).resolves.toMatchObject({ muted: { until: expect.any(String) } });
    await database.transaction((tx) => tx.roomRestriction.deleteMany({ where: { roomId: { startsWith: 'full-' } } }));
    await database.close();
  });
});
