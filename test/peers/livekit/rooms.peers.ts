/** Rooms that LiveKit carries: the same promises as of the daemon's own, against its real server and client. */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { SignalRequest, SignalResponse, UpdateSubscription } from '@livekit/protocol';
import { dispose } from '@livekit/rtc-node';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { sanctionRoutes } from '../../../src/contract/moderation/sanctions.js';
import { roomRestrictionRoutes } from '../../../src/contract/rooms/room-restrictions.js';
import { roomRoutes } from '../../../src/contract/rooms/rooms.js';
import { tokenRoutes } from '../../../src/contract/rooms/tokens.js';
import { sessionRoutes } from '../../../src/contract/sessions/sessions.js';
import { startDaemon, type TestDaemon } from '../../support/daemon.js';
import { eventually } from '../../support/eventually.js';
import { LiveKitProcess } from './livekit-server.js';
import { Person } from './person.js';

let server: LiveKitProcess;
let daemon: TestDaemon;
const people: Person[] = [];
beforeAll(async () => {
  server = await LiveKitProcess.start();
  daemon = await startDaemon({ settings: { ...server.settings, EARSHOT_LOG_LEVEL: 'warn' } });
});
afterEach(async () => {
  for (const person of people.splice(0)) await person.leave();
});
afterAll(async () => {
  await daemon.stop();
  await server.stop();
  await dispose();
});

const params = () => ({ projectId: daemon.projectId });
const tokenFor = (userId: string, roomId: string) =>
  daemon.client.call(tokenRoutes.generateForProject, { params: params(), body: { roomId, userId } });
async function join(userId: string, roomId: string): Promise<Person> {
  const { url, token } = await tokenFor(userId, roomId);
  const person = await Person.join(userId, url ?? '', token);
  people.push(person);
  return person;
}
const impose = (type: 'mute' | 'shadow_mute' | 'perm_ban' | 'rate_limit', externalUserId: string) =>
  daemon.client.call(sanctionRoutes.create, { params: params(), body: { type, externalUserId } });
const hears = (listener: Person, speaker: Person) => {
  const from = listener.heardOf(speaker.name);
  return eventually(() => expect(listener.heardOf(speaker.name)).toBeGreaterThan(from + 20), 15_000);
};
/** What was on its way is played. */
async function hearsNothing(listener: Person, speaker: Person, ms = 2_000): Promise<void> {
  await sleep(500);
  const from = listener.heardOf(speaker.name);
  await sleep(ms);
  expect(listener.heardOf(speaker.name)).toBe(from);
}

