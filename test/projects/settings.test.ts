import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { projectRoutes } from '../../src/contract/projects/projects.js';
import { maskedSecret, settingsRoutes, type UpsertAppSettingsRequest } from '../../src/contract/projects/settings.js';
import { startDaemon, type TestDaemon } from '../support/daemon.js';

let daemon: TestDaemon;
let params: { projectId: string };
let names = 0;
beforeAll(async () => {
  daemon = await startDaemon();
});
afterAll(() => daemon.stop());
/** A project without settings. */
beforeEach(async () => {
  names += 1;
  params = { projectId: (await daemon.admin.call(projectRoutes.create, { body: { name: `project ${names}` } })).id };
});

const get = () => daemon.admin.call(settingsRoutes.get, { params });
const put = (body: UpsertAppSettingsRequest | { tokenProvider: 'embedded' }) =>
  daemon.admin.call(settingsRoutes.put, { params, body });
const patch = (body: object) => daemon.admin.call(settingsRoutes.update, { params, body });
const encrypt = (body: { mode: 'manual' | 'disabled' | 'automatic'; password?: string }) =>
  daemon.admin.call(settingsRoutes.e2eEncryption, { params, body });
const livekit = {
  tokenProvider: 'livekit',
  tokenProviderSettings: { url: 'wss://voice.example.com', apiKey: 'key', apiSecret: 'a secret of livekit' },
} as const;

