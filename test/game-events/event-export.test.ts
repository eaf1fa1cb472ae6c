/** Stored game events, streamed to a program and to the command line. */
import { type ChildProcess, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { csvLine } from '../../src/cli/files/csv.js';
import { ExportedGameEvent, gameEventRoutes } from '../../src/contract/gameplay/game-event-export.js';
import { eventBatchMax, gameplayRoutes } from '../../src/contract/gameplay/gameplay.js';
import { projectRoutes } from '../../src/contract/projects/projects.js';
import { type CommandLine, commandLine } from '../support/cli.js';
import { startDaemon, type TestDaemon } from '../support/daemon.js';
import { freePort } from '../support/free-port.js';
import { programEnvironment } from '../support/program-environment.js';
import { scale } from '../support/scale.js';
import { VirtualTerminal } from '../support/virtual-terminal.js';

const players = 20;
const events = scale(2_500, 1_000_000);
let daemon: TestDaemon;
let cli: CommandLine;
let otherProject: string;

const send = async (projectId: string, count: number, from = 0) => {
  for (let at = from; at < from + count; at += eventBatchMax) {
    const some = Array.from({ length: Math.min(eventBatchMax, from + count - at) }, (_, index) => ({
      user_id: `u_${(at + index) % players}`,
      event_name: 'kill-enemy',
      session_id: 's1',
      meta_data: { amount: at + index, enemy_type: 'troll, "old"' },
    }));
    const headers = { 'X-Project-Id': projectId, 'X-API-Key': daemon.apiKey, 'Content-Type': 'application/json' };
    const post = () =>
      fetch(`${daemon.url}${gameplayRoutes.sendEvents.path}`, {
        ...{ method: 'POST', headers, body: JSON.stringify({ events: some }) },
      });
    // A million events are more than a key may send at once.
    let sent = await post();
    for (; sent.status === 429; sent = await post()) await sleep(Number(sent.headers.get('Retry-After')) * 1_000);
    expect(sent.status).toBe(200);
  }
};

beforeAll(
  async () => {
    daemon = await startDaemon();
    otherProject = (await daemon.admin.call(projectRoutes.create, { body: { name: 'Other' } })).id;
    await send(daemon.projectId, events / 2);
    await send(otherProject, 50);
    await send(daemon.projectId, events / 2, events / 2);
    cli = commandLine(() => ({
      EARSHOT_URL: daemon.url,
      EARSHOT_API_KEY: daemon.apiKey,
      EARSHOT_PROJECT: daemon.projectId,
    }));
  },
  scale(60_000, 600_000),
);
afterAll(async () => {
  cli?.dispose();
  await daemon.stop();
});

type Query = Parameters<typeof daemon.client.fetch<typeof gameEventRoutes.export>>[1]['query'];
async function answer(query: Query = {}, projectId = daemon.projectId) {
  const response = await daemon.client.fetch(gameEventRoutes.export, { params: { projectId }, query });
  const lines = (await response.text())
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  const end = lines.pop();
  return { events: lines.map((line) => ExportedGameEvent.parse(line)), next: end.next };
}
const amounts = (list: readonly ExportedGameEvent[]) => list.map(({ amount }) => amount).sort((a, b) => a - b);
const upTo = (count: number) => Array.from({ length: count }, (_, index) => index);

describe('GET /api/projects/{projectId}/game-events', () => {
  it(
    'streams every event of the project once, in parts that continue each other',
    async () => {
      const all: ExportedGameEvent[] = [];
      const limit = scale(700, 90_000);
      for (let after: string | undefined; ; ) {
        const { events: some, next } = await answer({ limit, ...(after === undefined ? {} : { after }) });
        expect(some.length).toBeLessThanOrEqual(limit);
        all.push(...some);
        if (next === null) break;
        after = next;
      }
      expect(amounts(all)).toEqual(upTo(events));
      expect(all.map(({ id }) => id)).toEqual(all.map(({ id }) => id).sort());
      expect(all[0]).toMatchObject({
        ...{ userId: expect.stringMatching(/^u_/), teamId: null, eventName: 'kill-enemy', eventType: 'single' },
        ...{ sessionId: 's1', properties: { enemy_type: 'troll, "old"' } },
      });
    },
    scale(30_000, 400_000),
  );

  it('has those of one player, of a time, and of the project alone', async () => {
    const { events: own } = await answer({ userId: 'u_3', limit: 100_000 });
    expect(own).toHaveLength(events / players);
    expect(new Set(own.map(({ userId }) => userId))).toEqual(new Set(['u_3']));
    expect((await answer({ limit: 100_000 }, otherProject)).events).toHaveLength(50);
    expect((await answer({ since: '2100-01-01T00:00:00Z' })).events).toEqual([]);
    expect((await answer({ until: '2020-01-01T00:00:00Z' })).events).toEqual([]);
    const some = (await answer({ limit: 1_000 })).events;
    const time = some.at(-1)?.createdAt ?? '';
    const before = (await answer({ until: time, limit: 2_000 })).events;
    expect(before).toEqual(some.filter(({ createdAt }) => createdAt < time));
    const [first] = (await answer({ since: time, limit: 1 })).events;
    expect(first).toEqual(some.find(({ createdAt }) => createdAt === time));
  });

  it('refuses a third export of the tenant at once, until one ends', async () => {
    const open = new AbortController();
    const start = () =>
      daemon.client.open(gameEventRoutes.export, { params: { projectId: daemon.projectId } }, open.signal);
    const ask = () => answer({ limit: 1 });
    const answers = await Promise.allSettled([start(), start(), start(), ask(), ask(), ask()]);
    const refused = answers.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []));
    expect(refused.length).toBeGreaterThan(0);
    for (const reason of refused)
      expect(reason).toMatchObject({ status: 429, code: 'rate_limited', retryAfterSeconds: 1 });
    open.abort();
    await expect
      .poll(() =>
        ask().then(
          ({ events: some }) => some.length,
          () => 0,
        ),
      )
      .toBe(1);
  });
});

