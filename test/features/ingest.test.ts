import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { settingsRoutes } from '../../src/contract/settings.js';
import { sign } from '../../src/signing.js';
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

const event = (type = 'server.started') =>
  JSON.stringify({
    type,
    resourceId: 'server:1',
    source: 'fleet:server',
    timestamp: new Date().toISOString(),
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

  it('refuses types that the daemon emits itself', async () => {
    expect(await send(event('sanction.created'))).toMatchObject({ status: 400, body: { code: 'reserved_type' } });
  });

  it('refuses everything once the secret is revoked', async () => {
    await daemon.client.call(settingsRoutes.revokeSecret, { params: { projectId: daemon.projectId } });
    expect((await send(event())).status).toBe(401);
  });
});
