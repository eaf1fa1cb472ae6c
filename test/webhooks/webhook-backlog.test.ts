/** More deliveries at once than the transaction of their events takes: they come all the same, past a kill as well. */
import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { EarshotClient } from '../../src/client/earshot-client.js';
import { DomainEvent } from '../../src/contract/events.js';
import { accountRoutes } from '../../src/contract/identity/accounts.js';
import { sanctionBatchRoutes } from '../../src/contract/moderation/sanction-batches.js';
import { projectRoutes } from '../../src/contract/projects/projects.js';
import { webhookEventRoutes } from '../../src/contract/webhooks/webhook-events.js';
import { webhookRoutes } from '../../src/contract/webhooks/webhooks.js';
import { administrator, DaemonProcess } from '../support/daemon-process.js';
import { inSqlite } from '../support/database.js';
import { eventually } from '../support/eventually.js';
import { hasPostgresql, type PostgresqlServer, startPostgresql } from '../support/postgresql.js';
import { type Receiver, startReceiver } from '../support/receiver.js';

/** Its events are more rows than one transaction makes, and fill several pages of the log. */
const lines = 520;
const patienceMs = 120_000;
const suites = [
  { name: 'SQLite', here: true },
  { name: 'PostgreSQL', here: hasPostgresql },
];

describe.each(suites)('a large batch on $name', ({ name, here }) => {
  describe.skipIf(!here)('', { timeout: patienceMs }, () => {
    let server: PostgresqlServer | null;
    let daemon: DaemonProcess;
    let receivers: Receiver[];
    beforeAll(async () => {
      server = name === 'PostgreSQL' ? await startPostgresql() : null;
      const database: Record<string, string> = server === null ? inSqlite : { DATABASE_URL: server.url };
      daemon = new DaemonProcess({ ...database, EARSHOT_OUTBOUND_ALLOW: '127.0.0.0/8' });
      await daemon.start();
    }, patienceMs);
    afterAll(async () => {
      await daemon.dispose();
      await server?.stop();
    });
    beforeEach(async () => {
      receivers = await Promise.all(Array.from({ length: 3 }, () => startReceiver()));
    });
    afterEach(() => Promise.all(receivers.map((one) => one.stop())));

    /** Signs in a tenant with a project of its own. */
    const signIn = async () => {
      const anonymous = new EarshotClient({ baseUrl: daemon.url });
      const { accessToken: token } = await anonymous.call(accountRoutes.loginCredentials, { body: administrator });
      const client = new EarshotClient({ baseUrl: daemon.url, credential: { kind: 'bearer', token } });
      const { id: projectId } = await client.call(projectRoutes.create, { body: { name: randomUUID() } });
      const params = { projectId };
      const batch = (batchId: string) => ({
        batchId,
        items: Array.from({ length: lines }, (_, line) => ({ type: 'mute' as const, externalUserId: `u${line}` })),
      });
      return {
        client,
        params,
        subscribe: (to: Receiver | undefined, events: string[]) =>
          client.call(webhookRoutes.create, {
            params,
            body: { url: to?.url ?? '', secret: 'a long enough secret', events },
          }),
        apply: (batchId: string) => client.call(sanctionBatchRoutes.apply, { params, body: batch(batchId) }),
      };
    };
    const peopleIn = (receiver: Receiver | undefined) =>
      (receiver?.received ?? []).map(({ body }) => {
        const { type, payload } = DomainEvent.parse(JSON.parse(body));
        return `${type} ${(payload.data as { externalUserId: string }).externalUserId}`;
      });
    const everybody = Array.from({ length: lines }, (_, line) => `sanction.created u${line}`);

    it('reaches every subscription that hears it, each event once', async () => {
      const { client, params, subscribe, apply } = await signIn();
      await subscribe(receivers[0], ['sanction.*']);
      await subscribe(receivers[1], ['sanction.created']);
      const deaf = await subscribe(receivers[2], ['participant.*']);
      await apply('raid');
      for (const receiver of receivers.slice(0, 2)) {
        await receiver.waitFor(lines, patienceMs);
        expect(peopleIn(receiver).sort()).toEqual([...everybody].sort());
      }
      expect(receivers[2]?.received).toEqual([]);
      const query = { subscriptionId: deaf.id };
      expect(await client.call(webhookEventRoutes.list, { params, query })).toEqual([]);
    });

    it('is delivered although the daemon is killed as soon as it has been acknowledged', async () => {
      const { subscribe, apply } = await signIn();
      await subscribe(receivers[0], ['sanction.*']);
      await apply('raid');
      await daemon.end('SIGKILL');
      expect(receivers[0]?.received.length).toBeLessThan(lines);
      await daemon.start();
      await receivers[0]?.waitFor(lines, patienceMs);
      await eventually(() => expect(new Set(peopleIn(receivers[0]))).toEqual(new Set(everybody)), patienceMs);
    });
  });
});