describe('earshot game-events export', () => {
  it('writes each event on a line of its own', async () => {
    const { code, stdout, stderr } = await cli.run(['game-events', 'export', '--user', 'u_3']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: `${(events / players).toLocaleString('en')} events.\n` });
    const lines = stdout.trimEnd().split('\n');
    expect(lines.map((line) => JSON.parse(line))).toEqual((await answer({ userId: 'u_3', limit: 100_000 })).events);
  });

  it('writes CSV that a spreadsheet reads, and goes on behind an event', async () => {
    const { stdout } = await cli.run(['game-events', 'export', '--format', 'csv', '--user', 'u_3', '--since', '1h']);
    const [names, first, second] = stdout.split('\r\n');
    expect(names).toBe('id,createdAt,userId,teamId,eventName,eventType,sessionId,amount,properties');
    expect(first).toMatch(
      /^[0-9a-f-]{36},[0-9TZ:.-]+,u_3,,kill-enemy,single,s1,3,"\{""amount"":3,""enemy_type"":""troll, \\""old\\""""\}"$/,
    );
    const rest = await cli.run([
      'game-events',
      'export',
      '--format',
      'csv',
      '--user',
      'u_3',
      '--after',
      first?.slice(0, 36) ?? '',
    ]);
    expect(rest.stdout.startsWith(`${second}\r\n`)).toBe(true);
  });

  it('goes on by itself behind the last event when answers are cut off', async () => {
    const port = await freePort();
    let cuts = 0;
    const flaky = createServer(async (request, response) => {
      const headers = { 'X-API-Key': daemon.apiKey };
      const real = await fetch(`${daemon.url}${request.url}`, { headers });
      const text = await real.text();
      response.writeHead(real.status, { 'Content-Type': 'application/x-ndjson' });
      cuts += 1;
      if (cuts > 2) return void response.end(text);
      response.write(text.slice(0, text.length * 0.4));
      setTimeout(() => response.destroy(), 20);
    }).listen(port);
    try {
      const env = { EARSHOT_URL: `http://127.0.0.1:${port}` };
      const { code, stdout, stderr } = await cli.run(['game-events', 'export', '--user', 'u_3'], { env });
      expect({ code, cuts }).toEqual({ code: 0, cuts: 3 });
      expect(stderr).toMatch(/^The connection is lost\. Trying again/);
      expect(stdout).toBe((await cli.run(['game-events', 'export', '--user', 'u_3'])).stdout);
    } finally {
      flaky.close();
    }
  });

  it('shows on a terminal how much of what is left has come', async () => {
    const port = await freePort();
    const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000).toISOString();
    const [row] = (await answer({ limit: 1 })).events;
    const half = [hoursAgo(2), hoursAgo(1)].map((createdAt) => JSON.stringify({ ...row, createdAt }));
    const slow = createServer((_, response) => {
      response.writeHead(200, { 'Content-Type': 'application/x-ndjson' });
      response.write(`${half.join('\n')}\n`);
      seen.then(() => response.end('{"next":null}\n'));
    }).listen(port);
    const terminal = new VirtualTerminal(200);
    const seen = terminal.shows(`${'█'.repeat(10)}${'░'.repeat(10)}  2 events`);
    try {
      const command = ['game-events', 'export', '--since', '10h', '--after', row?.id ?? ''];
      const env = { EARSHOT_URL: `http://127.0.0.1:${port}` };
      const [{ code }] = await Promise.all([cli.run(command, { env, terminal }), seen]);
      expect(code).toBe(0);
    } finally {
      slow.close();
    }
  });

  it('says where to go on when the daemon refuses the rest, and does not wait for one that was never there', async () => {
    const port = await freePort();
    let asked = 0;
    const refusing = createServer(async (request, response) => {
      if (request.url?.includes('game-events') !== true) return void response.writeHead(200).end(); // asked for the time
      asked += 1;
      if (asked > 1) return void response.writeHead(404, { 'Content-Type': 'application/json' }).end('{}');
      const real = await fetch(`${daemon.url}${request.url}`, { headers: { 'X-API-Key': daemon.apiKey } });
      const text = await real.text();
      response.writeHead(real.status, { 'Content-Type': 'application/x-ndjson' });
      response.write(text.slice(0, text.length * 0.4));
      setTimeout(() => response.destroy(), 20);
    }).listen(port);
    const env = { EARSHOT_URL: `http://127.0.0.1:${port}` };
    const refused = await cli.run(['game-events', 'export', '--user', 'u_3'], { env });
    await new Promise((resolve) => refusing.close(resolve));
    const last = JSON.parse(refused.stdout.trimEnd().split('\n').at(-1) ?? '').id;
    expect(refused.code).toBe(4);
    expect(refused.stderr).toContain(`events. Continue with --after ${last}\n`);
    expect(await cli.run(['game-events', 'export'], { env })).toMatchObject({ code: 7, stdout: '' });
  });

  it(
    'takes no more memory for many events than for few, and waits for a slow reader',
    async () => {
      const program = fileURLToPath(new URL('../../bin/earshot.js', import.meta.url));
      const child: ChildProcess = spawn(
        process.execPath,
        ['--max-old-space-size=48', program, 'game-events', 'export'],
        {
          env: {
            ...{ ...programEnvironment, EARSHOT_URL: daemon.url, XDG_CONFIG_HOME: cli.config },
            ...{ EARSHOT_API_KEY: daemon.apiKey, EARSHOT_PROJECT: daemon.projectId },
          },
          stdio: ['ignore', 'pipe', 'inherit'],
        },
      );
      const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
      let lines = 0;
      const digest = createHash('sha256');
      for await (const chunk of child.stdout ?? []) {
        digest.update(chunk);
        for (const byte of chunk as Buffer) if (byte === 10) lines += 1;
        if (lines % 7 === 0) await new Promise((resolve) => setTimeout(resolve, 1));
      }
      expect({ code: await ended, lines }).toEqual({ code: 0, lines: events });
    },
    scale(60_000, 600_000),
  );
});

describe('csvLine', () => {
  /** Reads a line by RFC 4180: fields, quoted or not; a quote within quotes is doubled. */
  function read(line: string): string[] {
    const fields: string[] = [];
    const field = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/gy;
    for (let match = field.exec(line); match !== null; match = field.exec(line)) {
      fields.push(match[1]?.replaceAll('""', '"') ?? match[2] ?? '');
      if (match[3] === '\r\n') break;
    }
    return fields;
  }

  it('is read back as it was, but for an apostrophe before what looks like a formula', () => {
    const cells = fc.array(
      fc.oneof(fc.string(), fc.constantFrom('=1+1', '-2', '@a', '+', '\t', 'a"b', 'a,b', 'a\r\nb', ' a ')),
      {
        minLength: 1,
      },
    );
    fc.assert(
      fc.property(cells, (row) => {
        expect(read(csvLine(row))).toEqual(row.map((text) => (/^'*[=+\-@\t\r]/.test(text) ? `'${text}` : text)));
      }),
    );
  });

  it('leaves numbers alone and nothing for null', () => {
    expect(csvLine([-5, null, 'x'])).toBe('-5,,x\r\n');
  });
});
