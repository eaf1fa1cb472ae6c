/** The proxies of `examples/` as they stand, but for names, ports and certificates, before a daemon that trusts them. */
import { readFileSync } from 'node:fs';
import https from 'node:https';
import mqtt from 'mqtt';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { auditRoutes } from '../../src/contract/audit/audit.js';
import { projectUserRoutes } from '../../src/contract/projects/projects.js';
import { tokenRoutes } from '../../src/contract/rooms/tokens.js';
import { chromiumPath, Visitor } from '../support/browser.js';
import { hasOpenssl } from '../support/certificates.js';
import { signIn } from '../support/console.js';
import { administrator, startDaemon, type TestDaemon } from '../support/daemon.js';
import { exampleProxies, proxyPlace } from '../support/proxies.js';

interface Sending {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Address of this machine that the client has. */
  readonly localAddress?: string;
  /** Address of the proxy. */
  readonly hostname?: string;
}

describe.each(exampleProxies)('examples/$name (package $package)', { timeout: 120_000 }, (proxy) => {
  const canRun = proxy.isThere && hasOpenssl;
  let daemon: TestDaemon;
  let place: Awaited<ReturnType<typeof proxyPlace>>;
  let url: string;
  let stopProxy: () => Promise<void>;

  beforeAll(async () => {
    if (!canRun) return;
    place = await proxyPlace();
    url = place.url;
    daemon = await startDaemon({ settings: { EARSHOT_PUBLIC_URL: url, EARSHOT_TRUSTED_PROXIES: '127.0.0.1' } });
    stopProxy = await proxy.run({ ...place, upstream: daemon.url, changes: [] });
  }, 120_000);
  afterAll(async () => {
    await stopProxy?.();
    await daemon?.stop();
    place?.remove();
  });

  const params = () => ({ projectId: daemon.projectId });
  const ask = (path: string, { body, headers, ...sending }: Sending = {}) =>
    new Promise<{ status: number; headers: Record<string, unknown>; text: string }>((resolve, reject) => {
      const options = {
        ca: readFileSync(place.certificate.cert),
        ...{ servername: 'localhost', hostname: '127.0.0.1', ...sending },
        headers: { ...headers, Host: new URL(url).host },
      };
      const request = https.request(url + path, options, (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (part) => {
          text += part;
          if (text.includes('\ndata: ')) {
            response.destroy(); // a stream does not end
            done();
          }
        });
        const done = () => resolve({ status: response.statusCode ?? 0, headers: response.headers, text });
        response.on('end', done);
      });
      request.on('error', reject).end(body);
    });

  const post = (path: string, body: unknown, sending: Sending = {}) =>
    ask(`/api/projects/${daemon.projectId}/${path}`, {
      ...sending,
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'X-API-Key': daemon.apiKey, ...sending.headers },
      body: JSON.stringify(body),
    });

  it.skipIf(!canRun)('sends people who come by http on to https', async () => {
    const { status, headers } = await fetch(`${place.plainUrl}/rooms/demo?a=b`, { redirect: 'manual' });
    expect([status, headers.get('location')]).toEqual([
      308,
      expect.stringMatching(/^https:\/\/localhost(:\d+)?\/rooms\/demo\?a=b$/),
    ]);
  });

  it.skipIf(!canRun)('gives out links that lead through it', async () => {
    const { publicUrl } = JSON.parse((await ask('/api')).text);
    expect(publicUrl).toBe(url);
    const body = { email: 'link@example.com', role: 'viewer' } as const;
    const { invitationUrl } = await daemon.admin.call(projectUserRoutes.invite, { params: params(), body });
    expect(invitationUrl).toMatch(new RegExp(`^${url}/invitation#token=`));
  });

  it.skipIf(!canRun)('names the client and not the proxy in the audit log, whatever the client claims', async () => {
    const headers = { 'X-Forwarded-For': '203.0.113.9' };
    const { status } = await post(
      'sanctions',
      { type: 'warn', externalUserId: 'u1' },
      { headers, localAddress: '127.0.0.2' },
    );
    expect(status).toBe(201);
    const { entries } = await daemon.admin.call(auditRoutes.list, {
      params: params(),
      query: { action: 'createSanction' },
    });
    expect(entries.map(({ address }) => address)).toEqual(['127.0.0.2']);
  });

  it.skipIf(!canRun)('listens on IPv6 as well', async () => {
    const { status } = await post('sanctions', { type: 'warn', externalUserId: 'u6' }, { hostname: '::1' });
    expect(status).toBe(201);
    const { entries } = await daemon.admin.call(auditRoutes.list, {
      params: params(),
      query: { action: 'createSanction', limit: 1 },
    });
    expect(entries.map(({ address }) => address)).toEqual(['::1']);
  });

  it.skipIf(!canRun)(
    'lets bodies through that the daemon takes, and leaves it to the daemon to refuse larger ones',
    async () => {
      const codeFor = async (mebibytes: number) =>
        JSON.parse((await post('sanctions/batch', { padding: 'x'.repeat(mebibytes * 1024 * 1024) })).text).code;
      expect([await codeFor(3.9), await codeFor(4.1)]).toEqual(['validation_failed', 'body_too_large']);
    },
  );

  it.skipIf(!canRun)('brings events as they happen', async () => {
    const stream = ask(`/api/projects/${daemon.projectId}/events/stream`, { headers: { 'X-API-Key': daemon.apiKey } });
    // It cannot be seen from here if the stream is open yet.
    const causing = setInterval(() => void post('participants', { externalUserId: `u${performance.now()}` }), 300);
    expect((await stream).text).toContain('participant.created');
    clearInterval(causing);
  });

  it.skipIf(!canRun)('carries MQTT over WebSocket', async () => {
    const client = await mqtt.connectAsync(`${url.replace('https', 'wss')}/mqtt`, {
      ca: readFileSync(place.certificate.cert),
      username: daemon.projectId,
      password: daemon.apiKey,
      reconnectPeriod: 0,
    });
    expect(client.connected).toBe(true);
    await client.endAsync();
  });

  it.skipIf(!canRun || chromiumPath === null)('opens a room to a browser, whose sound goes past it', async () => {
    const body = { roomId: 'demo', userId: 'ann', displayName: 'Ann' };
    const { url: roomUrl, token } = await daemon.client.call(tokenRoutes.generateForProject, {
      params: params(),
      body,
    });
    expect(roomUrl).toBe(`${url}/rooms/demo`);
    const ann = await Visitor.come(null, { ignoreHTTPSErrors: true });
    try {
      await ann.page.goto(`${roomUrl}#token=${token}`);
      await ann.page.getByRole('button', { name: 'Join and talk' }).click();
      await ann.page.getByText('You are in the room.').waitFor();
      expect(ann.complaints).toEqual([]);
    } finally {
      await ann.go();
    }
  });

  it.skipIf(!canRun || chromiumPath === null)(
    'shows the console, which stays up to date and keeps its session',
    async () => {
      const mo = await Visitor.come(null, { ignoreHTTPSErrors: true });
      try {
        await signIn(mo, { url }, administrator.email, '', administrator.password);
        await mo.page.goto(`${url}/console/projects/${daemon.projectId}/sanctions`);
        await mo.page.getByRole('heading', { name: 'Sanctions' }).waitFor();
        await post('sanctions', { type: 'warn', externalUserId: 'u_seen' });
        await mo.page.getByText('u_seen').first().waitFor();
        expect(mo.complaints).toEqual([]);
      } finally {
        await mo.go();
      }
    },
  );
});
