import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { connectAsync } from 'mqtt';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { credentialHeaders, type EarshotClient } from '../../../src/client/earshot-client.js';
import { sanctionRoutes } from '../../../src/contract/moderation/sanctions.js';
import { participantRoutes } from '../../../src/contract/people/participants.js';
import { sessionRoutes } from '../../../src/contract/sessions/sessions.js';
import { webhookRoutes } from '../../../src/contract/webhooks/webhooks.js';
import { startDaemon, type TestDaemon } from '../../support/daemon.js';
import { eventually } from '../../support/eventually.js';
import { makeOtherTenant } from '../../support/other-tenant.js';
import { exchange } from '../../support/raw-http.js';
import { type Receiver, startReceiver } from '../../support/receiver.js';
import { openStream } from '../../support/stream.js';

const freshMs = 1_000;
let daemon: TestDaemon;
let receiver: Receiver;
beforeAll(async () => {
  const noon = '0 12 1 1 *';
  daemon = await startDaemon({
    settings: {
      ...{ EARSHOT_OUTBOUND_ALLOW: '127.0.0.0/8', EARSHOT_BACKUP_SCHEDULE: noon, EARSHOT_BACKUP_DRILL: noon },
      ...{ EARSHOT_BACKUP_S3_URL: 'http://127.0.0.1:9/backups', EARSHOT_BACKUP_S3_KEY_ID: 'id' },
      EARSHOT_BACKUP_S3_SECRET: 'secret',
    },
  });
  receiver = await startReceiver();
});
afterAll(async () => {
  await daemon.stop();
  await receiver.stop();
});

/** Series → value, without the version that all of them carry. */
async function figures(): Promise<ReadonlyMap<string, number>> {
  await sleep(freshMs); // until then the daemon gives the figures that it has
  const answer = await fetch(`${daemon.url}/metrics`);
  expect(answer.headers.get('content-type')).toContain('text/plain');
  const lines = (await answer.text()).split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return new Map(
    lines.map((line) => {
      const at = line.lastIndexOf(' ');
      const series = line.slice(0, at).replace(/version="[^"]*",?/, '');
      return [series.replace(',}', '}').replace('{}', ''), Number(line.slice(at + 1))] as const;
    }),
  );
}
/** Waits until the series have these values, beyond those that they had before. */
const shows = (wanted: Readonly<Record<string, number>>, before?: ReadonlyMap<string, number>): Promise<void> =>
  eventually(async () => {
    const found = await figures();
    const beyond = (series: string) =>
      before === undefined ? found.get(series) : (found.get(series) ?? 0) - (before.get(series) ?? 0);
    expect(Object.fromEntries(Object.keys(wanted).map((series) => [series, beyond(series)]))).toEqual(wanted);
  });
const params = () => ({ projectId: daemon.projectId });
const status = async (path: string, init?: RequestInit) => (await fetch(`${daemon.url}${path}`, init)).status;

