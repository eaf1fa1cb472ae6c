import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { auditRoutes } from '../../src/contract/audit/audit.js';
import type { SanctionType } from '../../src/contract/moderation/sanction-record.js';
import { sanctionRoutes } from '../../src/contract/moderation/sanctions.js';
import { statementRoutes } from '../../src/contract/moderation/statements.js';
import { participantRoutes } from '../../src/contract/people/participants.js';
import { pluginInstanceRoutes } from '../../src/contract/plugins/plugins.js';
import { projectRoutes } from '../../src/contract/projects/projects.js';
import { settingsRoutes } from '../../src/contract/projects/settings.js';
import { RoomStreamEvent } from '../../src/contract/rooms/room-events.js';
import { roomVisitRoutes } from '../../src/contract/rooms/room-visits.js';
import { roomRoutes } from '../../src/contract/rooms/rooms.js';
import { tokenRoutes } from '../../src/contract/rooms/tokens.js';
import { sessionRoutes } from '../../src/contract/sessions/sessions.js';
import { startDaemon, type TestDaemon } from '../support/daemon.js';
import { eventually } from '../support/eventually.js';
import { deadOffer, postOffer } from '../support/room-client.js';
import { Listener, Speaker } from '../support/room-peers.js';
import { roomProcess } from '../support/room-process.js';
import { openStream, type RawStream } from '../support/stream.js';

let daemon: TestDaemon;
beforeAll(async () => {
  daemon = await startDaemon();
});
afterAll(() => daemon.stop());

const params = () => ({ projectId: daemon.projectId });
const tokenFor = async (userId: string, roomId: string, permissions = {}) =>
  (
    await daemon.client.call(tokenRoutes.generateForProject, {
      params: params(),
      body: { roomId, userId, displayName: userId.toUpperCase(), permissions },
    })
  ).token;
const eventsWith = (roomId: string, token: string) =>
  openStream(`${daemon.url}/rooms/${roomId}/events`, { Authorization: `Bearer ${token}` });
const eventsOf = async (userId: string, roomId: string) => eventsWith(roomId, await tokenFor(userId, roomId));
const post = (kind: 'whip' | 'whep', roomId: string, token: string) => async (offer: string) => {
  const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/sdp' };
  const response = await fetch(`${daemon.url}/rooms/${roomId}/${kind}`, { method: 'POST', headers, body: offer });
  if (response.status !== 201) throw new Error(`${kind} answered ${response.status}`);
  return response.text();
};
const joinAs = async (userId: string, roomId: string) => {
  const speaker = new Speaker(userId);
  await speaker.join(post('whip', roomId, await tokenFor(userId, roomId)));
  return speaker;
};
/** The next event of this type, in its contract form; others before it are passed over. */
const next = async <T extends RoomStreamEvent['type']>(stream: RawStream, type: T) => {
  for (;;) {
    const { event, data } = await stream.next(15_000);
    const parsed = RoomStreamEvent.parse(data);
    expect(event).toBe(parsed.type);
    if (parsed.type === type) return parsed as Extract<RoomStreamEvent, { type: T }>;
  }
};
/** The address of the person's page. */
const standingOf = async (id: string) =>
  (await daemon.client.call(statementRoutes.get, { params: { ...params(), id } })).url ?? '';
const impose = (type: SanctionType, userId: string, extra = {}) =>
  daemon.client.call(sanctionRoutes.create, {
    params: params(),
    body: { type, externalUserId: userId, reason: 'shouting', ...extra },
  });

