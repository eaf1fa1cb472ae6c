import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { administrator, DaemonProcess } from '../support/daemon-process.js';
import { inSqlite } from '../support/database.js';
import { earshotd } from '../support/program.js';

/** Every secret that is put in, each to be told from all others. */
const secrets = {
  adminPassword: administrator.password,
  wrongPassword: 'canary-wrong-password',
  livekitSecret: 'canary-livekit-secret',
  refusedSecret: 'canary-refused-livekit-secret',
  odinAccessKey: 'canary-odin-access-key',
  authorization: 'canary-authorization-of-url',
  e2eePassword: 'canary-e2ee-password',
  webhookSecret: 'canary-webhook-secret',
  webhookApiKey: 'canary-webhook-api-key',
  webhookPassword: 'canary-webhook-password',
  webhookHeader: 'canary-webhook-header',
  hostingToken: 'canary-hosting-token',
  functionVariable: 'canary-function-variable',
  brokenJson: 'canary-in-broken-json',
  masterKey: 'c0ffee11'.repeat(8),
  clientSecret: 'canary-identity-client-secret',
  billingToken: 'canary-billing-token',
  smtpPassword: 'canary-smtp-password',
  openaiKey: 'canary-openai-key',
};
const settings = {
  EARSHOT_LOG_LEVEL: 'trace',
  EARSHOT_MASTER_KEY: secrets.masterKey,
  EARSHOT_IDENTITY: 'oidc',
  EARSHOT_IDENTITY_URL: 'http://127.0.0.1:9/issuer',
  EARSHOT_IDENTITY_CLIENT_ID: 'earshot',
  EARSHOT_IDENTITY_CLIENT_SECRET: secrets.clientSecret,
  EARSHOT_SMTP_URL: `smtp://earshot:${secrets.smtpPassword}@127.0.0.1:9`,
  EARSHOT_OPENAI_API_KEY: secrets.openaiKey,
};
/** What people say, in the room and about each other. */
const words = {
  spoken: 'canary-spoken-words',
  report: 'canary-words-of-a-report',
  appeal: 'canary-words-of-an-appeal',
};
const patienceMs = 60_000;
const daemon = new DaemonProcess({ ...settings, ...inSqlite }) /* whose bytes are looked at */;
/** Answers of the daemon: operation → everything it said there. */
const answers = new Map<string, string>();
/** Secrets that the daemon made itself, by name. */
const made = new Map<string, string>();
let credential = '';
let projectId = '';
let sanctionId = '';

/** With an Idempotency-Key, unless the operation refuses it. */
async function call(method: string, path: string, body?: unknown): Promise<string> {
  const keyed = await ask(method, path, body, method === 'POST' ? { 'Idempotency-Key': path } : {});
  return keyed.includes('"idempotency_key_refused"') ? ask(method, path, body, {}) : keyed;
}