describe('the names of metrics', () => {
  const root = join(import.meta.dirname, '../../..');
  const pages = ['README.md', 'SECURITY.md', ...readdirSync(join(root, 'docs')).map((name) => `docs/${name}`)]
    .filter((name) => name.endsWith('.md'))
    .map((name) => readFileSync(join(root, name), 'utf8'));
  /** Text in documents that begins as metrics do: keys, a cookie and a table. */
  const others = ['earshot_live_', 'earshot_console', 'earshot_log'];

  it('stand in docs/operating.md, and no document names one that is not there', async () => {
    const scraped = await (await fetch(`${daemon.url}/metrics`)).text();
    const names = [...scraped.matchAll(/^# HELP (earshot_\w+)/gm)].map(([, name]) => name ?? '');
    const operating = readFileSync(join(root, 'docs/operating.md'), 'utf8');
    expect(names.length).toBeGreaterThan(40);
    expect(names.filter((name) => !operating.includes(`\`${name}\``))).toEqual([]);
    const documented = pages.flatMap((page) => [...page.matchAll(/\bearshot_[a-z_]+/g)].map(([name]) => name));
    expect(documented.filter((name) => !names.includes(name) && !others.includes(name))).toEqual([]);
  });
});

describe('GET /metrics at the API port', () => {
  const raw = (head: string) => exchange(daemon.url, `GET /metrics HTTP/1.1\r\nConnection: close\r\n${head}\r\n`);

  it('is open to who comes directly from this machine', async () => {
    expect((await raw('Host: localhost\r\n')).status).toBe(200);
  });

  it.each([
    ['X-Forwarded-For', 'Host: localhost\r\nX-Forwarded-For: 203.0.113.1\r\n'],
    ['Forwarded', 'Host: localhost\r\nForwarded: for=203.0.113.1\r\n'],
    ['X-Real-IP', 'Host: localhost\r\nX-Real-IP: 203.0.113.1\r\n'],
    ['Via', 'Host: localhost\r\nVia: 1.1 proxy\r\n'],
    ['the name of another host', 'Host: earshot.example\r\n'],
  ])('asks for a credential where a proxy shows by %s', async (_, head) => {
    expect((await raw(head)).status).toBe(401);
  });

  it('asks for a credential by HTTP/1.0, which proxies speak', async () => {
    expect((await exchange(daemon.url, 'GET /metrics HTTP/1.0\r\nHost: localhost\r\n\r\n')).status).toBe(401);
  });

  it('asks for a credential where proxies are configured', async () => {
    const behind = await startDaemon({ settings: { EARSHOT_TRUSTED_PROXIES: '10.0.0.0/8' } });
    expect((await fetch(`${behind.url}/metrics`)).status).toBe(401);
    await behind.stop();
  });

  it('takes no key of a tenant that does not run the installation: the figures are of all', async () => {
    const key = await makeOtherTenant(daemon.databaseUrl, new Date());
    const response = await fetch(`${daemon.url}/metrics`, {
      headers: { 'X-Forwarded-For': '203.0.113.1', 'X-API-Key': key },
    });
    expect(response.status).toBe(403);
    expect(await response.json()).toMatchObject({ code: 'insufficient_role' });
  });

  it('takes tenant-wide keys with projects:read, and administrators', async () => {
    const forwarded = { 'X-Forwarded-For': '203.0.113.1' };
    const asked = async (client: EarshotClient) => {
      const { status } = await fetch(`${daemon.url}/metrics`, {
        headers: { ...forwarded, ...credentialHeaders(client.credential) },
      });
      return status;
    };
    expect(await asked(await daemon.clientWith(['projects:read']))).toBe(200);
    expect(await asked(await daemon.clientWith(['events']))).toBe(403);
    expect(await asked(await daemon.clientWith(['projects:read'], daemon.projectId))).toBe(403);
    expect(await asked(daemon.admin)).toBe(200);
  });
});

describe('the names of the figures', () => {
  const text = async () => (await fetch(`${daemon.url}/metrics`)).text();
  const hasPromtool = spawnSync('promtool', ['--version']).status === 0;

  it.skipIf(!hasPromtool)('are those that promtool finds well chosen', async () => {
    const { status, stderr } = spawnSync('promtool', ['check', 'metrics'], { input: await text(), encoding: 'utf8' });
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  });

  it('end in _total just where the figure is a counter', async () => {
    const types = [...(await text()).matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name = '', type = '']) => ({
      name,
      type,
    }));
    expect(types.filter(({ name, type }) => name.endsWith('_total') !== (type === 'counter'))).toEqual([]);
  });

  it('are the usual ones for the process', async () => {
    expect([...(await figures()).keys()]).toEqual(
      expect.arrayContaining(['process_cpu_seconds_total', 'nodejs_eventloop_lag_seconds']),
    );
  });
});

