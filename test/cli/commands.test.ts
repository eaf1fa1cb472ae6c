import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { administrator, startDaemon, type TestDaemon } from '../support/daemon.js';
import { programEnvironment } from '../support/program-environment.js';

const program = fileURLToPath(new URL('../../bin/earshot.js', import.meta.url));
const config = mkdtempSync(join(tmpdir(), 'earshot-cli-'));
let daemon: TestDaemon;
beforeAll(async () => {
  daemon = await startDaemon();
});
afterAll(async () => {
  await daemon.stop();
  rmSync(config, { recursive: true, force: true });
});

interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

function cli(
  args: string[],
  { env = {}, input = '' }: { env?: Record<string, string>; input?: string } = {},
): Promise<Ended> {
  const environment = { ...programEnvironment, XDG_CONFIG_HOME: config, EARSHOT_URL: daemon.url, ...env };
  return new Promise((resolve) => {
    const child = execFile(process.execPath, [program, ...args], { env: environment }, (error, stdout, stderr) => {
      resolve({ code: typeof error?.code === 'number' ? error.code : 0, stdout, stderr });
    });
    child.stdin?.end(input);
  });
}
const withKey = () => ({ env: { EARSHOT_API_KEY: daemon.apiKey } });

describe('earshot', () => {
  it('logs in by standard input and remembers it for this address alone', async () => {
    const login = await cli(['login', '--email', administrator.email, '--password-stdin'], {
      input: `${administrator.password}\n`,
    });
    expect(login).toMatchObject({ code: 0, stdout: '' });
    expect((await cli(['whoami', '--json'])).stdout).toContain(administrator.email);
    const elsewhere = await cli(['whoami', '--url', daemon.url.replace('127.0.0.1', 'localhost')]);
    expect(elsewhere.code).toBe(3);
  });

  it('is one line in a moderation script', async () => {
    const { code, stdout } = await cli(
      ['sanctions', 'issue', '--type', 'warn', '--external-user-id', 'u_42', '--new', '--json'],
      withKey(),
    );
    expect({ code, ...JSON.parse(stdout) }).toMatchObject({ code: 0, type: 'warn', endAt: null });
  });

  it('mutes and unmutes by the words a moderator types', async () => {
    expect((await cli(['mute', 'u_7', '10m', '--reason', 'shouting', '--new'], withKey())).stdout).toMatch(
      /type +mute/,
    );
    expect((await cli(['unmute', 'u_7'], withKey())).stdout).toMatch(/revoked/);
    expect((await cli(['unmute', 'u_7'], withKey())).code).toBe(4);
  });

  it.each([
    ['no argument', ['mute'], 2],
    ['a duration that is none', ['mute', 'u1', 'abc', '--new'], 2],
    ['something that is not there', ['sessions', 'get', 'nope'], 4],
    ['a refusal', ['sanctions', 'issue', '--type', 'mute'], 5],
  ])('ends with its own code after %s', async (_, args, code) => {
    const ended = await cli(args, withKey());
    expect(ended).toMatchObject({ code, stdout: '' });
    expect(ended.stderr).not.toContain('    at ');
  });

  it('ends with 7 when nobody answers, and 3 with a bad key', async () => {
    expect((await cli(['whoami'], { env: { EARSHOT_URL: 'http://127.0.0.1:9' } })).code).toBe(7);
    expect((await cli(['projects', 'list'], { env: { EARSHOT_API_KEY: 'earshot_live_nonsense' } })).code).toBe(3);
  });

  it('asks nobody where there is no terminal', async () => {
    expect(await cli(['login', '--email', 'a@b'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--password-stdin'),
    });
  });
});