describe('rooms by LiveKit', () => {
  it('let people hear each other and show who is there', async () => {
    const room = randomUUID();
    const [anna, ben] = [await join('anna', room), await join('ben', room)];
    await anna.speak();
    await hears(ben, anna);
    await eventually(async () => {
      const { peers } = await daemon.client.call(roomRoutes.get, { params: { ...params(), roomId: room } });
      expect(peers.map(({ externalUserId, publishing }) => [externalUserId, publishing]).sort()).toEqual([
        ['anna', true],
        ['ben', false],
      ]);
    });
  });

  it('silence a mute at once, and let a later joiner hear nothing', async () => {
    const room = randomUUID();
    const [anna, ben] = [await join('anna-m', room), await join('ben-m', room)];
    await anna.speak();
    await hears(ben, anna);
    const { id } = await impose('mute', 'anna-m');
    await hearsNothing(ben, anna);
    const cleo = await join('cleo-m', room);
    await expect(anna.speak()).rejects.toThrow();
    await hearsNothing(cleo, anna);
    await daemon.client.call(sanctionRoutes.revoke, { params: { ...params(), id }, body: { reason: 'enough' } });
    await anna.leave();
    const again = await join('anna-m', room);
    await again.speak();
    await hears(ben, again);
  });

  it('keep a shadow mute from everybody, whatever they subscribe to', async () => {
    const room = randomUUID();
    const [anna, ben] = [await join('anna-s', room), await join('ben-s', room)];
    await anna.speak();
    await hears(ben, anna);
    const { id } = await impose('shadow_mute', 'anna-s');
    await hearsNothing(ben, anna);
    for (const { trackPublications } of ben.room.remoteParticipants.values())
      for (const publication of trackPublications.values()) publication.setSubscribed(true);
    await hearsNothing(ben, anna);
    const cleo = await join('cleo-s', room);
    await hearsNothing(cleo, anna);
    await daemon.client.call(sanctionRoutes.revoke, { params: { ...params(), id }, body: { reason: 'enough' } });
    await hears(ben, anna);
    await hears(cleo, anna);
  });

  it('remove a kicked and a banned person, who do not come back with their tokens', async () => {
    const room = randomUUID();
    const { url, token } = await tokenFor('anna-k', room);
    const anna = await Person.join('anna-k', url ?? '', token);
    people.push(anna);
    await daemon.client.call(roomRoutes.kick, {
      params: { ...params(), roomId: room, externalUserId: 'anna-k' },
    });
    await eventually(() => expect(anna.room.isConnected).toBe(false));
    await expect(Person.join('anna-k', url ?? '', token)).rejects.toThrow();
    const ben = await join('ben-k', room);
    const old = await tokenFor('ben-k', room);
    await impose('perm_ban', 'ben-k');
    await eventually(() => expect(ben.room.isConnected).toBe(false));
    await expect(Person.join('ben-k', old.url ?? '', old.token)).rejects.toThrow();
  });

  it('let nobody hear whom they block, and apply a muted and a closed room', async () => {
    const room = randomUUID();
    const anna = await join('anna-b', room);
    const { url, token } = await tokenFor('ben-b', room);
    const ben = await Person.join('ben-b', url ?? '', token);
    people.push(ben);
    await anna.speak();
    await hears(ben, anna);
    const blocks = `${url}/blocks`;
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const blocked = await fetch(blocks, { method: 'POST', headers, body: JSON.stringify({ blockedUserId: 'anna-b' }) });
    expect(blocked.status).toBe(201);
    await hearsNothing(ben, anna);
    await fetch(`${blocks}/anna-b`, { method: 'DELETE', headers });
    await hears(ben, anna);
    const inRoom = { ...params(), roomId: room };
    await daemon.client.call(roomRestrictionRoutes.mute, { params: inRoom, body: {} });
    await hearsNothing(ben, anna);
    await daemon.client.call(roomRestrictionRoutes.close, { params: inRoom, body: {} });
    await eventually(() => expect([anna, ben].map((one) => one.room.isConnected)).toEqual([false, false]));
  });

  it('give a client no token of LiveKit, and take no subscription from it', async () => {
    const room = randomUUID();
    const anna = await join('anna-h', room);
    await anna.speak();
    await impose('shadow_mute', 'anna-h');
    const { url, token } = await tokenFor('mallory', room);
    const signals = `${url?.replace(/^http/, 'ws')}/rtc?protocol=15&auto_subscribe=1&access_token=${token}`;
    const mallory = new WebSocket(signals);
    mallory.binaryType = 'arraybuffer';
    const said: SignalResponse[] = [];
    mallory.addEventListener('message', ({ data }) =>
      said.push(SignalResponse.fromBinary(new Uint8Array(data as ArrayBuffer))),
    );
    await eventually(() => expect(said.map(({ message }) => message.case)).toContain('join'));
    const joined = said.find(({ message }) => message.case === 'join')?.message;
    const others = joined?.case === 'join' ? joined.value.otherParticipants : [];
    const trackSids = others.flatMap(({ tracks }) => tracks.map(({ sid }) => sid));
    expect(trackSids).toHaveLength(1);
    const value = new UpdateSubscription({ trackSids, subscribe: true });
    mallory.send(new SignalRequest({ message: { case: 'subscription', value } }).toBinary());
    await impose('mute', 'mallory'); // LiveKit sends a token with the new rights
    await eventually(() => expect(said.map(({ message }) => message.case)).toContain('update'));
    await sleep(2_000);
    mallory.close();
    const cases = said.map(({ message }) => message.case);
    expect(cases).not.toContain('refreshToken');
    expect(JSON.stringify(said)).not.toMatch(/eyJ[\w-]+\.[\w-]+\./);
    expect(cases.filter((one) => one === 'subscriptionResponse')).toEqual([]);
    const offers = said.flatMap(({ message }) => (message.case === 'offer' ? [message.value.sdp] : []));
    expect(offers.filter((sdp) => trackSids.some((sid) => sdp.includes(sid)))).toEqual([]);
  });

  it('have the bot of a session listen, and let nobody make it deaf', async () => {
    const room = randomUUID();
    const session = await daemon.client.call(sessionRoutes.create, {
      params: params(),
      body: { title: 'Match', externalRoomId: room, autoStart: true },
    });
    const [anna, ben] = [await join('anna-t', room), await join('ben-t', room)];
    await anna.speak();
    await hears(ben, anna);
    await impose('shadow_mute', 'anna-t');
    const heard = async () =>
      (await daemon.client.call(sessionRoutes.get, { params: { ...params(), id: session.id } })).bot.counters.packets;
    await eventually(async () => expect(await heard()).toBeGreaterThan(0), 30_000);
    const before = await heard();
    await eventually(async () => expect(await heard()).toBeGreaterThan(before + 20), 30_000);
  });

  it('say what they cannot do', async () => {
    const { url, token } = await tokenFor('anna-w', randomUUID());
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/sdp' };
    const offered = await fetch(`${url}/whep`, { method: 'POST', headers, body: 'v=0' });
    expect(await offered.json()).toMatchObject({ code: 'provider_unsupported' });
    await expect(impose('rate_limit', 'anna-w')).rejects.toMatchObject({ code: 'provider_unsupported' });
  });
});
