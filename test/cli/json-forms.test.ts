/** Output for scripts: errors on stderr in one form, lists in one form, and ids that are never cut. */
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { listForm } from '../../src/cli/terminal/list-form.js';
import { participantRoutes } from '../../src/contract/people/participants.js';
import { table } from '../../src/terminal/output.js';
import { commandLine } from '../support/cli.js';
import { startDaemon, type TestDaemon } from '../support/daemon.js';
import { freePort } from '../support/free-port.js';
import { VirtualTerminal } from '../support/virtual-terminal.js';

let daemon: TestDaemon;
const cli = commandLine(() => ({ EARSHOT_URL: daemon.url, EARSHOT_API_KEY: daemon.apiKey }));
const externalUserId = (index: number) => `a-rather-long-external-id-of-a-player-${String(index).padStart(3, '0')}`;

beforeAll(async () => {
  daemon = await startDaemon();
  const params = { projectId: daemon.projectId };
  for (let index = 0; index < 203; index += 1)
    await daemon.client.call(participantRoutes.create, {
      params,
      body: { externalUserId: externalUserId(index), displayName: `Somebody ${index}` },
    });
});
afterAll(async () => {
  await daemon.stop();
  cli.dispose();
});

describe('an error with --json', () => {
  it.each<[string, string[], number, string, RegExp]>([
    [
      'of the daemon',
      ['sanctions', 'get', '00000000-0000-7000-8000-000000000000'],
      4,
      'sanction_not_found',
      /sanction/,
    ],
    ['about a name', ['who', 'nobody at all'], 4, 'unknown_name', /There is no person nobody at all\./],
    ['about a flag that nobody knows', ['users', 'list', '--nope'], 2, 'usage', /There is no flag --nope/],
    ['about a word that is none of those', ['sanctions', 'list', '--type', 'bann'], 2, 'usage', /Did you mean ban\?/],
    ['about an argument', ['mute'], 2, 'usage', /Missing 1 required arg/],
    ['about a command', ['sanctions', 'lst'], 2, 'usage', /Did you mean `earshot sanctions list`\?/],
  ])('%s is one line of {code, message, details} on stderr', async (_, line, code, errorCode, message) => {
    for (const flag of ['--json', '--items']) {
      const ended = await cli.run([...line, flag]);
      expect([ended.code, ended.stdout, ended.stderr.trimEnd().split('\n')]).toEqual([code, '', [expect.any(String)]]);
      expect(JSON.parse(ended.stderr)).toEqual({
        code: errorCode,
        message: expect.stringMatching(message),
        details: [],
      });
    }
  });

  it('has what is wrong with each field, as the daemon says it', async () => {
    const { stderr } = await cli.run(['game-events', 'send', 'kill-enemy', '--user', 'u1', '--amount', '-1', '--json']);
    const { code, details } = JSON.parse(stderr);
    expect([code, details]).toEqual([
      'game_event_invalid',
      [{ path: 'meta_data.amount', message: 'must not be negative' }],
    ]);
  });

  it('says what to type where nobody is logged in, and where no daemon answers', async () => {
    const { stderr } = await cli.run(['projects', 'list', '--json'], { env: { EARSHOT_API_KEY: '' } });
    expect(JSON.parse(stderr)).toMatchObject({ message: expect.stringContaining('`earshot login') });
    const url = `http://127.0.0.1:${await freePort()}`;
    const unreached = await cli.run(['projects', 'list', '--json', '--url', url]);
    expect([unreached.code, JSON.parse(unreached.stderr).code]).toEqual([7, 'daemon_unreachable']);
  });

  it('has a line for each that is refused among many', async () => {
    const { stderr, code } = await cli.run(['users', 'invite', 'x', 'y', '--json']);
    const messages = stderr
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line).message);
    expect([code, messages]).toEqual([2, [expect.stringMatching(/^x: /), expect.stringMatching(/^y: /)]]);
  });
});

describe('a file of sanctions with --json', () => {
  it('has its wrong lines as details of one error', async () => {
    const file = join(mkdtempSync(join(tmpdir(), 'earshot-json-')), 'a.csv');
    writeFileSync(file, 'user,type,reason\nq1,warn,ok\nq2,ban,"he said hello\n');
    const wrong = [{ path: 'line 3', message: expect.stringContaining('a quote is open') }];
    const failed = await cli.run(['sanctions', 'apply', file, '--json']);
    expect([failed.code, failed.stdout, JSON.parse(failed.stderr)]).toEqual([
      2,
      '',
      { code: 'usage', message: expect.stringContaining('Nothing was issued. Correct these lines'), details: wrong },
    ]);
    const unnamed = await cli.run(['sanctions', 'apply', file, '--json', '--skip-bad']);
    expect([unnamed.code, JSON.parse(unnamed.stderr)]).toMatchObject([2, { code: 'usage', details: wrong }]);
    const tried = await cli.run(['sanctions', 'apply', file, '--json', '--dry-run']);
    expect([tried.code, JSON.parse(tried.stdout).lines.length, JSON.parse(tried.stderr).details]).toEqual([
      2,
      1,
      wrong,
    ]);
  });
});

