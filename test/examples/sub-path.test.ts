/** A daemon below a path of a host that belongs to another program: nothing that it answers leads out of the path. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import mqtt from 'mqtt';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ownPaths } from '../../daemon/platform/config/schema.js';
import { EarshotClient } from '../../src/client/earshot-client.js';
import { roomEventSourceUrl } from '../../src/client/room/room-event-source-url.js';
import { accountRoutes } from '../../src/contract/identity/accounts.js';
import { consoleSessionRoutes } from '../../src/contract/identity/console-sessions.js';
import { sanctionRoutes } from '../../src/contract/moderation/sanctions.js';
import { statementRoutes } from '../../src/contract/moderation/statements.js';
import { openApiDocument } from '../../src/contract/openapi.js';
import { participantRoutes } from '../../src/contract/people/participants.js';
import { projectUserRoutes } from '../../src/contract/projects/projects.js';
import { tokenRoutes } from '../../src/contract/rooms/tokens.js';
import { allRoutes } from '../../src/contract/routes.js';
import { chromiumPath, expectFine, Visitor } from '../support/browser.js';
import { hasOpenssl } from '../support/certificates.js';
import { commandLine } from '../support/cli.js';
import { enterRoom, signIn } from '../support/console.js';
import { administrator, startDaemon, type TestDaemon } from '../support/daemon.js';
import { freePort } from '../support/free-port.js';
import { hasNginx, startNginxWith } from '../support/nginx.js';
import { exampleProxies, proxyPlace } from '../support/proxies.js';
import { deadOffer, postOffer } from '../support/room-client.js';
import { openStream } from '../support/stream.js';

const base = '/earshot';
/** The other program of the host; whatever leads out of the path is asked of it. */
const strayed: string[] = [];
let stranger: Server;
let daemon: TestDaemon;
let origin: string;
let url: string;
/** The same daemon behind a proxy that removes the path. */
let removing: string;
let stopNginx: () => Promise<void>;

const site = (port: number, target: string, other: string): string => `server {
  listen 127.0.0.1:${port};
  location / { proxy_pass ${other}; }
  location ${base}/ {
    proxy_pass ${target};
    proxy_http_version 1.1;
    proxy_set_header Host $http_host;
    proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;
    proxy_set_header Upgrade $http_upgrade;
    proxy_set_header Connection $connection_of_test;
  }
}`;
const map = 'map $http_upgrade $connection_of_test { default upgrade; "" ""; }\n';

