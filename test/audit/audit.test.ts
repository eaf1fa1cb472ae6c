/** The audit log as administrators read it, on both databases. */
import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { askDaemon } from '../../daemon/admin-socket/client.js';
import { createUser } from '../../daemon/modules/identity/admin-operations.js';
import { Database } from '../../daemon/platform/database/database.js';
import { EarshotClient } from '../../src/client/earshot-client.js';
import { type AuditEntry, auditRoutes } from '../../src/contract/audit/audit.js';
import { DomainEvent } from '../../src/contract/events.js';
import { accountRoutes } from '../../src/contract/identity/accounts.js';
import { apiKeyRoutes } from '../../src/contract/identity/api-keys.js';
import { sanctionRoutes } from '../../src/contract/moderation/sanctions.js';
import { participantRoutes } from '../../src/contract/people/participants.js';
import { projectRoutes } from '../../src/contract/projects/projects.js';
import { settingsRoutes } from '../../src/contract/projects/settings.js';
import { webhookRoutes } from '../../src/contract/webhooks/webhooks.js';
import { commandLine } from '../support/cli.js';
import { administrator, startDaemon, type TestDaemon } from '../support/daemon.js';
import { eventually } from '../support/eventually.js';
import { hasPostgresql, type PostgresqlServer, startPostgresql } from '../support/postgresql.js';
import { openStream } from '../support/stream.js';
import { contentsOf } from '../support/traces.js';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
interface Installation {
  readonly daemon: TestDaemon;
  readonly server: PostgresqlServer | null;
}
const shared = new Map<string, Promise<Installation>>();
let own: Installation | null = null;
/** Daemon of the running test. */
let daemon: TestDaemon;
let projectId: string;
/** Offset by which the clock of daemons is ahead. */
let aheadMs = 0;

async function install(kind: string): Promise<Installation> {
  const database = kind === 'PostgreSQL' ? await startPostgresql() : null;
  const installed = await startDaemon({
    now: () => new Date(Date.now() + aheadMs),
    settings: { EARSHOT_AUDIT_RETENTION_DAYS: '7', ...(database === null ? {} : { DATABASE_URL: database.url }) },
  });
  return { daemon: installed, server: database };
}
async function remove(installation: Installation): Promise<void> {
  await installation.daemon.stop();
  await installation.server?.stop();
}

/** A daemon where nothing has happened. */
async function start(kind = 'SQLite'): Promise<void> {
  aheadMs = 0;
  own = await install(kind);
  ({ daemon } = own);
  ({ projectId } = daemon);
}
/** A project where nothing has happened, on a daemon with others. */
async function startProject(kind = 'SQLite'): Promise<void> {
  aheadMs = 0;
  const installed = shared.get(kind) ?? install(kind);
  shared.set(kind, installed);
  ({ daemon } = await installed);
  ({ id: projectId } = await daemon.admin.call(projectRoutes.create, { body: { name: randomUUID() } }));
}
afterEach(async () => {
  if (own !== null) await remove(own);
  own = null;
});
afterAll(async () => {
  for (const one of shared.values()) await remove(await one);
});

const params = () => ({ projectId });
const list = async (query: Record<string, string | number> = {}): Promise<AuditEntry[]> =>
  (await daemon.admin.call(auditRoutes.list, { params: params(), query })).entries;
const listTenant = async (query: Record<string, string | number> = {}): Promise<AuditEntry[]> =>
  (await daemon.admin.call(auditRoutes.listTenant, { query })).entries;
const ban = (externalUserId: string, client = daemon.admin) =>
  client.call(sanctionRoutes.create, {
    params: params(),
    body: { type: 'temp_ban', externalUserId, duration: 600, reason: 'words that nobody else may read' },
  });

const databases = [
  { kind: 'SQLite', here: true },
  { kind: 'PostgreSQL', here: hasPostgresql },
];

