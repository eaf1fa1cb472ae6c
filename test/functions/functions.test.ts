import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { HostingApi } from '../../daemon/modules/functions/hosting-api.js';
import { Outbound } from '../../daemon/platform/outbound/outbound.js';
import { functionRoutes, type UpdateFunctionSettingsRequest } from '../../src/contract/functions/functions.js';
import { projectRoutes } from '../../src/contract/projects/projects.js';
import { startDaemon, type TestDaemon } from '../support/daemon.js';
import { eventually } from '../support/eventually.js';
import { type HostingServer, locations, resourcePackages, startHostingApi } from '../support/hosting-api.js';
import { contentsOf } from '../support/traces.js';

const clock = { aheadMs: 0 };
let daemon: TestDaemon;
let hosting: HostingServer;
let params: { projectId: string };
let projects = 0;
beforeAll(async () => {
  daemon = await startDaemon({
    now: () => new Date(Date.now() + clock.aheadMs),
    settings: { EARSHOT_OUTBOUND_ALLOW: '127.0.0.1/32' },
  });
});
afterAll(() => daemon.stop());
beforeEach(async () => {
  hosting = await startHostingApi();
  projects += 1;
  params = { projectId: (await daemon.admin.call(projectRoutes.create, { body: { name: `project ${projects}` } })).id };
});
afterEach(() => hosting.stop());

const get = () => daemon.client.call(functionRoutes.get, { params });
const set = (body: UpdateFunctionSettingsRequest) => daemon.client.call(functionRoutes.update, { params, body });
const verify = () => daemon.client.call(functionRoutes.verify, { params });
const activate = () => daemon.client.call(functionRoutes.activate, { params });
const reach = () => ({ provider: 'http', address: hosting.url, credentials: { token: hosting.token } }) as const;
const complete = () => ({ ...reach(), enabled: true, resourcePackageId: 'small', locationId: 'eu-1' }) as const;
const refusal = (status: number, code: string) => ({ status, code });
/** Calls that change something at the hosting API. */
const changes = () => hosting.asked.map(({ call }) => call.split('/')[0]?.trim()).filter((method) => method !== 'GET');

describe('settings of functions', () => {
  it('are empty, and say what is missing', async () => {
    const settings = await get();
    expect(settings).toMatchObject({ enabled: false, provider: null, environment: [], status: 'incomplete' });
    for (const name of ['enabled', 'provider', 'address', 'credentials', 'resourcePackageId', 'locationId'])
      expect(settings.statusMessage).toContain(name);
  });

  it('change by what is sent, and show neither credentials nor values', async () => {
    await set(reach());
    await set({ environment: { GAME: 'secret of the game', MODE: 'x' } });
    const settings = await set({ resourcePackageId: 'small', environment: { MODE: null, REGION: 'eu' } });
    expect(settings).toMatchObject({
      ...{ provider: 'http', address: hosting.url, credentialsConfigured: true, resourcePackageId: 'small' },
      ...{ environment: ['GAME', 'REGION'], locationId: null, status: 'incomplete' },
    });
    expect(JSON.stringify(settings)).not.toMatch(/secret of the game|token-of/);
    expect(await set({ resourcePackageId: null, credentials: null })).toMatchObject({
      ...{ resourcePackageId: null, credentialsConfigured: false },
    });
    expect(await set({ ...complete(), enabled: true })).toMatchObject({ status: 'ready', statusMessage: null });
  });

  it('refuse what cannot be meant', async () => {
    const bad: object[] = [
      { environment: { '1ST': 'x' } },
      { environment: { A: 'x'.repeat(4_001) } },
      { environment: Object.fromEntries(Array.from({ length: 101 }, (_, index) => [`N${index}`, 'x'])) },
      { address: 'ftp://hosting.example' },
      { address: 'https://hosting.example/?a=b' },
      { provider: 'carrier pigeon' },
      { credentials: { token: 'a b' } },
    ];
    for (const body of bad) await expect(set(body)).rejects.toMatchObject(refusal(400, 'validation_failed'));
    const names = (first: number) =>
      Object.fromEntries(Array.from({ length: 60 }, (_, index) => [`N${first + index}`, 'x']));
    await set({ environment: names(0) });
    await expect(set({ environment: names(60) })).rejects.toMatchObject(refusal(409, 'functions_environment_full'));
  });

  it('send a stored secret to no other server', async () => {
    await set({ ...reach(), environment: { KEY: 'value' } });
    const elsewhere = { address: 'https://elsewhere.example' };
    const again = refusal(400, 'secret_needed_again');
    await expect(set({ address: null })).rejects.toMatchObject(again); // the next address could be any
    await expect(set(elsewhere)).rejects.toMatchObject(again);
    await expect(set({ ...elsewhere, credentials: { token: 'other' } })).rejects.toMatchObject(again);
    const all = { ...elsewhere, credentials: { token: 'other' }, environment: { KEY: null } };
    expect(await set(all)).toMatchObject(elsewhere);
    expect(await set({ address: 'https://elsewhere.example/v2' })).toMatchObject({ credentialsConfigured: true });
  });
});

