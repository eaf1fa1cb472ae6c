/** Game events of kits/csharp: in order, each once, whatever happens to the network, the game, the daemon and the disk. */
import { appendFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { ExportedGameEvent } from '../../../src/contract/gameplay/game-event-export.js';
import { routes } from '../../../src/contract/routes.js';
import { eventually } from '../../support/eventually.js';
import type { Fault } from '../../support/fault-proxy.js';
import { fillingDisk } from '../../support/small-disk.js';
import { type Driver, hasMono, runtimes, thrownBy } from './driver.js';
import { openStage, type Stage } from './stage.js';

const disk = hasMono ? fillingDisk() : null;
afterAll(() => disk?.remove());
const hour = 3_600_000;
const numbers = (from: number, to: number): number[] => Array.from({ length: to - from + 1 }, (_, at) => from + at);
const State = z.object({ waiting: z.number(), dropped: z.number(), inMemory: z.boolean() });

describe.skipIf(!hasMono).each(runtimes)('game events of the kit for C# on $name', { timeout: 120_000 }, (runtime) => {
  let stage: Stage;
  let now = Date.now();
  beforeAll(async () => {
    stage = await openStage({ now: () => new Date(now) }, runtime);
  }, 60_000);
  afterAll(() => stage?.stop());
  beforeEach(() => {
    stage.proxy.passed.length = 0;
    stage.proxy.next.length = 0;
    stage.proxy.otherwise = () => null;
  });

  const folderOf = (userId: string) => join(stage.folder, 'queues', userId);
  /** A program with a queue of the player, on disk. */
  const play = async (userId: string, options: object = {}, client: object = {}): Promise<Driver> => {
    const driver = await stage.player(userId, client);
    await driver.ask('queue', { folder: folderOf(userId), ...options });
    return driver;
  };
  const earn = async (driver: Driver, amounts: readonly number[], more: object = {}) => {
    for (const amount of amounts) await driver.ask('enqueue', { name: 'earn-points', properties: { amount }, ...more });
  };
  /** The amounts that the daemon has stored of the player, oldest first. */
  const storedOf = async (userId: string): Promise<number[]> => {
    const input = { params: { projectId: stage.daemon.projectId }, query: { userId } };
    const text = await (await stage.daemon.client.fetch(routes.gameEvents.export, input)).text();
    return text
      .trim()
      .split('\n')
      .flatMap((line) => ExportedGameEvent.safeParse(JSON.parse(line)).data?.amount ?? []);
  };
  const stateOf = async (driver: Driver) => State.parse(await driver.ask('state'));
  const refuse = (status: number, retryAfter: number): Fault => ({
    kind: 'answer',
    status,
    headers: { 'Retry-After': String(retryAfter) },
  });

  it('go out in batches, in order, once the interval is over or a batch is full', async () => {
    const game = await play('batches', { flushMs: 300, maxBatch: 10 });
    await earn(game, numbers(1, 25));
    await eventually(async () => expect((await stateOf(game)).waiting).toBe(0));
    expect(await storedOf('batches')).toEqual(numbers(1, 25));
    expect(stage.proxy.passed).toHaveLength(3);
    expect(readdirSync(folderOf('batches'))).toEqual(['lock']);
  });

  it('count once each, however often requests and answers are lost', async () => {
    const course = [
      'cut after',
      'cut before',
      null,
      'cut within',
      null,
      null,
      'cut after',
      'cut within',
      null,
    ] as const;
    stage.proxy.otherwise = () => {
      const kind = course[stage.proxy.passed.length % course.length] ?? null;
      return kind === null ? null : { kind };
    };
    const game = await play('flaky', { maxBatch: 5 });
    await earn(game, numbers(1, 40));
    await game.ask('flush', { withinMs: 90_000 });
    expect(await storedOf('flaky')).toEqual(numbers(1, 40));
    expect(game.noticed('delayed').length).toBeGreaterThan(2);
    expect(stage.proxy.passed.length).toBeGreaterThan(10);
  });

  it('outlive a game that is killed, and count once though the daemon has them already', async () => {
    stage.proxy.otherwise = ({ path }) => (path.startsWith('/api/v1/events') ? { kind: 'cut after' } : null);
    const killed = await play('killed', { flushMs: 50, maxBatch: 10 });
    await earn(killed, numbers(1, 25));
    await eventually(() => expect(killed.noticed('delayed').length).toBeGreaterThan(0));
    expect((await storedOf('killed')).length).toBeGreaterThan(0);
    await killed.kill();
    const [open = ''] = readdirSync(folderOf('killed'))
      .sort()
      .filter((name) => name.endsWith('.jsonl'))
      .slice(-1);
    appendFileSync(join(folderOf('killed'), open), '{"event_name":"earn-po'); // the line that it was writing
    stage.proxy.otherwise = () => null;
    const next = await play('killed');
    expect((await stateOf(next)).waiting).toBe(25);
    await earn(next, [26]);
    await next.ask('flush');
    expect(await storedOf('killed')).toEqual(numbers(1, 26));
  });

  it('wait while the daemon asks to, and go on', async () => {
    stage.proxy.next.push(refuse(429, 2), refuse(503, 1));
    const game = await play('limited');
    await earn(game, [1, 2]);
    await game.ask('flush');
    const [first = 0, second = 0, third = 0] = stage.proxy.passed.map(({ at }) => at);
    expect(second - first).toBeGreaterThanOrEqual(2_000);
    expect(third - second).toBeGreaterThanOrEqual(1_000);
    expect(game.noticed('delayed')).toMatchObject([{ type: 'RateLimitedException' }, { type: 'UnavailableException' }]);
    expect(await storedOf('limited')).toEqual([1, 2]);
  });

  it('are sent with a new token once the old one is over', async () => {
    const game = await play('expired');
    await earn(game, [1]);
    await game.ask('flush');
    now += 25 * hour;
    stage.setToken('expired', await stage.tokenOf('expired'));
    await earn(game, [2]);
    await game.ask('flush');
    expect(await storedOf('expired')).toEqual([1, 2]);
    expect(game.noticed('refresh')).toHaveLength(2);
  });

  it('survive a restart of the daemon', async () => {
    const game = await play('restarted', { maxBatch: 2 });
    const restarted = stage.daemon.restart();
    await earn(game, numbers(1, 7));
    await restarted;
    await game.ask('flush', { withinMs: 60_000 });
    expect(await storedOf('restarted')).toEqual(numbers(1, 7));
  });

  it('that are wrong are reported on the main thread, and do not hold up the others', async () => {
    const game = await play('wrong', {}, { onMain: true });
    await earn(game, [1]);
    await game.ask('enqueue', { name: 'no-such-event' });
    await game.ask('enqueue', { name: 'earn-points', properties: { amount: 'many' } });
    await earn(game, [2]);
    await game.ask('flush');
    expect(await storedOf('wrong')).toEqual([1, 2]);
    await eventually(() =>
      expect(game.noticed('rejected')).toMatchObject([
        {
          code: 'unknown_event',
          onMain: true,
          json: expect.stringMatching(/^\{"occurred_at":"[^"]+","event_name":"no-such-event"\}$/),
        },
        { code: 'game_event_invalid', onMain: true },
      ]),
    );
  });

  it('are dropped and counted once the queue is full', async () => {
    stage.proxy.otherwise = () => ({ kind: 'silence' });
    const game = await play('full', { maxWaiting: 5 });
    expect(await game.ask('enqueue', { name: 'earn-points', properties: { amount: 1 }, count: 8 })).toBe(5);
    expect(await stateOf(game)).toEqual({ waiting: 5, dropped: 3, inMemory: false });
  });

  it('stay in the folder when the queue is closed in the middle, and one queue has it at a time', async () => {
    stage.proxy.otherwise = () => ({ kind: 'silence' });
    const game = await play('closed');
    await earn(game, numbers(1, 3));
    const other = await stage.player('closed');
    expect((await thrownBy(other.ask('queue', { folder: folderOf('closed') }))).type).toBe('IOException');
    const began = performance.now();
    await game.ask('close', { withinMs: 300 });
    expect(performance.now() - began).toBeLessThan(5_000);
    expect((await thrownBy(earn(game, [4]))).type).toBe('ObjectDisposedException');
    stage.proxy.otherwise = () => null;
    await other.ask('queue', { folder: folderOf('closed') });
    await other.ask('flush');
    expect(await storedOf('closed')).toEqual([1, 2, 3]);
    await other.ask('dispose');
  });

  it('wait in memory where the disk fails', async () => {
    const game = await play('diskless', { maxBatch: 2, flushMs: 60_000 });
    await earn(game, [1]);
    rmSync(folderOf('diskless'), { recursive: true });
    await earn(game, [2, 3, 4]);
    expect((await stateOf(game)).inMemory).toBe(true);
    await game.ask('flush');
    // The first two were in the file that is gone.
    expect(await storedOf('diskless')).toEqual([3, 4]);
    await eventually(() => expect(game.noticed('rejected')).toHaveLength(2));
    mkdirSync(folderOf('diskless'));
  });

  it.skipIf(disk === null)('wait in memory where the disk is full, and what it took outlives the game', async () => {
    if (disk === null) return;
    const earnLong = async (driver: Driver, amounts: readonly number[]) => {
      const realm = 'x'.repeat(1_000);
      for (const amount of amounts) await driver.ask('enqueue', { name: 'earn-points', properties: { amount, realm } });
    };
    const fillUp = async (folder: string) => {
      const game = await stage.player(folder);
      await game.ask('queue', { folder: join(disk.folder, folder), maxBatch: 1_000, flushMs: 60_000 });
      await earnLong(game, [1, 2, 3]);
      disk.fill();
      await earnLong(game, numbers(4, 20));
      expect(await stateOf(game)).toMatchObject({ waiting: 20, inMemory: true });
      return game;
    };
    const game = await fillUp('full');
    await game.ask('flush');
    expect([await storedOf('full'), game.noticed('rejected')]).toEqual([numbers(1, 20), []]);
    disk.free();
    await (await fillUp('full-and-killed')).kill();
    disk.free();
    const next = await stage.player('full-and-killed');
    await next.ask('queue', { folder: join(disk.folder, 'full-and-killed') });
    await next.ask('flush');
    const stored = await storedOf('full-and-killed');
    expect([stored, next.noticed('rejected')]).toEqual([numbers(1, stored.length), []]);
    expect(stored.length).toBeGreaterThanOrEqual(3);
  });

  it('wait where something else than the daemon refuses them, and count once', async () => {
    const page = (status: number): Fault => ({ kind: 'answer', status, body: '<html>no</html>' });
    const lie = (body: string): Fault => ({ kind: 'answer', status: 200, body });
    const course = [
      ...[400, 403, 404, 413, 422].map(page),
      ...['{}', '{"results":[]}', '{"results":[{},{},{}]}', '[]'].map(lie),
    ];
    for (const [index, fault] of course.entries()) {
      const user = `refused-${index}`;
      stage.proxy.otherwise = () => fault;
      const game = await play(user, { flushMs: 20 });
      await earn(game, [1, 2, 3]);
      await eventually(() => expect(game.noticed('delayed').length).toBeGreaterThan(0));
      stage.proxy.otherwise = () => null;
      await game.ask('flush');
      expect([await storedOf(user), game.noticed('rejected')], JSON.stringify(fault)).toEqual([[1, 2, 3], []]);
      await game.kill();
    }
  });

  it('count once each where a proxy takes small bodies only, and answers are lost meanwhile', async () => {
    const game = await play('narrow', { maxBatch: 16, flushMs: 20 });
    let lost = 0;
    stage.proxy.otherwise = ({ path, headers }) => {
      if (!path.startsWith('/api/v1/events')) return null;
      if (Number(headers['content-length']) > 700) return { kind: 'answer', status: 413, body: '<html>' };
      lost += 1;
      return lost % 3 === 1 ? { kind: 'cut after' } : null;
    };
    await earn(game, numbers(1, 16));
    await game.ask('flush', { withinMs: 90_000 });
    expect(await storedOf('narrow')).toEqual(numbers(1, 16));
  });

  it('are all taken but the one for which the daemon refuses the whole batch, which is reported with its details', async () => {
    const details = [{ path: 'body', message: 'x' }];
    const refused = { code: 'malformed_json', message: 'no JSON', requestId: 'r', details };
    const answer: Fault = { kind: 'answer', status: 400, body: JSON.stringify(refused) };
    const game = await play('poisoned', { flushMs: 60_000 });
    stage.proxy.next.push(answer, answer, answer);
    await earn(game, [1, 2, 4, 8]);
    await game.ask('enqueue', { name: 'earn-points', properties: {} });
    await game.ask('enqueue', { name: 'earn-points', properties: { amount: 16, realm: 'half \ud83d' } });
    await game.ask('flush');
    expect(await storedOf('poisoned')).toEqual([2, 4, 8]);
    await eventually(() => expect(game.noticed('rejected')).toHaveLength(3));
    expect(game.noticed('rejected')).toContainEqual(expect.objectContaining({ code: 'text_not_allowed' }));
    expect(game.noticed('rejected')).toContainEqual(
      expect.objectContaining({ code: 'malformed_json', details: [{ Path: 'body', Message: 'x' }] }),
    );
    expect(game.noticed('rejected')).toContainEqual(
      expect.objectContaining({
        code: 'game_event_invalid',
        details: [expect.objectContaining({ Path: expect.stringContaining('amount') })],
      }),
    );
  });

  it('in whole lines are sent from a file that a machine has filled with zeros', async () => {
    stage.proxy.otherwise = () => ({ kind: 'silence' });
    const game = await play('zeros', { flushMs: 60_000 });
    await earn(game, numbers(1, 50));
    await game.kill();
    const [name = ''] = readdirSync(folderOf('zeros')).filter((one) => one.endsWith('.jsonl'));
    const lines = readFileSync(join(folderOf('zeros'), name), 'utf8').split('\n');
    lines[10] = `${lines[10]?.slice(0, 20)}${'\0'.repeat(4_096)}`;
    writeFileSync(join(folderOf('zeros'), name), `${lines.join('\n')}${'\0'.repeat(4_096)}`);
    stage.proxy.otherwise = () => null;
    const next = await play('zeros');
    await next.ask('flush');
    expect(await storedOf('zeros')).toEqual(numbers(1, 50).filter((one) => one !== 11));
    await eventually(() => expect(next.noticed('rejected')).toMatchObject([{ code: 'unreadable' }]));
  });

  it('are tried again within a minute, whatever Retry-After asks, and the queue closes meanwhile', async () => {
    const asked: Record<string, string>[] = [
      { 'Retry-After': '1209600' },
      { 'Retry-After': '99999999999' },
      { 'Retry-After': 'Fri, 31 Dec 9999 23:59:59 GMT' },
      { 'Retry-After': 'Wed, 01 Jan 2031 00:00:02 GMT', Date: 'Tue, 31 Dec 2030 23:59:59 GMT' },
      { 'Retry-After': '-5' },
    ];
    for (const headers of asked) {
      stage.proxy.otherwise = () => ({ kind: 'answer', status: 503, headers });
      const game = await play('weeks', { flushMs: 20 });
      await earn(game, [1]);
      await eventually(() => expect(game.noticed('delayed').length).toBeGreaterThan(0));
      await game.ask('close', { withinMs: 200 });
      expect((await stateOf(game)).waiting).toBeGreaterThan(0);
      await game.kill();
    }
    stage.proxy.otherwise = () => null;
    stage.proxy.next.push({
      kind: 'answer',
      status: 503,
      headers: { 'Retry-After': 'Wed, 01 Jan 2031 00:00:02 GMT', Date: 'Tue, 31 Dec 2030 23:59:59 GMT' },
    });
    const game = await play('weeks');
    await game.ask('flush');
    expect(await storedOf('weeks')).toEqual([1, 1, 1, 1, 1]);
    await eventually(() => expect(game.noticed('delayed')).toHaveLength(1));
  });

  it('are sent with a token that ends in a new line, asked for on the main thread', async () => {
    const game = await stage.player('trimmed', { onMain: true });
    stage.setToken('trimmed', `${await stage.tokenOf('trimmed')}\r\n`);
    await game.ask('queue', { folder: folderOf('trimmed') });
    await earn(game, [1]);
    await game.ask('flush');
    expect(await storedOf('trimmed')).toEqual([1]);
    expect(game.noticed('refresh')).toEqual([{ onMain: true }]);
  });

  it('go on where handlers throw, on the main thread and elsewhere', async () => {
    for (const onMain of [true, false]) {
      const user = `loud-${onMain}`;
      stage.proxy.next.push({ kind: 'answer', status: 503 });
      const game = await stage.player(user, { onMain });
      await game.ask('queue', { folder: folderOf(user), flushMs: 20, loud: true });
      await earn(game, [1]);
      await game.ask('enqueue', { name: 'no-such-event' });
      await earn(game, [2]);
      await game.ask('flush');
      await eventually(() => expect(game.noticed('rejected')).toMatchObject([{ onMain }]));
      expect(game.noticed('delayed').length).toBeGreaterThan(0);
      expect(await storedOf(user)).toEqual([1, 2]);
    }
  });

  it('of any player are sent by a server', async () => {
    const server = await stage.server();
    await server.ask('queue', { folder: folderOf('server'), on: 'server' });
    stage.proxy.next.push({ kind: 'cut after' });
    await earn(server, [1, 2], { user: 'one' });
    await earn(server, [3], { user: 'two' });
    await server.ask('flush');
    expect([await storedOf('one'), await storedOf('two')]).toEqual([[1, 2], [3]]);
  });
});