async function ask(
  method: string,
  path: string,
  body: unknown,
  headers: Readonly<Record<string, string>>,
): Promise<string> {
  const response = await fetch(`${daemon.url}${path}`, {
    method,
    signal: AbortSignal.timeout(patienceMs),
    headers: {
      ...(credential === '' ? {} : { Authorization: `Bearer ${credential}` }),
      ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  const operation = `${method} ${path
    .replace(projectId || '\0', '{projectId}')
    .replace(sanctionId || '\0', '{id}')
    .replace(made.get('standingCode') ?? '\0', '{code}')}`;
  const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') ?? false;
  if (isStream) await response.body?.cancel();
  const text = `${JSON.stringify([...response.headers])}${isStream ? '' : await response.text()}`;
  answers.set(operation, `${answers.get(operation) ?? ''}${text}`);
  return text.slice(text.indexOf(']]') + 2);
}
const field = (answer: string, name: string): string =>
  z.object({ [name]: z.string() }).parse(JSON.parse(answer))[name] ?? '';

const Document = z.object({ paths: z.record(z.string(), z.record(z.string(), z.unknown())) });

beforeAll(async () => {
  await daemon.start();
  const login = (password: string) =>
    call('POST', '/api/auth/login-credentials', { email: administrator.email, password });
  await login(secrets.wrongPassword);
  await call('POST', '/api/auth/login', { sessionId: 'a session of nobody' });
  credential = field(await login(secrets.adminPassword), 'accessToken');
  made.set('userToken', credential);
  const [project] = z.array(z.object({ id: z.string() })).parse(JSON.parse(await call('GET', '/api/projects')));
  projectId = project?.id ?? '';
  const at = `/api/projects/${projectId}`;

  const livekit = (apiSecret: string, url: string) => ({
    tokenProvider: 'livekit',
    tokenProviderSettings: { url, apiKey: 'key', apiSecret },
  });
  await call('PUT', `${at}/settings`, livekit(secrets.refusedSecret, 'no address'));
  await call('PUT', `${at}/settings`, `{"tokenProvider": "${secrets.brokenJson}"`);
  await call('PUT', `${at}/settings`, livekit(secrets.livekitSecret, 'wss://voice.example.com'));
  made.set('livekitToken', field(await call('POST', `${at}/token`, { roomId: 'r', userId: 'u1' }), 'token'));
  const access = { tokenProvider: 'access_key', tokenProviderSettings: { accessKey: secrets.odinAccessKey } };
  await call('PUT', `${at}/settings`, access);
  await call('POST', `${at}/token`, { roomId: 'r', userId: 'u1' });
  const url = { url: 'http://127.0.0.1:9/tokens', authorization: secrets.authorization };
  await call('PUT', `${at}/settings`, { tokenProvider: 'url', tokenProviderSettings: url });
  await call('POST', `${at}/token`, { roomId: 'r', userId: 'u1' });
  await call('PATCH', `${at}/settings/e2e-encryption`, { mode: 'manual', password: secrets.e2eePassword });
  await call('POST', `${at}/settings/sync-secret`);
  made.set('projectSecret', field(await call('GET', `${at}/settings/secret`), 'secret'));

  const webhook = { url: 'https://203.0.113.9/hook', secret: secrets.webhookSecret, events: ['*'] };
  await call('POST', `${at}/webhooks/subscriptions`, { ...webhook, url: 'no address' });
  const kinds = [
    { authType: 'api_key', apiKey: secrets.webhookApiKey },
    { authType: 'basic_auth', basicAuthUsername: 'u', basicAuthPassword: secrets.webhookPassword },
    { authType: 'custom_headers', customHeaders: { 'X-Custom': secrets.webhookHeader } },
  ];
  for (const kind of kinds) await call('POST', `${at}/webhooks/subscriptions`, { ...webhook, ...kind });
  const functions = { provider: 'http', address: 'http://127.0.0.1:9', credentials: { token: secrets.hostingToken } };
  await call('PUT', `${at}/functions/settings`, { ...functions, environment: { KEY: secrets.functionVariable } });
  await call('POST', `${at}/functions/settings/verify-credentials`);
  await call('POST', `${at}/participants`, { externalUserId: 'u1' });
  const key = { name: 'k', scopes: ['settings', 'webhooks'] };
  made.set('apiKey', field(await call('POST', '/api/api-keys', key), 'key'));
  const invitation = await call('POST', `${at}/users/invite`, { email: 'a@example.com', role: 'viewer' });
  made.set('invitation', field(invitation, 'invitationUrl').split('#token=')[1] ?? '');

  const sanction = { externalUserId: 'u1', type: 'temp_ban', duration: 600, reason: 'Cheating.' };
  sanctionId = field(await call('POST', `${at}/sanctions`, sanction), 'id');
  const statement = await call('GET', `${at}/sanctions/${sanctionId}/statement`);
  made.set('standingCode', new URL(field(statement, 'url')).pathname.split('/').at(-1) ?? '');
  const page = `/standing/${made.get('standingCode')}`;
  for (const method of ['GET', 'PUT']) await call(method, page);
  await call('GET', `/api${page}`);
  await call('POST', `/api${page}/appeal`, { statement: '' });
  const administratorCredential = credential;
  credential = field(await call('POST', `${at}/players/u1/token`, {}), 'token');
  await call('GET', '/api/v1/me/standing');
  await call('POST', `/api/v1/me/standing/${sanctionId}/appeal`, { statement: words.appeal });
  credential = administratorCredential;
  await call('PATCH', `${at}/sanctions/${sanctionId}`, { reason: 'Cheating and lying.' });

  const session = field(await call('POST', `${at}/sessions`, { title: 'Match', externalRoomId: 'hall' }), 'id');
  const said = { externalUserId: 'u1', content: words.spoken, judged: true };
  await call('POST', `${at}/sessions/${session}/messages`, said);
  const report = { externalUserId: 'u1', reporterUserId: 'u2', category: 'harassment', words: words.report };
  await call('POST', `${at}/reports`, report);

  const { paths } = Document.parse(JSON.parse(await call('GET', '/api/openapi.json')));
  for (const [path, operations] of Object.entries(paths)) {
    const concrete = path.replace('{projectId}', projectId);
    if ('get' in operations && !concrete.includes('{')) await call('GET', concrete);
  }
  for (const path of ['/metrics', '/health/ready', '/health/live']) await call('GET', path);
}, 240_000);
afterAll(() => daemon.dispose());

const everySecret = () => [...Object.entries(secrets), ...made];
const saidBy = (secret: string) =>
  [...answers].filter(([, text]) => text.includes(secret)).map(([operation]) => operation);

/** The only answers that hold a secret. */
const allowed: Readonly<Record<string, readonly string[]>> = {
  userToken: ['POST /api/auth/login-credentials'],
  livekitToken: ['POST /api/projects/{projectId}/token'],
  projectSecret: ['GET /api/projects/{projectId}/settings/secret'],
  apiKey: ['POST /api/api-keys'],
  invitation: ['POST /api/projects/{projectId}/users/invite'],
  standingCode: [
    'GET /api/projects/{projectId}/sanctions/{id}/statement',
    'GET /api/standing/{code}',
    'GET /api/v1/me/standing',
  ],
  e2eePassword: ['PATCH /api/projects/{projectId}/settings/e2e-encryption', 'GET /api/projects/{projectId}/settings'],
};

describe('a secret', () => {
  it('stands in the answers that it is meant for and in no other', () => {
    expect(answers.size).toBeGreaterThan(30);
    for (const [name, secret] of everySecret()) {
      const expected = [...(allowed[name] ?? [])].sort();
      expect({ name, told: saidBy(secret).sort() }).toEqual({ name, told: expected });
    }
  });

  it('stands in no log line, and nor does what people say', () => {
    const printed = daemon.printed.join('\n');
    expect(printed).toContain('request answered');
    for (const [name, secret] of everySecret())
      expect({ name, logged: printed.includes(secret) }).toEqual({ name, logged: false });
    for (const text of Object.values(words)) {
      expect({ text, isTold: saidBy(text).length > 0 }).toEqual({ text, isTold: true });
      expect({ text, logged: printed.includes(text) }).toEqual({ text, logged: false });
    }
  });

  it('is not printed with the settings', async () => {
    const { stdout, stderr } = await earshotd(daemon.dataDir, ['config', 'print'], { env: settings });
    expect(stdout).toContain('EARSHOT_MASTER_KEY');
    for (const [name, secret] of everySecret())
      expect({ name, printed: `${stdout}${stderr}`.includes(secret) }).toEqual({ name, printed: false });
  });

  it('stands in no byte of the database, events and stored answers included', async () => {
    await daemon.end('SIGKILL'); // so that the journal is there as it was
    const files = ['earshot.db', 'earshot.db-wal', 'earshot.db-shm'].map((file) => join(daemon.dataDir, file));
    const bytes = Buffer.concat(files.filter(existsSync).map((file) => readFileSync(file)));
    expect(bytes.includes('participant.created')).toBe(true);
    for (const [name, secret] of everySecret()) {
      const forms = [Buffer.from(secret), Buffer.from(Buffer.from(secret).toString('base64').replace(/=+$/, ''))];
      if (/^[0-9a-f]+$/.test(secret)) forms.push(Buffer.from(secret, 'hex'));
      expect({ name, stored: forms.some((form) => bytes.includes(form)) }).toEqual({ name, stored: false });
    }
  });
});
