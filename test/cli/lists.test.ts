/** Lists: what they filter by, how many there are in all, every page, CSV, and what fits on a terminal. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sanctionRoutes } from '../../src/contract/moderation/sanctions.js';
import { sessionRoutes } from '../../src/contract/sessions/sessions.js';
import { table } from '../../src/terminal/output.js';
import { commandLine } from '../support/cli.js';
import { administrator, startDaemon, type TestDaemon } from '../support/daemon.js';

const count = 205;
let daemon: TestDaemon;
let now = new Date();
const cli = commandLine(() => ({ EARSHOT_URL: daemon.url }));
const params = () => ({ projectId: daemon.projectId });

beforeAll(async () => {
  daemon = await startDaemon({ now: () => now });
  await cli.run(['login', '--email', administrator.email, '--password-stdin'], { input: administrator.password });
  const items = Array.from({ length: count }, (_, index) =>
    JSON.stringify({ type: index % 2 === 0 ? 'mute' : 'warn', externalUserId: `u${index}`, reason: `=sum ${index}` }),
  );
  await cli.run(['sanctions', 'apply', '--file', '-', '--batch', 'raid'], { input: items.join('\n') });
  const ban = (externalUserId: string, duration: number) =>
    daemon.client.call(sanctionRoutes.create, {
      params: params(),
      body: { type: 'temp_ban', externalUserId, duration },
    });
  await ban('soon', 3_600);
  await ban('later', 30 * 86_400);
});
afterAll(async () => {
  await daemon.stop();
  cli.dispose();
});

const of = async (...filter: string[]): Promise<string[]> => {
  const { stdout } = await cli.run(['sanctions', 'list', '--json', ...filter]);
  return (JSON.parse(stdout) as { sanctions: { externalUserId: string }[] }).sanctions.map((one) => one.externalUserId);
};

describe('a list', () => {
  it('filters by person, moderator, type, state and time', async () => {
    expect(await of('--user', 'u7')).toEqual(['u7']);
    expect(await of('--moderator', 'test')).toEqual(['later', 'soon']);
    expect(await of('--moderator', administrator.email, '--limit', '1')).toEqual([`u${count - 1}`]);
    expect(await of('--type', 'temp_ban')).toEqual(['later', 'soon']);
    expect(await of('--type', 'temp_ban', '--ends-before', '2h')).toEqual(['soon']);
    expect(await of('--status', 'revoked')).toEqual([]);
    expect(await of('--since', 'in 1h')).toEqual([]);
    expect(await of('--type', 'temp_ban', '--until', '1h')).toEqual([]);
    await cli.run(['unban', 'later']);
    expect(await of('--status', 'revoked')).toEqual(['later']);
    now = new Date(now.getTime() + 2 * 3_600_000);
    expect(await of('--status', 'expired')).toEqual(['soon']);
  });

  it('of the audit log suggests who acted, where nobody has the name', async () => {
    const audit = (actor: string) => cli.run(['audit', 'list', '--actor', actor]);
    for (const typed of ['admin', 'adminn@localhost'])
      expect((await audit(typed)).stderr).toBe(`Nothing to show.\nDid you mean --actor ${administrator.email}?\n`);
    expect((await audit('zzz')).stderr).toBe('Nothing to show.\n');
    const early = await cli.run(['audit', 'list', '--actor', administrator.email, '--until', '2020-01-01']);
    expect(early.stderr).toBe('Nothing to show.\n');
  });

  it('of people, gatherings and batches filters by who and when', async () => {
    const listed = async (words: string): Promise<string[]> => {
      const answer = await cli.json<Record<string, unknown>>(words.split(' '));
      const rows = Object.values(answer).find(Array.isArray) ?? [];
      return rows.map((row) => row.batchId ?? row.name ?? row.externalUserId);
    };
    for (const user of ['ann', 'ben']) await cli.json(['participants', 'create', '--user', user]);
    for (const name of ['hers', 'theirs']) {
      await cli.json(['gatherings', 'create', '--name', name]);
      await cli.json(['gatherings', 'add', name, name === 'hers' ? 'ann' : 'ben']);
    }
    await cli.json(['gatherings', 'invite', 'theirs', 'ann']);
    expect(await listed('gatherings list --user ann')).toEqual(['hers']);
    expect(await listed('gatherings list --since 1h')).toEqual(['theirs', 'hers']);
    expect(await listed('gatherings list --until 1h')).toEqual([]);
    for (const search of ['', ' --search an']) {
      expect(await listed(`participants list --since 1h${search}`)).toContain('ann');
      expect(await listed(`participants list --until 1h${search}`)).toEqual([]);
    }
    expect(await listed(`sanctions batches --moderator ${administrator.email}`)).toEqual(['raid']);
    expect(await listed('sanctions batches --moderator test')).toEqual([]);
    expect(await listed('sanctions batches --until 1h')).toEqual([]);
  });

  it('says of how many it shows some', async () => {
    const { stdout, stderr } = await cli.run(['sanctions', 'list']);
    expect(stdout.trim().split('\n')).toHaveLength(51);
    expect(stderr).toContain(`50 of ${count + 2}`);
    const header = async (path: string) =>
      (await fetch(`${daemon.url}${path}`, { headers: { 'X-API-Key': daemon.apiKey } })).headers.get('X-Total-Count');
    const project = `/api/projects/${daemon.projectId}`;
    expect(await header(`${project}/sanctions?limit=1`)).toBe(String(count + 2));
    for (const title of ['one', 'two'])
      await daemon.client.call(sessionRoutes.create, {
        params: params(),
        body: { title, externalRoomId: title, autoStart: false },
      });
    expect(await header(`${project}/sessions?limit=1`)).toBe('2');
    expect(await header(`${project}/webhooks/subscriptions`)).toBe('0');
  });

  it('comes whole with --all, as a table, one object a line, and as CSV', async () => {
    const rows = (text: string) => text.trim().split('\n');
    expect(rows((await cli.run(['sanctions', 'list', '--all'])).stdout)).toHaveLength(count + 3);
    const objects = rows((await cli.run(['sanctions', 'list', '--all', '--json'])).stdout).map((line) =>
      JSON.parse(line),
    );
    expect(new Set(objects.map((one: { id: string }) => one.id)).size).toBe(count + 2);
    const csv = rows((await cli.run(['sanctions', 'list', '--all', '--csv', '--batch-id', 'raid'])).stdout);
    expect(csv).toHaveLength(count + 1);
    expect(csv[0]?.trim()).toBe('externalUserId,type,reason,status,endAt,by,createdAt,id');
    // Text that a spreadsheet would compute gets an apostrophe.
    expect(csv[1]).toContain(`'=sum ${count - 1}`);
    expect(csv[1]).toContain(administrator.email);
  });

  it('as CSV says of how many it shows some, beside the data', async () => {
    const some = await cli.run(['sanctions', 'list', '--csv']);
    expect(some.stdout.trim().split('\n')).toHaveLength(51);
    expect(some.stderr).toBe(`50 of ${count + 2}\n`);
    expect((await cli.run(['sanctions', 'list', '--csv', '--all'])).stderr).toBe('');
    expect((await cli.run(['sanctions', 'list', '--csv', '--type', 'temp_ban'])).stderr).toBe('');
  });

  it('that comes whole filters by name and state, and the rows say who and what instead of ids', async () => {
    const here = { env: { EARSHOT_PROJECT: 'default' } };
    const lines = async (words: string): Promise<string[]> => {
      const { stdout } = await cli.run(words.split(' '), here);
      return stdout.trim().split('\n').slice(1);
    };
    for (const words of [
      'participants create --user ann',
      'webhooks create --to https://one.example/x --events consumer.gap --description bridge',
      'webhooks create --to https://two.example/x --events consumer.gap',
      'webhooks disable bridge',
      'api-keys create --name game --scopes gameplay --project default',
      'api-keys create --name board --scopes sanctions:read',
      'users invite --email ann@example.com --role moderator',
      'users invite --email ben@example.com',
      'sanctions templates set spam advertising',
      'sanctions templates set insult insults',
      'projects create Night',
      'challenges create --name Dragons --event-name kill-enemy --goal 3',
      'challenges create --name Wolves --event-name kill-enemy --goal 3',
      'plugins install toxicity',
      'plugins disable toxicity',
      'plugins install sentiment',
      'participants notes add ann shouted',
      'gatherings create --name party',
      'gatherings invite party ann',
    ])
      expect(await cli.run(words.split(' '), here)).toMatchObject({ code: 0, stderr: expect.any(String) });
    for (const [words, ...expected] of [
      ['webhooks list --search BRIDGE', /^bridge .*off: requested/],
      ['webhooks list --enabled', /^- .*two\.example.* on /],
      ['webhooks list --failing'],
      ['api-keys list --project default', /^game +default +gameplay/],
      ['api-keys list --scope sanctions:read', /^board +all/],
      ['api-keys list --search BOA --unused-since 1d', /^board/],
      ['users list --role moderator', /^ann@example\.com/],
      ['users list --search BEN --status pending', /^ben@example\.com +viewer +pending/],
      ['users list --search ben --status accepted'],
      ['sanctions templates list --search ADV', /^spam/],
      ['projects list --search nig', /^Night/],
      ['challenges list --search drag', /^Dragons/],
      ['leaderboards list --search none'],
      ['plugins installed --enabled', /^sentiment/],
      ['plugins installed --no-enabled', /^toxicity/],
      ['rules list --mode enforce'],
      ['rooms list --user ann'],
      ['participants notes list ann', /admin@localhost +shouted/],
      ['participants history ann --kind note', /note +.*shouted/],
      ['participants history ann --kind note --since 1h', /note +.*shouted/],
      ['gatherings invitations party --status pending', /^ann +party +pending/],
      ['gatherings invitations party --status declined'],
    ] as const) {
      const found = await lines(words);
      expect({ words, found }).toEqual({ words, found: expected.map((line) => expect.stringMatching(line)) });
    }
  });

  it('refuses CSV and JSON together', async () => {
    expect((await cli.run(['sanctions', 'list', '--csv', '--json'])).code).toBe(2);
  });
});

describe('a table on a terminal', () => {
  const id = '01a202de-baef-792d-abf5-1d530804f4dc';
  const rows = [{ id, who: 'Ann', why: 'a reason that is so long that no narrow terminal has the room for all of it' }];
  const columns = ['id', 'who', 'why'];
  const on = (width: number, ids = false) => table(rows, columns, { isTerminal: true, now: new Date(), width, ids });

  it.each([40, 80, 140])('fits %i columns', (width) => {
    for (const line of on(width).split('\n').slice(1)) expect(line.length).toBeLessThanOrEqual(width);
  });

  it('has who and why first, and ids last, where there is room or they are wanted', () => {
    expect(on(80)).not.toContain(id);
    expect(on(140).split('\n')[1]).toMatch(new RegExp(`^Ann .*${id}$`));
    expect(on(80, true).split('\n')[1]).toContain('…');
    expect(table(rows, columns, { isTerminal: false, now: new Date() })).toMatch(/^ID +WHO +WHY\n/);
  });
});
