/**
 * All clients that send game events, by one table of networks that cut, refuse and lie: each event counts once, the one that the
 * daemon refuses is reported, and the next one goes through. Then an evening on a train.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as library from '../../src/client/portable.js';
import { ExportedGameEvent } from '../../src/contract/gameplay/game-event-export.js';
import { routes } from '../../src/contract/routes.js';
import { commandLine } from '../support/cli.js';
import { installClient } from '../support/client-package.js';
import { eventually } from '../support/eventually.js';
import { type Fault, FaultProxy } from '../support/fault-proxy.js';
import { freePort } from '../support/free-port.js';
import { type Driver, hasMono, mono, type Runtime, runtimes } from './csharp/driver.js';
import { openStage, type Stage } from './csharp/stage.js';
import { type Engine, hasGodot3, openEngine } from './godot/engines.js';
import { FaultyProxy, type Fault as Spoilt } from './godot/faulty-proxy.js';
import { gameServersIn } from './native/game-servers.js';

const minuteMs = 60_000;
const awayMs = 40 * minuteMs;
const page = (status: number): Fault => ({ kind: 'answer', status, body: '<html>no</html>' });
const lie = (body: string): Fault => ({ kind: 'answer', status: 200, body });
const busy = (status: number): Fault => ({ kind: 'answer', status, headers: { 'Retry-After': '1' } });
/** What the first requests with events meet; the ones after them pass. */
const networks: Readonly<Record<string, readonly Fault[]>> = {
  'loses answers': [{ kind: 'cut after' }, { kind: 'cut after' }],
  'cuts requests and answers': [{ kind: 'cut before' }, { kind: 'cut within' }],
  'loses an answer and is busy then': [{ kind: 'cut after' }, busy(429), busy(503)],
  'takes small bodies only, and loses an answer': [page(413), { kind: 'cut after' }],
  'has a firewall and a wrong prefix': [page(403), page(404), page(400)],
  'answers what no daemon says': [lie('{}'), lie('{"results":[]}'), lie('<html>')],
};

interface Sent {
  readonly amount?: number;
  readonly name?: string;
  readonly at?: string;
}
/** A client of a game; it sends until every event is answered, and returns the codes of those that were refused. */
interface GameClient {
  readonly needs: boolean;
  send(stage: Stage, user: string, events: readonly Sent[]): Promise<readonly string[]>;
}
const payload = (user: string, { amount, name = 'earn-points' }: Sent) => ({
  ...{ user_id: user, event_name: name },
  meta_data: amount === undefined ? {} : { amount },
});

let stage: Stage;
let engine: Engine | null = null;
/** The proxy that the suites of the Godot kit have; it has the same faults by other names. */
const godotProxy = new FaultyProxy(() => stage.daemon.url);
const spoilt = (fault: Fault): Spoilt => {
  if (fault.kind === 'answer') return fault;
  return fault.kind === 'cut before' ? 'cut' : 'lose';
};
let folder: string;
let aheadMs = 0;
const cli = commandLine(() => ({ EARSHOT_URL: stage.proxy.url, EARSHOT_API_KEY: stage.daemon.apiKey }));
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'earshot-conformance-'));
  installClient(folder);
  stage = await openStage({ now: () => new Date(Date.now() + aheadMs) });
  if (hasGodot3) {
    await godotProxy.start();
    engine = await openEngine(3);
    await engine.start();
  }
}, 120_000);
afterAll(async () => {
  await engine?.dispose();
  godotProxy.stop();
  await stage?.stop();
  cli.dispose();
  rmSync(folder, { recursive: true, force: true });
});

const queueOf = async (user: string, runtime: Runtime = mono): Promise<Driver> => {
  const driver = await stage.player(user, { onMain: true }, runtime);
  await driver.ask('queue', { folder: join(folder, user), flushMs: 60_000 });
  return driver;
};
const configureGodot = async (user: string) => {
  const options = { base_url: godotProxy.url, project_id: stage.daemon.projectId, user_id: user };
  const token = await stage.tokenOf(user);
  expect(await engine?.run('player', 'configure', { ...options, token, flush_interval_ms: 600_000 })).toBeNull();
};
const enqueueGodot = (events: readonly Sent[]) =>
  events.reduce(
    (before, { amount, name = 'earn-points', at }) =>
      before.then(() => {
        const more = at === undefined ? {} : { occurred_at: at };
        return engine?.run('player.events', 'enqueue', name, amount === undefined ? {} : { amount }, more);
      }),
    Promise.resolve<unknown>(null),
  );
const drainGodot = () =>
  eventually(async () => {
    await engine?.call('player.events', 'flush');
    expect(await engine?.run('player.events', 'waiting')).toBe(0);
  });

