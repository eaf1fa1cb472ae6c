/** Every place that asks, on a terminal of its own: the right answer, another one, and ctrl-c. */
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { answered } from '../support/answered.js';
import { commandLine } from '../support/cli.js';
import { administrator, startDaemon, type TestDaemon } from '../support/daemon.js';
import { torture } from '../support/scale.js';
import { hasTerminal, onTerminal } from '../support/terminal.js';
import { type Act, acts, irreversibleActs, words } from './irreversible.js';

const require = createRequire(import.meta.url);
const root = dirname(require.resolve('#package'));
const program = require.resolve('../../bin/earshot.js');
const [enter, down, ctrlC] = ['\r', '\u001b[B', '\u0003'];
const interrupted = 130;

/** Files that ask for something else than a name, with the test of this or another suite that answers on a terminal. */
const answeredBy: Readonly<Record<string, readonly [suite: string, title: string]>> = {
  'commands/login.ts': ['prompts', 'for a password shows none of it'],
  'commands/password.ts': ['prompts', 'for a new password comes twice'],
  'src/cli/command/only-project.ts': ['asking', 'for the project, where there are several'],
  'commands/users/accept.ts': ['asking', 'for the link of an invitation'],
  'commands/settings/e2e-encryption.ts': ['asking', 'for the password of the rooms'],
  'src/cli/moderation/cases/case-walk.ts': ['../reports/case-commands', 'cases next walks from the most urgent on'],
  'src/cli/moderation/review-walk/review-walk.ts': ['asking', 'for a note on a case'],
  'src/cli/rooms/watch/room-watch.ts': ['rooms-watch', 'a wrong duration keeps the question open'],
  'src/cli/moderation/impose.ts': ['asking', 'for what to do with a ban in force'],
  'commands/ban.ts': ['../rooms/visits', 'asks on a terminal for the room'],
  'commands/participants/notify.ts': ['../people/notices', 'asks on a terminal before it goes to several'],
  'commands/rules/undo.ts': ['../rules/authors', 'asks on a terminal, and then takes back'],
  'src/cli/gameplay/season-command.ts': ['../seasons/season-commands', 'asks on a terminal before it deletes progress'],
  'src/cli/sign-in/mailed-code.ts': ['../identity/login-codes', 'is asked by `earshot login`'],
  'src/cli/names/resolve.ts': ['prompts', 'for one of several of a name'],
  'src/cli/projects/provider-settings.ts': ['prompts', 'for the secrets of a provider'],
  'src/cli/webhooks/webhook-secrets.ts': ['webhook-secrets', 'are asked for on a terminal, hidden'],
};

/** Files that import what asks, at once or where they need it. */
function asking(): string[] {
  const asks = [
    /import [^;]*\b(confirm|ask|askPassword|askNewPassword|choose)\b[^;]* from '[^']*\/(confirm|questions)\.js'/,
    /import\('[^']*\/(confirm|questions)\.js'\)/,
    /new Prompt\(/,
  ];
  return ['commands', 'src']
    .flatMap((folder) => readdirSync(join(root, folder), { recursive: true }).map((file) => join(folder, String(file))))
    .filter((file) => file.endsWith('.ts') && asks.some((one) => one.test(readFileSync(join(root, file), 'utf8'))));
}

describe('what asks', () => {
  it('is answered on a terminal by a test', () => {
    const confirming = acts.map(({ file }) => `commands/${file}`);
    const known = ['src/cli/terminal/confirm.ts', ...confirming, ...Object.keys(answeredBy)];
    expect(asking().toSorted()).toEqual(known.toSorted());
    for (const [suite, title] of Object.values(answeredBy))
      expect(readFileSync(join(import.meta.dirname, `${suite}.test.ts`), 'utf8')).toContain(`'${title}`);
  });
});