describe('a message about flags', () => {
  it('names a flag as it is typed, and nothing of how it was read', async () => {
    const missing = await cli.run(['sanctions', 'issue', '--user', 'u1', '--json']);
    expect(JSON.parse(missing.stderr).message).toContain('Missing required flag --type');
    const shown = await cli.run(['webhooks', 'create', '--to', 'http://x', '--secret', 'x']);
    expect(shown.stderr).toMatch(/^--secret would show the secret to everybody/);
  });
});

describe('a list with --items', () => {
  const items = async (...line: string[]) => {
    const { code, stdout, stderr } = await cli.run([...line, '--items']);
    expect([code, stderr]).toEqual([0, '']);
    return JSON.parse(stdout);
  };

  it('is {items, total, next}, whatever the operation answers', async () => {
    expect(await items('projects', 'list')).toMatchObject({ items: [{ name: 'default' }], total: 1, next: null });
    const audit = await items('audit', 'list', '--limit', '1', '--all-projects');
    expect(Object.keys(audit)).toEqual(['items', 'total', 'next']);
    const rest = await items('audit', 'list', '--all-projects', '--after', audit.next);
    expect(rest.items[0].id).not.toBe(audit.items[0].id);
    expect(await items('sanctions', 'list')).toEqual({ items: [], total: 0, next: null });
    expect(await items('webhooks', 'events')).toEqual({ items: [], total: 0, next: null });
  });

  it('goes on with next as --offset until there is nothing more', async () => {
    const first = await items('participants', 'list', '--limit', '150');
    expect([first.items.length, first.total, first.next]).toEqual([150, 203, 150]);
    const second = await items('participants', 'list', '--limit', '150', '--offset', String(first.next));
    expect([second.items.length, second.total, second.next]).toEqual([53, 203, null]);
    const all = await items('participants', 'list', '--all');
    expect([all.items.length, all.total, all.next]).toEqual([203, 203, null]);
    expect(all.items[0]).toEqual(first.items[0]);
  });

  it('leaves what is no list as it is', async () => {
    expect(await items('whoami')).toEqual(await cli.json(['whoami']));
    expect(await cli.run(['participants', 'list', '--items', '--csv'])).toMatchObject({ code: 2 });
  });

  it.each<[string, unknown, object | null]>([
    ['an array, a page of it', [1, 2], { items: [1, 2], total: 9, next: 6 }],
    ['rows with their total', { rows: [1], total: 6, limit: 1, offset: 4 }, { items: [1], total: 6, next: 5 }],
    ['the last rows', { rows: [1], total: 5, limit: 1, offset: 4 }, { items: [1], total: 5, next: null }],
    ['rows behind which to go on', { hits: [1], next: 'x' }, { items: [1], total: null, next: 'x' }],
    ['rows alone', { userIds: [1, 2] }, { items: [1, 2], total: 6, next: null }],
    ['two arrays', { a: [], b: [], total: 1 }, null],
    ['an array of something', { id: 'x', scopes: ['a'] }, null],
  ])('is made of %s', (_, answer, form) => {
    expect(listForm(answer, { total: 9, offset: 4 })).toEqual(form);
  });
});

describe('--ids', () => {
  const screen = { isTerminal: true, now: new Date(), width: 80, ids: true };
  const uuid = (digit: string) => digit.repeat(8).concat('-0000-7000-8000-000000000000');
  const rows = [
    {
      who: `Ann (${'u'.repeat(70)})`,
      reason: 'r'.repeat(90),
      externalUserId: 'e'.repeat(70),
      id: uuid('a'),
      other: uuid('b'),
    },
    { who: 'Bob (u1)', reason: 'short', externalUserId: 'u1', id: uuid('c'), other: uuid('d') },
  ];

  it('never cuts an id, however narrow the terminal; other columns give way', () => {
    const lines = table(rows, ['who', 'reason', 'externalUserId', 'id', 'other'], screen).split('\n');
    for (const { who, externalUserId: user, id, other } of rows)
      expect(lines.some((line) => [who, user, id, other].every((text) => line.includes(text)))).toBe(true);
    expect(lines[1]).toContain('rrrrrrr…');
    const later = table(rows, ['id'], { ...screen, width: 20 });
    expect(later).not.toContain('…');
  });

  it('shows them on a terminal of 80 columns', async () => {
    const terminal = new VirtualTerminal(80, 24);
    const { code } = await cli.run(['participants', 'list', '--limit', '2', '--ids'], { terminal });
    expect(code).toBe(0);
    const { participants } = await daemon.client.call(participantRoutes.list, {
      params: { projectId: daemon.projectId },
      query: { limit: 2 },
    });
    for (const { id, externalUserId: user } of participants)
      expect(terminal.screen).toMatch(new RegExp(`^Somebod…  ${user} .*${id}$`, 'm'));
  });
});