describe('GET /metrics', () => {
  it('is small however many operations strangers call, and collected once a second for all who ask', async () => {
    const { paths } = z
      .object({ paths: z.record(z.string(), z.record(z.string(), z.unknown())) })
      .parse(await (await fetch(`${daemon.url}/api/openapi.json`)).json());
    const limited = await startDaemon({ settings: { EARSHOT_RATE_LIMIT_ADDRESS: '0' } });
    const size = async () => (await (await fetch(`${limited.url}/metrics`)).text()).length;
    const before = await size();
    for (const [path, operations] of Object.entries(paths))
      for (const method of Object.keys(operations))
        await (await fetch(limited.url + path, { method: method.toUpperCase() })).body?.cancel();
    await sleep(freshMs);
    expect((await size()) - before).toBeLessThan(30_000);
    const texts = await Promise.all([1, 2, 3].map(async () => (await fetch(`${limited.url}/metrics`)).text()));
    expect(new Set(texts).size).toBe(1);
    const asked = Array.from({ length: 60 }, () => fetch(`${limited.url}/metrics`).then(({ status }) => status));
    expect((await Promise.all(asked)).filter((one) => one === 429).length).toBeGreaterThan(0);
    await limited.stop();
  });

  it('counts requests by the group of their operation, and those of strangers together', async () => {
    const group = 'Participants';
    const before = await figures();
    for (const name of ['one', 'two'])
      await expect(daemon.client.call(participantRoutes.get, { params: { ...params(), id: name } })).rejects.toThrow();
    for (const path of ['/nothing', '/nothing-else']) expect(await status(path)).toBe(404);
    expect(await status(`/api/projects/${daemon.projectId}/participants/one`, { method: 'DELETE' })).toBe(401);
    await shows(
      {
        [`earshot_http_requests_total{method="GET",group="${group}",status="404"}`]: 2,
        'earshot_http_requests_total{method="DELETE",group="other",status="401"}': 1,
        [`earshot_http_request_duration_seconds_count{method="GET",group="${group}"}`]: 2,
        'earshot_http_requests_total{method="GET",group="other",status="404"}': 2,
      },
      before,
    );
  });

  it('sorts durations into five buckets and the rest', async () => {
    await expect(daemon.client.call(participantRoutes.get, { params: { ...params(), id: 'three' } })).rejects.toThrow();
    const ofGroup = /^earshot_http_request_duration_seconds_bucket\{le="([^"]+)",method="GET",group="Participants"/;
    const buckets = [...(await figures()).keys()].flatMap((series) => ofGroup.exec(series)?.[1] ?? []);
    expect(buckets).toEqual(['0.01', '0.05', '0.25', '1', '5', '+Inf']);
  });

  it('shows who follows', async () => {
    const route = '/api/projects/{projectId}/events/stream';
    const before = await figures();
    const stream = await openStream(`${daemon.url}${route.replace('{projectId}', daemon.projectId)}`, {
      'X-API-Key': daemon.apiKey,
    });
    const mqtt = await connectAsync(`${daemon.url.replace('http', 'ws')}/mqtt`);
    await shows({ earshot_event_streams: 1, earshot_mqtt_connections: 1 });
    stream.close();
    await mqtt.endAsync();
    await shows({ earshot_event_streams: 0, earshot_mqtt_connections: 0 });
    const group = 'group="Real-time events"';
    await shows({ [`earshot_http_requests_total{method="GET",${group},status="200"}`]: 1 }, before);
    // How long somebody listens is no time that an answer took.
    expect(
      [...(await figures()).keys()].filter((series) => series.includes('duration') && series.includes(group)),
    ).toEqual([]);
  });

  it('counts events and what becomes of their deliveries', async () => {
    const hook = { url: receiver.url, secret: 'a long enough secret', events: ['sanction.*'] };
    const before = await figures();
    const { id } = await daemon.client.call(webhookRoutes.create, { params: params(), body: hook });
    receiver.behave = ({ body }) => ({ status: body.includes('u_broken') ? 410 : 204 });
    for (const externalUserId of ['u1', 'u2', 'u_broken'])
      await daemon.client.call(sanctionRoutes.create, { params: params(), body: { type: 'warn', externalUserId } });
    await shows(
      {
        'earshot_events_appended_total{type="sanction.created"}': 3,
        'earshot_webhook_attempts_total{outcome="delivered"}': 2,
        'earshot_webhook_attempts_total{outcome="failed"}': 1,
        earshot_webhook_attempt_duration_seconds_count: 3,
      },
      before,
    );
    await shows({ earshot_webhooks_pending: 0, earshot_webhooks_in_flight: 0, earshot_intake_waiting: 0 });
    await daemon.client.call(webhookRoutes.remove, { params: { ...params(), id } });
  });

  it('shows rooms and bots', async () => {
    const before = await figures();
    const body = { title: 'Demo', externalRoomId: randomUUID() };
    await daemon.client.call(sessionRoutes.create, { params: params(), body });
    await shows({ earshot_rooms: 1, 'earshot_bots{state="listening"}': 1 }, before);
    await shows({
      'earshot_bots{state="failed"}': 0,
      'earshot_room_people{publishing="true"}': 0,
      'earshot_room_packets_total{fate="in"}': 0,
      earshot_room_process_restarts_total: 0,
      earshot_utterances_recognising: 0,
    });
  });
});