describe('settings', () => {
  it('are not there until they are put', async () => {
    const missing = { status: 404, code: 'settings_not_found' };
    await expect(get()).rejects.toMatchObject(missing);
    await expect(patch({ botUserId: 'bot' })).rejects.toMatchObject(missing);
    await expect(
      daemon.admin.call(settingsRoutes.debugAudio, { params, body: { enabled: true } }),
    ).rejects.toMatchObject(missing);
    await expect(encrypt({ mode: 'automatic' })).rejects.toMatchObject(missing);
    await expect(daemon.admin.call(settingsRoutes.remove, { params })).rejects.toMatchObject(missing);
    await expect(daemon.admin.call(settingsRoutes.syncSecret, { params })).rejects.toMatchObject(missing);
    expect(await daemon.admin.call(settingsRoutes.revokeSecret, { params })).toEqual({ hasSecret: false });
  });

  it('hold what was put, secrets masked, and nothing more', async () => {
    const created = await put({ ...livekit, botUserId: 'scribe', botUserData: { team: 'red' } });
    expect(created).toMatchObject({
      appId: params.projectId,
      tokenProvider: 'livekit',
      tokenProviderSettings: { url: 'wss://voice.example.com', apiKey: 'key', apiSecret: maskedSecret },
      botUserId: 'scribe',
      botUserData: { team: 'red' },
      isConfigured: true,
      hasSecret: false,
      debugAudioEnabled: false,
      e2eEncryptionMode: 'disabled',
      e2eEncryptionPassword: null,
      transcriptRetentionDays: null,
    });
    expect(await get()).toEqual(created);
    const [app] = (await daemon.admin.call(projectRoutes.list, {})).filter(({ id }) => id === params.projectId);
    expect(app?.isConfigured).toBe(true);
  });

  it('put again replace provider and bot, and leave the rest', async () => {
    const { id } = await put({ ...livekit, botUserId: 'scribe', transcriptRetentionDays: 30 });
    await daemon.admin.call(settingsRoutes.debugAudio, { params, body: { enabled: true } });
    await encrypt({ mode: 'manual', password: 'a good password' });
    expect(await put({ tokenProvider: 'embedded' })).toMatchObject({
      id,
      tokenProvider: 'embedded',
      tokenProviderSettings: {},
      botUserId: null,
      debugAudioEnabled: true,
      e2eEncryptionMode: 'manual',
      e2eEncryptionPassword: 'a good password',
      transcriptRetentionDays: 30,
    });
  });

  it('put many times at once are one', async () => {
    const answers = await Promise.all(Array.from({ length: 6 }, () => put({ tokenProvider: 'embedded' })));
    expect(new Set(answers.map(({ id }) => id)).size).toBe(1);
  });

  it('keep the stored secret where *** comes back, and want it where none is stored', async () => {
    const masked = { ...livekit, tokenProviderSettings: { ...livekit.tokenProviderSettings, apiSecret: maskedSecret } };
    await expect(put(masked)).rejects.toMatchObject({ status: 400, code: 'validation_failed' });
    await put(livekit);
    await put(masked);
    await patch({ tokenProviderSettings: { apiSecret: maskedSecret, url: 'wss://voice.example.com/another/path' } });
    expect((await get()).tokenProviderSettings).toEqual({
      url: 'wss://voice.example.com/another/path',
      apiKey: 'key',
      apiSecret: maskedSecret,
    });
    await expect(
      put({ tokenProvider: 'access_key', tokenProviderSettings: { accessKey: maskedSecret } }),
    ).rejects.toMatchObject({
      details: [{ path: 'body.tokenProviderSettings.accessKey', message: expect.any(String) }],
    });
  });

  it.each(['ws://voice.example.com', 'wss://voice.example.com:8443', 'wss://other.example.com'])(
    'want their secrets again when the address leads to %s',
    async (url) => {
      const refused = { status: 400, code: 'secret_needed_again', message: expect.stringContaining('secrets again') };
      const moved = { ...livekit.tokenProviderSettings, url };
      await put(livekit);
      await expect(patch({ tokenProviderSettings: { url } })).rejects.toMatchObject(refused);
      const masked = { ...moved, apiSecret: maskedSecret };
      await expect(patch({ tokenProviderSettings: masked })).rejects.toMatchObject(refused);
      await expect(put({ ...livekit, tokenProviderSettings: masked })).rejects.toMatchObject(refused);
      expect((await get()).tokenProviderSettings.url).toBe('wss://voice.example.com');
      await patch({ tokenProviderSettings: moved });
      expect((await get()).tokenProviderSettings.url).toBe(url);
    },
  );

  it('send a stored header Authorization to no other token endpoint', async () => {
    const url = 'https://tokens.example.com/v1';
    await put({ tokenProvider: 'url', tokenProviderSettings: { url, authorization: 'Bearer stored' } });
    const elsewhere = { url: 'https://evil.example/v1' };
    const refused = { status: 400, code: 'secret_needed_again' };
    await expect(patch({ tokenProviderSettings: elsewhere })).rejects.toMatchObject(refused);
    await put({ tokenProvider: 'url', tokenProviderSettings: elsewhere }); // what is left out of it is gone
    expect((await get()).tokenProviderSettings).toEqual(elsewhere);
  });

  it.each([
    ['livekit', { ...livekit.tokenProviderSettings, url: 'javascript:alert(1)' }],
    ['url', { url: 'file:///etc/passwd' }],
    ['url', { url: 'wss://voice.example.com' }],
  ] as const)('name an address that a provider of kind %s can have', async (tokenProvider, tokenProviderSettings) => {
    await expect(put({ tokenProvider, tokenProviderSettings })).rejects.toMatchObject({
      status: 400,
      details: [{ path: 'body.tokenProviderSettings.url', message: expect.stringContaining('http:') }],
    });
  });

  it('patched change just what is sent; null clears', async () => {
    await put({ ...livekit, botUserId: 'scribe', botUserData: { a: 1 }, transcriptRetentionDays: 7 });
    const before = await get();
    const { updatedAt: _, ...same } = before;
    expect(await patch({})).toMatchObject(same);
    expect(await patch({ botUserId: null, transcriptRetentionDays: null })).toMatchObject({
      ...same,
      botUserId: null,
      transcriptRetentionDays: null,
    });
    await expect(patch({ tokenProvider: 'url' })).rejects.toMatchObject({ code: 'validation_failed' });
    expect((await get()).tokenProvider).toBe('livekit');
  });

  it('hold each term of the vocabulary once, however it is written, and none that nobody can say', async () => {
    await put({ ...livekit });
    const { speechVocabulary } = await patch({
      speechVocabulary: ['Roshan', 'ＲＯＳＨＡＮ', 'mid lane', 'ро\u0073han', '日本', 'c', 'c++', 'C'],
    });
    expect(speechVocabulary).toEqual(['Roshan', 'mid lane', 'ро\u0073han', '日本', 'c', 'c++']);
    await expect(patch({ speechVocabulary: ['mid', '\u00ad🖕', '???'] })).rejects.toMatchObject({
      code: 'validation_failed',
      details: [
        { path: 'body.speechVocabulary.1', message: '"\\u{ad}🖕" has no word that anybody can say' },
        { path: 'body.speechVocabulary.2', message: '"???" has no word that anybody can say' },
      ],
    });
    expect((await get()).speechVocabulary).toEqual(speechVocabulary);
  });

  it('are gone when they are deleted, with all they held', async () => {
    const { id } = await put(livekit);
    await daemon.admin.call(settingsRoutes.syncSecret, { params });
    expect(await daemon.admin.call(settingsRoutes.remove, { params })).toEqual({ id, deleted: true });
    await expect(get()).rejects.toMatchObject({ code: 'settings_not_found' });
    expect(await put({ tokenProvider: 'embedded' })).toMatchObject({ hasSecret: false, tokenProviderSettings: {} });
  });
});

