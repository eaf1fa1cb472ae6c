import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ownEventTypes } from '../../src/contract/events.js';
import { settingsRoutes } from '../../src/contract/projects/settings.js';
import { sign } from '../../src/signing/signing.js';
import { startDaemon, type TestDaemon } from '../support/daemon.js';

let daemon: TestDaemon;
let secret: string;
beforeAll(async () => {
  daemon = await startDaemon();
  const params = { projectId: daemon.projectId };
  await daemon.client.call(settingsRoutes.syncSecret, { params });
  ({ secret } = await daemon.client.call(settingsRoutes.secret, { params }));
});
afterAll(() => daemon.stop());

const event = (type = 'server.started', timestamp = new Date().toISOString()) =>
  JSON.stringify({
    type,
    resourceId: 'server:1',
    source: 'fleet:server',
    timestamp,
    data: { region: 'eu' },
  });

const send = async (body: string, change: Record<string, string> = {}) => {
  const timestamp = change['X-Timestamp'] ?? new Date().toISOString();
  const headers = {
    'X-Timestamp': timestamp,
    'X-Signature': sign(secret, timestamp, body),
    'X-Project-Id': daemon.projectId,
    'Content-Type': 'application/json',
    ...change,
  };
  const response = await fetch(`${daemon.url}/api/events/ingest`, { method: 'POST', headers, body });
  return { status: response.status, body: (await response.json()) as { id: string; code?: string } };
};

describe('POST /api/events/ingest', () => {
  it('takes a signed event, once', async () => {
    const timestamp = new Date().toISOString();
    const body = event();
    const first = await send(body, { 'X-Timestamp': timestamp });
    expect(first.status).toBe(201);
    expect(await send(body, { 'X-Timestamp': timestamp })).toEqual(first);
  });

  it.each([
    ['a wrong signature', { 'X-Signature': '0'.repeat(64) }],
    ['an old timestamp', { 'X-Timestamp': new Date(Date.now() - 301_000).toISOString() }],
    ['an unknown project', { 'X-Project-Id': 'nobody' }],
  ])('refuses %s', async (_, change) => {
    expect(await send(event(), change)).toMatchObject({ status: 401, body: { code: 'signature_invalid' } });
  });

  it.each([
    ...ownEventTypes,
    'message.annotation.created',
    'session.annotation.created',
    'battlepass.challenge.changed',
    'battlepass.expired',
    'leaderboard.changed',
  ])('refuses %s, which only the daemon makes', async (type) => {
    expect(await send(event(type))).toMatchObject({ status: 400, body: { code: 'reserved_type' } });
  });

  it('takes an event without a timestamp as of now', async () => {
    const { timestamp: _, ...undated } = JSON.parse(event());
    expect((await send(JSON.stringify(undated))).status).toBe(201);
    expect((await send(JSON.stringify({ ...undated, timestamp: null }))).status).toBe(201);
  });

  it('takes a timestamp of the past, and none that is more than five minutes ahead', async () => {
    const dated = (offsetMs: number) => send(event('server.started', new Date(Date.now() + offsetMs).toISOString()));
    expect((await dated(-86_400_000)).status).toBe(201);
    expect((await dated(290_000)).status).toBe(201);
    expect(await dated(310_000)).toMatchObject({
      status: 400,
      body: { code: 'validation_failed', details: [{ path: 'body.timestamp' }] },
    });
  });

  it('refuses everything once the secret is revoked', async () => {
    await daemon.client.call(settingsRoutes.revokeSecret, { params: { projectId: daemon.projectId } });
    expect((await send(event())).status).toBe(401);
  });
});