const csharpOn = (runtime: Runtime): GameClient => ({
  needs: hasMono,
  async send(_, user, events) {
    const game = await queueOf(user, runtime);
    for (const { amount, name = 'earn-points' } of events)
      await game.ask('enqueue', { name, properties: amount === undefined ? {} : { amount } });
    await game.ask('flush', { withinMs: 60_000 });
    const codes = await eventually(() => {
      const rejected = game.noticed('rejected').map((one) => String((one as { code: unknown }).code));
      expect(rejected.length).toBe(events.filter(({ amount }) => amount === undefined).length);
      return rejected;
    });
    await game.kill();
    return codes;
  },
});

type Library = Pick<typeof library, 'EarshotClient' | 'routes'>;
const typescriptBy = (load: () => Promise<Library>): GameClient => ({
  needs: true,
  async send({ proxy, daemon }, user, events) {
    const { EarshotClient, routes: its } = await load();
    const client = new EarshotClient({ baseUrl: proxy.url, credential: { kind: 'apiKey', key: daemon.apiKey } });
    const body = {
      events: events.map((one, index) => ({ ...payload(user, one), idempotency_key: `${user} ${index}` })),
    };
    const results = await eventually(async () => {
      const answer = await client.call(its.gameEvents.import, { params: { projectId: daemon.projectId }, body });
      expect(answer.results).toHaveLength(events.length);
      return answer.results;
    });
    return results.flatMap(({ code }) => code ?? []);
  },
});

const clients: Readonly<Record<string, GameClient>> = {
  ...Object.fromEntries(runtimes.map((runtime) => [`the C# kit on ${runtime.name}`, csharpOn(runtime)])),
  'the Godot kit': {
    needs: hasGodot3,
    async send(_, user, events) {
      await configureGodot(user);
      if (engine !== null) engine.signals.length = 0;
      await enqueueGodot(events);
      await drainGodot();
      const rejected = engine?.signals.filter(({ signal }) => signal === 'player.events.rejected') ?? [];
      return rejected.map(({ values }) => String((values[1] as { code: unknown }).code));
    },
  },
  'the library': typescriptBy(async () => library),
  'the package earshot-client': typescriptBy(() => import(join(folder, 'node_modules/earshot-client/esm/index.js'))),
  'earshot game-events import': {
    needs: true,
    async send(_, user, events) {
      const file = join(folder, `${user}.ndjson`);
      const known = events.filter(({ amount }) => amount !== undefined); // the command refuses a file with a wrong line
      writeFileSync(file, known.map((one) => JSON.stringify(payload(user, one))).join('\n'));
      await eventually(async () => expect((await cli.run(['game-events', 'import', file])).code).toBe(0));
      return events.filter(({ amount }) => amount === undefined).map(() => 'game_event_invalid');
    },
  },
};

const storedOf = async (userId: string): Promise<number[]> => {
  const input = { params: { projectId: stage.daemon.projectId }, query: { userId } };
  const text = await (await stage.daemon.client.fetch(routes.gameEvents.export, input)).text();
  const amounts = text.split('\n').flatMap((line) => {
    const { success, data } = ExportedGameEvent.safeParse(line === '' ? null : JSON.parse(line));
    return success ? [data.amount] : [];
  });
  return amounts.sort((one, other) => one - other);
};

describe.each(Object.entries(clients))('%s', (name, client) => {
  it.skipIf(!client.needs).each(Object.entries(networks))(
    'counts each event once where the network %s',
    async (network, faults) => {
      const user = `${name} ${network}`.replaceAll(/\W+/g, '-');
      const left = [...faults];
      if (name === 'the Godot kit') godotProxy.spoil(/events/, ...left.splice(0).map(spoilt));
      stage.proxy.otherwise = ({ path, method }) =>
        method === 'POST' && /events/.test(path) ? (left.shift() ?? null) : null;
      const amounts = [1, 2, 3, 4, 5, 6, 7];
      const codes = await client.send(
        stage,
        user,
        [...amounts.slice(0, 3), undefined, ...amounts.slice(3)].map((amount) =>
          amount === undefined ? {} : { amount },
        ),
      );
      expect(left).toEqual([]);
      expect([await storedOf(user), codes]).toEqual([amounts, ['game_event_invalid']]);
      stage.proxy.otherwise = () => null;
    },
    90_000,
  );
});

