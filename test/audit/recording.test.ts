/** Promises of the audit log where something comes in between: an erasure, an error, another request, a retry. */
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it } from 'vitest';
import { askDaemon } from '../../daemon/admin-socket/client.js';
import { AuditRecorder, type RecordedAction } from '../../daemon/modules/audit/recorder.js';
import { RefusedLogins } from '../../daemon/modules/audit/refused-logins.js';
import { AuditStore } from '../../daemon/modules/audit/store.js';
import { targetsOf } from '../../daemon/modules/audit/targets.js';
import { createTenant } from '../../daemon/modules/identity/admin-operations.js';
import { Database } from '../../daemon/platform/database/database.js';
import { EventLog } from '../../daemon/platform/events/log.js';
import { LocalWakeUps } from '../../daemon/platform/events/wake-ups.js';
import { createLogger } from '../../daemon/platform/observability/logger.js';
import { systemClock } from '../../daemon/platform/time/clock.js';
import { EarshotClient } from '../../src/client/earshot-client.js';
import { type AuditEntry, auditRoutes } from '../../src/contract/audit/audit.js';
import { accountRoutes } from '../../src/contract/identity/accounts.js';
import { sanctionRoutes } from '../../src/contract/moderation/sanctions.js';
import { participantRoutes } from '../../src/contract/people/participants.js';
import { settingsRoutes } from '../../src/contract/projects/settings.js';
import { roomRoutes } from '../../src/contract/rooms/rooms.js';
import { tokenRoutes } from '../../src/contract/rooms/tokens.js';
import { administrator, startDaemon, type TestDaemon } from '../support/daemon.js';
import { openSqlite, type TestDatabase } from '../support/database.js';
import { eventually } from '../support/eventually.js';
import { hasPostgresql, startPostgresql } from '../support/postgresql.js';
import { programEnvironment } from '../support/program-environment.js';
import { contentsOf } from '../support/traces.js';

const ends: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

async function started(settings: Readonly<Record<string, string>> = {}): Promise<TestDaemon> {
  const daemon = await startDaemon({ settings });
  ends.push(() => daemon.stop());
  return daemon;
}
const ofTenant = async ({ admin }: TestDaemon, query: Record<string, string> = {}): Promise<AuditEntry[]> =>
  (await admin.call(auditRoutes.listTenant, { query })).entries;
const ofProject = async ({ admin, projectId }: TestDaemon, query: Record<string, string> = {}): Promise<AuditEntry[]> =>
  (await admin.call(auditRoutes.list, { params: { projectId }, query })).entries;

describe('a room with the id of a person', { timeout: 60_000 }, () => {
  it('is a target beside the person', () => {
    const params = { projectId: 'p', roomId: 'u_1', externalUserId: 'u_1' };
    expect(targetsOf({ route: roomRoutes.kick, params, body: undefined }, null)).toEqual([
      { kind: 'room', id: 'u_1', name: null },
      { kind: 'person', id: 'u_1', name: null },
    ]);
  });

  it('is forgotten with the person, and is in no event; nor is the id that the request chose', async () => {
    const daemon = await started();
    const { projectId, admin } = daemon;
    const person = { params: { projectId }, body: { externalUserId: 'erika-77', displayName: 'Erika' } };
    const { id } = await admin.call(participantRoutes.create, person);
    const { credential } = admin;
    const token = credential?.kind === 'bearer' ? credential.token : '';
    const answer = await fetch(`${daemon.url}${tokenRoutes.generate.path}`, {
      method: 'POST',
      headers: {
        Authorization: `Bearer ${token}`,
        'Content-Type': 'application/json',
        'X-Request-Id': 'let-erika-77-in',
      },
      body: JSON.stringify({ projectId, roomId: 'erika-77', userId: 'erika-77' }),
    });
    expect(answer.status).toBe(201);
    const kinds = (await ofProject(daemon, { target: 'erika-77', action: 'generateToken' }))[0]?.targets;
    expect(kinds?.map(({ kind }) => kind)).toEqual(expect.arrayContaining(['person', 'room']));
    await admin.call(participantRoutes.remove, { params: { projectId, id } });
    const rows = await contentsOf(daemon.databaseUrl);
    const kept = ['AuditEntry', 'AuditTarget', 'DomainEvent'].flatMap((table) => rows[table] ?? []);
    expect(kept.filter((row) => /erika/i.test(row))).toEqual([]);
  });
});

