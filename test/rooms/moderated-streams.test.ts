/** Lines on the event streams of a room that are not for everybody. */
import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { uuidv7 } from 'uuidv7';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { RoomEventForwarder } from '../../daemon/modules/rooms/media/room-event-forwarder.js';
import { roomPartials } from '../../daemon/modules/rooms/media/room-partials.js';
import { RoomStreams } from '../../daemon/modules/rooms/media/room-streams.js';
import { PartialMessages } from '../../daemon/modules/sessions/partial-messages.js';
import { ClientAddresses } from '../../daemon/platform/http/client-addresses.js';
import { ConnectionPlaces } from '../../daemon/platform/http/connection-places.js';
import { StreamPlaces } from '../../daemon/platform/http/stream-places.js';
import { createLogger } from '../../daemon/platform/observability/logger.js';
import { systemClock } from '../../daemon/platform/time/clock.js';
import type { DomainEvent } from '../../src/contract/events.js';
import { RoomStreamEvent } from '../../src/contract/rooms/room-events.js';
import { openStream, type RawStream } from '../support/stream.js';

const room = { projectId: uuidv7(), roomId: 'court' };
const sessionId = uuidv7();
const log = createLogger('silent');
const places = new ConnectionPlaces('streams', { max: 10, perNetworkMax: 0 }, log);
const streams = new RoomStreams(
  { room: () => null, onEvent: () => () => {} },
  {
    tenantOf: async () => 't',
    encryption: async () => 'disabled',
    reportCategories: async () => ['spam'],
    otherUrls: () => [],
    haveOldKey: async () => [],
    blocked: async (_, externalUserId) => (externalUserId === 'ben' ? ['eve'] : []),
    policy: async () => ({ silenced: null, limited: null, speakingSecondsPerMinute: null, banned: null }),
  },
  new StreamPlaces(places, new ClientAddresses([])),
  log,
  systemClock,
);
const forwarder = new RoomEventForwarder(streams, { roomOf: async () => room.roomId }, log);

/** The path says who reads, and whether as a moderator. */
const server = http.createServer((request, response) => {
  const [, sub = '', kind] = (request.url ?? '').split('/');
  const claims = { sub, name: sub, project: room.projectId, room: room.roomId, userData: {}, jti: sub };
  const rights = {
    publish: true,
    subscribe: true,
    moderate: kind === 'moderator',
    impose: false,
    accountId: null,
    observer: false,
  };
  void streams.open(
    { ...claims, ...rights, encryption: null, joinBefore: 0, iat: 0, exp: Date.now() },
    response,
    async () => {},
    kind !== 'plain',
  );
});
beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterAll(() => {
  streams.stop();
  server.closeAllConnections();
  server.close();
});

const read = (path: string) => openStream(`http://127.0.0.1:${(server.address() as AddressInfo).port}/${path}`, {});
const happened = (type: string, data: object): DomainEvent => ({
  ...{ id: uuidv7(), type, source: 'cortex:api', tenantId: 't', projectId: room.projectId, resourceId: 'message:1' },
  ...{ timestamp: new Date().toISOString(), payload: { action: 'created', data } },
});
const said = (externalUserId: string, shadowMuted: boolean): DomainEvent =>
  happened('message.created', {
    ...{ id: uuidv7(), sessionId, participantId: null, externalUserId, senderName: externalUserId, content: 'hello' },
    ...{ type: 'user', origin: 'speech', status: 'recognised', startMs: 0, endMs: 1, asr: null, shadowMuted },
    ...{ hasDebugAudio: false, language: null },
    timestamp: new Date().toISOString(),
  });
const annotated = happened('message.annotation.created', {
  ...{ id: uuidv7(), messageId: uuidv7(), sessionId, participantId: null, externalUserId: 'dora', type: 'toxicity' },
  ...{ pluginSlug: 'toxicity', content: { score: 1 }, createdAt: new Date().toISOString() },
});

/** Returns the events until the person called `last` said something. */
async function toldUntil(stream: RawStream, last: string): Promise<string[]> {
  const told: string[] = [];
  for (;;) {
    const event = RoomStreamEvent.parse((await stream.next()).data);
    if (event.type === 'message.annotation') told.push(event.type);
    if (event.type === 'message.partial') told.push(`${event.externalUserId} …`);
    if (event.type !== 'message') continue;
    if (event.message.externalUserId === last) return told;
    told.push(event.message.externalUserId ?? '');
  }
}

it('tells what people are saying to those who ask for it, and may read the line that follows', async () => {
  const spoken = new PartialMessages();
  const speaking = roomPartials(streams, spoken);
  speaking.start();
  const owner = { tenantId: 't', ...room };
  expect(spoken.isWanted(owner)).toBe(false);
  const plain = await read('cora/plain');
  await plain.next();
  expect(spoken.isWanted(owner)).toBe(false);
  const [dora, ben, moderator] = await Promise.all([read('dora'), read('ben'), read('mo/moderator')]);
  for (const stream of [dora, ben, moderator]) await stream.next(); // the state
  expect(spoken.isWanted(owner)).toBe(true);
  expect(spoken.isWanted({ ...owner, roomId: 'hall' })).toBe(false);
  const say = (externalUserId: string, shadowMuted: boolean) =>
    spoken.publish('t', {
      ...{ ...room, sessionId, externalUserId, senderName: externalUserId, content: 'hel', startMs: 0, shadowMuted },
      timestamp: new Date().toISOString(),
    });
  say('dora', true);
  say('cora', false);
  say('eve', false);
  await forwarder.forward([said('last', false)]);
  expect(await toldUntil(plain, 'last')).toEqual([]);
  expect(await toldUntil(dora, 'last')).toEqual(['dora …', 'cora …', 'eve …']);
  expect(await toldUntil(ben, 'last')).toEqual(['cora …']);
  expect(await toldUntil(moderator, 'last')).toEqual(['dora …', 'cora …', 'eve …']);
  speaking.stop();
  expect(spoken.isWanted(owner)).toBe(false);
  for (const stream of [plain, dora, ben, moderator]) stream.close();
});

it('shows speech of a shadow-muted person to them and to moderators, annotations to moderators alone, and nobody whom they block', async () => {
  const [dora, ben, moderator] = await Promise.all([read('dora'), read('ben'), read('mo/moderator')]);
  for (const stream of [dora, ben, moderator])
    expect(RoomStreamEvent.parse((await stream.next()).data)).toMatchObject({ type: 'room.state' });
  await forwarder.forward([
    said('dora', true),
    annotated,
    said('cora', false),
    said('eve', false),
    said('last', false),
  ]);
  expect(await toldUntil(dora, 'last')).toEqual(['dora', 'cora', 'eve']);
  expect(await toldUntil(ben, 'last')).toEqual(['cora']);
  expect(await toldUntil(moderator, 'last')).toEqual(['dora', 'message.annotation', 'cora', 'eve']);
  for (const stream of [dora, ben, moderator]) stream.close();
});
