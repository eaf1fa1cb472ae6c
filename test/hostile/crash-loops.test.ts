/**
 * Work that crashes the daemon each time it is carried out: it is begun twice, then set aside, and everything else
 * continues. Somebody resumes it once the fault is fixed.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Database } from '../../daemon/platform/database/database.js';
import { apiKeyRoutes } from '../../src/contract/identity/api-keys.js';
import { pluginInstanceRoutes } from '../../src/contract/plugins/plugins.js';
import { sessionActionRoutes } from '../../src/contract/plugins/session-actions.js';
import { scopeNames } from '../../src/contract/scopes.js';
import { sessionRoutes } from '../../src/contract/sessions/sessions.js';
import { webhookEventRoutes } from '../../src/contract/webhooks/webhook-events.js';
import { webhookRoutes } from '../../src/contract/webhooks/webhooks.js';
import { type CommandLine, commandLine } from '../support/cli.js';
import { DaemonProcess } from '../support/daemon-process.js';
import { eventually } from '../support/eventually.js';
import { rentedMachine, watchingHealth } from '../support/health-watch.js';
import { hasPostgresql, type PostgresqlServer, startPostgresql } from '../support/postgresql.js';
import { earshotd } from '../support/program.js';
import { type Receiver, startReceiver } from '../support/receiver.js';
import { signIn } from '../support/room-client.js';

const patienceMs = 120_000;
const secret = 'a long enough secret';
const preload = pathToFileURL(fileURLToPath(new URL('../support/deadly-names.mjs', import.meta.url))).href;
const folder = mkdtempSync(join(tmpdir(), 'earshot-deadly-'));
const fault = join(folder, 'fault');
const settings = {
  NODE_OPTIONS: `--import=${preload}`,
  DEADLY_NAMES_FILE: fault,
  EARSHOT_OUTBOUND_ALLOW: '127.0.0.0/8',
};
const daemon = new DaemonProcess(settings, rentedMachine);
let receiver: Receiver;
beforeAll(async () => {
  await daemon.start();
  receiver = await startReceiver();
});
afterAll(async () => {
  await daemon.dispose();
  await receiver.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** Starts the daemon again after each crash; resolves once it has crashed so often. */
async function restart(ends: number): Promise<void> {
  for (let end = 0; end < ends; end += 1) {
    await eventually(() => expect(daemon.running).toBe(false), patienceMs);
    await daemon.start();
  }
}
const port = () => new URL(receiver.url).port;
const client = async () => signIn(daemon.url);
async function commandsOf(projectId: string): Promise<CommandLine> {
  const body = { name: 'commands', scopes: [...scopeNames] };
  const { key } = await (await client()).client.call(apiKeyRoutes.create, { body });
  return commandLine(() => ({ EARSHOT_URL: daemon.url, EARSHOT_PROJECT: projectId, EARSHOT_API_KEY: key }));
}

describe('work that ends the daemon', { timeout: 2 * patienceMs }, () => {
  it('is a delivery that is set aside after two crashes, and sent again by command', async () => {
    const { client: before, projectId } = await client();
    const params = { projectId };
    const events = ['webhook.test'];
    const deadlyUrl = `http://hooks.deadly.test:${port()}/deadly`;
    const good = await before.call(webhookRoutes.create, { params, body: { url: receiver.url, secret, events } });
    const deadly = await before.call(webhookRoutes.create, { params, body: { url: deadlyUrl, secret, events } });
    writeFileSync(fault, '');
    await before.call(webhookRoutes.test, { params: { ...params, id: deadly.id } }).catch(() => null);
    await restart(2);

    const { client: after } = await client();
    const setAside = () =>
      after.call(webhookEventRoutes.list, { params, query: { status: 'set_aside', subscriptionId: deadly.id } });
    await watchingHealth(daemon, 'a delivery that ends the daemon, after it was set aside', async () => {
      await eventually(async () => expect(await setAside()).toHaveLength(1), patienceMs);
      await after.call(webhookRoutes.test, { params: { ...params, id: good.id } });
      await receiver.waitFor(1, patienceMs);
    });
    const [{ id = '' } = {}] = await setAside();

    const doctor = await earshotd(daemon.dataDir, ['doctor']);
    expect(doctor.stdout).toMatch(/warning\s+set aside\s+.*1 webhook deliveries.*earshot webhooks resend ID/);
    const figures = await (await fetch(`${daemon.url}/metrics`)).text();
    expect(figures).toMatch(/earshot_work_set_aside\{kind="webhook_deliveries"[^}]*\} 1/);
    const cli = await commandsOf(projectId);
    expect((await cli.run(['doctor'])).stdout).toMatch(/1 deliveries set aside/);
    expect((await cli.run(['why', 'hooks.deadly.test'])).stdout).toContain(`earshot webhooks resend ${id}`);

    rmSync(fault);
    const resent = await cli.run(['webhooks', 'resend', id]);
    expect(resent.code).toBe(0);
    expect(receiver.received).toHaveLength(2);
    expect(await setAside()).toEqual([]);
    for (const { id: hook } of [good, deadly])
      await after.call(webhookRoutes.remove, { params: { ...params, id: hook } });
  });

  it('is a run of a plugin that is set aside after two crashes, and runs again when its instance is resumed', async () => {
    const { client: before, projectId } = await client();
    const params = { projectId };
    const body = {
      pluginId: 'moderation-api',
      settings: { baseUrl: `http://model.deadly.test:${port()}`, apiKey: 'hush', model: 'small' },
    };
    await before.call(pluginInstanceRoutes.create, { params, body });
    const session = await before.call(sessionRoutes.create, {
      params,
      body: { title: 'Match', externalRoomId: 'match', autoStart: false },
    });
    const at = { ...params, id: session.id };
    writeFileSync(fault, '');
    await before
      .call(sessionRoutes.say, { params: at, body: { externalUserId: 'u1', content: 'hello' } })
      .catch(() => null);
    await restart(2);

    const { client: after } = await client();
    const states = async () =>
      (await after.call(sessionActionRoutes.list, { params: at })).plugins.flatMap(({ actions }) =>
        actions.map(({ status }) => status),
      );
    await eventually(async () => expect(await states()).toEqual(['set_aside']), patienceMs);
    const cli = await commandsOf(projectId);
    expect((await cli.run(['doctor'])).stdout).toMatch(/moderation-api has 1 runs set aside/);
    expect((await cli.run(['why', 'match'])).stdout).toContain('earshot plugins resume moderation-api');

    rmSync(fault);
    expect((await cli.run(['plugins', 'resume', 'moderation-api'])).stdout).toContain('1');
    await eventually(async () => expect(await states()).not.toEqual(['set_aside']), patienceMs);
    expect(daemon.running).toBe(true);
  });
});

