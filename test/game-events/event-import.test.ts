/** POST /api/projects/{projectId}/game-events, `earshot game-events import` and `send -f`. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { challengeRoutes } from '../../src/contract/gameplay/challenges.js';
import { gameEventRoutes } from '../../src/contract/gameplay/game-event-export.js';
import { eventBatchMax } from '../../src/contract/gameplay/gameplay.js';
import { playerRoutes } from '../../src/contract/gameplay/players.js';
import { commandLine } from '../support/cli.js';
import { startDaemon, type TestDaemon } from '../support/daemon.js';
import { FaultProxy } from '../support/fault-proxy.js';

let daemon: TestDaemon;
let folder: string;
const cli = commandLine(() => ({ EARSHOT_URL: daemon.url, EARSHOT_API_KEY: daemon.apiKey }));
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'earshot-import-'));
  daemon = await startDaemon();
});
afterAll(async () => {
  await daemon.stop();
  cli.dispose();
  rmSync(folder, { recursive: true, force: true });
});

const project = () => ({ projectId: daemon.projectId });
const file = (name: string, content: string): string => {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
};
const challenge = (name: string, goal: number) =>
  daemon.client.call(challengeRoutes.create, {
    params: project(),
    body: { name, eventName: 'kill-enemy', goal, autoActivated: true },
  });
const begin = async (userId: string, id: string): Promise<void> => {
  for (const act of [playerRoutes.unlock, playerRoutes.activate])
    await daemon.client.call(act, { params: { ...project(), userId, id } });
};
const stored = async (userId: string): Promise<number> => {
  const exported = await cli.run(['game-events', 'export', '--user', userId]);
  return exported.stdout.split('\n').filter((line) => line !== '').length;
};

describe('game events of a file', () => {
  it('are read from JSON, from one object a line, from CSV, and from what an export wrote', async () => {
    const event = (amount: number) => ({ user_id: 'json', event_name: 'kill-enemy', meta_data: { amount } });
    const array = file('events.json', JSON.stringify([event(1), event(2)], null, 2));
    expect(await cli.run(['game-events', 'import', array])).toMatchObject({
      code: 0,
      stderr: '2 events stored, 0 refused.\n',
    });
    const lines = file('events.ndjson', `${JSON.stringify(event(3))}\n\n${JSON.stringify(event(4))}\n`);
    expect((await cli.run(['game-events', 'send', '-f', lines])).code).toBe(0);
    const csv = file(
      'events.csv',
      'user;event;team_id;amount;weapon-used\ncsv;kill-enemy;red;5;bow\ncsv;kill-enemy;red;6;\n',
    );
    const answer = await cli.run(['game-events', 'import', csv, '--json']);
    expect(JSON.parse(answer.stdout)).toEqual({ stored: 2, refused: [] });
    expect(await stored('json')).toBe(4);

    const exported = await cli.run(['game-events', 'export', '--user', 'csv']);
    const first = JSON.parse(exported.stdout.split('\n')[0] ?? '');
    expect(first).toMatchObject({ teamId: 'red', properties: { amount: 5, weapon_used: 'bow' } });
    const again = await cli.run(['game-events', 'import', '-'], { input: exported.stdout });
    expect(again).toMatchObject({ code: 0, stderr: '2 events stored, 0 refused.\n' });
    const asCsv = await cli.run(['game-events', 'export', '--user', 'csv', '--format', 'csv']);
    expect((await cli.run(['game-events', 'import', '-'], { input: asCsv.stdout })).stderr).toContain(
      '4 events stored',
    );
    expect(await stored('csv')).toBe(8);
  });

  it('are all kept back where a line is wrong, which is named with the nearest event', async () => {
    const wrong = file(
      'wrong.ndjson',
      [
        { user_id: 'wrong', event_name: 'kill-enemy', meta_data: { amount: 1 } },
        { user_id: 'wrong', event_name: 'kill-enemi', meta_data: { amount: 1 } },
        { user_id: 'wrong', event_name: 'kill-enemy', meta_data: { amount: 'many' } },
        { event_name: 'kill-enemy', meta_data: { amount: 1 } },
      ]
        .map((line) => JSON.stringify(line))
        .concat('{"user_id":')
        .join('\n'),
    );
    const { code, stderr } = await cli.run(['game-events', 'import', wrong]);
    expect(code).toBe(2);
    expect(stderr).toContain('wrong.ndjson:2: "kill-enemi" is no game event. Did you mean kill-enemy?');
    expect(stderr).toContain('wrong.ndjson:3: meta_data.amount: must be a number');
    expect(stderr).toContain('wrong.ndjson:4: names no user.');
    expect(stderr).toContain('wrong.ndjson:5:');
    expect(stderr).toContain('Nothing was sent.');
    expect(await stored('wrong')).toBe(0);
    const one = await cli.run(['game-events', 'send', 'kill-enemi', '--user', 'wrong', '--amount', '1']);
    expect(one).toMatchObject({ code: 2, stderr: expect.stringContaining('Did you mean kill-enemy?') });
  });

  it('are waited for until a challenge is completed, or the time is over', async () => {
    const { id } = await challenge('Five', 5);
    await begin('wait', id);
    const kill = (amount: string) => ['game-events', 'send', 'kill-enemy', '--user', 'wait', '--amount', amount];
    const early = await cli.run([...kill('2'), '--wait-completed', 'Five', '--timeout', '1s']);
    expect(early).toMatchObject({ code: 1, stderr: expect.stringContaining('Not completed by wait.') });
    const csv = file('rest.csv', 'user,event,amount\nwait,kill-enemy,3\n');
    const done = await cli.run(['game-events', 'import', csv, '--wait-completed', 'Five']);
    expect(done).toMatchObject({ code: 0, stderr: '1 event stored, 0 refused.\nCompleted.\n' });
  });

  it('are taken although one among them is odd, which is refused alone', async () => {
    const kill = (more: object = {}) => ({
      user_id: 'odd',
      event_name: 'kill-enemy',
      meta_data: { amount: 1, ...more },
    });
    const nested = JSON.parse(`${'['.repeat(60)}${']'.repeat(60)}`);
    const odd = [
      kill({ realm: 'half \ud83d' }),
      kill({ realm: 'a\0b' }),
      kill({ realm: nested }),
      { ...kill(), user_id: 'half \ud83d' },
      JSON.parse('{"user_id":"odd","event_name":"kill-enemy","meta_data":{"amount":1},"__proto__":{}}'),
      nested,
      'text \0',
    ];
    for (const path of ['/api/v1/events/batch', `/api/projects/${daemon.projectId}/game-events`]) {
      const headers = {
        'Content-Type': 'application/json',
        'X-API-Key': daemon.apiKey,
        'X-Project-Id': daemon.projectId,
      };
      const events = odd.flatMap((one) => [kill(), one]);
      const response = await fetch(daemon.url + path, { method: 'POST', headers, body: JSON.stringify({ events }) });
      const { results } = (await response.json()) as {
        results: { status: number; code: string | null; details: unknown[] }[];
      };
      expect(results.map(({ status }) => status)).toEqual(odd.flatMap(() => [200, 400]));
      const refused = results.filter(({ status }) => status !== 200);
      expect(refused[0]).toMatchObject({ code: 'text_not_allowed', details: [{ path: 'meta_data.realm' }] });
      expect(refused.every(({ details }) => details.length > 0)).toBe(true);
    }
    expect(await stored('odd')).toBe(2 * odd.length);
  });

  it('are sent in smaller batches where the file has large ones, and an import that is repeated counts nothing again', async () => {
    const text = '漢'.repeat(990); // 3 bytes each
    const line = (index: number) =>
      JSON.stringify({
        user_id: 'large',
        event_name: 'kill-enemy',
        meta_data: { amount: 1, realm: `${index} ${text}`, weapon_used: text },
      });
    const large = file('large.ndjson', Array.from({ length: 1_001 }, (_, index) => line(index)).join('\n'));
    for (const _ of [1, 2])
      expect(await cli.run(['game-events', 'import', large])).toMatchObject({
        code: 0,
        stderr: '1,001 events stored, 0 refused.\n',
      });
    expect(await stored('large')).toBe(1_001);
  });

  it('are taken from administrators of the project, each answered for itself', async () => {
    const events = [{ user_id: 'a', event_name: 'kill-enemy', meta_data: { amount: 1 } }, { user_id: 'a' }, 7];
    const { results } = await daemon.admin.call(gameEventRoutes.import, { params: project(), body: { events } });
    expect(results.map(({ status }) => status)).toEqual([200, 400, 400]);
  });
});

describe('an import that breaks off', () => {
  const count = 2 * eventBatchMax + 500;
  const proxy = new FaultProxy(() => daemon.url);
  const throughProxy = () => ({ env: { EARSHOT_URL: proxy.url, EARSHOT_API_KEY: daemon.apiKey } });
  beforeAll(() => proxy.start());
  afterAll(() => proxy.stop());

  /** A file of CSV with one kill a line; its header is line 1. */
  const kills = (userId: string) =>
    file(`${userId}.csv`, `user,event,amount\n${`${userId},kill-enemy,1\n`.repeat(count)}`);
  const isImport = ({ method, path }: { method: string; path: string }) =>
    method === 'POST' && path.endsWith('/game-events');
  /** Fails every batch after the second one. */
  const failThirdBatch = (kind: 'cut before' | 'cut after') => {
    const before = proxy.passed.length;
    proxy.otherwise = (request) => {
      const imports = proxy.passed.slice(before).filter(isImport).length;
      return isImport(request) && imports > 2 ? { kind } : null;
    };
  };
  const mend = () => {
    proxy.otherwise = () => null;
  };

  it.each(['cut before', 'cut after'] as const)(
    'says at which line to continue, and the same command counts no line twice (%s)',
    async (kind) => {
      const userId = kind.replace(' ', '-');
      const path = kills(userId);
      failThirdBatch(kind);
      const broken = await cli.run(['game-events', 'import', path], throughProxy());
      expect(broken).toMatchObject({ code: 7, stdout: '' });
      expect(broken.stderr).toContain('2,000 events stored, 0 refused.\n');
      // The header is line 1, so the event after 2,000 of them stands in line 2,002.
      expect(broken.stderr).toContain('Import the same file again to continue at line 2002');
      mend();
      const again = await cli.run(['game-events', 'import', path], throughProxy());
      expect(again).toMatchObject({ code: 0, stderr: '2,500 events stored, 0 refused.\n' });
      expect(await stored(userId)).toBe(count);
    },
  );

  it('continues where other commands wait: --json says the line in its error', async () => {
    failThirdBatch('cut before');
    const { code, stdout, stderr } = await cli.run(
      ['game-events', 'import', kills('json-broken'), '--json'],
      throughProxy(),
    );
    mend();
    expect([code, JSON.parse(stdout)]).toEqual([7, { stored: 2 * eventBatchMax, refused: [], nextLine: 2002 }]);
    expect(stderr).toContain('continue at line 2002');
  });

  it('counts a whole file again only with --again, and a changed one', async () => {
    const path = file('twice.csv', 'user,event,amount\ntwice,kill-enemy,1\n');
    const run = (...flags: string[]) => cli.run(['game-events', 'import', path, ...flags]);
    for (const [flags, expected] of [
      [[], 1],
      [[], 1],
      [['--again'], 2],
      [['--again'], 3],
      [[], 3],
    ] as const) {
      expect((await run(...flags)).code).toBe(0);
      expect(await stored('twice')).toBe(expected);
    }
    writeFileSync(path, 'user,event,amount\ntwice,kill-enemy,2\n');
    await run();
    expect(await stored('twice')).toBe(4);
  });
});
