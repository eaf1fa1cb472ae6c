/** One tenant's key, and one player, that store as much as they can: others store on, and the disk does not fill. */
import { statfsSync } from 'node:fs';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EarshotClient } from '../../src/client/earshot-client.js';
import { figureRoutes } from '../../src/contract/figures/figures.js';
import { playerRoutes } from '../../src/contract/gameplay/players.js';
import { accountRoutes } from '../../src/contract/identity/accounts.js';
import { apiKeyRoutes } from '../../src/contract/identity/api-keys.js';
import { projectRoutes } from '../../src/contract/projects/projects.js';
import { administrator, DaemonProcess } from '../support/daemon-process.js';
import { eventually } from '../support/eventually.js';
import { rentedMachine, watchingHealth } from '../support/health-watch.js';
import { makeOtherProject } from '../support/other-tenant.js';
import { hasPostgresql, startPostgresql } from '../support/postgresql.js';
import { scale } from '../support/scale.js';

const dayMb = scale(1, 100);
const atOnce = 16;
/** Rounds of 50 events each: more than the player and the project may send per second. */
const rounds = scale(6, 20);
const mebibyte = 1024 * 1024;

const daemonWith = (settings: Readonly<Record<string, string>>, dataDir?: string) =>
  new DaemonProcess(
    {
      ...{ EARSHOT_RATE_LIMIT_CREDENTIAL: '0', EARSHOT_STORAGE_DAY_MB: String(dayMb) },
      ...settings,
      ...(dataDir === undefined ? {} : { EARSHOT_DATA_DIR: dataDir }),
    },
    rentedMachine,
  );

async function signIn(url: string) {
  const { accessToken } = await new EarshotClient({ baseUrl: url }).call(accountRoutes.loginCredentials, {
    body: administrator,
  });
  const client = new EarshotClient({ baseUrl: url, credential: { kind: 'bearer', token: accessToken } });
  const projectId = (await client.call(projectRoutes.list, {}))[0]?.id ?? '';
  return { client, projectId };
}