describe.each(databases)('GET …/audit on $kind', { timeout: 60_000 }, ({ kind, here }) => {
  it('says who did what to whom, when and from where, and nothing of what was said', async ({ skip }) => {
    skip(!here, 'PostgreSQL is not installed here');
    await startProject(kind);
    const sanction = await ban('u_42');
    const [entry] = await list();
    expect(entry).toMatchObject({
      projectId,
      actor: { kind: 'user', name: administrator.email },
      action: 'createSanction',
      outcome: 'done',
      targets: [
        { kind: 'sanction', id: sanction.id, name: null },
        { kind: 'person', id: 'u_42' },
      ],
      changed: ['duration', 'externalUserId', 'reason', 'type'],
    });
    expect(entry?.address).toMatch(/127\.0\.0\.1$/);
    expect(entry?.requestId).toBeTruthy();
    expect(JSON.stringify(await list())).not.toContain('nobody else');
  });

  it('finds by who, by whom, by what and by when, a page after the other', async ({ skip }) => {
    skip(!here, 'PostgreSQL is not installed here');
    await startProject(kind);
    const { key } = await daemon.admin.call(apiKeyRoutes.create, {
      body: { name: 'Game Server', scopes: ['sanctions', 'audit:read'] },
    });
    const server = new EarshotClient({ baseUrl: daemon.url, credential: { kind: 'apiKey', key } });
    await daemon.admin.call(participantRoutes.create, {
      params: params(),
      body: { externalUserId: 'u_1', displayName: 'Bob' },
    });
    await ban('u_1');
    aheadMs = 30 * 60_000;
    const later = new Date(Date.now() + aheadMs - 1_000).toISOString();
    await ban('u_2', server);
    const actions = async (query: Record<string, string | number>) =>
      (await list(query)).map(({ action, targets }) => `${action} ${targets.at(-1)?.id}`);

    expect(await actions({ actor: 'game server' })).toEqual(['createSanction u_2']);
    expect(await actions({ actor: administrator.email.toUpperCase(), action: 'create*' })).toEqual([
      'createSanction u_1',
      'createParticipant u_1',
    ]);
    expect(await actions({ target: 'bob', action: 'createSanction' })).toEqual(['createSanction u_1']);
    expect(await actions({ target: 'u_2' })).toEqual(['createSanction u_2']);
    expect(await actions({ since: later })).toEqual(['createSanction u_2']);
    expect(await actions({ until: later, action: 'createSanction' })).toEqual(['createSanction u_1']);
    expect((await list({ target: 'u_1' }))[0]?.targets.at(-1)).toEqual({ kind: 'person', id: 'u_1', name: 'Bob' });

    const all = await list();
    const seen: AuditEntry[] = [];
    for (let after: string | null = ''; after !== null; ) {
      const query: Record<string, string | number> = after === '' ? { limit: 1 } : { limit: 1, after };
      const page = await daemon.admin.call(auditRoutes.list, { params: params(), query });
      seen.push(...page.entries);
      after = page.next;
    }
    expect(seen).toEqual(all);
    await expect(list({ after: 'nowhere' })).rejects.toMatchObject({ code: 'validation_failed' });
  });

  it('loses an erased person, and tells of the erasure', async ({ skip }) => {
    skip(!here, 'PostgreSQL is not installed here');
    await startProject(kind);
    const { id } = await daemon.admin.call(participantRoutes.create, {
      params: params(),
      body: { externalUserId: 'erika-77', displayName: 'Erika Musterfrau' },
    });
    await ban('erika-77');
    await daemon.admin.call(participantRoutes.remove, { params: { ...params(), id } });
    const [erasure, banned] = await list();
    expect(erasure).toMatchObject({ action: 'deleteParticipant', targets: [{ kind: 'participant', id, name: null }] });
    expect(banned?.targets.at(-1)).toEqual({ kind: 'person', id: 'erased', name: null });
    expect(banned?.requestId).toBeNull();
    const rows = await contentsOf(daemon.databaseUrl);
    const kept = ['AuditEntry', 'AuditTarget', 'DomainEvent'].flatMap((table) => rows[table] ?? []);
    expect(kept.filter((row) => /erika|musterfrau/i.test(row))).toEqual([]);
  });

  it('keeps entries for as long as the settings say', async ({ skip }) => {
    skip(!here, 'PostgreSQL is not installed here');
    await start(kind);
    await ban('u_1');
    aheadMs = 8 * dayMs;
    await daemon.restart();
    await eventually(async () => expect(await list()).toEqual([]));
    expect(await listTenant()).toMatchObject([{ action: 'loginCredentials' }]);
  });
});