it('names of players are in no entry: they are looked up when an entry is shown', async () => {
  const daemon = await started();
  const { projectId, client } = daemon;
  const params = { projectId };
  const person = { externalUserId: 'u_1', displayName: 'Berta Zwiebel' };
  const { id } = await client.call(participantRoutes.create, { params, body: person });
  await client.call(sanctionRoutes.create, { params, body: { type: 'warn', externalUserId: 'u_1' } });
  const shown = async () => (await ofProject(daemon, { action: 'createSanction' }))[0]?.targets.at(-1);
  expect(await shown()).toEqual({ kind: 'person', id: 'u_1', name: 'Berta Zwiebel' });
  const rows = await contentsOf(daemon.databaseUrl);
  const kept = ['AuditEntry', 'AuditTarget'].flatMap((table) => rows[table] ?? []);
  expect(kept.length).toBeGreaterThan(0);
  expect(kept.filter((row) => /zwiebel/i.test(row))).toEqual([]);
  await client.call(participantRoutes.update, { params: { projectId, id }, body: { displayName: 'Berta' } });
  expect(await shown()).toMatchObject({ name: 'Berta' });
});

it('settings that are read leave an entry where they show the password of end-to-end encryption', async () => {
  const daemon = await started();
  const params = { projectId: daemon.projectId };
  const read = async () => {
    await daemon.client.call(settingsRoutes.get, { params });
    return (await ofProject(daemon, { action: 'getSettings' })).map(({ actor, outcome }) => [actor.kind, outcome]);
  };
  expect(await read()).toEqual([]);
  await daemon.admin.call(settingsRoutes.e2eEncryption, { params, body: { mode: 'manual', password: 'long enough' } });
  expect(await read()).toEqual([['apiKey', 'done']]);
});

describe('a result that says more than the transaction did', () => {
  const draft = {
    tenantId: null,
    projectId: 'p',
    address: null,
    requestId: null,
    action: 'createSanction',
    changed: [],
  };
  const recorded: RecordedAction = {
    draft: () => ({ ...draft, actor: { kind: 'operator', id: null, name: 'operator' } }),
    targets: (result) => [
      { kind: 'person', id: 'u_1', name: null },
      ...(result === 'all' ? [{ kind: 'sanction', id: 's_1', name: null }] : []),
    ],
  };
  async function recorder() {
    const opened: TestDatabase = await openSqlite();
    ends.push(() => opened.close());
    const { database } = opened;
    const store = new AuditStore(database);
    const log = new EventLog(database, new LocalWakeUps(), systemClock);
    const keeper = new AuditRecorder({ database, store, log, now: systemClock, logger: createLogger('silent') });
    return { database, store, keeper };
  }

  it('is added, and an erasure of that moment stays', async () => {
    const { database, store, keeper } = await recorder();
    await keeper.record(recorded, async () => {
      await database.transaction(async () => 'some');
      await database.transaction((tx) => store.erase(tx, 'p', [{ id: 'u_1', firstId: null, firstIdAfter: null }]));
      return 'all';
    });
    const everything = { actor: null, targets: null, actions: null, since: null, until: null, after: null };
    const entries = await store.page({ tenantId: 't', projectId: 'p', ...everything }, 10);
    expect(entries).toMatchObject([{ outcome: 'done' }]);
    expect(entries[0]?.targets).toEqual([
      { kind: 'person', id: 'erased', name: null },
      { kind: 'sanction', id: 's_1', name: null },
    ]);
  });

  it('does not fail what is done where it cannot be added', async () => {
    const { database, keeper } = await recorder();
    const done = keeper.record(recorded, async () => {
      await database.transaction(async () => 'some');
      await database.transaction((tx) => tx.auditEntry.deleteMany());
      return 'all';
    });
    expect(await done).toBe('all');
  });
});

describe('a refused login', { timeout: 60_000 }, () => {
  it('of one tenant takes no place from those of another', () => {
    const refused = new RefusedLogins(() => new Date(0));
    const attacked = (tenantId: string) =>
      Array.from({ length: 6_000 }, (_, id) => refused.mayRecord({ id: `${tenantId} ${id}`, tenantId }));
    expect(attacked('a')).toContain(true);
    expect(attacked('b')).toContain(true);
  });

  it('is answered before it is recorded, so nobody can measure which accounts there are', async ({ skip }) => {
    skip(!hasPostgresql, 'PostgreSQL is not installed here');
    const server = await startPostgresql();
    ends.push(() => server.stop());
    const daemon = await started({ DATABASE_URL: server.url });
    const beside = await Database.connect(server.url);
    const body = { email: administrator.email, password: 'a wrong password' };
    await beside.transaction(async (tx) => {
      await tx.$executeRawUnsafe('LOCK TABLE "AuditEntry" IN EXCLUSIVE MODE');
      const login = new EarshotClient({ baseUrl: daemon.url }).call(accountRoutes.loginCredentials, { body });
      await expect(login).rejects.toMatchObject({ code: 'login_failed' });
    });
    await beside.close();
    await eventually(async () =>
      expect((await ofTenant(daemon, { action: 'login*' })).map(({ outcome }) => outcome)).toContain('refused'),
    );
  });

  it('is recorded even if the daemon stops at once', async () => {
    const daemon = await started();
    const body = { email: administrator.email, password: 'a wrong password' };
    const login = new EarshotClient({ baseUrl: daemon.url }).call(accountRoutes.loginCredentials, { body });
    await expect(login).rejects.toMatchObject({ code: 'login_failed' });
    await daemon.restart();
    expect((await ofTenant(daemon)).map(({ outcome }) => outcome)).toContain('refused');
  });
});