const send = async (url: string, key: string, method: string, path: string, body?: object) => {
  const response = await fetch(url + path, {
    method,
    headers: { 'X-API-Key': key, 'Content-Type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  const answer = text === '' ? {} : JSON.parse(text);
  return { status: response.status, code: answer.code, id: answer.id, retryAfter: response.headers.get('retry-after') };
};

let written = 0;
const large = () => {
  written += 1;
  const notes = Object.fromEntries(Array.from({ length: 20 }, (_, n) => [`k${n}`, 'x'.repeat(200)]));
  return { externalUserId: `large-${written}`, userData: notes };
};

describe('a key that stores all it can', { timeout: scale(240_000, 900_000) }, () => {
  const daemon = daemonWith({});
  let url: string;
  let key: string;
  let projectId: string;
  let client: EarshotClient;
  let other: { key: string; projectId: string };
  const write = (by = key, project = projectId) =>
    send(url, by, 'POST', `/api/projects/${project}/participants`, large());
  beforeAll(async () => {
    url = (await daemon.start()).http;
    ({ client, projectId } = await signIn(url));
    key = (await client.call(apiKeyRoutes.create, { body: { name: 'busy', scopes: ['participants'] } })).key;
    other = await makeOtherProject(daemon.databaseUrl, new Date());
  });
  afterAll(() => daemon.dispose());

  it('is refused once its tenant has stored what it may in a day', async () => {
    const told = new Map<string, number>();
    await watchingHealth(daemon, `a key that stores ${dayMb} MiB`, async () => {
      const goOn = async (): Promise<void> => {
        for (;;) {
          const { status, code, retryAfter } = await write();
          const outcome = `${status} ${code ?? ''}`.trim();
          told.set(outcome, (told.get(outcome) ?? 0) + 1);
          if (status === 201) continue;
          expect(Number(retryAfter)).toBeGreaterThan(0);
          return;
        }
      };
      await Promise.all(Array.from({ length: atOnce }, goOn));
    });
    expect([...told.keys()].sort()).toEqual(['201', '429 quota_exceeded']);
    expect(told.get('429 quota_exceeded')).toBe(atOnce);
  });

  it('reads and deletes on, and keeps nobody else from storing', async () => {
    const { storage } = await client.call(figureRoutes.live, {});
    expect(storage).toMatchObject({ dayMax: dayMb * mebibyte, totalMax: null });
    expect(storage.today).toBeGreaterThanOrEqual(dayMb * mebibyte);
    expect(await send(url, key, 'GET', `/api/projects/${projectId}/participants?limit=1`)).toMatchObject({
      status: 200,
    });
    expect(await write(other.key, other.projectId)).toMatchObject({ status: 201 });
    const person = `/api/projects/${projectId}/people/large-1`;
    expect((await send(url, key, 'DELETE', person)).status).toBeLessThan(300);
    const figures = await (await fetch(`${url}/metrics`)).text();
    expect(figures).toMatch(/earshot_stored_bytes_today\{[^}]*tenant="[^"]+"[^}]*\} \d{7}/);
    expect(Number(/earshot_quota_refusals\{?[^\n]* (\d+)/.exec(figures)?.[1])).toBeGreaterThanOrEqual(atOnce);
  });

  it('is refused after a restart, too', async () => {
    await eventually(async () =>
      expect(await (await fetch(`${url}/metrics`)).text()).toMatch(/earshot_stored_bytes\{[^}]*\} \d{7}/),
    );
    await new Promise((resolve) => setTimeout(resolve, 2_500)); // what was counted is stored once a second
    await daemon.end('SIGKILL');
    await daemon.start();
    await eventually(async () => expect(await write()).toMatchObject({ status: 429, code: 'quota_exceeded' }));
  });
});

describe('a player that sends all the events it can', { timeout: 120_000 }, () => {
  const daemon = daemonWith({ EARSHOT_RATE_LIMIT_GAME_EVENTS: '200', EARSHOT_RATE_LIMIT_PLAYER_EVENTS: '20' });
  afterAll(() => daemon.dispose());

  it('is refused, and the project may still send', async () => {
    const url = (await daemon.start()).http;
    const { client, projectId } = await signIn(url);
    const { key } = await client.call(apiKeyRoutes.create, {
      body: { name: 'server', scopes: ['gameplay'], projectId },
    });
    const { token } = await client.call(playerRoutes.createToken, { params: { projectId, userId: 'busy' } });
    const event = { event_name: 'match-start', event_type: 'single' };
    const told = new Map<number, number>();
    const playOn = async () => {
      const response = await fetch(`${url}/api/v1/events?auth=access_token`, {
        method: 'POST',
        headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
        body: JSON.stringify(event),
      });
      await response.arrayBuffer();
      told.set(response.status, (told.get(response.status) ?? 0) + 1);
    };
    const statuses: number[] = [];
    await watchingHealth(daemon, 'events of one player', async () => {
      for (let round = 0; round < rounds; round += 1) {
        await Promise.all(Array.from({ length: 50 }, playOn));
        statuses.push((await send(url, key, 'POST', '/api/v1/events', { ...event, user_id: 'another' })).status);
      }
    });
    expect([...told.keys()].sort()).toEqual([200, 429]);
    expect(new Set(statuses)).toEqual(new Set([200]));
  });
});

describe('a disk that fills', { timeout: 120_000 }, () => {
  const first = daemonWith({ EARSHOT_STORAGE_DAY_MB: '0' });
  const started = [first];
  afterAll(async () => {
    for (const one of started.slice(1)) await one.end('SIGKILL');
    await first.dispose();
  });
  const again = async (reserveMb: number) => {
    const daemon = daemonWith(
      { EARSHOT_STORAGE_DAY_MB: '0', EARSHOT_DISK_RESERVE_MB: String(Math.floor(reserveMb)) },
      first.dataDir,
    );
    started.push(daemon);
    return { daemon, url: (await daemon.start()).http };
  };
  const freeMb = () => {
    const { bavail, bsize } = statfsSync(first.dataDir);
    return Math.floor((bavail * bsize) / mebibyte);
  };
  const ready = async (url: string) => {
    const response = await fetch(`${url}/health/ready`);
    return { status: response.status, text: await response.text() };
  };

  it('refuses those that store the most, then everybody, and is told by readiness', async () => {
    let url = (await first.start()).http;
    const { client, projectId } = await signIn(url);
    const { key } = await client.call(apiKeyRoutes.create, { body: { name: 'busy', scopes: ['participants'] } });
    const other = await makeOtherProject(first.databaseUrl, new Date());
    const write = (by: { key: string; projectId: string }) =>
      send(url, by.key, 'POST', `/api/projects/${by.projectId}/participants`, large());
    const busy = { key, projectId };
    for (let count = 0; count < 40; count += 1) expect(await write(busy)).toMatchObject({ status: 201 });
    expect(await write(other)).toMatchObject({ status: 201 });
    await first.end('SIGTERM');

    const low = await again(freeMb() * 1.5);
    url = low.url;
    await eventually(async () => expect(await write(busy)).toMatchObject({ status: 429, code: 'quota_exceeded' }));
    expect(await write(other)).toMatchObject({ status: 201 });
    expect((await ready(url)).status).toBe(200);
    await low.daemon.end('SIGTERM');

    ({ url } = await again(freeMb() * 4));
    await eventually(async () =>
      expect(await write(other)).toMatchObject({ status: 503, code: 'database_unavailable' }),
    );
    expect(await ready(url)).toMatchObject({ status: 503, text: expect.stringContaining('EARSHOT_DISK_RESERVE_MB') });
    expect(await send(url, key, 'GET', `/api/projects/${projectId}/participants?limit=1`)).toMatchObject({
      status: 200,
    });
  });
});

describe.skipIf(!hasPostgresql)('a PostgreSQL database that fills', { timeout: 120_000 }, () => {
  it('refuses those that store the most, then everybody, by the size that it may have', async () => {
    const server = await startPostgresql();
    const reserveMb = 200;
    const withRoom = async (roomMb: number): Promise<DaemonProcess> => {
      const client = new pg.Client({ connectionString: server.url });
      await client.connect();
      const { rows } = await client.query('SELECT pg_database_size(current_database()) AS "bytes"');
      await client.end();
      const maxMb = Math.round(Number(rows[0].bytes) / mebibyte) + roomMb;
      return daemonWith({
        ...{ DATABASE_URL: server.url, EARSHOT_MASTER_KEY: 'ef'.repeat(32) },
        ...{ EARSHOT_DATABASE_MAX_MB: String(maxMb), EARSHOT_DISK_RESERVE_MB: String(reserveMb) },
      });
    };
    const low = await withRoom(reserveMb * 0.75);
    let url = (await low.start()).http;
    const busy = await makeOtherProject(server.url, new Date());
    const other = await makeOtherProject(server.url, new Date());
    const write = (by: { key: string; projectId: string }) =>
      send(url, by.key, 'POST', `/api/projects/${by.projectId}/participants`, large());
    await eventually(async () => expect(await write(busy)).toMatchObject({ status: 429, code: 'quota_exceeded' }));
    expect(await write(other)).toMatchObject({ status: 201 });
    expect(await (await fetch(`${url}/metrics`)).text()).toMatch(/earshot_database_bytes\{?[^\n]* \d{7}/);
    await low.dispose();

    const full = await withRoom(reserveMb * 0.25);
    url = (await full.start()).http;
    await eventually(async () =>
      expect(await write(other)).toMatchObject({ status: 503, code: 'database_unavailable' }),
    );
    const ready = await fetch(`${url}/health/ready`);
    expect({ status: ready.status, text: await ready.text() }).toMatchObject({
      status: 503,
      text: expect.stringContaining('EARSHOT_DATABASE_MAX_MB'),
    });
    await full.dispose();
    await server.stop();
  });
});