describe('asking the hosting API', () => {
  it('lists machines and places, and knows the account', async () => {
    await set(reach());
    expect(await verify()).toEqual({ valid: true, message: 'The credentials belong to Studio North.' });
    expect(await daemon.client.call(functionRoutes.resourcePackages, { params })).toEqual(resourcePackages);
    expect(await daemon.client.call(functionRoutes.locations, { params })).toEqual(locations);
    expect(hosting.asked.every(({ authorization }) => authorization === `Bearer ${hosting.token}`)).toBe(true);
  });

  it('says what is missing, or that the credentials are wrong, without repeating them', async () => {
    expect(await verify()).toMatchObject({ valid: false, message: expect.stringContaining('address is missing') });
    const missing = refusal(409, 'functions_not_configured');
    await expect(daemon.client.call(functionRoutes.locations, { params })).rejects.toMatchObject(missing);
    await set({ ...reach(), credentials: { token: 'a-wrong-token' } });
    const { valid, message } = await verify();
    expect(valid).toBe(false);
    expect(message).toBe('The hosting API refused the credentials (401): nobody has Bearer ***');
    const wrong = refusal(409, 'functions_credentials_refused');
    await expect(daemon.client.call(functionRoutes.resourcePackages, { params })).rejects.toMatchObject(wrong);
  });

  it('repeats no part of a secret that begins with another one', async () => {
    const environment = { STAGE: 'prod', PASSWORD: 'prod-db-password-9', PATTERN: 'a.c$' };
    await set({ ...reach(), environment });
    const message = 'no user prod-db-password-9 at prod; a.c$, abc$';
    const usual = hosting.behave;
    hosting.behave = () => ({ status: 400, body: JSON.stringify({ message }) });
    expect((await verify()).message).toBe('The hosting API refused (400): no user *** at ***; ***, abc$');
    hosting.behave = usual;
    await set({ environment: { STAGE: null, PASSWORD: null, PATTERN: null } });
  });

  it.each([
    ['nonsense', { body: 'Welcome to nginx!' }],
    ['JSON of another shape', { body: '[{"id":"x"}]' }],
    ['a failure', { status: 500, body: '{"message":"on fire"}' }],
    ['a redirect', { status: 302, body: '' }],
    ['too much', { body: `["${'x'.repeat(300_000)}"]` }],
    ['no answer', { breaks: true }],
  ])('is not led astray by %s', async (_name, behaviour) => {
    await set(reach());
    hosting.behave = () => behaviour;
    expect(await verify()).toMatchObject({ valid: false, message: expect.stringContaining('hosting API') });
    const bad = refusal(502, 'functions_provider_unavailable');
    await expect(daemon.client.call(functionRoutes.locations, { params })).rejects.toMatchObject(bad);
    await expect(daemon.client.call(functionRoutes.resourcePackages, { params })).rejects.toMatchObject(bad);
  });

  it('waits no longer than the time limit of outbound calls', async () => {
    hosting.behave = () => ({ hangs: true });
    const outbound = new Outbound(['127.0.0.1/32'], undefined, 100);
    const asked = new HostingApi(outbound).locations({ address: hosting.url, token: hosting.token, secrets: [] });
    await expect(asked).rejects.toMatchObject({ kind: 'unavailable', message: expect.stringContaining('timed out') });
    outbound.close();
  });

  it('does not reach networks that the operator did not open', async () => {
    await set({ ...reach(), address: 'http://169.254.169.254' });
    expect(await verify()).toMatchObject({ valid: false, message: expect.stringContaining('blocked_address') });
  });
});

