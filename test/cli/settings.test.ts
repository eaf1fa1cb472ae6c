/** The commands of project settings: secrets hidden, tables for people, the exact answer for programs. */
import { stripVTControlCharacters } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { projectRoutes } from '../../src/contract/projects/projects.js';
import { type AppSettingsResponse, settingsRoutes } from '../../src/contract/projects/settings.js';
import { sessionRoutes } from '../../src/contract/sessions/sessions.js';
import { commandLine } from '../support/cli.js';
import { startDaemon, type TestDaemon } from '../support/daemon.js';
import { spokenLine } from '../support/spoken-line.js';

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

const tokenProviderSettings = {
  ...{ url: 'wss://voice.example', apiKey: 'key' },
  apiSecret: 'a secret of thirty-two characters',
};
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

  it('warn of a threshold about which the recogniser states no number', async () => {
    const threshold = ['settings', 'update', '--speech-confidence-min', '0.6', '--no-speech-probability-max', '0.5'];
    expect((await run(threshold)).stderr).toBe(''); // nobody has spoken yet
    const body = { title: 'chat', externalRoomId: 'chat', autoStart: false };
    const { id } = await daemon.client.call(sessionRoutes.create, { params: params(), body });
    const written = { externalUserId: 'u1', content: 'go mid' };
    await daemon.client.call(sessionRoutes.say, { params: { ...params(), id }, body: written });
    expect((await run(threshold)).stderr).toBe('');
    await spokenLine(daemon, daemon.projectId, 'raid');
    const { code, stderr } = await run(threshold);
    expect({ code, stderr: stderr.replaceAll(/\s+/g, ' ').trim() }).toEqual({
      code: 0,
      stderr: 'speechConfidenceMin has no effect with this recogniser: the last line, by sherpa, states no confidence.',
    });
    expect((await run(['settings', 'update', '--bot-user-id', 'ear'])).stderr).toBe('');
  });

  it('warn of a threshold that is copied to where the recogniser states no number', async () => {
    const { id } = await daemon.admin.call(projectRoutes.create, { body: { name: 'Live' } });
    await daemon.admin.call(settingsRoutes.put, {
      params: { projectId: id },
      body: { tokenProvider: 'livekit', tokenProviderSettings },
    });
    await spokenLine(daemon, id, 'raid');
    const copy = ['settings', 'copy', '--from', daemon.projectId, '--to', id];
    const warned = async () => (await run(copy)).stderr.replaceAll(/\s+/g, ' ').trim();
    expect(await warned()).toBe(
      'The settings are copied. speechConfidenceMin has no effect with this recogniser: the last line, by sherpa, states no confidence.',
    );
    expect(await warned()).toBe('Nothing to show.'); // nothing changes
    await daemon.admin.call(projectRoutes.remove, { params: { projectId: id } }); // the commands below name no project
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