describe('GET /api/audit', { timeout: 60_000 }, () => {
  it('shows logins, refused ones too, but not without end and not of unknown addresses', async () => {
    await start();
    aheadMs += hourMs - ((Date.now() + aheadMs) % hourMs); // all of it in one hour, by which refusals are limited
    const anonymous = new EarshotClient({ baseUrl: daemon.url });
    const login = (email: string, password: string) =>
      anonymous.call(accountRoutes.loginCredentials, { body: { email, password } });
    await expect(login(administrator.email, 'a wrong password')).rejects.toMatchObject({ code: 'login_failed' });
    await expect(login('nobody@example.com', 'a wrong password')).rejects.toMatchObject({ code: 'login_failed' });
    await eventually(async () =>
      expect(await listTenant({ action: 'login*' })).toMatchObject([
        { outcome: 'refused', actor: { kind: 'user', name: administrator.email }, projectId: null, changed: [] },
        { outcome: 'done', actor: { kind: 'user', name: administrator.email } },
      ]),
    );
    for (let round = 0; round < 4; round += 1) {
      aheadMs += 61_000;
      await Promise.allSettled(Array.from({ length: 10 }, () => login(administrator.email, 'a wrong password')));
    }
    const refused = async () => (await listTenant({ limit: 200 })).filter(({ outcome }) => outcome === 'refused');
    await eventually(async () => expect(await refused()).toHaveLength(20));
    await daemon.restart(); // which stores what is waiting
    expect(await refused()).toHaveLength(20);
  });

  it('still says who removed a project, by its name, and nothing of its people', async () => {
    await startProject();
    const { id } = await daemon.admin.call(projectRoutes.create, { body: { name: 'Doomed' } });
    await daemon.admin.call(settingsRoutes.put, { params: { projectId: id }, body: { tokenProvider: 'embedded' } });
    await daemon.admin.call(sanctionRoutes.create, {
      params: { projectId: id },
      body: { type: 'warn', externalUserId: 'u_of_doomed' },
    });
    await daemon.admin.call(projectRoutes.remove, { params: { projectId: id } });
    await eventually(async () => expect(JSON.stringify(await listTenant())).not.toContain('u_of_doomed'));
    const entries = (await listTenant()).filter(({ projectId }) => projectId === id);
    expect(entries.map(({ action }) => action)).toEqual(['deleteProject', 'createSanction', 'putSettings']);
    expect(entries[0]?.targets).toEqual([{ kind: 'project', id, name: 'Doomed' }]);
    expect((await listTenant({ target: 'doomed' })).map(({ action }) => action)).toContain('deleteProject');
  });

  it('names a key that was taken back', async () => {
    await startProject();
    const { id } = await daemon.admin.call(apiKeyRoutes.create, { body: { name: 'CI', scopes: ['projects:read'] } });
    await daemon.admin.call(apiKeyRoutes.revoke, { params: { id } });
    expect((await listTenant({ target: 'ci' })).map(({ action, targets }) => [action, targets])).toEqual([
      ['revokeApiKey', [{ kind: 'api-key', id, name: 'CI' }]],
      ['createApiKey', [{ kind: 'api-key', id, name: 'CI' }]],
    ]);
  });

  it('is for administrators and for keys with the scope', async () => {
    await startProject();
    const viewer = await daemon.clientWith(['sanctions', 'projects']);
    const refused = { code: 'insufficient_scope' };
    await expect(viewer.call(auditRoutes.listTenant, {})).rejects.toMatchObject(refused);
    const ofOne = await daemon.clientWith(['audit:read'], projectId);
    await expect(ofOne.call(auditRoutes.listTenant, {})).rejects.toMatchObject({ code: 'insufficient_role' });
    expect((await ofOne.call(auditRoutes.list, { params: params() })).entries).toMatchObject([
      { action: 'createApiKey', projectId },
    ]);
  });
});