describe('activation', () => {
  it('has the hosting API run the functions with all settings', async () => {
    await expect(activate()).rejects.toMatchObject(refusal(409, 'functions_not_configured'));
    await set({ ...complete(), environment: { KEY: 'value of the key' } });
    const active = await activate();
    expect(active).toMatchObject({ status: 'active', statusMessage: null, activatedAt: expect.any(String) });
    expect(await get()).toEqual(active);
    expect(hosting.running.get(params.projectId)).toEqual({
      ...{ resourcePackageId: 'small', locationId: 'eu-1', environment: { KEY: 'value of the key' } },
    });
  });

  it('is repeated for changed settings, which are outdated until then', async () => {
    await set(complete());
    await activate();
    expect(await set({ enabled: true })).toMatchObject({ status: 'active' });
    expect(await set({ locationId: 'us-1' })).toMatchObject({ status: 'outdated' });
    expect(await activate()).toMatchObject({ status: 'active' });
    expect(hosting.running.get(params.projectId)).toMatchObject({ locationId: 'us-1' });
  });

  it('ends with enabled: false, and holds the address until then', async () => {
    await set(complete());
    await activate();
    const active = refusal(409, 'functions_active');
    await expect(set({ address: `${hosting.url}/v2` })).rejects.toMatchObject(active);
    await expect(set({ credentials: null })).rejects.toMatchObject(active);
    expect(await set({ enabled: false, credentials: null })).toMatchObject({ status: 'incomplete', activatedAt: null });
    expect(hosting.running.size).toBe(0);
  });

  it('stays as it is when the hosting API does not deactivate', async () => {
    await set(complete());
    await activate();
    hosting.behave = () => ({ status: 503, body: '' });
    await expect(set({ enabled: false, locationId: 'us-1' })).rejects.toMatchObject(
      refusal(502, 'functions_provider_unavailable'),
    );
    expect(await get()).toMatchObject({ enabled: true, locationId: 'eu-1', status: 'failed' });
    hosting.behave = () => null;
    expect(await set({ enabled: false })).toMatchObject({ enabled: false, activatedAt: null });
    expect(hosting.running.size).toBe(0);
  });

  it.each([
    ['wrong credentials', { status: 403, body: '' }, 'functions_credentials_refused', ['PUT']],
    ['a refusal', { status: 422, body: '{"message":"sold out"}' }, 'functions_activation_refused', ['PUT']],
    ['a failure', { status: 500, done: true }, 'functions_provider_unavailable', ['PUT', 'DELETE']],
    ['nonsense', { body: 'OK', done: true }, 'functions_provider_unavailable', ['PUT', 'DELETE']],
    ['a break', { breaks: true, done: true }, 'functions_provider_unavailable', ['PUT', 'DELETE']],
  ])('leaves nothing half done after %s', async (_name, behaviour, code, made) => {
    await set(complete());
    hosting.behave = (call) => (call.startsWith('PUT') ? behaviour : null);
    await expect(activate()).rejects.toMatchObject({ code });
    const failed = await get();
    expect(failed).toMatchObject({ status: 'failed', activatedAt: null });
    expect(failed.statusMessage).toContain('hosting API');
    expect(changes()).toEqual(made);
    expect(hosting.running.size).toBe(0);
    // Nothing runs there, so the address may change, and the next attempt starts afresh.
    hosting.behave = () => null;
    expect(await set({ address: `${hosting.url}/` })).toMatchObject({ status: 'ready', statusMessage: null });
    expect(await activate()).toMatchObject({ status: 'active' });
  });

  it('says so when nobody knows whether the functions run', async () => {
    await set(complete());
    hosting.behave = () => ({ breaks: true, done: true });
    await expect(activate()).rejects.toMatchObject({ code: 'functions_provider_unavailable' });
    expect((await get()).statusMessage).toContain('It may run the functions');
    await expect(set({ address: 'https://elsewhere.example' })).rejects.toMatchObject({ code: 'functions_active' });
    hosting.behave = () => null;
    expect(await activate()).toMatchObject({ status: 'active', statusMessage: null });
  });

  it('that fails leaves what ran before, and calls it outdated', async () => {
    await set(complete());
    const { activatedAt } = await activate();
    await set({ locationId: 'us-1' });
    hosting.behave = () => ({ status: 422, body: '{"message":"us-1 is full"}' });
    await expect(activate()).rejects.toMatchObject({ code: 'functions_activation_refused' });
    expect(await get()).toMatchObject({
      ...{ status: 'outdated', activatedAt, statusMessage: expect.stringContaining('us-1 is full') },
    });
    expect(hosting.running.get(params.projectId)).toMatchObject({ locationId: 'eu-1' });
  });

  it('runs once at a time, and is seen to be interrupted when no end comes', async () => {
    await set(complete());
    let release = (): void => {};
    const held = new Promise<null>((resolve) => {
      release = () => resolve(null);
    });
    hosting.behave = (call) => (call.startsWith('PUT') ? held.then(() => ({ done: true })) : null);
    const first = activate();
    await eventually(async () => expect((await get()).status).toBe('changing'));
    await expect(activate()).rejects.toMatchObject(refusal(409, 'functions_changing'));
    await expect(set({ locationId: 'us-1' })).rejects.toMatchObject(refusal(409, 'functions_changing'));
    clock.aheadMs += 61_000;
    expect(await get()).toMatchObject({ status: 'failed', statusMessage: expect.stringContaining('interrupted') });
    release();
    expect(await first).toMatchObject({ status: 'active' });
    expect(changes()).toEqual(['PUT']);
  });
});

