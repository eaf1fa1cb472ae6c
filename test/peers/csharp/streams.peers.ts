/** Streams of kits/csharp: none lost and none twice, through cuts and restarts. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { routes } from '../../../src/contract/routes.js';
import { eventually } from '../../support/eventually.js';
import { type Driver, hasMono, runtimes, thrownBy } from './driver.js';
import { openStage, type Stage } from './stage.js';

const Heard = z.object({
  id: z.string(),
  type: z.string(),
  onMain: z.boolean(),
  data: z.looseObject({ externalUserId: z.string() }),
});

describe.skipIf(!hasMono).each(runtimes)('streams of the kit for C# on $name', { timeout: 60_000 }, (runtime) => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await openStage({}, runtime);
  }, 60_000);
  afterAll(() => stage?.stop());
  beforeEach(() => {
    stage.proxy.passed.length = 0;
    stage.proxy.otherwise = () => null;
  });

  const params = () => ({ projectId: stage.daemon.projectId });
  const arrive = (externalUserId: string) =>
    stage.daemon.client.call(routes.participants.create, { params: params(), body: { externalUserId } });
  const heardBy = (driver: Driver) => driver.noticed('event').map((event) => Heard.parse(event));
  const namesOf = (driver: Driver) => heardBy(driver).map(({ data }) => data.externalUserId);
  /** The id of the event that was heard last, once its handler is done: only then the stream continues behind it. */
  const handled = async (driver: Driver) => {
    const last = heardBy(driver).at(-1)?.id;
    await eventually(async () => expect(await driver.ask('lastEventId')).toBe(last));
    return last;
  };
  /** Begins to follow, and waits until the stream is open. */
  const follow = async (options: object = {}, client: object = {}) => {
    const driver = await stage.server(client);
    const end = driver.ask('follow', { types: 'participant.*', ...options }).catch((error: unknown) => error);
    await eventually(() => expect(driver.noticed('connected')).toHaveLength(1));
    return { driver, end };
  };

  it('bring each event once and in order, through cuts and a restart of the daemon', async () => {
    const { driver, end } = await follow({}, { onMain: true });
    await arrive('s1');
    await eventually(() => expect(namesOf(driver)).toEqual(['s1']));
    stage.proxy.cut();
    await arrive('s2');
    await eventually(() => expect(namesOf(driver)).toEqual(['s1', 's2']));
    await stage.daemon.restart();
    await arrive('s3');
    stage.proxy.cut();
    await arrive('s4');
    await eventually(() => expect(namesOf(driver)).toEqual(['s1', 's2', 's3', 's4']));
    expect(heardBy(driver).every(({ onMain }) => onMain)).toBe(true);
    expect(driver.noticed('lost').length).toBeGreaterThanOrEqual(2);
    expect(driver.noticed('gap')).toEqual([]);
    await handled(driver);
    await driver.ask('cancel', { name: 'follow' });
    expect(await end).toMatchObject({ type: expect.stringMatching(/CanceledException$/) });
  });

  it('lose nothing that happened before the first event, nor between two runs of a program', async () => {
    const { driver } = await follow();
    stage.proxy.cut();
    await arrive('r1'); // while no connection was there, and none had brought an event
    await eventually(() => expect(namesOf(driver)).toEqual(['r1']));
    const lastEventId = await handled(driver);
    await driver.kill();
    await arrive('r2');
    const next = await follow({ lastEventId });
    await eventually(() => expect(namesOf(next.driver)).toEqual(['r2']));
    expect(stage.proxy.passed.at(-1)?.headers['last-event-id']).toBe(lastEventId);
  });

  it('hand over the next event when the handler is done with the last', async () => {
    const { driver } = await follow({ handlerMs: 200 });
    const began = performance.now();
    for (const name of ['h1', 'h2', 'h3']) await arrive(name);
    await eventually(() => expect(namesOf(driver)).toEqual(['h1', 'h2', 'h3']));
    expect(performance.now() - began).toBeGreaterThanOrEqual(600);
  });

  it('end although the main thread stands still', async () => {
    const { driver, end } = await follow({}, { onMain: true });
    await driver.ask('stand', { milliseconds: 8_000 });
    await arrive('standing');
    await new Promise((resolve) => setTimeout(resolve, 500));
    const began = performance.now();
    await driver.ask('cancel', { name: 'follow' });
    expect(await end).toMatchObject({ type: expect.stringMatching(/CanceledException$/) });
    expect(performance.now() - began).toBeLessThan(3_000);
    expect(namesOf(driver)).toEqual([]);
  });

  it('tell of events that are not kept any more', async () => {
    const lastEventId = '019c1a2b-0000-7000-8000-000000000001';
    const { driver } = await follow({ lastEventId });
    await eventually(() => expect(driver.noticed('gap')).toEqual([lastEventId]));
  });

  it('wait while the daemon refuses them for now, and end where it refuses them for good', async () => {
    stage.proxy.next.push({ kind: 'answer', status: 503, headers: { 'Retry-After': '1' } });
    const { driver } = await follow();
    expect(driver.noticed('lost')).toEqual(['UnavailableException']);
    const other = stage.start();
    const { credential } = await stage.daemon.clientWith(['participants']);
    const key = credential?.kind === 'apiKey' ? credential.key : '';
    await other.ask('server', { url: stage.proxy.url, project: stage.daemon.projectId, key });
    expect(await thrownBy(other.ask('follow'))).toMatchObject({
      type: 'ForbiddenException',
      code: 'insufficient_scope',
    });
  });

  it('are read by the rules of the HTML standard, whoever has written them', async () => {
    const event = (id: string, break_ = '') =>
      `{"id":"${id}","type":"participant.created",${break_}"timestamp":"2026-01-01T00:00:00Z","payload":{"action":"created","data":{"externalUserId":"ü"}}}`;
    const body = [
      `\uFEFFretry: 1\r\n: comment\r\nid: 1\r\ndata: ${event('1', '\r\ndata:')}\r\n\r\n`,
      `event: other\ndata: not for us\n\n`,
      `event: never sent\n\n`,
      `data:${event('2')}\r\r`,
      `data: ${event('cut off')}\n`,
    ].join('');
    stage.proxy.next.push({ kind: 'answer', status: 200, headers: { 'Content-Type': 'text/event-stream' }, body });
    const driver = await stage.server();
    void driver.ask('follow', { lastEventId: 'earlier' }).catch(() => {});
    await eventually(() => expect(driver.noticed('lost')).toHaveLength(1));
    expect(heardBy(driver).map(({ id }) => id)).toEqual(['1', '2']);
    expect(namesOf(driver)).toEqual(['ü', 'ü']);
  });

  it('leave room for calls beside them', async () => {
    const driver = await stage.server();
    for (const _ of [1, 2, 3, 4]) void driver.ask('follow').catch(() => {});
    await eventually(() => expect(driver.noticed('connected')).toHaveLength(4));
    expect(await driver.call('server', 'ListGatherings')).toMatchObject({ Total: 0 });
  });

  it('tell a player in a room how it is, of a mute, and that a ban ends it', async () => {
    const at = { params: { ...params(), roomId: 'raid' } };
    const { token } = await stage.daemon.client.call(routes.tokens.generateForProject, {
      ...at,
      body: { roomId: 'raid', userId: 'ann' },
    });
    const driver = stage.start();
    const types = () => driver.noticed('room').map((event) => z.looseObject({ type: z.string() }).parse(event).type);
    const where = { url: stage.proxy.url, project: stage.daemon.projectId, room: 'raid', token, onMain: true };
    const end = driver.ask('room', where);
    await eventually(() => expect(types()).toContain('room.state'));
    const impose = (body: { type: 'mute' | 'temp_ban'; duration: number }) =>
      stage.daemon.client.call(routes.sanctions.create, {
        params: params(),
        body: { ...body, externalUserId: 'ann', reason: 'shouting' },
      });
    await impose({ type: 'mute', duration: 600 });
    await eventually(() =>
      expect(driver.noticed('room')).toContainEqual(
        expect.objectContaining({ type: 'room.muted', muted: true, reason: 'shouting' }),
      ),
    );
    stage.proxy.cut();
    await eventually(() => expect(types().filter((type) => type === 'room.state')).toHaveLength(2));
    await impose({ type: 'temp_ban', duration: 600 });
    expect(await end).toBeNull();
    const removed = { type: 'room.removed', reason: 'banned', rejoin: false, onMain: true };
    expect(driver.noticed('room').at(-1)).toMatchObject(removed);
  });
});
