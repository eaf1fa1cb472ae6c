/**
 * Addresses to which `connect()` fails at once, without a packet: a name with an IPv6 address on a host that has none, or
 * any address once the local ports have run out. Everything that calls out gets an error from such an address, and the
 * daemon goes on.
 */
import { fileURLToPath, pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { EarshotClient } from '../../src/client/earshot-client.js';
import { functionRoutes } from '../../src/contract/functions/functions.js';
import { pluginInstanceRoutes } from '../../src/contract/plugins/plugins.js';
import { sessionActionRoutes } from '../../src/contract/plugins/session-actions.js';
import { projectUserRoutes } from '../../src/contract/projects/projects.js';
import { settingsRoutes } from '../../src/contract/projects/settings.js';
import { tokenRoutes } from '../../src/contract/rooms/tokens.js';
import { sessionRoutes } from '../../src/contract/sessions/sessions.js';
import { webhookEventRoutes } from '../../src/contract/webhooks/webhook-events.js';
import { webhookRoutes } from '../../src/contract/webhooks/webhooks.js';
import { DaemonProcess } from '../support/daemon-process.js';
import { eventually } from '../support/eventually.js';
import { rentedMachine, watchingHealth } from '../support/health-watch.js';
import { signIn } from '../support/room-client.js';
import { scale } from '../support/scale.js';
import { someAtOnce } from '../support/some-at-once.js';

const rounds = scale(3, 200);
const names = pathToFileURL(fileURLToPath(new URL('../support/unroutable-names.mjs', import.meta.url))).href;

const daemon = new DaemonProcess(
  {
    NODE_OPTIONS: `--import=${names}`,
    EARSHOT_OUTBOUND_ALLOW: '224.0.0.0/4',
    EARSHOT_SMTP_URL: 'smtp://mail.unroutable.test:25',
    EARSHOT_IDENTITY: 'oidc',
    EARSHOT_IDENTITY_URL: 'https://login.unroutable.test',
    EARSHOT_IDENTITY_CLIENT_ID: 'earshot',
    EARSHOT_IDENTITY_CLIENT_SECRET: 'secret',
  },
  rentedMachine,
);
let client: EarshotClient;
let params: { projectId: string };
beforeAll(async () => {
  await daemon.start();
  const signed = await signIn(daemon.url);
  client = signed.client;
  params = { projectId: signed.projectId };
});
afterAll(() => daemon.dispose());

const subscribe = (url: string) =>
  client.call(webhookRoutes.create, {
    params,
    body: { url, secret: 'a long enough secret', events: ['webhook.test'] },
  });

/** Sends test events to the address; resolves once each has a failed attempt. */
async function deliver(url: string): Promise<void> {
  const { id } = await subscribe(url);
  const sent = await someAtOnce(rounds, () => client.call(webhookRoutes.test, { params: { ...params, id } }));
  await eventually(async () => {
    for (const one of sent) {
      const { lastError } = await client.call(webhookEventRoutes.get, { params: { ...params, id: one.id } });
      expect(lastError).toMatch(/ENETUNREACH/);
    }
  }, 60_000);
  await client.call(webhookRoutes.remove, { params: { ...params, id } });
}

const attacks: readonly (readonly [title: string, attack: () => Promise<void>])[] = [
  ['webhooks', () => deliver('http://http.unroutable.test/hook')],
  ['webhooks by TLS', () => deliver('https://https.unroutable.test/hook')],
  [
    'a token endpoint',
    async () => {
      const before = await client.call(settingsRoutes.get, { params });
      const tokenProviderSettings = { url: 'https://tokens.unroutable.test' };
      await client.call(settingsRoutes.put, { params, body: { tokenProvider: 'url', tokenProviderSettings } });
      for (let round = 0; round < rounds; round += 1)
        await expect(
          client.call(tokenRoutes.generateForProject, { params, body: { roomId: 'arena', userId: 'u1' } }),
        ).rejects.toMatchObject({ code: 'token_provider_failed' });
      await client.call(settingsRoutes.put, { params, body: { tokenProvider: before.tokenProvider } });
    },
  ],
  [
    'the host of functions',
    async () => {
      const reached = {
        provider: 'http',
        address: 'https://host.unroutable.test',
        credentials: { token: 't' },
      } as const;
      await client.call(functionRoutes.update, { params, body: reached });
      for (let round = 0; round < rounds; round += 1)
        expect(await client.call(functionRoutes.verify, { params })).toMatchObject({ valid: false });
    },
  ],
  [
    'the plugin moderation-api',
    async () => {
      const settings = { baseUrl: 'https://model.unroutable.test', apiKey: 'hush', model: 'small' };
      await client.call(pluginInstanceRoutes.create, { params, body: { pluginId: 'moderation-api', settings } });
      const session = await client.call(sessionRoutes.create, {
        params,
        body: { title: 'Match', externalRoomId: 'match', autoStart: false },
      });
      const at = { ...params, id: session.id };
      await client.call(sessionRoutes.say, { params: at, body: { externalUserId: 'u1', content: 'hello' } });
      await eventually(async () => {
        const { plugins } = await client.call(sessionActionRoutes.list, { params: at });
        expect(plugins.flatMap(({ actions }) => actions)[0]?.error).toMatch(/ENETUNREACH/);
      }, 60_000);
    },
  ],
  [
    'the mail server',
    async () => {
      for (let round = 0; round < rounds; round += 1) {
        const body = { email: `new${round}@example.com`, role: 'viewer' as const };
        const { invitationUrl } = await client.call(projectUserRoutes.invite, { params, body });
        expect(invitationUrl).not.toBeNull();
      }
    },
  ],
  [
    'the identity provider',
    async () => {
      const body = JSON.stringify({ sessionId: 'a.b.c' });
      for (let round = 0; round < rounds; round += 1) {
        const headers = { 'Content-Type': 'application/json' };
        const answer = await fetch(`${daemon.url}/api/auth/login`, { method: 'POST', headers, body });
        expect(answer.status).toBe(503);
        await answer.arrayBuffer();
      }
    },
  ],
];

describe('addresses to which connecting fails at once', { timeout: 180_000 }, () => {
  it.each(attacks)('are an error for %s, and the daemon goes on', async (title, attack) => {
    await watchingHealth(daemon, `connects that fail at once: ${title}`, attack);
    expect(daemon.running).toBe(true);
    expect(daemon.printed.filter((line) => line.includes('"level":"fatal"'))).toEqual([]);
  });
});
