/** The commands of who may do what: profiles, login, password, keys, settings, tokens. */
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { settingsRoutes } from '../../src/contract/settings.js';
import { earshot } from '../support/cli.js';
import { administrator, startDaemon, type TestDaemon } from '../support/daemon.js';

const config = mkdtempSync(join(tmpdir(), 'earshot-cli-'));
let daemon: TestDaemon;
beforeAll(async () => {
  daemon = await startDaemon();
});
afterAll(async () => {
  await daemon.stop();
  rmSync(config, { recursive: true, force: true });
});

const cli = (args: string[], input = '', env: Record<string, string> = {}) =>
  earshot(args, { input, env: { XDG_CONFIG_HOME: config, ...env } });
/** The answer of a command that has to succeed. */
async function json<T>(args: string[], input = ''): Promise<T> {
  const { code, stdout, stderr } = await cli([...args, '--json'], input);
  if (code !== 0) throw new Error(stderr);
  return JSON.parse(stdout);
}

describe('profiles', () => {
  it('name a daemon each; the one set last is in use', async () => {
    await cli(['profiles', 'set', 'here', '--url', daemon.url, '--project', daemon.projectId]);
    await cli(['profiles', 'set', 'elsewhere', '--url', 'http://127.0.0.1:9']);
    expect((await cli(['doctor'])).code).toBe(1);
    await cli(['profiles', 'use', 'here']);
    expect(await json(['profiles', 'list'])).toEqual([
      { name: 'elsewhere', url: 'http://127.0.0.1:9', projectId: null, loggedIn: false, current: false },
      { name: 'here', url: daemon.url, projectId: daemon.projectId, loggedIn: false, current: true },
    ]);
    await cli(['profiles', 'delete', 'elsewhere']);
    expect((await cli(['profiles', 'use', 'elsewhere'])).code).toBe(2);
    expect(statSync(join(config, 'earshot', 'profiles.json')).mode & 0o777).toBe(0o600);
  });

  it('keep their project when somebody logs in, and lose the login with the address', async () => {
    expect(
      (await cli(['login', '--email', administrator.email, '--password-stdin'], administrator.password)).code,
    ).toBe(0);
    const [profile] = await json<object[]>(['profiles', 'list']);
    expect(profile).toMatchObject({ projectId: daemon.projectId, loggedIn: true });
    await cli(['profiles', 'set', 'moved', '--url', daemon.url]);
    await cli(['profiles', 'set', 'moved', '--url', 'http://127.0.0.1:9']);
    expect(await json(['profiles', 'list'])).toContainEqual(
      expect.objectContaining({ name: 'moved', loggedIn: false }),
    );
    await cli(['profiles', 'use', 'here']);
  });
});

describe('a login', () => {
  it('is renewed, and goes on after a change of the password', async () => {
    expect((await cli(['login', '--renew'])).code).toBe(0);
    const changed = await cli(['password', '--stdin'], `${administrator.password}\nanother long password\n`);
    expect(changed).toMatchObject({ code: 0, stdout: '' });
    expect(await json(['whoami'])).toMatchObject({ email: administrator.email });
    await cli(['password', '--stdin'], `another long password\n${administrator.password}`);
  });

  it('by an identity provider that is not configured says so', async () => {
    const { code, stderr } = await cli(['login', '--session-stdin'], 'a session');
    expect(code).toBe(3);
    expect(stderr).toContain('No identity provider is configured');
  });
});

describe('doctor', () => {
  it('finds nothing wrong, or says what is', async () => {
    expect(await json(['doctor'])).toEqual([
      expect.objectContaining({ check: 'daemon', ok: true }),
      expect.objectContaining({ check: 'credential', ok: true }),
      { check: 'projects', ok: true, says: 'default' },
    ]);
    const { code, stdout } = await cli(['doctor'], '', { EARSHOT_API_KEY: 'mistyped' });
    expect(code).toBe(1);
    expect(stdout).toMatch(/credential +false +The credential is not valid/);
  });
});

