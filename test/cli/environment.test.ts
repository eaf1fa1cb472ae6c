/** What the environment says to a command: line ends behind values, which machine wins, and colours. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type CommandLine, commandLine } from '../support/cli.js';
import { administrator, startDaemon, type TestDaemon } from '../support/daemon.js';

/** Nothing listens on the discard port. */
const nowhere = 'http://127.0.0.1:9';
let daemon: TestDaemon;
let cli: CommandLine;
beforeAll(async () => {
  daemon = await startDaemon();
  cli = commandLine();
});
afterAll(async () => {
  cli.dispose();
  await daemon.stop();
});

/** Exit code of a command that reads something of the daemon. */
const reads = async (args: readonly string[], env: Readonly<Record<string, string>>) =>
  (await cli.run(['projects', 'list', ...args], { env: { EARSHOT_API_KEY: daemon.apiKey, ...env } })).code;

describe('a line end behind a value', { timeout: 60_000 }, () => {
  it.each(['\r', '\n', '\r\n', ' \r\n'])('%j is no part of it', async (end) => {
    expect(await reads([], { EARSHOT_URL: `${daemon.url}${end}`, EARSHOT_API_KEY: `${daemon.apiKey}${end}` })).toBe(0);
    expect(await reads(['--url', `${daemon.url}${end}`], {})).toBe(0);
    const { email, password } = administrator;
    const login = ['login', '--url', daemon.url, '--email', email, '--password-stdin', '--profile', 'person'];
    expect(await cli.run(login, { input: `${password}${end.replace(' ', '')}` })).toMatchObject({ code: 0 });
  });
});

describe('the machine of a command', { timeout: 60_000 }, () => {
  it('is that of a flag before the environment, and of the environment before the profile', async () => {
    await cli.run(['profiles', 'set', 'away', '--url', nowhere]);
    await cli.run(['profiles', 'set', 'near', '--url', daemon.url]);
    await cli.run(['profiles', 'use', 'away']);
    expect(await reads([], {})).toBe(7);
    expect(await reads([], { EARSHOT_PROFILE: 'near' })).toBe(0);
    expect(await reads([], { EARSHOT_URL: daemon.url })).toBe(0);
    expect(await reads([], { EARSHOT_URL: daemon.url, EARSHOT_PROFILE: 'away' })).toBe(0);
    expect(await reads(['--profile', 'away'], { EARSHOT_URL: daemon.url })).toBe(7);
    expect(await reads(['--profile', 'near'], { EARSHOT_URL: nowhere })).toBe(0);
    expect(await reads(['--url', daemon.url], { EARSHOT_URL: nowhere, EARSHOT_PROFILE: 'away' })).toBe(0);
    expect(await reads(['--url', nowhere], { EARSHOT_URL: daemon.url })).toBe(7);
  });
});

describe('colours on a terminal', { timeout: 60_000 }, () => {
  it.each([
    [{}, true],
    [{ NO_COLOR: '' }, true],
    [{ NO_COLOR: '1' }, false],
    [{ TERM: 'dumb' }, false],
  ])('with %j: %s', async (env: Readonly<Record<string, string>>, isColoured) => {
    const variables = { EARSHOT_URL: daemon.url, EARSHOT_API_KEY: daemon.apiKey, TERM: 'xterm', PAGER: '', ...env };
    const { code, stdout } = await cli.run(['projects', 'list'], { env: variables, isTerminal: true });
    expect([code, stdout.includes('\u001b[')]).toEqual([0, isColoured]);
  });
});