describe.skipIf(!hasTerminal)('a question on a terminal', { timeout: 60_000 }, () => {
  let daemon: TestDaemon;
  let ready: readonly Act[];
  const environment = () => ({ EARSHOT_URL: daemon.url, EARSHOT_PROJECT: 'default' });
  const cli = commandLine(environment);
  const earshot = (line: string) =>
    onTerminal(`'${process.execPath}' '${program}' ${line}`, { ...environment(), XDG_CONFIG_HOME: cli.config });
  beforeAll(async () => {
    daemon = await startDaemon();
    const login = ['login', '--email', administrator.email, '--password-stdin'];
    await cli.run(login, { input: administrator.password });
    ready = await irreversibleActs(cli);
  }, 60_000);
  afterAll(async () => {
    await daemon.stop();
    cli.dispose();
  });

  it.each(acts.map(({ file }, place) => ({ file, place })))('of $file', async ({ place }) => {
    const { line, name, gone, read } = ready[place] as Act;
    const shown = async () => (await cli.run([...words(read), '--json'])).stdout;
    const before = await shown();
    // At small scale two of the three in turn: more than the name, a yes, an interruption.
    const wrong = [
      [`${name}x${enter}`, 2, 'nothing was changed'],
      [`y${enter}`, 2, 'nothing was changed'],
      [`${name}${ctrlC}`, interrupted, ''],
    ] as const;
    const tried = wrong.filter((_, index) => torture || index !== place % wrong.length);
    for (const [keys, code, says] of [...tried, [`${name}${enter}`, 0, ''] as const]) {
      const ended = await answered(cli, words(line), `Type ${name} to continue`, keys);
      expect(ended).toMatchObject({ code, screen: expect.stringContaining(gone) });
      expect(ended.screen).toContain(says);
      if (code === 0) expect(await shown()).not.toBe(before);
      else expect(await shown()).toBe(before);
    }
  });

  it('in a process of its own', async () => {
    await cli.run(['participants', 'create', '--user', 'dan']);
    for (const [keys, code, people] of [
      [`dan${ctrlC}`, interrupted, 1],
      [`dan${enter}`, 0, 0],
    ] as const) {
      const terminal = earshot('participants delete dan');
      await terminal.answer('Type dan to continue', keys);
      expect(await terminal.ended).toBe(code);
      const found = ['participants', 'list', '--search', 'dan'];
      expect(await cli.json(found)).toMatchObject({ total: people });
    }
  });

  it('for what to do with a ban in force', async () => {
    await cli.run(['ban', 'eve', '2h', '--new', '--reason', 'spam']);
    const inForce = async () => (await cli.json<{ duration: number }[]>(['sanctions', 'active', 'eve'])).length;
    for (const [keys, code, active] of [
      [`${down}${down}${enter}`, 0, 1], // leave everything
      [ctrlC, interrupted, 1],
      [`${down}${enter}`, 0, 2], // in addition
      [enter, 0, 1], // replace
    ] as const) {
      const terminal = earshot('ban eve 3h');
      await terminal.answer('What now?', keys);
      expect(await terminal.ended).toBe(code);
      expect(await inForce()).toBe(active);
    }
  });

  it('for the project, where there are several', async () => {
    await cli.run(['projects', 'create', 'Live']);
    const list = () =>
      onTerminal(`'${process.execPath}' '${program}' participants list`, {
        ...{ EARSHOT_URL: daemon.url, XDG_CONFIG_HOME: cli.config },
      });
    const left = list();
    await left.answer('In which project?', ctrlC);
    expect(await left.ended).toBe(interrupted);
    for (const [keys, says] of [
      [enter, 'Ann'],
      [`${down}${enter}`, 'Nothing to show.'],
    ] as const) {
      const terminal = list();
      await terminal.answer('In which project?', keys);
      expect(await terminal.ended).toBe(0);
      expect(terminal.shown).toContain(says);
    }
    const refused = await cli.run(['participants', 'list'], { env: { EARSHOT_PROJECT: '' } });
    expect(refused).toMatchObject({ code: 2, stderr: expect.stringMatching(/--project[\s\S]*\n {2}Live {2}/) });
  });

  it('for the password of the rooms', async () => {
    await cli.run(['settings', 'set', '--token-provider', 'embedded']);
    const left = earshot('settings e2e-encryption manual');
    await left.answer('assword', `half${ctrlC}`);
    expect(await left.ended).toBe(interrupted);
    const mode = async () => (await cli.json<{ e2eEncryptionMode: string }>(['settings', 'get'])).e2eEncryptionMode;
    expect(await mode()).not.toBe('manual');
    const terminal = earshot('settings e2e-encryption manual');
    await terminal.answer('assword', `a room password${enter}`);
    expect(await terminal.ended).toBe(0);
    expect(terminal.shown).not.toContain('a room password');
    expect(await mode()).toBe('manual');
  });

  it('for a note on a case', async () => {
    await cli.run(['sanctions', 'issue', '--type', 'human_review', '--external-user-id', 'cid', '--new']);
    const left = earshot('reviews next');
    await left.answer('s uphold', 'n');
    await left.answer('Note, for moderators', ctrlC);
    expect(await left.ended).toBe(interrupted);
    const review = async () => cli.json<{ status: string; note: string | null }>(['reviews', 'get', 'cid']);
    expect(await review()).toMatchObject({ status: 'claimed' });
    await cli.run(['reviews', 'release', 'cid']);
    const terminal = earshot('reviews next');
    await terminal.answer('s uphold', 'n');
    await terminal.answer('Note, for moderators', `the recording says otherwise${enter}`);
    await terminal.answer('The note is stored.', 's');
    await terminal.answer('No review is open.', 'q');
    expect(await terminal.ended).toBe(0);
    expect(terminal.shown).toContain('cid: upheld');
    expect((await cli.run(['reviews', 'list', '--json'])).stdout).toContain('the recording says otherwise');
  });

  // The last one: whoever logs in is somebody else from then on.
  it('for the link of an invitation shows neither link nor password', async () => {
    const { invitationUrl } = await cli.json<{ invitationUrl: string }>(['users', 'invite', 'ann@example.com']);
    const left = earshot('users accept --profile ann');
    await left.answer('Link of the invitation', ctrlC);
    expect(await left.ended).toBe(interrupted);
    const wrong = earshot('users accept --profile ann');
    await wrong.answer(
      'Link of the invitation',
      `${invitationUrl.replace(/.$/, (last) => (last === 'x' ? 'y' : 'x'))}${enter}`,
    );
    expect(await wrong.ended).toBe(3);
    expect(wrong.shown).toContain('The invitation is no longer valid');
    expect(wrong.shown).not.toContain('earshot login');
    const terminal = earshot('users accept --profile ann');
    await terminal.answer('Link of the invitation', `${invitationUrl}${enter}`);
    await terminal.answer('New password for ann@example.com', `a password of her own${enter}`);
    await terminal.answer('again', `a password of her own${enter}`);
    expect(await terminal.ended).toBe(0);
    expect(terminal.shown).toContain('admin@localhost) invites ann@example.com to the project default as viewer.');
    expect(terminal.shown).not.toContain('of her own');
    expect((await cli.run(['whoami', '--profile', 'ann'])).stdout).toContain('ann@example.com');
  });
});
