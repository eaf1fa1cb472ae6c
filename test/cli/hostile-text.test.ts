/** Names of people, keys and projects reach no terminal as control characters. */
import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { gatheringRoutes } from '../../src/contract/gatherings/gatherings.js';
import { accountRoutes } from '../../src/contract/identity/accounts.js';
import { apiKeyRoutes } from '../../src/contract/identity/api-keys.js';
import { sanctionRoutes } from '../../src/contract/moderation/sanctions.js';
import { participantRoutes } from '../../src/contract/people/participants.js';
import { projectRoutes } from '../../src/contract/projects/projects.js';
import { shownAddress, withoutPasswords } from '../../src/text/printable.js';
import { commandLine } from '../support/cli.js';
import { administrator, startDaemon, type TestDaemon } from '../support/daemon.js';
import { hasTerminal, onTerminal } from '../support/terminal.js';

/** Sets the title of the window, clears the screen by C1, rings, turns the writing direction. */
const hostile = '\u001b]0;owned\u0007\u009b2J\u202e';
const shown = '\\u001b]0;owned\\u0007\\u009b2J\\u202e';
const raw = new RegExp('\u001b\\]0|[\u0007\u0080-\u009f\u202a-\u202e\u2066-\u2069]');
const program = (name: string) =>
  `'${process.execPath}' '${createRequire(import.meta.url).resolve(`../../bin/${name}.js`)}'`;
const folder = mkdtempSync(join(tmpdir(), 'earshot-cli-'));
const ctrlC = '\u0003';

let daemon: TestDaemon;
let token: string;
let participantId: string;
let gatheringId: string;
const params = () => ({ projectId: daemon.projectId });
const warn = () =>
  daemon.client.call(sanctionRoutes.create, {
    params: params(),
    body: { type: 'warn', externalUserId: 'evil', reason: `reason${hostile}` },
  });
beforeAll(async () => {
  daemon = await startDaemon();
  token = (await daemon.client.call(accountRoutes.loginCredentials, { body: administrator })).accessToken;
  for (const externalUserId of ['evil', `evil2${hostile}`]) {
    const body = { externalUserId, displayName: `name${hostile}` };
    participantId = (await daemon.client.call(participantRoutes.create, { params: params(), body })).id;
  }
  await daemon.admin.call(apiKeyRoutes.create, { body: { name: `key${hostile}`, scopes: ['events:read'] } });
  await daemon.admin.call(projectRoutes.create, { body: { name: `project${hostile}` } });
  const body = { name: `party${hostile}`, type: 'lobby' as const, maxMembers: 4 };
  gatheringId = (await daemon.client.call(gatheringRoutes.create, { params: params(), body })).id;
  await warn();
});
afterAll(async () => {
  await daemon.stop();
  rmSync(folder, { recursive: true, force: true });
});

const environment = () => ({
  ...{
    XDG_CONFIG_HOME: folder,
    EARSHOT_URL: daemon.url,
    EARSHOT_TOKEN: token,
    EARSHOT_PROJECT: daemon.projectId,
  },
  EARSHOT_DATA_DIR: daemon.dataDir,
});
const run = (name: string, args: string) => onTerminal(`${program(name)} ${args}`, environment());

describe('what is printed shows hostile text as escapes', { timeout: 60_000 }, () => {
  it.each<[string, () => string[]]>([
    ['in a table of keys', () => ['api-keys', 'list']],
    ['in a table of projects', () => ['projects', 'list']],
    ['in a table of participants', () => ['participants', 'list']],
    ['in a table of sanctions', () => ['sanctions', 'list']],
    ['in what is known of a person', () => ['who', 'evil']],
    ['in why somebody is silent', () => ['why', 'evil']],
    ['in a single view', () => ['participants', 'get', participantId]],
    ['in a view that is drawn', () => ['gatherings', 'get', gatheringId]],
    ['in JSON', () => ['participants', 'list', '--json']],
    ['in an error', () => ['mute', `name${hostile}`, '1m']],
  ])('%s', async (_, args) => {
    const cli = commandLine(environment);
    const { stdout, stderr } = await cli.run(args(), { isTerminal: true });
    expect(stdout + stderr).not.toMatch(raw);
    expect(stdout + stderr).toContain(shown.slice(0, 12));
    cli.dispose();
  });
});

