/** A stream of what concerns one person: every event that names them, whatever it is about, replayed and live. */
import { isDeepStrictEqual } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DomainEvent } from '../../src/contract/events.js';
import { gatheringRoutes } from '../../src/contract/gatherings/gatherings.js';
import { sanctionRoutes } from '../../src/contract/moderation/sanctions.js';
import { type Participant, participantRoutes } from '../../src/contract/people/participants.js';
import { personMoveRoutes } from '../../src/contract/people/person-moves.js';
import { sessionRoutes } from '../../src/contract/sessions/sessions.js';
import { commandLine } from '../support/cli.js';
import { startDaemon, type TestDaemon } from '../support/daemon.js';
import { openStream } from '../support/stream.js';

let daemon: TestDaemon;
let bob: Participant;
let sessionId: string;
const cli = commandLine(() => ({ EARSHOT_URL: daemon.url, EARSHOT_API_KEY: daemon.apiKey }));
const params = () => ({ projectId: daemon.projectId });
const say = (externalUserId: string, content: string) =>
  daemon.client.call(sessionRoutes.say, { params: { ...params(), id: sessionId }, body: { externalUserId, content } });
beforeAll(async () => {
  daemon = await startDaemon();
  const create = (externalUserId: string, displayName: string) =>
    daemon.client.call(participantRoutes.create, { params: params(), body: { externalUserId, displayName } });
  bob = await create('u1', 'Bob');
  await create('u11', 'Ann');
  const body = { title: 'Match', externalRoomId: 'hall', autoStart: false };
  sessionId = (await daemon.client.call(sessionRoutes.create, { params: params(), body })).id;
  for (const user of ['u1', 'u11']) await say(user, `words of ${user}, who is no "u1"`);
  await daemon.client.call(gatheringRoutes.create, {
    params: params(),
    body: { name: 'Party', ownerId: bob.id },
  });
  for (const externalUserId of ['u1', 'u11'])
    await daemon.client.call(sanctionRoutes.create, { params: params(), body: { type: 'warn', externalUserId } });
});
afterAll(async () => {
  cli.dispose();
  await daemon.stop();
});

const follow = (query: string) =>
  openStream(`${daemon.url}/api/projects/${daemon.projectId}/events/stream?${query}`, { 'X-API-Key': daemon.apiKey });

describe('GET …/events/stream?user=', () => {
  it.each([
    ['external id', () => 'u1'],
    ['participant id', () => bob.id],
  ])('replays what concerns the person, by %s, and goes on live', async (_, user) => {
    const stream = await follow(`since=earliest&user=${user()}`);
    const next = async () => DomainEvent.parse((await stream.next()).data);
    const types = ['participant.created', 'message.created', 'gathering.created', 'sanction.created'];
    const seen = new Set<string>();
    while (types.some((type) => !seen.has(type))) {
      const event = await next();
      seen.add(event.type);
      expect(JSON.stringify(event)).toMatch(new RegExp(`"(u1|${bob.id})"`));
      expect(event.payload.data).not.toMatchObject({ externalUserId: 'u11' });
    }
    await say('u11', 'not for this stream');
    const own = await say('u1', 'for this stream');
    for (let isThere = false; !isThere; ) {
      const { data } = (await next()).payload;
      expect(data).not.toMatchObject({ externalUserId: 'u11' });
      isThere = isDeepStrictEqual(Object(data).id, own.id);
    }
    stream.close();
  });
});

describe('a stream about a person who is moved', () => {
  it.each(['nobody', 'somebody'])('goes on under the new id that %s had', async (who) => {
    const [from, to] = [`from-${who}`, `to-${who}`];
    await daemon.client.call(participantRoutes.create, { params: params(), body: { externalUserId: from } });
    const stream = await follow(`user=${from}`);
    const create = { params: params(), body: { externalUserId: to } };
    if (who === 'somebody') await daemon.client.call(participantRoutes.create, create);
    await daemon.client.call(personMoveRoutes.move, {
      params: { ...params(), user: from },
      body: { externalUserId: to },
    });
    const said = await say(to, 'under the new id');
    for (let isThere = false; !isThere; ) {
      const { payload } = DomainEvent.parse((await stream.next()).data);
      isThere = isDeepStrictEqual(Object(payload.data).id, said.id);
    }
    stream.close();
  });

  it.each([
    ['nobody', 'former'],
    ['nobody', 'new'],
    ['somebody', 'former'],
    ['somebody', 'new'],
  ])('resumes with what came under either id: moved to one that %s had, by the %s id', async (who, by) => {
    const [from, to] = [`from-${who}-${by}`, `to-${who}-${by}`];
    const create = (externalUserId: string) =>
      daemon.client.call(participantRoutes.create, { params: params(), body: { externalUserId } });
    await create(from);
    if (who === 'somebody') await create(to);
    const stream = await follow(`user=${from}`);
    const first = await say(from, 'before the connection broke');
    let lastEventId = '';
    for (let isThere = false; !isThere; ) {
      const event = DomainEvent.parse((await stream.next()).data);
      lastEventId = event.id;
      isThere = isDeepStrictEqual(Object(event.payload.data).id, first.id);
    }
    stream.close();
    const said = [await say(from, 'before the move')];
    if (who === 'somebody') said.push(await say(to, 'of the one who is joined'));
    await daemon.client.call(personMoveRoutes.move, {
      params: { ...params(), user: from },
      body: { externalUserId: to },
    });
    said.push(await say(to, 'after the move'));
    const user = by === 'former' ? from : to;
    const resumed = await openStream(`${daemon.url}/api/projects/${daemon.projectId}/events/stream?user=${user}`, {
      ...{ 'X-API-Key': daemon.apiKey, 'Last-Event-ID': lastEventId },
    });
    const heard: unknown[] = [];
    while (heard.length < said.length) {
      const { type, payload } = DomainEvent.parse((await resumed.next()).data);
      if (type === 'message.created') heard.push(Object(payload.data).id);
    }
    expect(heard).toEqual(said.map(({ id }) => id));
    resumed.close();
  });
});

describe('events tail and listen', () => {
  it('refuse a resource that can be none, and a person whom nobody knows', async () => {
    for (const command of [['events', 'tail'], ['listen']]) {
      expect(await cli.run([...command, '--resources', 'Ken'])).toMatchObject({
        code: 2,
        stderr: expect.stringContaining('--user Ken'),
      });
      expect(await cli.run([...command, '--user', 'Bobb'])).toMatchObject({
        code: 4,
        stderr: expect.stringContaining('Did you mean Bob?'),
      });
    }
  });

  it('follow a person by name', async () => {
    const expected = ['listen', '--user', 'bob', '--since', 'earliest', '--expect', 'sanction.created', '--count', '1'];
    const { code, stdout } = await cli.run([...expected, '--within', '1s']);
    expect({ code, stdout }).toMatchObject({ code: 0, stdout: expect.stringContaining('✓') });
  });
});