describe('api-keys', () => {
  it('are made, shown, explained and revoked', async () => {
    const made = await cli([
      'api-keys',
      'create',
      '--name',
      'ci',
      '--scopes',
      'sanctions:read',
      '--expires-at',
      'in 1h',
      '--json',
    ]);
    const { id, key } = JSON.parse(made.stdout);
    expect(key).toMatch(/^earshot_live_/);
    expect(made.stderr).toContain('shown this once');
    const shown = (await cli(['api-keys', 'list'])).stdout;
    expect(shown).toContain('ci');
    expect(shown).not.toContain(key);
    expect((await cli(['api-keys', 'scopes'])).stdout).toMatch(/sanctions:read +Sanctions \(reading alone\)/);
    expect(await json(['api-keys', 'revoke', id])).toEqual({ id, deleted: true });
  });
});

describe('settings', () => {
  const secrets = '{"apiKey":"key","apiSecret":"a secret of thirty-two characters"}';
  const livekit = ['settings', 'set', '--token-provider', 'livekit', '--provider-url', 'wss://voice.example'];
  const stored = async () => {
    const params = { projectId: daemon.projectId };
    return daemon.client.call(settingsRoutes.get, { params });
  };

  it('take what is secret from standard input and never show it', async () => {
    const { code, stdout } = await cli([...livekit, '--secrets-stdin'], secrets);
    expect(code).toBe(0);
    expect(stdout).not.toContain('thirty-two');
    expect((await stored()).tokenProviderSettings).toEqual({
      url: 'wss://voice.example',
      apiKey: 'key',
      apiSecret: '***',
    });
    expect((await json<{ provider: string }>(['tokens', 'create', '--room-id', 'r', '--user-id', 'u'])).provider).toBe(
      'livekit',
    );
  });

  it.each([
    ['no terminal to ask on', livekit, '', /--secrets-stdin/],
    ['no JSON', [...livekit, '--secrets-stdin'], 'secret', /no JSON object/],
    ['a field that is none', [...livekit, '--secrets-stdin'], '{"apikey":"x"}', /apikey/],
  ])('say what to do where there is %s', async (_, args, input, message) => {
    const { code, stderr } = await cli(args, input);
    expect(code).toBe(2);
    expect(stderr).toMatch(message);
  });

  it('are shown as a table, and with --json as the API returns them', async () => {
    expect((await cli(['settings', 'get'])).stdout).toMatch(/^tokenProvider +livekit$/m);
    expect(await json(['settings', 'get'])).toEqual(await stored());
  });

  it('change field by field, and a field is emptied by --clear', async () => {
    await cli(['settings', 'update', '--bot-user-id', 'ear', '--transcript-retention-days', '30']);
    await cli(['settings', 'update', '--clear', 'transcriptRetentionDays']);
    expect(await stored()).toMatchObject({ botUserId: 'ear', transcriptRetentionDays: null, tokenProvider: 'livekit' });
  });

  it('turn debug audio and encryption on and off', async () => {
    await cli(['settings', 'debug-audio', 'on']);
    await cli(['settings', 'e2e-encryption', 'manual', '--password-stdin'], 'a room password\n');
    expect(await stored()).toMatchObject({ debugAudioEnabled: true, e2eEncryptionPassword: 'a room password' });
    expect((await cli(['settings', 'e2e-encryption', 'manual'])).code).toBe(0);
    await cli(['settings', 'e2e-encryption', 'disabled']);
    expect(await stored()).toMatchObject({ e2eEncryptionMode: 'disabled', e2eEncryptionPassword: null });
    expect((await cli(['settings', 'e2e-encryption', 'manual'])).code).toBe(5);
  });

  it('are deleted', async () => {
    await cli(['settings', 'delete']);
    expect((await cli(['settings', 'get'])).code).toBe(4);
  });
});