describe.skipIf(!hasNginx)('a daemon below a path of a host', { timeout: 180_000 }, () => {
  const cli = commandLine();
  beforeAll(async () => {
    stranger = createServer((request, response) => {
      strayed.push(request.url ?? '');
      response.writeHead(404).end();
    });
    await new Promise<void>((resolve) => stranger.listen(0, '127.0.0.1', resolve));
    const [keeps, removes] = [await freePort(), await freePort()];
    origin = `http://127.0.0.1:${keeps}`;
    url = origin + base;
    removing = `http://127.0.0.1:${removes}${base}`;
    daemon = await startDaemon({ settings: { EARSHOT_PUBLIC_URL: `${url}/`, EARSHOT_TRUSTED_PROXIES: '127.0.0.1' } });
    const other = `http://127.0.0.1:${(stranger.address() as AddressInfo).port}`;
    stopNginx = await startNginxWith(
      map + site(keeps, daemon.url, other) + site(removes, `${daemon.url}/`, other),
      origin,
    );
    strayed.length = 0;
  }, 120_000);
  afterAll(async () => {
    await stopNginx?.();
    stranger?.close();
    await daemon?.stop();
    cli.dispose();
  });

  const params = () => ({ projectId: daemon.projectId });
  const library = () => new EarshotClient({ baseUrl: url, credential: { kind: 'apiKey', key: daemon.apiKey } });
  const roomToken = (userId: string) =>
    daemon.client.call(tokenRoutes.generateForProject, { params: params(), body: { roomId: 'court', userId } });
  const standing = async (externalUserId: string) => {
    const { id } = await daemon.client.call(sanctionRoutes.create, {
      params: params(),
      body: { type: 'temp_ban', duration: 3_600, externalUserId },
    });
    return (await daemon.client.call(statementRoutes.get, { params: { ...params(), id } })).url ?? '';
  };
  const invitation = async (email: string) => {
    const body = { email, role: 'moderator' } as const;
    return (await daemon.admin.call(projectUserRoutes.invite, { params: params(), body })).invitationUrl ?? '';
  };
  /** Addresses that an answer names: in headers, and in the attributes of a page. */
  const namedBy = async (response: Response): Promise<string[]> => {
    const { headers } = response;
    const html = (headers.get('content-type') ?? '').startsWith('text/html') ? await response.text() : '';
    return [
      ...(headers.get('location') === null ? [] : [headers.get('location') ?? '']),
      ...[...(headers.get('link') ?? '').matchAll(/<([^>]*)>/g)].map(([, target = '']) => target),
      ...headers.getSetCookie().map((cookie) => /; Path=([^;]*)/.exec(cookie)?.[1] ?? '/'),
      ...[...html.matchAll(/ (?:href|src|action)="([^"#][^"]*)"/g)].map(([, target = '']) => target),
    ];
  };

  it('names no address outside, in links, redirects, cookies and pages, and all that it names are there', async () => {
    for (const name of ['a', 'b', 'c'])
      await library().call(participantRoutes.create, { params: params(), body: { externalUserId: name } });
    const key = { 'X-API-Key': daemon.apiKey };
    const anybody = new EarshotClient({ baseUrl: url });
    const { accessToken } = await anybody.call(accountRoutes.loginCredentials, { body: administrator });
    const own = { Authorization: `Bearer ${accessToken}`, Origin: origin, 'X-Earshot-Console': '1' };
    const page = await standing('crawled');
    const { token } = await roomToken('crawler');
    const asked: [string, RequestInit][] = [
      ...['', '/', '/docs', '/invitation', '/rooms/court', '/console', '/console/projects/x/people'].map(
        (path): [string, RequestInit] => [url + path, { headers: { Accept: 'text/html' } }],
      ),
      [page, {}],
      [page, { method: 'POST', body: new URLSearchParams({ statement: 'It was not me.' }), redirect: 'manual' }],
      [`${url}/api/projects/${daemon.projectId}/participants?limit=1`, { headers: key }],
      [url + consoleSessionRoutes.create.path, { method: 'POST', headers: own }],
      [`${url}/api/openapi.json`, {}],
      [`${url}/health/ready`, {}],
    ];
    const seen = new Set<string>();
    const led = new Set<string>();
    for (const [address, request] of asked) {
      const response = await fetch(address, request);
      expect([address, response.status < 400]).toEqual([address, true]);
      for (const target of await namedBy(response)) {
        seen.add(target);
        led.add(new URL(target, address).href);
      }
    }
    const offered = await postOffer(url, 'whep', 'court', token, deadOffer('whep'));
    const resource = offered.headers.get('location') ?? '';
    expect([offered.status, resource]).toEqual([201, expect.stringMatching(new RegExp(`^${base}/rooms/court/whep/`))]);
    const ended = await fetch(origin + resource, { method: 'DELETE', headers: { Authorization: `Bearer ${token}` } });
    expect(ended.status).toBe(200);
    expect([...led].filter((target) => !target.startsWith(`${url}/`) && target !== url)).toEqual([]);
    expect([...seen]).toEqual(expect.arrayContaining([`${base}/api/auth/console`, `${base}/assets/icon.svg`]));
    for (const target of led) {
      if (target.endsWith('/api/auth/console')) continue; // the path of a cookie
      expect([target, (await fetch(target, { headers: key })).status]).toEqual([target, 200]);
    }
    expect(strayed).toEqual([]);
  });

  it('answers the same whether the proxy removes the path or leaves it, and without a proxy', async () => {
    for (const path of [
      '/',
      '/docs',
      '/api',
      '/console/projects',
      '/rooms/court',
      '/assets/icon.svg',
      '/health/live',
      '/nothing',
    ]) {
      const answers = await Promise.all(
        [url, removing, daemon.url, daemon.url + base].map(async (address) => {
          const response = await fetch(address + path, { headers: { Accept: 'text/html' } });
          const text = await response.text();
          return [response.status, text.replace(/nonce="[^"]*"|"requestId":"[^"]*"/g, '')];
        }),
      );
      for (const answer of answers) expect(answer).toEqual(answers[0]);
    }
    expect((await fetch(`${daemon.url}${base}less/docs`)).status).toBe(404);
  });

  it('has the path in what it says of itself', async () => {
    const { publicUrl } = await new EarshotClient({ baseUrl: url }).call(accountRoutes.greet, {});
    const { servers } = JSON.parse(await (await fetch(`${url}/api/openapi.json`)).text());
    const { url: roomUrl } = await roomToken('said');
    expect([publicUrl, servers, roomUrl]).toEqual([url, [expect.objectContaining({ url })], `${url}/rooms/court`]);
    expect(await standing('u_said')).toMatch(new RegExp(`^${url}/standing/`));
    expect(await invitation('said@example.com')).toMatch(new RegExp(`^${url}/invitation#token=`));
  });

  it('serves the library: calls, streams, and addresses for EventSource; and MQTT', async () => {
    const client = library();
    const { url: roomUrl, token } = await roomToken('listener');
    for (const baseUrl of [url, daemon.url]) {
      const one = new EarshotClient({ baseUrl, credential: { kind: 'apiKey', key: daemon.apiKey } });
      const stream = await openStream(await one.eventSourceUrl({ projectId: daemon.projectId }), {});
      await client.call(participantRoutes.create, { params: params(), body: { externalUserId: `for-${baseUrl}` } });
      expect((await stream.next()).data).toMatchObject({ type: 'participant.created' });
      stream.close();
    }
    const room = await openStream(await roomEventSourceUrl({ url: roomUrl ?? '', token, encryption: null }), {});
    expect((await room.next()).event).toBeDefined();
    room.close();
    const player = await mqtt.connectAsync(`${url.replace('http', 'ws')}/mqtt`, {
      ...{ username: daemon.projectId, password: daemon.apiKey, reconnectPeriod: 0 },
    });
    expect(player.connected).toBe(true);
    await player.endAsync();
    expect(strayed).toEqual([]);
  });

  it('serves the command line, from the login to streams', async () => {
    const login = await cli.run(['login', '--url', url, '--email', administrator.email, '--password-stdin'], {
      input: administrator.password,
    });
    expect([login.code, login.stderr]).toEqual([0, expect.stringContaining(url)]);
    const listed = await cli.json<{ name: string }[]>(['projects', 'list']);
    expect(listed.map(({ name }) => name)).toEqual(['default']);
    const checks = await cli.json<{ check: string; ok: boolean }[]>(['doctor']);
    expect(checks.filter(({ check }) => ['daemon', 'links', 'credential'].includes(check))).toEqual([
      expect.objectContaining({ check: 'daemon', ok: true }),
      expect.objectContaining({ check: 'credential', ok: true }),
    ]);
    const link = await invitation('line@example.com');
    const accepted = await cli.run(['users', 'accept', '--stdin'], { input: `${link}\na long enough password\n` });
    expect([accepted.code, accepted.stderr]).toEqual([0, `Logged in to ${url} as line@example.com.\n`]);
    expect((await cli.run(['console', '--no-browser'])).stdout).toMatch(new RegExp(`${url}/console#code=`));
    expect(strayed).toEqual([]);
  });

  it.skipIf(chromiumPath === null)(
    'shows its pages in a browser, which asks nothing of the other program',
    async () => {
      const mo = await Visitor.come(null, { viewport: { width: 1280, height: 760 } });
      const { page } = mo;
      try {
        await page.goto(`${url}/`);
        await page.getByText(`earshot login --url ${url}`).waitFor();
        await page.getByText('Ready').waitFor();
        await page.getByRole('link', { name: 'Every operation' }).click();
        await page
          .getByRole('heading', { name: /Earshot/ })
          .first()
          .waitFor();
        await page.locator('.opblock-tag').first().waitFor();
        await signIn(mo, { url }, administrator.email, '', administrator.password);
        const screens = page.getByRole('navigation', { name: 'Screens' }).getByRole('link');
        for (let at = 0; at < (await screens.count()); at += 1) {
          await screens.nth(at).click();
          await page.getByRole('heading', { level: 1 }).first().waitFor();
          expect(page.url()).toMatch(new RegExp(`^${url}/console/projects/`));
        }
        await page.reload();
        await page.getByRole('navigation', { name: 'Screens' }).waitFor();
        await page.goto(`${daemon.url}/console`); // past the proxy, without the path
        await page.getByRole('navigation', { name: 'Screens' }).waitFor(); // cookies know no ports
        expect(page.url()).toMatch(new RegExp(`^${daemon.url}${base}/console/projects/`));
        await page.goto(await invitation('page@example.com'));
        await page.getByText('invites you to the project default').waitFor();
        await page.goto(await standing('u_page'));
        await page.getByRole('textbox').fill('It was not me.');
        await page.getByRole('button').first().click();
        await expect.poll(() => page.url()).toMatch(new RegExp(`^${url}/standing/`));
        await enterRoom(mo, daemon, 'ann', 'Ann');
        await expectFine(mo);
        expect(mo.complaints).toEqual([]);
        expect(strayed.filter((path) => path !== '/favicon.ico')).toEqual([]);
      } finally {
        await mo.go();
      }
    },
  );

  it('knows all of its own addresses, which the path does not begin with', () => {
    const firsts = Object.keys(openApiDocument(allRoutes, '1', url).paths ?? {}).map(
      (path) => path.split('/')[1] ?? '',
    );
    const used = new Set([...firsts.filter((name) => name !== ''), 'assets', 'console', 'mqtt']);
    expect([...ownPaths].sort()).toEqual([...used].sort());
  });
});

/** What docs/operating.md says to change in the examples. */
const changes: Readonly<Record<string, readonly [string, string]>> = {
  'nginx.conf': ['location / {', `location ${base}/ {`],
  Caddyfile: ['reverse_proxy 127.0.0.1:8080', `reverse_proxy ${base}/* 127.0.0.1:8080`],
  'haproxy.cfg': ['use_backend earshot', `use_backend earshot if { path_beg ${base}/ }`],
};

describe.each(exampleProxies)('examples/$name with a path', { timeout: 60_000 }, (proxy) => {
  it.skipIf(!proxy.isThere || !hasOpenssl)('shows the daemon below it, and nothing of it elsewhere', async () => {
    const place = await proxyPlace();
    const behind = await startDaemon({
      settings: { EARSHOT_PUBLIC_URL: place.url + base, EARSHOT_TRUSTED_PROXIES: '127.0.0.1' },
    });
    const change = changes[proxy.name];
    if (change === undefined) throw new Error(`Nothing is known of ${proxy.name}.`);
    const stop = await proxy.run({ ...place, upstream: behind.url, changes: [change] });
    const visitor = chromiumPath === null ? null : await Visitor.come(null, { ignoreHTTPSErrors: true });
    try {
      if (visitor === null) return;
      await signIn(visitor, { url: place.url + base }, administrator.email, '', administrator.password);
      const [cookie] = await visitor.page.context().cookies();
      expect(cookie).toMatchObject({
        name: '__Secure-earshot_console',
        path: `${base}/api/auth/console`,
        secure: true,
      });
      await visitor.page.reload(); // the session goes on by the cookie
      await visitor.page.getByRole('navigation', { name: 'Screens' }).waitFor();
      const elsewhere = await visitor.page.goto(`${place.url}/console`);
      expect(await elsewhere?.text()).not.toContain('Earshot console');
    } finally {
      await visitor?.go();
      await stop();
      await behind.stop();
      place.remove();
    }
  });
});