describe('an entry', { timeout: 60_000 }, () => {
  it('is not left by what was refused', async () => {
    await startProject();
    const unknown = daemon.admin.call(sanctionRoutes.revoke, { params: { ...params(), id: 'unknown' } });
    await expect(unknown).rejects.toMatchObject({ code: 'sanction_not_found' });
    const unread = daemon.admin.call(webhookRoutes.create, { params: params(), body: { url: 'x' } as never });
    await expect(unread).rejects.toMatchObject({ code: 'validation_failed' });
    expect(await list()).toEqual([]);
  });

  it('is left once by a request that is repeated', async () => {
    await startProject();
    const once = () =>
      fetch(`${daemon.url}/api/projects/${projectId}/sanctions`, {
        method: 'POST',
        headers: { 'X-API-Key': daemon.apiKey, 'Content-Type': 'application/json', 'Idempotency-Key': 'once' },
        body: JSON.stringify({ type: 'warn', externalUserId: 'u_1' }),
      });
    const [first, again] = [await (await once()).json(), await (await once()).json()];
    expect(again).toEqual(first);
    expect(await list()).toHaveLength(1);
  });

  it('is told on streams of the whole tenant, without people, and on no stream of a project', async () => {
    await startProject();
    const headers = { 'X-API-Key': daemon.apiKey };
    const whole = await openStream(`${daemon.url}/api/events/stream?types=audit.*`, headers);
    const ofProject = await openStream(
      `${daemon.url}/api/projects/${projectId}/events/stream?types=audit.*,sanction.*`,
      headers,
    );
    await ban('u_42');
    const { data: told } = await whole.next();
    expect(told).toMatchObject({ type: 'audit.recorded', payload: { data: { action: 'createSanction' } } });
    expect(JSON.stringify(told)).not.toContain('u_42');
    expect((await ofProject.next()).data).toMatchObject({ type: 'sanction.created' });
    whole.close();
    ofProject.close();
  });

  it('is on no stream of a key that may read events and not the audit log', async () => {
    await start();
    const keys = [await daemon.clientWith(['events']), await daemon.clientWith(['events:read', 'audit:read'])];
    const headersOf = (client: EarshotClient | undefined) => ({
      'X-API-Key': client?.credential?.kind === 'apiKey' ? client.credential.key : '',
    });
    const [without, withAudit] = await Promise.all(
      keys.map((key) => openStream(`${daemon.url}/api/events/stream?types=audit.*,sanction.*`, headersOf(key))),
    );
    await ban('u_42');
    await ban('u_43');
    const types = async (stream: typeof without) =>
      [(await stream?.next())?.data, (await stream?.next())?.data].map((data) => DomainEvent.parse(data).type);
    expect(await types(without)).toEqual(['sanction.created', 'sanction.created']);
    expect((await types(withAudit)).sort()).toEqual(['audit.recorded', 'sanction.created']);
    without?.close();
    withAudit?.close();
    const again = await openStream(
      `${daemon.url}/api/events/stream?since=earliest&types=audit.*,sanction.*`,
      headersOf(keys[0]),
    );
    expect(await types(again)).toEqual(['sanction.created', 'sanction.created']);
    again.close();
  });

  it('is left by what the operator does', async () => {
    await startProject();
    const account = {
      email: 'Ann@example.com',
      password: administrator.password,
      role: 'member' as const,
      tenant: null,
    };
    await askDaemon(daemon.dataDir, createUser, account);
    const entries = await listTenant({ actor: 'operator' });
    expect(entries).toMatchObject([
      {
        action: 'users.create',
        actor: { kind: 'operator', id: null },
        targets: [{ kind: 'account', id: 'ann@example.com' }],
        changed: ['email', 'password', 'role', 'tenant'],
      },
    ]);
    expect(JSON.stringify(entries)).not.toContain(administrator.password);
    expect(await listTenant({ target: 'ann@example.com' })).toEqual(entries);
  });
});

