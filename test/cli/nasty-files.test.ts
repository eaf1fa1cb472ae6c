/** Every command that reads a list reads it alike, however a spreadsheet or another program has written it. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { gatheringRoutes } from '../../src/contract/gatherings/gatherings.js';
import { sanctionRoutes } from '../../src/contract/moderation/sanctions.js';
import { participantRoutes } from '../../src/contract/people/participants.js';
import { commandLine } from '../support/cli.js';
import { startDaemon, type TestDaemon } from '../support/daemon.js';
import { type ListOf, nastyFiles } from '../support/nasty-files.js';

let daemon: TestDaemon;
let challengeId: string;
const cli = commandLine(() => ({ EARSHOT_URL: daemon.url, EARSHOT_API_KEY: daemon.apiKey }));
const params = () => ({ projectId: daemon.projectId });
const person = (externalUserId: string, displayName = externalUserId) =>
  daemon.client.call(participantRoutes.create, { params: params(), body: { externalUserId, displayName } });

beforeAll(async () => {
  daemon = await startDaemon();
  await person('u_ann', 'Ann');
  await person('u_bea', 'Bea');
  await daemon.client.call(gatheringRoutes.create, { params: params(), body: { name: 'Raid', maxMembers: 100 } });
  const challenge = ['challenges', 'create', '--name', 'Kills', '--event-name', 'kill-enemy', '--goal', '10'];
  ({ id: challengeId } = await cli.json<{ id: string }>(challenge));
});
afterAll(async () => {
  await daemon.stop();
  cli.dispose();
});

interface Reader extends ListOf {
  readonly name: string;
  readonly command: () => readonly string[];
  readonly id?: (id: string) => string;
  /** Ids must be those of people. */
  readonly needsPeople?: true;
  /** What has been done, as a text with the ids. */
  readonly done?: () => Promise<string>;
  /** What becomes of a display name in place of an id. */
  readonly nameIs: 'refused' | 'resolved' | 'an id' | null;
}

const people = {
  columns: ['user', 'note'],
  row: (id: string) => [id, 'x'],
  within: 'participants',
  hasIds: true,
} as const;
const readers: readonly Reader[] = [
  {
    name: 'sanctions apply',
    command: () => ['sanctions', 'apply', '-'],
    columns: ['user', 'type', 'duration'],
    row: (id) => [id, 'mute', '1h'],
    within: 'sanctions',
    hasIds: true,
    done: async () =>
      JSON.stringify(await daemon.client.call(sanctionRoutes.list, { params: params(), query: { limit: 200 } })),
    nameIs: 'refused',
  },
  {
    name: 'reports import',
    command: () => ['reports', 'import', '-', '--json'],
    columns: ['user', 'category', 'from', 'reference'],
    row: (id) => [id, 'threats', 'mail', `of ${id}`],
    within: 'reports',
    hasIds: true,
    nameIs: 'resolved',
  },
  {
    name: 'game-events import',
    command: () => ['game-events', 'import', '-'],
    columns: ['user', 'event', 'amount'],
    row: (id) => [id, 'kill-enemy', '1'],
    within: 'events',
    hasIds: true,
    done: async () => (await cli.run(['game-events', 'export'])).stdout,
    nameIs: 'an id',
  },
  {
    name: 'players unlock',
    command: () => ['players', 'unlock', challengeId, '-f', '-', '--json'],
    ...people,
    nameIs: 'resolved',
  },
  {
    name: 'gatherings invite',
    command: () => ['gatherings', 'invite', 'Raid', '-', '--json'],
    ...people,
    needsPeople: true,
    done: async () => (await cli.run(['gatherings', 'members', 'Raid', '--json'])).stdout,
    nameIs: 'resolved',
  },
  {
    name: 'users invite',
    command: () => ['users', 'invite', '-f', '-', '--json'],
    columns: ['email', 'role'],
    row: (id) => [`${id}@example.com`, 'viewer'],
    id: (id) => id,
    within: 'items',
    hasIds: false,
    nameIs: null,
  },
  {
    name: 'gatherings create',
    command: () => ['gatherings', 'create', '--stdin', '--json'],
    columns: ['name', 'maxMembers'],
    row: (id) => [id, '4'],
    within: 'gatherings',
    hasIds: false,
    nameIs: null,
  },
];

describe.each(readers)('$name', ({ command, id = (text) => `ü ${text}`, needsPeople, done, nameIs, ...list }) => {
  const run = async (input: Buffer) => {
    const ended = await cli.run(command(), { input });
    return { ...ended, done: done === undefined ? ended.stdout : await done() };
  };

  it.each(nastyFiles(list).map((file, index) => ({ ...file, index })))(
    'reads or refuses $name',
    async ({ content, refused, index }) => {
      const ids = [id(`one${index}`), id(`other${index}`)] as const;
      if (needsPeople) for (const one of ids) await person(one);
      const ended = await run(content(...ids));
      if (refused === null) {
        expect(ended).toMatchObject({ code: 0 });
        for (const one of ids) expect(ended.done).toContain(one);
      } else {
        expect(ended).toMatchObject({ code: 2, stderr: expect.stringMatching(refused) });
        expect(ended.done).not.toContain(ids[0]);
      }
    },
  );

  if (nameIs !== null)
    it('reads a display name as the command does on its line', async () => {
      // Of the events, which make a player of the name.
      const named = nameIs === 'an id' ? 'Bea' : 'Ann';
      const ended = await run(Buffer.from(`${list.columns.join(',')}\n${list.row(named).join(',')}\n`));
      if (nameIs === 'refused')
        expect(ended).toMatchObject({ code: 5, stderr: expect.stringContaining('it is the name of u_ann') });
      else {
        expect(ended.code).toBe(0);
        expect(ended.done).toMatch(nameIs === 'resolved' ? /u_ann|"displayName": "Ann"/ : /"Bea"/);
      }
    });

  it('does nothing for an empty cell in place of who is meant', async () => {
    const [, ...others] = list.row('');
    const { code } = await run(Buffer.from(`${list.columns.join(',')}\n${['', ...others].join(',')}\n`));
    expect([2, 5]).toContain(code);
  });
});

describe('what is typed or piped besides lists', () => {
  it.each(['0x10', '1e1', ' ', '1,5'])('is no number as %s', async (typed) => {
    for (const args of [
      ['game-events', 'send', 'kill-enemy', '--user', 'u', '--amount', typed],
      ['stats', 'transparency', '--year', typed, '--json'],
      ['sanctions', 'list', '--limit', typed],
    ]) {
      const { code, stderr } = await cli.run(args);
      expect([2, 5], args.join(' ')).toContain(code);
      expect(stderr).toContain('number');
    }
  });

  it('is no password in another encoding', async () => {
    const input = Buffer.from('p\xe4ssword', 'latin1');
    const { code, stderr } = await cli.run(['login', '--email', 'ann@example.com', '--password-stdin'], { input });
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining('not UTF-8') });
  });
});
