/** The commands of project settings: secrets hidden, tables for people, the exact answer for programs. */
import { stripVTControlCharacters } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type AppSettingsResponse, settingsRoutes } from '../../src/contract/projects/settings.js';
import { commandLine } from '../support/cli.js';
import { startDaemon, type TestDaemon } from '../support/daemon.js';

let daemon: TestDaemon;
const { run, json, dispose } = commandLine(() => ({ EARSHOT_URL: daemon.url, EARSHOT_API_KEY: daemon.apiKey }));
beforeAll(async () => {
  daemon = await startDaemon();
});
afterAll(async () => {
  await daemon.stop();
  dispose();
});
const params = () => ({ projectId: daemon.projectId });
const stored = () => daemon.client.call(settingsRoutes.get, { params: params() });

const secrets = '{"apiKey":"key","apiSecret":"a secret of thirty-two characters"}';
const livekit = ['settings', 'set', '--token-provider', 'livekit', '--provider-url', 'wss://voice.example'];

describe('settings', () => {
  it('take what is secret from standard input and never show it', async () => {
    const { code, stdout } = await run([...livekit, '--secrets-stdin'], { input: secrets });
    expect(code).toBe(0);
    expect(stdout).not.toContain('thirty-two');
    expect((await stored()).tokenProviderSettings).toEqual({
      url: 'wss://voice.example',
      apiKey: 'key',
      apiSecret: '***',
    });
    const token = await json<{ provider: string }>(['tokens', 'create', '--room-id', 'r', '--user-id', 'u']);
    expect(token.provider).toBe('livekit');
  });

  it.each([
    ['no terminal to ask on', livekit, '', /--secrets-stdin/],
    ['no JSON', [...livekit, '--secrets-stdin'], 'secret', /no JSON object/],
    ['a field that is none', [...livekit, '--secrets-stdin'], '{"apikey":"x"}', /apikey/],
  ])('say what to do where there is %s', async (_, args, input, message) => {
    const { code, stderr } = await run(args, { input });
    expect(code).toBe(2);
    expect(stderr).toMatch(message);
  });

  it('change field by field, and a field is emptied by --clear', async () => {
    await run(['settings', 'update', '--bot-user-id', 'ear', '--transcript-retention-days', '30']);
    expect(await stored()).toMatchObject({ botUserId: 'ear', transcriptRetentionDays: 30, tokenProvider: 'livekit' });
    await run(['settings', 'update', '--clear', 'transcriptRetentionDays']);
    expect(await stored()).toMatchObject({ botUserId: 'ear', transcriptRetentionDays: null });
  });

  it('turn debug audio and encryption on and off', async () => {
    expect((await run(['settings', 'debug-audio', 'on'])).stdout).toMatch(/^debugAudioEnabled +true\nupdatedAt/);
    await run(['settings', 'e2e-encryption', 'manual', '--password-stdin'], { input: 'a room password\n' });
    expect(await stored()).toMatchObject({ debugAudioEnabled: true, e2eEncryptionPassword: 'a room password' });
    expect((await run(['settings', 'e2e-encryption', 'manual'])).code).toBe(0);
    await run(['settings', 'e2e-encryption', 'disabled']);
    expect(await stored()).toMatchObject({ e2eEncryptionMode: 'disabled', e2eEncryptionPassword: null });
    expect((await run(['settings', 'e2e-encryption', 'manual'])).code).toBe(5);
    expect((await json<AppSettingsResponse>(['settings', 'debug-audio', 'off'])).debugAudioEnabled).toBe(false);
  });

  it('copy the project secret in, show it to who asks for it, and drop it', async () => {
    expect(await json(['settings', 'sync-secret'])).toEqual({ hasSecret: true });
    expect((await run(['settings', 'secret'])).stdout).toMatch(/^secret +[0-9a-f]{64}\n$/);
    expect((await run(['settings', 'revoke-secret', '--yes'])).stdout).toBe('hasSecret  false\n');
    expect(await run(['settings', 'secret'])).toMatchObject({
      code: 4,
      stderr: expect.stringContaining('settings sync-secret'),
    });
  });
});

describe('what settings print', () => {
  const password = 'seen by nobody else';
  beforeAll(async () => {
    await run(['settings', 'e2e-encryption', 'manual', '--password-stdin'], { input: password });
  });

  it('is a line a field, for people in words', async () => {
    const { stdout } = await run(['settings', 'get'], { isTerminal: true });
    const shown = Object.fromEntries(
      stripVTControlCharacters(stdout)
        .trimEnd()
        .split('\n')
        .map((line) => line.split(/ {2,}/)),
    );
    expect(shown).toMatchObject({
      tokenProvider: 'livekit',
      'tokenProviderSettings.url': 'wss://voice.example',
      'tokenProviderSettings.apiSecret': '***',
      botUserId: 'ear',
      transcriptRetentionDays: '-',
      e2eEncryptionMode: 'manual',
      updatedAt: expect.stringMatching(/^\d+s ago$/),
    });
  });

  it('is the answer itself with --json, on a terminal too', async () => {
    const answer = await stored();
    for (const isTerminal of [true, false]) expect(await json(['settings', 'get'], { isTerminal })).toEqual(answer);
  });

  it('holds the password of the rooms for who asks for --json, and not for who looks over a shoulder', async () => {
    const shown = [['get'], ['update', '--bot-user-id', 'ear'], ['e2e-encryption', 'manual']];
    for (const command of shown) {
      const { code, stdout, stderr } = await run(['settings', ...command]);
      expect(code).toBe(0);
      expect(stdout + stderr).not.toContain(password);
    }
    expect(await json(['settings', 'get'])).toMatchObject({ e2eEncryptionPassword: password });
  });
});

describe('settings delete', () => {
  it('leaves a project without', async () => {
    const { id } = await stored();
    expect(await json(['settings', 'delete', '--yes'])).toEqual({ id, deleted: true });
    expect(await run(['settings', 'get'])).toMatchObject({ code: 4, stderr: expect.stringContaining('settings set') });
  });
});