describe('a filter of the audit log', { timeout: 60_000 }, () => {
  it('finds a person by the whole name, however many names contain it', async () => {
    const daemon = await started();
    const params = { projectId: daemon.projectId };
    for (let index = 0; index < 51; index += 1) {
      const body = { externalUserId: `u_${index}`, displayName: `Bob the ${index}.` };
      await daemon.client.call(participantRoutes.create, { params, body });
    }
    await daemon.admin.call(participantRoutes.create, {
      params,
      body: { externalUserId: 'u_bob', displayName: 'Bob' },
    });
    expect((await ofProject(daemon, { target: 'BOB' })).map(({ action }) => action)).toEqual(['createParticipant']);
    await expect(ofTenant(daemon, { target: 'bob' })).rejects.toMatchObject({
      code: 'validation_failed',
      details: [{ path: 'query.target', message: expect.stringContaining('search within their project') }],
    });
    expect(await ofTenant(daemon, { target: 'u_bob' })).toHaveLength(1);
    expect(await ofTenant(daemon, { target: 'nobody' })).toEqual([]);
  });

  it('means the beginning of an action exactly as it is written', async () => {
    const daemon = await started();
    const actions = async (action: string) => (await ofTenant(daemon, { action })).map((entry) => entry.action);
    expect(await actions('*')).toEqual(['createApiKey', 'loginCredentials']);
    expect(await actions('login*')).toEqual(['loginCredentials']);
    for (const action of ['LOGIN*', 'log_n*', '%Cred*', 'ogin*', 'LoginCredentials'])
      expect(await actions(action)).toEqual([]);
  });
});

describe('a tenant that the operator makes', { timeout: 60_000 }, () => {
  it('has the entry from the first moment, and no other tenant sees it', async () => {
    const daemon = await started();
    const tenant = { name: 'Other', email: 'other@example.com', password: administrator.password };
    const { id } = await askDaemon(daemon.dataDir, createTenant, tenant);
    const rows = await contentsOf(daemon.databaseUrl);
    const announced = rows.DomainEvent?.filter((row) => row.includes('audit.recorded') && row.includes(id));
    expect(announced).toHaveLength(1); // an entry without a tenant is announced to nobody
    expect(announced?.[0]).toContain('tenants.create');
    expect(await ofTenant(daemon, { action: 'tenants.*' })).toEqual([]);
  });
});

describe('earshot audit tail', { timeout: 60_000 }, () => {
  it('shows all that was recorded between two looks', async () => {
    const daemon = await started();
    const child = spawn(
      process.execPath,
      [fileURLToPath(new URL('../../bin/earshot.js', import.meta.url)), 'audit', 'tail', '--all-projects', '--json'],
      {
        env: {
          ...programEnvironment,
          XDG_CONFIG_HOME: daemon.dataDir,
          EARSHOT_URL: daemon.url,
          EARSHOT_API_KEY: daemon.apiKey,
        },
        stdio: ['ignore', 'pipe', 'inherit'],
      },
    );
    ends.push(async () => void child.kill('SIGINT'));
    const told: AuditEntry[] = [];
    createInterface({ input: child.stdout }).on('line', (line) => told.push(JSON.parse(line)));
    await eventually(() => expect(told.map(({ action }) => action)).toEqual(['loginCredentials', 'createApiKey']));
    const tenantId = (await ofTenant(daemon))[0]?.tenantId ?? null;
    const many = Array.from({ length: 450 }, (_, index) => ({
      ...{ id: randomUUID(), tenantId, actorKind: 'operator', at: new Date(Date.now() + (index >> 1)) },
      ...{ action: 'createParticipant', outcome: 'done', changed: '[]' },
    }));
    const beside = await Database.connect(daemon.databaseUrl);
    await beside.transaction((tx) => tx.auditEntry.createMany({ data: many }));
    await beside.close();
    await eventually(() => expect(told).toHaveLength(452));
    expect(
      told
        .slice(2)
        .map(({ id }) => id)
        .toSorted(),
    ).toEqual(many.map(({ id }) => id).toSorted());
  });
});
