/** Completion of commands, flags, names and ids, as bash and zsh ask for it. */
import { execFile, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { forBash, typedLine } from '../../src/cli/completion/shell-line.js';
import { administrator, startDaemon, type TestDaemon } from '../support/daemon.js';
import { eventually } from '../support/eventually.js';

const execute = promisify(execFile);
const program = fileURLToPath(new URL('../../bin/earshot.js', import.meta.url));
const has = (shell: string): boolean => spawnSync(shell, ['--version']).status === 0;

let daemon: TestDaemon;
let folder: string;
const environment = () => ({
  ...{ PATH: `${folder}/bin:${process.env.PATH}`, EARSHOT_URL: daemon.url, EARSHOT_PROJECT: 'default' },
  ...{ XDG_CONFIG_HOME: folder, XDG_CACHE_HOME: folder, HOME: folder },
});
/** In a process of its own, because the shells ask so; the daemon is in this one, which must not wait. */
const earshot = async (args: readonly string[], env: Readonly<Record<string, string>> = {}, input = '') => {
  const running = execute(process.execPath, [program, ...args], { env: { ...environment(), ...env } });
  running.child.stdin?.end(input);
  return (await running).stdout;
};
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'earshot-completion-'));
  mkdirSync(join(folder, 'bin'));
  symlinkSync(program, join(folder, 'bin/earshot'));
  daemon = await startDaemon();
  for (const line of [
    ['login', '--email', administrator.email, '--password-stdin'],
    ['participants', 'create', '--user', 'u1', '--name', 'Bob Marley'],
    ['participants', 'create', '--user', 'u2', '--name', 'Ann'],
    ['participants', 'create', '--user', 'u3', '--name', 'Ill\u001b[31m'],
    ['projects', 'create', 'Night watch'],
    ['webhooks', 'create', '--to', 'https://hooks.example/in?token=hunter2', '--events', '*', '--project', 'default'],
    ['api-keys', 'create', '--name', 'game', '--scopes', 'gameplay', '--project', 'default'],
  ])
    await earshot(line, {}, administrator.password);
});
afterAll(async () => {
  await daemon.stop();
  rmSync(folder, { recursive: true, force: true });
});

const offered = async (line: string, env: Readonly<Record<string, string>> = {}): Promise<string[]> =>
  (await earshot(['__complete', 'zsh', line], env)).split('\n').filter(Boolean);

describe('a line is completed', () => {
  it.each([
    ['earshot sanc', ['sanctions']],
    ['earshot sanctions templates ', ['delete', 'list', 'set']],
    ['earshot participants mo', ['move']],
    ['earshot people ', ['export', 'move']],
    ['earshot ban bob --rea', ['--reason']],
    ['earshot sanctions issue --type shadow', ['shadow_mute']],
    ['earshot users invite --role=vie', ['viewer']],
    ['earshot nonsense ', []],
  ])('%s', async (line, expected) => {
    expect((await offered(line)).map((one) => one.replace(/ .*/, ''))).toEqual(expected);
  });

  it.each([
    ['earshot who b', ['Bob Marley']],
    ['earshot who "bob m', ['Bob Marley']],
    ['earshot ban u', ['u1', 'u2', 'u3']],
    ['earshot participants list --project N', ['Night watch']],
    ['earshot api-keys revoke g', ['game']],
    ['earshot webhooks get ', ['hooks.example']],
    ['earshot participants list --project nowhere ', []],
  ])('with names from the daemon: %s', async (line, expected) => {
    await eventually(async () => expect(await offered(line)).toEqual(expected), 30_000);
  });

  it('without names that would write on the terminal', async () => {
    expect(await offered('earshot who Il')).toEqual([]);
  });
});

describe('names', () => {
  it('come from the cache while the daemon is away, and never from that of another login', async () => {
    const away = { EARSHOT_URL: 'http://127.0.0.1:9', EARSHOT_API_KEY: 'another' };
    await eventually(async () => expect(await offered('earshot who a')).toEqual(['Ann']));
    await earshot(['participants', 'create', '--user', 'u4', '--name', 'Abel']);
    expect(await offered('earshot who a')).toEqual(['Ann']);
    expect(await offered('earshot who a', away)).toEqual([]);
  });

  it('leave no secret behind, and go with the login', async () => {
    for (const line of ['earshot webhooks get ', 'earshot api-keys revoke '])
      await eventually(async () => expect(await offered(line)).not.toEqual([]), 30_000);
    const names = join(folder, 'earshot', 'names');
    const kept = readdirSync(names).map((file) => readFileSync(join(names, file), 'utf8'));
    expect(kept.join()).toContain('hooks.example');
    expect(kept.join()).not.toMatch(/hunter2|token|[a-z]+_[A-Za-z0-9]{6}/);
    await earshot(['logout']);
    expect(existsSync(names)).toBe(false);
  });
});

describe('what bash is given', () => {
  it.each([
    ['earshot who bo', 'Bob Marley', 'Bob\\ Marley'],
    ['earshot who "bo', 'Bob "B" $x', 'Bob \\"B\\" \\$x'],
    ["earshot who 'bo", 'Bob Marley', 'Bob Marley'],
    ['earshot why https:', 'https://host/x', '//host/x'],
    ['earshot ban --reason=a', '--reason=a b', 'a\\ b'],
    ['earshot who Bob\\ M', 'Bob Marley', 'Bob\\ Marley'],
  ])('%s', (line, candidate, expected) => {
    expect(forBash(candidate, typedLine(line), ' \t\n"\'><=;|&(:')).toBe(expected);
  });
});

/** The shell itself fills the word in. */
describe('in a shell', () => {
  const asKey = () => ({ ...environment(), EARSHOT_API_KEY: daemon.apiKey });

  it.skipIf(!has('bash'))('bash', async () => {
    const line = 'earshot who bob';
    await eventually(
      async () => expect(await offered(line, { EARSHOT_API_KEY: daemon.apiKey })).not.toEqual([]),
      30_000,
    );
    const script = `eval "$(earshot completion bash)"
COMP_WORDS=(earshot who bob) COMP_CWORD=2 COMP_LINE='${line}' COMP_POINT=${line.length}
_earshot_completion; printf '%s\\n' "\${COMPREPLY[@]}"; complete -p earshot`;
    const { stdout } = await execute('bash', ['--norc', '-c', script], { env: asKey() });
    expect(stdout).toBe('Bob\\ Marley\ncomplete -o default -F _earshot_completion earshot\n');
  });

  it.skipIf(!has('zsh'))('zsh', async () => {
    const line = 'earshot who bob';
    await eventually(
      async () => expect(await offered(line, { EARSHOT_API_KEY: daemon.apiKey })).not.toEqual([]),
      30_000,
    );
    const script = `eval "$(earshot completion zsh)"
compset() { return 1 }; _files() { print none }
compadd() { print -l -- "\${(@P)@[-1]}" }
words=(earshot who bob) LBUFFER='earshot who bob'
_earshot; print -- $_comps[earshot]`;
    const { stdout } = await execute('zsh', ['-f', '-c', script], { env: asKey() });
    expect(stdout).toBe('Bob Marley\n_earshot\n');
  });
});