describe('activation with an Idempotency-Key', () => {
  const once = async () => {
    const response = await fetch(`${daemon.url}/api/projects/${params.projectId}/functions/settings/activate`, {
      method: 'POST',
      headers: { 'X-API-Key': daemon.apiKey, 'Idempotency-Key': 'once' },
    });
    return { status: response.status, body: await response.json() };
  };

  it('is done once', async () => {
    await set(complete());
    const first = await once();
    expect(first).toMatchObject({ status: 201, body: { status: 'active' } });
    expect(await once()).toEqual(first);
    expect(changes()).toEqual(['PUT']);
  });

  it('is done when it is asked for again after a refusal', async () => {
    await set(complete());
    hosting.behave = (call) => (call.startsWith('PUT') ? { status: 422 } : null);
    expect(await once()).toMatchObject({ body: { code: 'functions_activation_refused' } });
    hosting.behave = () => null;
    expect(await once()).toMatchObject({ status: 201, body: { status: 'active' } });
  });

  it('is not answered by what was stored before the hosting API had answered', async () => {
    await set(complete());
    let release = (): void => {};
    const held = new Promise<null>((resolve) => {
      release = () => resolve(null);
    });
    hosting.behave = (call) => (call.startsWith('PUT') ? held.then(() => null) : null);
    const first = once();
    await eventually(async () => expect((await get()).status).toBe('changing'));
    const stored = await contentsOf(daemon.databaseUrl);
    expect(stored.IdempotencyRecord?.join()).not.toContain('changing');
    release();
    expect(await first).toMatchObject({ status: 201, body: { status: 'active' } });
  });
});

describe('a project that is deleted', () => {
  it('takes its functions with it', async () => {
    await set(complete());
    await activate();
    await daemon.admin.call(projectRoutes.remove, { params });
    await eventually(() => expect(hosting.running.size).toBe(0));
  });

  it('is deleted though the hosting API fails, which is asked once', async () => {
    await set(complete());
    await activate();
    hosting.behave = () => ({ status: 500 });
    await daemon.admin.call(projectRoutes.remove, { params });
    await eventually(() => expect(changes()).toEqual(['PUT', 'DELETE']));
    await expect(get()).rejects.toMatchObject({ status: 403 });
  });
});
