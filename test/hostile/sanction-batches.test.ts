/** The largest batch of sanctions that a tenant can send, and taking it back: how long another tenant's writes wait meanwhile. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AppliedSanctions, UndoneSanctions } from '../../src/contract/moderation/sanction-batches.js';
import { webhookRoutes } from '../../src/contract/webhooks/webhooks.js';
import { addBystander, besideBystander, signedIn } from '../support/bystander.js';
import { administrator, DaemonProcess } from '../support/daemon-process.js';
import { freePort } from '../support/free-port.js';
import { hasPostgresql, type PostgresqlServer, startPostgresql } from '../support/postgresql.js';
import { scale } from '../support/scale.js';

const lineCount = scale(1_000, 10_000);
/** As long as the largest body allows with so many lines. */
const reason = 'They shouted at everybody who would not follow them to the other room. '.repeat(3);
const reviewsEach = 10;
const patienceMs = scale(60_000, 300_000);

const suites = [
  { name: 'SQLite', here: true },
  { name: 'PostgreSQL', here: hasPostgresql },
];

describe.each(suites)('a batch of sanctions on $name', ({ name, here }) => {
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
      const ours = await signedIn(daemon, administrator);
      const hook = {
        url: `http://127.0.0.1:${await freePort()}`,
        secret: 'a long enough secret',
        events: ['sanction.*'],
      };
      await ours.client.call(webhookRoutes.create, { params: ours.params, body: hook });
      const items = Array.from({ length: lineCount }, (_, index) => ({
        type: index % reviewsEach === 0 ? ('human_review' as const) : ('mute' as const),
        externalUserId: `u${index}`,
        reason,
      }));
      await besideBystander(daemon, `${lineCount} sanctions on ${name}`, async (timed) => {
        const batch = JSON.stringify({ batchId: 'raid', items });
        const applied = AppliedSanctions.parse(await timed('apply', () => ours.post('/sanctions/batch', batch)));
        expect(applied.created).toBe(lineCount);
        const undone = await timed('undo', () => ours.post('/sanctions/batches/raid/undo', '{}'));
        expect(UndoneSanctions.parse(undone).revoked).toBe(lineCount);
      });
    });
  });
});
