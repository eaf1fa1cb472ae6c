/** A lost right takes effect within a second on every open connection. */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import mqtt from 'mqtt';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { askDaemon } from '../../daemon/admin-socket/client.js';
import { setUserDisabled } from '../../daemon/modules/identity/admin-operations.js';
import { EarshotClient } from '../../src/client/earshot-client.js';
import { accountRoutes } from '../../src/contract/identity/accounts.js';
import { apiKeyRoutes } from '../../src/contract/identity/api-keys.js';
import { projectUserRoutes } from '../../src/contract/projects/projects.js';
import { startDaemon, type TestDaemon } from '../support/daemon.js';
import { type ForeignProvider, startIdentityProvider } from '../support/identity-provider.js';
import { startStopwatch } from '../support/own-time.js';
import { torture } from '../support/scale.js';
import { openStream } from '../support/stream.js';

const withinMs = 1_000;
/** Different moments between two looks of whoever looks: a slower look would be caught by one of them. */
const moments = torture ? [0, 130, 260, 390, 520, 650, 780] : [0, 260, 650];
const patienceMs = 30_000;

let provider: ForeignProvider;
let daemon: TestDaemon;
beforeAll(async () => {
  provider = await startIdentityProvider();
  daemon = await startDaemon({ settings: { ...provider.settings, EARSHOT_TRUSTED_PROXIES: '127.0.0.1' } });
});
afterAll(async () => {
  await daemon.stop();
  await provider.stop();
});

/** Something open, and what takes the right to it away. */
interface Held {
  readonly ended: Promise<unknown>;
  readonly takeAway: () => Promise<unknown>;
}

const projectStream = (headers: Record<string, string>) =>
  openStream(`${daemon.url}/api/projects/${daemon.projectId}/events/stream`, headers);
const tenantStream = (headers: Record<string, string>) => openStream(`${daemon.url}/api/events/stream`, headers);
const held = async (stream: ReturnType<typeof openStream>, takeAway: Held['takeAway']): Promise<Held> => {
  const { status, ended } = await stream;
  expect(status).toBe(200);
  return { ended, takeAway };
};

const newKey = () => daemon.admin.call(apiKeyRoutes.create, { body: { name: 'open', scopes: ['events'] } });
const revoke = (id: string) => daemon.admin.call(apiKeyRoutes.revoke, { params: { id } });

let addresses = 0;
async function member() {
  const email = `${randomUUID()}@example.com`;
  const params = { projectId: daemon.projectId };
  provider.know(email, { email, email_verified: true });
  const { permissionId } = await daemon.admin.call(projectUserRoutes.invite, { params, body: { email } });
  addresses += 1;
  const response = await fetch(`${daemon.url}${accountRoutes.login.path}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'X-Forwarded-For': `198.51.100.${addresses}` },
    body: JSON.stringify({ sessionId: await provider.accessToken(email) }),
  });
  const { accessToken } = JSON.parse(await response.text());
  const client = new EarshotClient({ baseUrl: daemon.url, credential: { kind: 'bearer', token: accessToken } });
  return { email, permissionId, client, headers: { Authorization: `Bearer ${accessToken}` } };
}

const ways: Readonly<Record<string, () => Promise<Held>>> = {
  'a revoked key, on a stream of a project': async () => {
    const { id, key } = await newKey();
    return held(projectStream({ 'X-API-Key': key }), () => revoke(id));
  },
  'a revoked key, on a stream of the tenant': async () => {
    const { id, key } = await newKey();
    return held(tenantStream({ 'X-API-Key': key }), () => revoke(id));
  },
  'a revoked key, on MQTT': async () => {
    const { id, key } = await newKey();
    const options = { username: daemon.projectId, password: key, reconnectPeriod: 0 };
    const client = await mqtt.connectAsync(daemon.mqttUrl, options);
    const ended = new Promise((resolve) => client.once('close', () => resolve(undefined)));
    return { ended, takeAway: () => revoke(id) };
  },
  'a logout': async () => {
    const { client, headers } = await member();
    return held(projectStream(headers), () => client.call(accountRoutes.logout, {}));
  },
  'a login that was exchanged': async () => {
    const { client, headers } = await member();
    return held(tenantStream(headers), () => client.call(accountRoutes.refresh, {}));
  },
  'a role that was taken away': async () => {
    const { headers, permissionId } = await member();
    const remove = { params: { projectId: daemon.projectId }, body: { permissionId } };
    return held(projectStream(headers), () => daemon.admin.call(projectUserRoutes.remove, remove));
  },
  'an account that was disabled': async () => {
    const { headers, email } = await member();
    return held(tenantStream(headers), () => askDaemon(daemon.dataDir, setUserDisabled, { email, disabled: true }));
  },
};

/** Measures how long a connection outlives its right, from the answer of the call that revokes it. */
async function outlives({ ended, takeAway }: Held, afterMs: number): Promise<number> {
  await sleep(afterMs);
  await takeAway();
  const watch = startStopwatch();
  const late = sleep(patienceMs, 'late', { ref: false });
  const how = await Promise.race([ended, late]);
  watch.stop();
  return how === 'late' ? Number.POSITIVE_INFINITY : watch.elapsedMs;
}

describe('what is open', () => {
  it('ends within a second of the loss of its right, whatever takes that away', async () => {
    const all: [string, Held, number][] = [];
    for (const [name, open] of Object.entries(ways)) {
      for (const moment of moments) all.push([name, await open(), moment]);
    }
    const outlived = await Promise.all(
      all.map(async ([name, open, moment]) => [name, await outlives(open, moment)] as const),
    );
    expect(outlived.filter(([, elapsedMs]) => elapsedMs > withinMs)).toEqual([]);
  });

  it('goes on for whoever has kept the right', async () => {
    const [kept, lost] = [await member(), await member()];
    const stream = await projectStream(kept.headers);
    const other = await projectStream(lost.headers);
    await lost.client.call(accountRoutes.logout, {});
    await other.ended;
    expect(await kept.client.call(accountRoutes.me, {})).toMatchObject({ email: kept.email });
    expect(await Promise.race([stream.ended.then(() => 'ended'), sleep(0, 'open')])).toBe('open');
    stream.close();
  });
});
