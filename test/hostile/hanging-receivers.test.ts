/** Cost to others of endpoints that never answer, and of many endpoints on a project: time, and room in the database. */
import { statSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EarshotClient } from '../../src/client/earshot-client.js';
import { accountRoutes } from '../../src/contract/identity/accounts.js';
import { sanctionRoutes } from '../../src/contract/moderation/sanctions.js';
import { participantRoutes } from '../../src/contract/people/participants.js';
import { projectRoutes } from '../../src/contract/projects/projects.js';
import { webhookRoutes } from '../../src/contract/webhooks/webhooks.js';
import { administrator, DaemonProcess } from '../support/daemon-process.js';
import { inSqlite } from '../support/database.js';
import { eventually } from '../support/eventually.js';
import { rentedMachine, watchingHealth } from '../support/health-watch.js';
import { makeOtherProject } from '../support/other-tenant.js';
import { startReceiver } from '../support/receiver.js';
import { scale, torture } from '../support/scale.js';

const secret = `whsec_${Buffer.from('a secret of thirty-two characters').toString('base64')}`;
const endpoints = scale(40, 300);
const endpointsPerProject = 100;
/** So many events wait for each of the endpoints. */
const eventsEach = 10;
/** Less than an attempt may take: nobody waits until somebody else's attempt has timed out. */
const promptMs = 5_000;
const patienceMs = 300_000;

let daemon: DaemonProcess;
/** Takes connections and never says anything. */
let silent: Server;
let silentUrl: string;
let hostile: EarshotClient;
let other: EarshotClient;
let attacked: { projectId: string };
beforeAll(async () => {
  silent = createServer((socket) => socket.on('error', () => {}).resume());
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
  const address = silent.address();
  if (address === null || typeof address === 'string') throw new Error('The silent server has no port.');
  silentUrl = `http://127.0.0.1:${address.port}/hook`;
  daemon = new DaemonProcess({ ...inSqlite, EARSHOT_OUTBOUND_ALLOW: '127.0.0.0/8' }, rentedMachine);
  const { http: baseUrl } = await daemon.start();
  const body = administrator;
  const { accessToken: token } = await new EarshotClient({ baseUrl }).call(accountRoutes.loginCredentials, { body });
  hostile = new EarshotClient({ baseUrl, credential: { kind: 'bearer', token } });
  const { key, projectId } = await makeOtherProject(daemon.databaseUrl, new Date());
  attacked = { projectId };
  other = new EarshotClient({ baseUrl, credential: { kind: 'apiKey', key } });
});
afterAll(async () => {
  await daemon.dispose();
  silent.close();
});

const project = async (name: string): Promise<{ projectId: string }> => {
  const { id } = await hostile.call(projectRoutes.create, { body: { name } });
  return { projectId: id };
};
const subscribe = (client: EarshotClient, params: { projectId: string }, url: string, events = ['participant.*']) =>
  client.call(webhookRoutes.create, { params, body: { url, secret, events } });

/** Bytes that the daemon has in files of its database. */
const databaseBytes = (): number =>
  ['earshot.db', 'earshot.db-wal']
    .map((name) => statSync(join(daemon.dataDir, name), { throwIfNoEntry: false })?.size ?? 0)
    .reduce((sum, size) => sum + size, 0);

describe('webhooks beside endpoints that never answer', { timeout: patienceMs }, () => {
  it('cost room in the database for the event, not for each of them', async () => {
    const hooks = 40;
    const updates = 4;
    const metadata = { note: 'x'.repeat(200_000) };
    const receiver = await startReceiver();
    const params = await project('many hooks');
    const body = { type: 'warn' as const, externalUserId: 'u1', metadata };
    const { id } = await hostile.call(sanctionRoutes.create, { params, body });
    for (let index = 0; index < hooks; index += 1) await subscribe(hostile, params, receiver.url, ['sanction.updated']);
    const before = databaseBytes();
    for (let index = 0; index < updates; index += 1)
      await hostile.call(sanctionRoutes.update, {
        params: { ...params, id },
        body: { metadata: { note: `${index}${metadata.note}` } },
      });
    await eventually(() => expect(receiver.received.length).toBeGreaterThanOrEqual(hooks * updates), patienceMs);
    const megabytes = (databaseBytes() - before) / 1e6;
    console.info(`${updates} updates of ${metadata.note.length} bytes with ${hooks} hooks: ${megabytes.toFixed(1)} MB`);
    // An update is told with what it was before: some 400 KB, stored with the event and once more for its deliveries.
    expect(megabytes).toBeLessThan(20);
    await receiver.stop();
  });

  it('arrive promptly at another tenant', async () => {
    const receiver = await startReceiver();
    await subscribe(other, attacked, receiver.url);
    await watchingHealth(daemon, `${endpoints} endpoints that never answer`, async () => {
      for (let made = 0; made < endpoints; made += endpointsPerProject) {
        const params = await project(`hanging ${made}`);
        const count = Math.min(endpointsPerProject, endpoints - made);
        for (let index = 0; index < count; index += 1) await subscribe(hostile, params, `${silentUrl}/${index}`);
        for (let index = 0; index < eventsEach; index += 1)
          await hostile.call(participantRoutes.create, { params, body: { externalUserId: `u${index}` } });
      }
      const started = performance.now();
      await other.call(participantRoutes.create, { params: attacked, body: { externalUserId: 'waiting' } });
      await receiver.waitFor(1, patienceMs);
      const delayMs = performance.now() - started;
      console.info(`${endpoints} hanging endpoints: another tenant's webhook arrives after ${delayMs.toFixed(0)} ms`);
      expect(delayMs).toBeLessThan(torture ? 1_000 : promptMs);
    });
    await receiver.stop();
  });
});