/** An example of a game's server that runs; whatever it sends is a kill. */
interface RunningExample {
  readonly name: string;
  readonly proxy: FaultProxy;
  readonly lines: string[];
  kill(player: string): Promise<unknown>;
  stop(): Promise<void>;
}
const runExample = async (name: string, [program, ...args]: readonly string[]): Promise<RunningExample> => {
  const proxy = new FaultProxy(() => stage.daemon.url);
  await proxy.start();
  const port = String(await freePort());
  const { projectId, apiKey } = stage.daemon;
  const child = spawn(program ?? '', args, {
    env: {
      ...{ PATH: process.env.PATH, PORT: port, EARSHOT_URL: proxy.url, EARSHOT_PROJECT: projectId },
      ...{
        EARSHOT_API_KEY: apiKey,
        EARSHOT_WEBHOOK_SECRET: `whsec_${'c2VjcmV0'.repeat(4)}`,
        QUEUE: join(folder, name),
      },
    },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const lines: string[] = [];
  createInterface({ input: child.stdout }).on('line', (line) => lines.push(line));
  const isByHttp = name === 'C#';
  if (isByHttp) await eventually(() => expect(lines).toContain('Waiting for players'));
  return {
    ...{ name, proxy, lines },
    kill: async (player) => {
      if (isByHttp) await fetch(`http://127.0.0.1:${port}/kill?user=${player}`, { method: 'POST' });
      else child.stdin.write(`kill ${player}\n`);
    },
    async stop() {
      const gone = once(child, 'exit');
      child.kill('SIGKILL');
      await Promise.all([gone, proxy.stop()]);
    },
  };
};

describe.skipIf(!hasMono)('the game servers of the examples, in C#, Go, Python and TypeScript', () => {
  let examples: readonly RunningExample[] = [];
  beforeAll(async () => {
    const source = fileURLToPath(new URL('../../examples/csharp/GameServer.cs', import.meta.url));
    const others = (await gameServersIn(folder)).map(({ language, command }) => [language, command] as const);
    const csharp = ['C#', [...mono.command, stage.compile('GameServer.exe', [source])]] as const;
    examples = await Promise.all([csharp, ...others].map(([name, command]) => runExample(name, command)));
  }, 120_000);
  afterAll(async () => {
    await Promise.all(examples.map((example) => example.stop()));
  });

  it.each(Object.entries(networks))(
    'count each event once where the network %s',
    async (network, faults) => {
      const play = async ({ name, proxy, lines, kill }: RunningExample) => {
        const player = `${name}-${network}`.replaceAll(/\W+/g, '-');
        const left = [...faults];
        lines.length = 0;
        proxy.otherwise = ({ path }) => (/events/.test(path) ? (left.shift() ?? null) : null);
        const tooLong = 'x'.repeat(201);
        for (const who of [player, player, player, tooLong, player, player, player, player]) await kill(who);
        await eventually(async () => {
          expect([name, left, await storedOf(player)]).toEqual([name, [], [1, 1, 1, 1, 1, 1, 1]]);
          expect([name, lines.join('\n').match(/game_event_invalid[\s\S]*?user_id/g)?.length]).toEqual([name, 1]);
        }, 60_000);
        await kill(player); // the queue is alive
        await eventually(async () => expect([name, await storedOf(player)]).toEqual([name, Array(8).fill(1)]));
      };
      await Promise.all(examples.map(play));
    },
    90_000,
  );
});

describe('an evening on a train: no network for 40 minutes over the daily reset, and the game is killed twice', () => {
  const users = ['home', 'unity', 'godot', 'server'] as const;
  const params = () => ({ projectId: stage.daemon.projectId });
  const challenges: string[] = [];
  let board: string;
  /** The daily reset: 20 minutes after the evening has begun. The daemon's clock is moved by little, for logins last half a day. */
  let resetAt: number;
  beforeAll(async () => {
    resetAt = Math.ceil(Date.now() / minuteMs + 20) * minuteMs;
    const daily = { range: 'd', atTime: new Date(resetAt).toISOString().slice(11, 16), timeZone: 'UTC' } as const;
    aheadMs = resetAt - 20 * minuteMs - Date.now();
    const { client } = stage.daemon;
    const counted = { eventName: 'earn-points' } as const;
    const body = { ...counted, name: 'Daily', resetPeriod: daily, lateMinutes: 60 };
    board = (await client.call(routes.leaderboards.create, { params: params(), body })).id;
    const late = { lateMinutes: 60 };
    // Some go on; the others end while the games have no network: by their limit ten minutes after the reset, or by it.
    const goesOn = [{ goal: 15 }, { goal: 16 }, { goal: 7, durationMinutes: 60 }];
    const ends = [7, 8].flatMap((goal) => [
      { ...late, goal, durationMinutes: 30 },
      { ...late, goal, resetPeriod: daily },
    ]);
    for (const rules of [...goesOn, ...ends]) {
      const challenge = { ...counted, ...rules, name: JSON.stringify(rules) };
      challenges.push((await client.call(routes.challenges.create, { params: params(), body: challenge })).id);
    }
  });
  /** What the board and the challenges show of a player. */
  const progressOf = async (userId: string) => {
    const { client } = stage.daemon;
    const { periods } = await client.call(routes.leaderboards.periods, { params: { ...params(), id: board } });
    const scores = [];
    for (const { id: periodId } of periods) {
      const member = { ...params(), id: board, memberType: 'user', memberId: userId } as const;
      const shown = await client.call(routes.leaderboards.member, { params: member, query: { periodId } });
      scores.push(shown.member.score);
    }
    const shown = await client.call(routes.players.get, { params: { ...params(), userId } });
    return { scores, challenges: shown.challenges.map(({ name, state, counter }) => ({ name, state, counter })) };
  };

  it.skipIf(!hasMono || !hasGodot3)(
    'leaves boards and challenges as they are of a player who never lost the network',
    async () => {
      const { client, admin } = stage.daemon;
      const begun = aheadMs;
      /** A time by the clock of a device, which stands still here for the 40 minutes that the daemon's goes on. */
      const at = (minutes: number) => new Date(resetAt + minutes * minuteMs - begun - awayMs).toISOString();
      const enqueue = (game: Driver, amount: number, more: object) =>
        game.ask('enqueue', { name: 'earn-points', properties: { amount }, ...more });
      const earnAtHome = (amount: number) => {
        const body = { event_name: 'earn-points', meta_data: { amount } };
        return client.call(routes.players.sendEvent, { params: { ...params(), userId: 'home' }, body });
      };
      const makeKey = () => admin.call(routes.apiKeys.create, { body: { name: 'server', scopes: ['gameplay'] } });
      const serverWith = async (key: string) => {
        const driver = stage.start();
        await driver.ask('server', { url: stage.proxy.url, project: stage.daemon.projectId, key });
        await driver.ask('queue', { on: 'server', folder: join(folder, 'server'), flushMs: 60_000 });
        return driver;
      };

      const oldKey = await makeKey();
      let server = await serverWith(oldKey.key);
      let unity = await queueOf('unity');
      await configureGodot('godot');
      for (const id of challenges) {
        for (const userId of ['home', 'server']) {
          await client.call(routes.players.unlock, { params: { ...params(), userId, id } });
          await client.call(routes.players.activate, { params: { ...params(), userId, id } });
        }
        for (const step of ['Unlock', 'Activate']) {
          await unity.call('player', `${step}PersonalChallenge`, { challengeId: id });
          const called = await engine?.call('player', `${step.toLowerCase()}_personal_challenge`, id);
          expect(called).toMatchObject({ ok: true });
        }
      }
      await earnAtHome(1);
      await enqueue(unity, 1, {});
      await unity.ask('flush');
      await enqueueGodot([{ amount: 1 }]);
      await drainGodot();
      await enqueue(server, 1, { user: 'server' });
      await server.ask('flush');

      // The games have no network. What a server sends arrives, but no answer reaches it.
      stage.proxy.otherwise = ({ headers }) => ({ kind: 'x-api-key' in headers ? 'cut after' : 'cut before' });
      godotProxy.spoil(/events/, ...Array.from({ length: 1_000 }, () => 'cut' as const));
      const offline = [
        [2, -15],
        [4, -5],
        [8, 5],
      ] as const;
      for (const [amount, minutes] of offline) {
        aheadMs = begun + (minutes + 20) * minuteMs;
        await earnAtHome(amount);
        // The first one is counted at once; those after it wait until it is answered.
        await enqueue(server, amount, { user: 'server', ...(amount === 2 ? {} : { at: at(minutes) }) });
        await server.ask('flush', { withinMs: 1_000 }).catch(() => {});
        expect(server.noticed('delayed').length).toBeGreaterThan(0);
        await enqueue(unity, amount, { at: at(minutes) });
        await enqueueGodot([{ amount, at: at(minutes) }]);
        if (amount === 8) continue;
        await unity.kill();
        await engine?.kill();
        unity = await queueOf('unity');
        await engine?.start();
        await configureGodot('godot');
      }
      await server.kill();
      await admin.call(routes.apiKeys.revoke, { params: { id: oldKey.id } });

      aheadMs = begun + awayMs;
      godotProxy.reset();
      stage.proxy.otherwise = () => null;
      server = await serverWith((await makeKey()).key);
      for (const game of [server, unity]) await game.ask('flush', { withinMs: 60_000 });
      await drainGodot();
      const expected = await progressOf('home');
      expect(expected.scores).toEqual([8, 7]);
      expect(expected.challenges.map(({ state, counter }) => [state, counter])).toEqual([
        ['unclaimed', 15],
        ['in-progress', 15],
        ['unclaimed', 7],
        ['unclaimed', 7],
        ['unclaimed', 7],
        ['unclaimed', 15],
        ['unlock', 0],
      ]);
      for (const user of users) expect([user, await progressOf(user)]).toEqual([user, expected]);
    },
    120_000,
  );
});