describe.skipIf(!hasTerminal)('a terminal is shown hostile text as escapes', { timeout: 60_000 }, () => {
  it('in a table', async () => {
    const command = run('earshot', 'api-keys list');
    await command.ended;
    expect(command.shown).not.toMatch(raw);
    expect(command.shown).toContain(shown.slice(0, 12));
  });

  it('in a choice between two of the same name', async () => {
    const choice = run('earshot', `mute 'name${hostile}' 1m`);
    await choice.answer(`name${shown.slice(0, 12)}`, ctrlC);
    await choice.ended;
    expect(choice.shown).not.toMatch(raw);
  });

  it.each(['events tail --since earliest', 'events tail --since earliest --json'])('in a tail: %s', async (args) => {
    const tail = run('earshot', args);
    await tail.answer('name\\u001b', ctrlC);
    await tail.ended;
    expect(tail.shown).not.toMatch(raw);
  });

  it('on a screen that is drawn again and again', async () => {
    const watch = run('earshot', `gatherings watch ${gatheringId}`);
    await watch.answer(`party${shown}`, ctrlC);
    await watch.ended;
    expect(watch.shown).not.toMatch(raw);
  });

  it('in a question', async () => {
    const projects = await daemon.admin.call(projectRoutes.list, {});
    const id = projects.find(({ name }) => name.startsWith('project'))?.id ?? '';
    const question = run('earshot', `projects delete ${id}`);
    await question.answer('\\u009b2J', ctrlC);
    await question.ended;
    expect(question.shown).not.toMatch(raw);
  });

  it('by the daemon too', async () => {
    const refused = run('earshotd', `config check --set 'EARSHOT_NONE${hostile}=1'`);
    await refused.ended;
    expect(refused.shown).toContain(shown.slice(0, 12));
    expect(refused.shown).not.toMatch(raw);
  });
});

describe.skipIf(!hasTerminal)('a colour terminal is shown no escape sequence of a colour', { timeout: 60_000 }, () => {
  it.each([
    ['earshot', 'sanctions issue', 'Missing required flag --type'],
    ['earshot', 'sanctions list --csv --json', 'cannot also be provided'],
    ['earshot', 'settings set --secrets-stdin --secrets-file x', 'cannot also be provided'],
    ['earshot', 'mute', 'Missing 1 required arg'],
    ['earshot', 'sanctions issue --type nope --user evil', 'is not accepted here'],
    ['earshot', 'trigger --seed x', 'Expected an integer'],
    ['earshot', 'who evil --nope', 'There is no flag'],
    ['earshot', 'sanctions lst', 'is no command'],
    ['earshotd', 'run --nope', 'unknown option'],
  ])('after %s %s', async (name, args, message) => {
    const refused = onTerminal(`${program(name)} ${args}`, {
      ...environment(),
      TERM: 'xterm-256color',
      COLORTERM: 'yes',
    });
    expect(await refused.ended).not.toBe(0);
    expect(refused.shown).toContain(message);
    expect(refused.shown).not.toMatch(/\\u001b/);
  });
});

describe('--json', () => {
  it('is the same JSON, with escapes for what a terminal would obey', async () => {
    const cli = commandLine(environment);
    const { stdout } = await cli.run(['participants', 'get', participantId, '--json']);
    expect(stdout).not.toMatch(raw);
    expect(JSON.parse(stdout)).toMatchObject({ displayName: `name${hostile}` });
    cli.dispose();
  });
});

describe('an address', () => {
  it.each([
    ['postgresql://u:p@h/db', 'postgresql://u:***@h/db'],
    ['postgresql://u:p%40s@h:5432/db?sslpassword=s&x=1', 'postgresql://u:***@h:5432/db?sslpassword=***&x=1'],
    ['postgresql://u:p/w@h/db', 'postgresql://u:***@h/db'],
    ['postgresql://u:p@w@h/db', 'postgresql://u:***@h/db'],
    ['postgresql:///db?user=u&password=p', 'postgresql:///db?user=u&password=***'],
    ['smtps://:p@h', 'smtps://:***@h'],
    ['https://h/a?access_token=t&b=c#token=x', 'https://h/a?access_token=***&b=c#token=***'],
    ['https://h:8443/a?b=c', 'https://h:8443/a?b=c'],
    ['https://u@[::1]:1/a', 'https://u@[::1]:1/a'],
    ['file:/data/a:b@c', 'file:/data/a:b@c'],
  ])('%s is shown as %s', (address, expected) => {
    expect(shownAddress(address)).toBe(expected);
    expect(withoutPasswords(`"${address}" cannot be reached`)).toBe(`"${expected}" cannot be reached`);
  });
});