describe.runIf(hasPostgresql)('work that ends the daemons of one PostgreSQL', { timeout: 3 * patienceMs }, () => {
  let server: PostgresqlServer;
  let both: readonly DaemonProcess[] = [];
  beforeAll(async () => {
    server = await startPostgresql();
    const shared = { ...settings, DATABASE_URL: server.url, EARSHOT_MASTER_KEY: 'ab'.repeat(32) };
    const ofSecond = { ...shared, EARSHOT_ROLES: 'http,delivery,jobs,broker' };
    both = [new DaemonProcess(shared, rentedMachine), new DaemonProcess(ofSecond, rentedMachine)];
    for (const one of both) await one.start();
  }, patienceMs);
  afterAll(async () => {
    for (const one of both) await one.dispose();
    await server.stop();
  });

  /** Lets the leases of daemons that have ended run out, which takes a minute. */
  async function endLeases(table: 'WebhookEvent' | 'PluginAction', due: 'nextAttemptAt' | 'dueAt'): Promise<void> {
    const database = await Database.connect(server.url);
    const sql = `UPDATE "${table}" SET "${due}" = now() AT TIME ZONE 'UTC' - interval '1 second' WHERE "leaseOwner" IS NOT NULL`;
    await database.transaction((tx) => tx.$executeRawUnsafe(sql));
    await database.close();
  }

  /** Waits until one daemon crashes during the work, then the other one that takes it over. Starts both again. */
  async function crashBoth(...queue: Parameters<typeof endLeases>): Promise<void> {
    const running = () => both.filter((one) => one.running);
    await eventually(() => expect(running()).toHaveLength(1), patienceMs);
    await endLeases(...queue);
    await eventually(() => expect(running()).toHaveLength(0), patienceMs);
    for (const one of both) await one.start();
    await endLeases(...queue);
  }
  const callAs = async (which: number) => signIn(both[which]?.url ?? '');

  it('is a delivery that crashed both and is retried by neither', async () => {
    const { client: before, projectId } = await callAs(0);
    const params = { projectId };
    const body = { url: `http://hooks.deadly.test:${port()}/both`, secret, events: ['webhook.test' as const] };
    const { id } = await before.call(webhookRoutes.create, { params, body });
    writeFileSync(fault, '');
    await before.call(webhookRoutes.test, { params: { ...params, id } }).catch(() => null);
    await crashBoth('WebhookEvent', 'nextAttemptAt');

    const { client: after } = await callAs(1);
    const query = { status: 'set_aside', subscriptionId: id } as const;
    await eventually(
      async () => expect(await after.call(webhookEventRoutes.list, { params, query })).toHaveLength(1),
      patienceMs,
    );
    expect(both.map(({ running }) => running)).toEqual([true, true]);
    for (const { url } of both)
      expect(await (await fetch(`${url}/metrics`)).text()).toMatch(
        /earshot_work_set_aside\{kind="webhook_deliveries"[^}]*\} 1/,
      );
    rmSync(fault);
    await after.call(webhookRoutes.remove, { params: { ...params, id } });
  });

  it('is a run of a plugin that crashed both and is retried by neither', async () => {
    const { client: before, projectId } = await callAs(0);
    const params = { projectId };
    const model = { baseUrl: `http://model.deadly.test:${port()}`, apiKey: 'hush', model: 'small' };
    const body = { pluginId: 'moderation-api', settings: model };
    await before.call(pluginInstanceRoutes.create, { params, body });
    const session = await before.call(sessionRoutes.create, {
      params,
      body: { title: 'Match', externalRoomId: 'match', autoStart: false },
    });
    const at = { ...params, id: session.id };
    writeFileSync(fault, '');
    await before
      .call(sessionRoutes.say, { params: at, body: { externalUserId: 'u1', content: 'hello' } })
      .catch(() => null);
    await crashBoth('PluginAction', 'dueAt');

    const { client: after } = await callAs(1);
    await eventually(async () => {
      const { plugins } = await after.call(sessionActionRoutes.list, { params: at });
      expect(plugins.flatMap(({ actions }) => actions.map(({ status }) => status))).toEqual(['set_aside']);
    }, patienceMs);
    expect(both.map(({ running }) => running)).toEqual([true, true]);
    rmSync(fault);
  });
});
