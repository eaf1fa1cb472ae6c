/** Erasing somebody of whom very much is known: how long another tenant's writes wait meanwhile. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AppliedSanctions } from '../../src/contract/moderation/sanction-batches.js';
import { participantRoutes } from '../../src/contract/people/participants.js';
import { sessionRoutes } from '../../src/contract/sessions/sessions.js';
import { webhookRoutes } from '../../src/contract/webhooks/webhooks.js';
import { addBystander, besideBystander, signedIn } from '../support/bystander.js';
import { administrator, DaemonProcess } from '../support/daemon-process.js';
import { freePort } from '../support/free-port.js';
import { hasPostgresql, type PostgresqlServer, startPostgresql } from '../support/postgresql.js';
import { scale } from '../support/scale.js';

const eventCount = scale(1_000, 10_000);
const messageCount = scale(50, 500);
const atOnce = 25;
const externalUserId = 'raider';
const patienceMs = scale(60_000, 300_000);

const suites = [
  { name: 'SQLite', here: true },
  { name: 'PostgreSQL', here: hasPostgresql },
];

describe.each(suites)('the erasure of a person on $name', ({ name, here }) => {
  describe.skipIf(!here)('', { timeout: patienceMs }, () => {
    let server: PostgresqlServer | null = null;
    let daemon: DaemonProcess;
    beforeAll(async () => {
      server = name === 'PostgreSQL' ? await startPostgresql() : null;
      const database: Record<string, string> = server === null ? {} : { DATABASE_URL: server.url };
      daemon = new DaemonProcess({ ...database, EARSHOT_OUTBOUND_ALLOW: '127.0.0.0/8' });
      await daemon.start();
      await addBystander(daemon, database);
    }, patienceMs);
    afterAll(async () => {
      await daemon.dispose();
      await server?.stop();
    });

    it('lets another tenant write all the while', async () => {
      const { client, params, post } = await signedIn(daemon, administrator);
      const url = `http://127.0.0.1:${await freePort()}`;
      const hook = { url, secret: 'a long enough secret', events: ['message.*', 'sanction.*'] };
      await client.call(webhookRoutes.create, { params, body: hook });
      const { id } = await client.call(participantRoutes.create, { params, body: { externalUserId } });
      const session = await client.call(sessionRoutes.create, { params, body: { title: 'Long', externalRoomId: 'x' } });
      for (let said = 0; said < messageCount; said += atOnce)
        await Promise.all(
          Array.from({ length: atOnce }, (_, index) =>
            client.call(sessionRoutes.say, {
              params: { ...params, id: session.id },
              body: { externalUserId, content: `a line of the raider, ${said + index}` },
            }),
          ),
        );
      const items = Array.from({ length: eventCount }, () => ({
        type: 'warn' as const,
        externalUserId,
        reason: 'raid',
      }));
      const answer = await post('/sanctions/batch', JSON.stringify({ batchId: 'raid', items }));
      expect(AppliedSanctions.parse(answer).created).toBe(eventCount);
      await besideBystander(daemon, `${eventCount} events about one person on ${name}`, async (timed) => {
        await timed('erase', () => client.call(participantRoutes.remove, { params: { ...params, id } }));
      });
      await expect(client.call(participantRoutes.get, { params: { ...params, id } })).rejects.toMatchObject({
        status: 404,
      });
    });
  });
});