describe('end-to-end encryption', () => {
  it('in mode manual needs a password, sent or stored', async () => {
    await put({ tokenProvider: 'embedded' });
    await expect(encrypt({ mode: 'manual' })).rejects.toMatchObject({ status: 400, code: 'e2ee_password_required' });
    await expect(encrypt({ mode: 'manual', password: maskedSecret })).rejects.toMatchObject({ status: 400 });
    const password = 'a good password';
    expect(await encrypt({ mode: 'manual', password })).toMatchObject({
      e2eEncryptionMode: 'manual',
      e2eEncryptionPassword: password,
    });
    expect(await encrypt({ mode: 'manual' })).toMatchObject({ e2eEncryptionPassword: password });
  });

  it.each(['disabled', 'automatic'] as const)('in mode %s clears the stored password', async (mode) => {
    await put({ tokenProvider: 'embedded' });
    await encrypt({ mode: 'manual', password: 'a good password' });
    expect(await encrypt({ mode })).toMatchObject({ e2eEncryptionMode: mode, e2eEncryptionPassword: null });
    await expect(encrypt({ mode: 'manual' })).rejects.toMatchObject({ code: 'e2ee_password_required' });
  });
});

describe('the project secret', () => {
  it('is copied from the register of this installation, shown, and dropped', async () => {
    await put({ tokenProvider: 'embedded' });
    const show = () => daemon.admin.call(settingsRoutes.secret, { params });
    await expect(show()).rejects.toMatchObject({ status: 404, code: 'secret_not_found' });
    expect(await daemon.admin.call(settingsRoutes.syncSecret, { params })).toEqual({ hasSecret: true });
    const { secret } = await show();
    expect(secret).toMatch(/^[0-9a-f]{64}$/);
    expect(await get()).toMatchObject({ hasSecret: true });
    expect(await daemon.admin.call(settingsRoutes.revokeSecret, { params })).toEqual({ hasSecret: false });
    await expect(show()).rejects.toMatchObject({ code: 'secret_not_found' });
    await daemon.admin.call(settingsRoutes.syncSecret, { params });
    expect(await show()).toEqual({ secret });
  });

  it('comes from the billing system where one is set', async () => {
    const secret = 'ab'.repeat(32);
    let answer = { status: 200, body: JSON.stringify({ secret }) };
    const asked: { url: string | undefined; authorization: string | undefined }[] = [];
    const billing = http.createServer((request, response) => {
      asked.push({ url: request.url, authorization: request.headers.authorization });
      response.writeHead(answer.status).end(answer.body);
    });
    await new Promise<void>((resolve) => billing.listen(0, '127.0.0.1', resolve));
    const { port } = billing.address() as AddressInfo;
    const other = await startDaemon({
      settings: {
        EARSHOT_BILLING_URL: `http://127.0.0.1:${port}/v1/`,
        EARSHOT_BILLING_TOKEN: 'token of billing',
        EARSHOT_LOG_LEVEL: 'fatal',
      },
    });
    try {
      const here = { params: { projectId: other.projectId } };
      const sync = () => other.admin.call(settingsRoutes.syncSecret, here);
      expect(await sync()).toEqual({ hasSecret: true });
      expect(await other.admin.call(settingsRoutes.secret, here)).toEqual({ secret });
      const { billingProjectId } = await other.admin.call(settingsRoutes.get, here);
      expect(asked).toEqual([
        { url: `/v1/projects/${billingProjectId}/secret`, authorization: 'Bearer token of billing' },
      ]);
      answer = { status: 404, body: '' };
      await expect(sync()).rejects.toMatchObject({ status: 400, code: 'no_secret_found' });
      for (const broken of [
        { status: 500, body: '' },
        { status: 200, body: 'no JSON' },
        { status: 200, body: '{"secret":"too short"}' },
      ]) {
        answer = broken;
        await expect(sync()).rejects.toMatchObject({ status: 503, code: 'billing_unavailable' });
      }
      expect(await other.admin.call(settingsRoutes.secret, here)).toEqual({ secret });
    } finally {
      await other.stop();
      billing.close();
      billing.closeAllConnections();
    }
  });
});