describe('earshot audit', { timeout: 60_000 }, () => {
  it('lists and exports what a person or a key did', async () => {
    await start();
    await ban('=u_42');
    const shell = commandLine(() => ({ EARSHOT_URL: daemon.url, EARSHOT_API_KEY: daemon.apiKey }));
    const table = await shell.run(['audit', 'list', '--actor', administrator.email, '--since', '1h']);
    expect(table.stdout).toMatch(/WHO +ACTION +TARGET/);
    expect(table.stdout).toContain(`${administrator.email}  createSanction  person `);
    const { entries } = await shell.json<{ entries: AuditEntry[] }>(['audit', 'list', '--target', '=u_42']);
    expect(entries).toMatchObject([{ action: 'createSanction' }]);
    const ndjson = await shell.run(['audit', 'export']);
    const exported = ndjson.stdout
      .trim()
      .split('\n')
      .map((line): AuditEntry => JSON.parse(line));
    expect(exported.map(({ action }) => action)).toEqual(['exportAudit', 'createSanction']);
    const csv = await shell.run(['audit', 'export', '--format', 'csv', '--action', 'createSanction']);
    expect(csv.stdout.split('\r\n')[0]).toMatch(/^id,at,tenantId,projectId,actorKind/);
    expect(csv.stdout.trim().split('\r\n')).toHaveLength(2);
    const whole = await shell.json<{ entries: AuditEntry[] }>(['audit', 'list', '--all-projects']);
    expect(whole.entries.map(({ action }) => action)).toContain('loginCredentials');
    shell.dispose();
  });

  it('exports more than one page holds, each entry once, and refuses a third export of the tenant', async () => {
    await start();
    const [logged] = await listTenant();
    const many = Array.from({ length: 3_000 }, (_, index) => ({
      ...{ id: randomUUID(), tenantId: logged?.tenantId ?? '', projectId, actorKind: 'user' },
      ...{ at: new Date(Date.now() - (index >> 1)), action: 'createParticipant', outcome: 'done', changed: '[]' },
    }));
    const database = await Database.connect(daemon.databaseUrl);
    await database.transaction((tx) => tx.auditEntry.createMany({ data: many }));
    await database.close();
    const shell = commandLine(() => ({ EARSHOT_URL: daemon.url, EARSHOT_API_KEY: daemon.apiKey }));
    const { stdout } = await shell.run(['audit', 'export', '--action', 'createParticipant']);
    const ids = stdout
      .trim()
      .split('\n')
      .map((line): string => JSON.parse(line).id);
    expect(ids.toSorted()).toEqual(many.map(({ id }) => id).toSorted());
    shell.dispose();

    const open = new AbortController();
    const ask = () => daemon.admin.open(auditRoutes.export, { params: params(), query: { limit: 3_000 } }, open.signal);
    const answers = await Promise.allSettled(Array.from({ length: 6 }, ask));
    const refused = answers.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []));
    expect(refused.length).toBeGreaterThan(0);
    for (const reason of refused) expect(reason).toMatchObject({ status: 429, code: 'rate_limited' });
    open.abort();
  });
});