describe('GET /rooms/{roomId}/events', () => {
  it('tells at first who is there, and then who comes, speaks and goes', async () => {
    const ben = await eventsOf('ben', 'hall');
    const state = await next(ben, 'room.state');
    expect(ben.headers.get('content-type')).toContain('text/event-stream');
    expect(state).toMatchObject({
      roomId: 'hall',
      you: { externalUserId: 'ben', name: 'BEN', publish: true, subscribe: true, moderate: false },
      encryption: 'disabled',
      people: [],
      slots: [],
    });
    const ears = new Listener('ben', 2);
    await ears.join(post('whep', 'hall', await tokenFor('ben', 'hall')));
    expect(await next(ben, 'room.peer')).toMatchObject({ change: 'joined', person: { externalUserId: 'ben' } });
    const ann = await joinAs('ann', 'hall');
    expect(await next(ben, 'room.peer')).toMatchObject({
      change: 'joined',
      person: { externalUserId: 'ann', name: 'ANN', publishing: true, muted: false, bot: false },
    });
    await ann.talk(15);
    const slot = await next(ben, 'room.slot');
    expect(slot).toMatchObject({ slot: 0, speaker: 'ann' });

    const late = await eventsOf('ben', 'hall');
    expect(await next(late, 'room.state')).toMatchObject({
      people: [{ externalUserId: 'ben' }, { externalUserId: 'ann' }],
      slots: [{ resourceId: slot.resourceId, slot: 0, speaker: 'ann' }],
    });
    ann.close();
    expect(await next(ben, 'room.slot')).toMatchObject({ speaker: null });
    for (const stream of [ben, late]) stream.close();
    ears.close();
  });

  it('seats nobody: whoever only reads is no peer', async () => {
    const reader = await eventsOf('lurker', 'empty');
    await next(reader, 'room.state');
    const rooms = await daemon.client.call(roomRoutes.list, { params: params() });
    expect(rooms.flatMap(({ peers }) => peers).map(({ externalUserId }) => externalUserId)).not.toContain('lurker');
    reader.close();
  });

  it('shows the bot among the people, and the transcript as it grows', async () => {
    const reader = await eventsOf('ben', 'demo');
    await next(reader, 'room.state');
    const body = { title: 'Demo', externalRoomId: 'demo' };
    const { id } = await daemon.client.call(sessionRoutes.create, { params: params(), body });
    expect(await next(reader, 'room.peer')).toMatchObject({ change: 'joined', person: { bot: true } });
    const say = (externalUserId: string, content: string) =>
      daemon.client.call(sessionRoutes.say, { params: { ...params(), id }, body: { externalUserId, content } });
    await say('cora', 'hello');
    expect((await next(reader, 'message')).message).toMatchObject({
      content: 'hello',
      senderName: 'cora',
      kind: 'user',
    });
    await daemon.client.call(sessionRoutes.stop, { params: { ...params(), id } });
    expect(await next(reader, 'room.peer')).toMatchObject({ change: 'left', person: { bot: true } });
    reader.close();
  });

  it('shows an observer of the team as one, who is no participant and in no transcript, but in the audit log', async () => {
    const body = { title: 'Stage', externalRoomId: 'stage' };
    const { id } = await daemon.client.call(sessionRoutes.create, { params: params(), body });
    const player = await eventsOf('ben', 'stage');
    await next(player, 'room.state');
    const made = await daemon.client.call(tokenRoutes.observe, { params: { ...params(), roomId: 'stage' } });
    const ears = new Listener('team', 1);
    await ears.join(post('whep', 'stage', made.token));
    const { change, person } = await next(player, 'room.peer');
    expect({ change, ...person }).toMatchObject({ change: 'joined', name: 'default team', observer: true });
    const own = await eventsWith('stage', made.token);
    expect((await next(own, 'room.state')).you).toMatchObject({ publish: false, moderate: true, observer: true });
    const visits = {
      params: { ...params(), roomId: 'stage' },
      query: { since: new Date(Date.now() - 60_000).toISOString() },
    };
    expect(await daemon.client.call(roomVisitRoutes.list, visits)).toEqual([]);
    await expect(new Speaker('team').join(post('whip', 'stage', made.token))).rejects.toThrow('403');

    const ann = await joinAs('ann', 'stage');
    await ann.talk(10);
    expect(await next(own, 'room.slot')).toMatchObject({ speaker: 'ann' });
    expect(await next(player, 'message')).toMatchObject({ message: { content: 'ANN joined' } });
    const lines = await daemon.client.call(sessionRoutes.messages, { params: { ...params(), id } });
    expect(lines.map(({ content }) => content)).toEqual(['ANN joined']);
    const { participants } = await daemon.client.call(participantRoutes.list, {
      params: params(),
      query: { search: 'team' },
    });
    expect(participants).toEqual([]);
    const query = { action: tokenRoutes.observe.operationId };
    const { entries } = await daemon.admin.call(auditRoutes.list, { params: params(), query });
    expect(entries).toMatchObject([{ actor: { kind: 'apiKey' }, targets: [{ kind: 'room', id: 'stage' }] }]);
    for (const one of [ann, ears, player, own]) one.close();
  });

  it('lets a session end by its idleTimeout while only an observer is there', async () => {
    const made = await daemon.client.call(tokenRoutes.observe, { params: { ...params(), roomId: 'wings' } });
    const ears = new Listener('team', 1);
    await ears.join(post('whep', 'wings', made.token));
    const body = { title: 'Wings', externalRoomId: 'wings', idleTimeout: 1 };
    const { id } = await daemon.client.call(sessionRoutes.create, { params: params(), body });
    await eventually(async () => {
      const { bot } = await daemon.client.call(sessionRoutes.get, { params: { ...params(), id } });
      expect(bot.cause).toBe('idle_timeout');
    });
    ears.close();
  });

  it('shows moderators what plugins say about lines, and nobody else', async () => {
    await daemon.client.call(pluginInstanceRoutes.create, { params: params(), body: { pluginId: 'sentiment' } });
    const moderator = await eventsWith('court', await tokenFor('mo', 'court', { moderate: true }));
    const player = await eventsOf('ben', 'court');
    expect((await next(moderator, 'room.state')).you).toMatchObject({ moderate: true });
    await next(player, 'room.state');
    const body = { title: 'Court', externalRoomId: 'court' };
    const { id } = await daemon.client.call(sessionRoutes.create, { params: params(), body });
    const say = (externalUserId: string, content: string) =>
      daemon.client.call(sessionRoutes.say, { params: { ...params(), id }, body: { externalUserId, content } });
    const bad = await say('dora', 'this is terrible');
    expect((await next(moderator, 'message.annotation')).annotation).toMatchObject({
      ...{ messageId: bad.id, pluginSlug: 'sentiment', type: 'sentiment' },
      content: { label: 'negative' },
    });
    const last = await say('cora', 'bye');
    const seen: RoomStreamEvent[] = [];
    while (!seen.some((event) => event.type === 'message' && event.message.id === last.id))
      seen.push(RoomStreamEvent.parse((await player.next(15_000)).data));
    expect(seen.flatMap((event) => (event.type === 'message' ? event.message.id : []))).toEqual([bad.id, last.id]);
    expect(seen.map(({ type }) => type)).not.toContain('message.annotation');
    for (const stream of [moderator, player]) stream.close();
  });

  it('tells a person why and until when they are silenced, and when that is over', async () => {
    const reader = await eventsOf('loud', 'hall');
    await next(reader, 'room.state');
    const { id, endAt } = await impose('mute', 'loud', { duration: 600 });
    const standingUrl = await standingOf(id);
    const told = { muted: true, reason: 'shouting', until: endAt, standingUrl };
    expect(await next(reader, 'room.muted')).toMatchObject(told);
    const again = await eventsOf('loud', 'hall');
    expect(await next(again, 'room.muted')).toMatchObject({ muted: true });
    await daemon.client.call(sanctionRoutes.revoke, { params: { ...params(), id }, body: {} });
    expect(await next(reader, 'room.muted')).toMatchObject({ muted: false, reason: null, until: null });
    await impose('warn', 'loud');
    expect(await next(reader, 'room.warned')).toMatchObject({ reason: 'shouting' });
    for (const stream of [reader, again]) stream.close();
  });

  it('tells a person how long they may speak, why and until when, and when that is over', async () => {
    const reader = await eventsOf('chatty', 'hall');
    await next(reader, 'room.state');
    const { id, endAt } = await impose('rate_limit', 'chatty', {
      duration: 600,
      parameters: { speakingSecondsPerMinute: 5 },
    });
    const limited = { secondsPerMinute: 5, reason: 'shouting', until: endAt };
    expect(await next(reader, 'room.limited')).toMatchObject(limited);
    const again = await eventsOf('chatty', 'hall');
    expect(await next(again, 'room.limited')).toMatchObject(limited);
    await daemon.client.call(sanctionRoutes.revoke, { params: { ...params(), id }, body: {} });
    expect(await next(reader, 'room.limited')).toMatchObject({ secondsPerMinute: null, reason: null, until: null });
    for (const stream of [reader, again]) stream.close();
  });

  it.each([
    ['temp_ban', { duration: 600 }],
    ['perm_ban', {}],
  ] as const)('says of a %s the same to who is put out as to who is not let in', async (type, term) => {
    const user = `banned-${type}`;
    const token = await tokenFor(user, 'hall');
    const reader = await eventsOf(user, 'hall');
    await next(reader, 'room.state');
    const { id, endAt } = await impose(type, user, term);
    const standingUrl = await standingOf(id);
    const removed = await next(reader, 'room.removed');
    expect(removed).toMatchObject({
      ...{ reason: 'banned', until: endAt, because: 'shouting', standingUrl },
      message: expect.stringContaining('shouting'),
    });
    const refusal = {
      ...{ statusCode: 403, code: 'participant_banned', message: removed.message },
      details: [
        ...(endAt === null ? [] : [{ path: 'until', message: endAt }]),
        ...[
          { path: 'because', message: 'shouting' },
          { path: 'standingUrl', message: standingUrl },
        ],
      ],
    };
    const headers = { Authorization: `Bearer ${token}` };
    for (const response of [
      await fetch(`${daemon.url}/rooms/hall/events`, { headers }),
      await postOffer(daemon.url, 'whip', 'hall', token, deadOffer('whip')),
      await postOffer(daemon.url, 'whep', 'hall', token, deadOffer('whep')),
    ])
      expect(await response.json()).toMatchObject(refusal);
  });

  it('says nothing of a shadow mute', async () => {
    const reader = await eventsOf('shadow', 'hall');
    await next(reader, 'room.state');
    await impose('shadow_mute', 'shadow');
    await impose('warn', 'shadow');
    expect((await reader.next()).event).toBe('room.warned'); // the next thing that is told at all
    reader.close();
  });

  it('ends with a word when the person is kicked, also for one who only reads, whose token then opens nothing', async () => {
    const token = await tokenFor('eve', 'hall');
    const reader = await eventsWith('hall', token);
    await next(reader, 'room.state');
    await daemon.client.call(roomRoutes.kick, { params: { ...params(), roomId: 'hall', externalUserId: 'eve' } });
    expect(await next(reader, 'room.removed')).toMatchObject({ reason: 'kicked', resourceId: null, rejoin: false });
    await reader.ended;
    expect((await eventsWith('hall', token)).status).toBe(401);
  });

  it('ends with reason and end of a ban, and stays shut', async () => {
    const token = await tokenFor('mal', 'hall');
    const reader = await eventsWith('hall', token);
    await next(reader, 'room.state');
    const { endAt } = await impose('temp_ban', 'mal', { duration: 600 });
    const removed = await next(reader, 'room.removed');
    expect(removed).toMatchObject({ reason: 'banned', until: endAt, rejoin: false });
    expect(removed.message).toContain('shouting');
    await reader.ended;
    expect((await eventsWith('hall', token)).status).toBe(403);
  });

  it('tells a listener whose place was taken from another window', async () => {
    const token = await tokenFor('twin', 'hall');
    const reader = await eventsWith('hall', token);
    await next(reader, 'room.state');
    const [first, second] = [new Listener('one', 1), new Listener('two', 1)];
    await first.join(post('whep', 'hall', token));
    await second.join(post('whep', 'hall', token));
    expect(await next(reader, 'room.removed')).toMatchObject({ reason: 'replaced', rejoin: true });
    reader.close();
    first.close();
    second.close();
  });

  it('gives those who may not listen only the news about themselves', async () => {
    const reader = await eventsWith('quiet', await tokenFor('deaf', 'quiet', { subscribe: false }));
    expect(await next(reader, 'room.state')).toMatchObject({ you: { subscribe: false }, people: [] });
    const ann = await joinAs('ann', 'quiet');
    await impose('warn', 'deaf');
    expect((await reader.next()).event).toBe('room.warned');
    ann.close();
    reader.close();
  });

  it('is refused without a token of this room', async () => {
    const elsewhere = await tokenFor('ann', 'lobby');
    expect((await eventsWith('hall', elsewhere)).status).toBe(401);
    expect((await openStream(`${daemon.url}/rooms/hall/events`, {})).status).toBe(401);
  });

  it('refuses the ninth stream of one person', async () => {
    const token = await tokenFor('many', 'crowd');
    const streams: RawStream[] = [];
    for (let count = 0; count < 8; count += 1) streams.push(await eventsWith('crowd', token));
    expect(streams.map(({ status }) => status)).toEqual(Array(8).fill(200));
    expect((await eventsWith('crowd', token)).status).toBe(429);
    for (const stream of streams) stream.close();
  });

  it('ends for everybody when the project is deleted, and the sound with it', async () => {
    const { id: projectId } = await daemon.admin.call(projectRoutes.create, { body: { name: 'short-lived' } });
    const body = { tokenProvider: 'embedded' as const, tokenProviderSettings: {} };
    await daemon.admin.call(settingsRoutes.put, { params: { projectId }, body });
    const tokenOf = async (userId: string) => {
      const asked = { params: { projectId }, body: { roomId: 'last', userId } };
      return (await daemon.admin.call(tokenRoutes.generateForProject, asked)).token;
    };
    const [annsToken, bensToken] = [await tokenOf('ann'), await tokenOf('ben')];
    const [ann, ben] = [new Speaker('ann'), new Listener('ben', 1)];
    await ann.join(post('whip', 'last', annsToken));
    await ben.join(post('whep', 'last', bensToken));
    const reader = await eventsWith('last', bensToken);
    await next(reader, 'room.state');
    await ann.talk(10);
    await eventually(() => expect(ben.heard.length).toBeGreaterThan(0));
    await daemon.admin.call(projectRoutes.remove, { params: { projectId } });
    expect(await next(reader, 'room.closed')).toMatchObject({ reason: 'room_closed', rejoin: false });
    await reader.ended;
    await ben.settled();
    const { spoken } = ann;
    await ann.talk(10);
    await ben.settled();
    expect(ben.heardSince(spoken)).toBe(0);
    ann.close();
    ben.close();
  });

  it('tells everybody to come back when the room process has died', async () => {
    const reader = await eventsOf('ben', 'hall');
    await next(reader, 'room.state');
    process.kill(roomProcess(), 'SIGKILL');
    expect(await next(reader, 'room.closed')).toMatchObject({ reason: 'restarted', rejoin: true });
    reader.close();
  });
});
