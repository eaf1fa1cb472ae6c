import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { apiKeyRoutes } from '../../src/contract/identity/api-keys.js';
import { participantRoutes } from '../../src/contract/people/participants.js';
import { startDaemon, type TestDaemon } from '../support/daemon.js';
import { hasNginx, type ReverseProxy, startNginx } from '../support/nginx.js';
import { openStream } from '../support/stream.js';

/** nginx buffers 4 or 8 KiB of an answer unless it is told not to; these events are far smaller. */
describe.skipIf(!hasNginx)('a stream through nginx with its default buffering (package nginx-light)', () => {
  let daemon: TestDaemon;
  let proxy: ReverseProxy;
  beforeAll(async () => {
    daemon = await startDaemon();
    proxy = await startNginx(daemon.url);
  });
  afterAll(async () => {
    await proxy.stop();
    await daemon.stop();
  });
  const path = () => `/api/projects/${daemon.projectId}/events/stream`;
  const join = (externalUserId: string) =>
    daemon.client.call(participantRoutes.create, { params: { projectId: daemon.projectId }, body: { externalUserId } });

  it('brings each event as it happens, and the next one behind it', async () => {
    const stream = await openStream(proxy.url + path(), { 'X-API-Key': daemon.apiKey });
    expect(stream.headers.get('server')).toMatch(/^nginx/);
    for (const name of ['one', 'two']) {
      await join(name);
      expect((await stream.next()).data).toMatchObject({ payload: { data: { externalUserId: name } } });
    }
    stream.close();
  });

  it('goes on behind the last event seen', async () => {
    const first = await openStream(proxy.url + path(), { 'X-API-Key': daemon.apiKey });
    await join('three');
    const { id } = await first.next();
    first.close();
    await join('four');
    const second = await openStream(proxy.url + path(), { 'X-API-Key': daemon.apiKey, 'Last-Event-ID': id ?? '' });
    expect((await second.next()).data).toMatchObject({ payload: { data: { externalUserId: 'four' } } });
    second.close();
  });

  it('ends with its reason when the key is revoked', async () => {
    const { id, key } = await daemon.admin.call(apiKeyRoutes.create, { body: { name: 'x', scopes: ['events:read'] } });
    const stream = await openStream(proxy.url + path(), { 'X-API-Key': key });
    await daemon.admin.call(apiKeyRoutes.revoke, { params: { id } });
    expect(await stream.next()).toMatchObject({ event: 'stream.closed', data: { reason: 'access_gone' } });
    await stream.ended;
  });
});
