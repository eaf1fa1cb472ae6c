/** The largest batch of sanctions that a tenant can send, and taking it back: how long another tenant's writes wait meanwhile. */
import http from 'node:http';
import { json } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EarshotClient } from '../../src/client/earshot-client.js';
import { accountRoutes } from '../../src/contract/identity/accounts.js';
import { AppliedSanctions, UndoneSanctions } from '../../src/contract/moderation/sanction-batches.js';
import { projectRoutes } from '../../src/contract/projects/projects.js';
import { webhookRoutes } from '../../src/contract/webhooks/webhooks.js';
import { administrator, DaemonProcess } from '../support/daemon-process.js';
import { freePort } from '../support/free-port.js';
import { watchingHealth, worstAnswerMaxMs } from '../support/health-watch.js';
import { hasPostgresql, type PostgresqlServer, startPostgresql } from '../support/postgresql.js';
import { earshotd } from '../support/program.js';
import { scale, torture } from '../support/scale.js';

const lineCount = scale(1_000, 10_000);
/** As long as the largest body allows with so many lines. */
const reason = 'They shouted at everybody who would not follow them to the other room. '.repeat(3);
const reviewsEach = 10;
/** The other tenant writes one row after the other, with this pause between. */
const writePauseMs = 5;
const patienceMs = scale(60_000, 300_000);
const theirs = { email: 'other@example.com', password: 'another long password' };

const suites = [
  { name: 'SQLite', here: true },
  { name: 'PostgreSQL', here: hasPostgresql },
];

/** On a connection of its own: what is measured must not depend on one that the daemon has just closed. */
const post = (url: string, token: string, body: string): Promise<unknown> =>
  new Promise((resolve, reject) => {
    const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };
    const request = http.request(url, { method: 'POST', agent: false, headers }, (response) => {
      if (response.statusCode === 200 || response.statusCode === 201) json(response).then(resolve, reject);
      else reject(new Error(`${url} answered ${response.statusCode}`));
    });
    request.once('error', reject).end(body);
  });

describe.each(suites)('a batch of sanctions on $name', ({ name, here }) => {
  describe.skipIf(!here)('', { timeout: patienceMs }, () => {
    let server: PostgresqlServer | null = null;
    let daemon: DaemonProcess;
    beforeAll(async () => {
      server = name === 'PostgreSQL' ? await startPostgresql() : null;
      const database: Record<string, string> = server === null ? {} : { DATABASE_URL: server.url };
      daemon = new DaemonProcess({ ...database, EARSHOT_OUTBOUND_ALLOW: '127.0.0.0/8' });
      await daemon.start();
      const created = await earshotd(daemon.dataDir, ['tenants', 'create', 'Other', '--admin-email', theirs.email], {
        input: theirs.password,
        env: database,
      });
      expect(created).toMatchObject({ code: 0 });
    }, patienceMs);
    afterAll(async () => {
      await daemon.dispose();
      await server?.stop();
    });

    const signedIn = async (account: { email: string; password: string }) => {
      const { accessToken: token } = await new EarshotClient({ baseUrl: daemon.url }).call(
        accountRoutes.loginCredentials,
        {
          body: account,
        },
      );
      const client = new EarshotClient({ baseUrl: daemon.url, credential: { kind: 'bearer', token } });
      const params = { projectId: (await client.call(projectRoutes.list, {}))[0]?.id ?? '' };
      const project = `${daemon.url}/api/projects/${params.projectId}`;
      return { client, params, post: (path: string, body: string) => post(`${project}${path}`, token, body) };
    };

    it('lets another tenant write all the while', async () => {
      const ours = await signedIn(administrator);
      const other = await signedIn(theirs);
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
      const waits: { during: string; ms: number }[] = [];
      let doing = 'apply';
      const write = async (index: number) => {
        const began = performance.now();
        await other.post('/participants', JSON.stringify({ externalUserId: `p${index}` }));
        waits.push({ during: doing, ms: performance.now() - began });
      };
      const writing = new AbortController();
      const writer = (async () => {
        for (let index = 0; !writing.signal.aborted; index += 1) {
          await write(index);
          await sleep(writePauseMs);
        }
      })();
      const took: Record<string, number> = {};
      const timed = async <T>(what: string, work: () => Promise<T>): Promise<T> => {
        doing = what;
        const began = performance.now();
        const result = await work();
        took[what] = performance.now() - began;
        return result;
      };
      try {
        await watchingHealth(daemon.url, `${lineCount} sanctions on ${name}`, async () => {
          const batch = JSON.stringify({ batchId: 'raid', items });
          const applied = AppliedSanctions.parse(await timed('apply', () => ours.post('/sanctions/batch', batch)));
          expect(applied.created).toBe(lineCount);
          const undone = await timed('undo', () => ours.post('/sanctions/batches/raid/undo', '{}'));
          expect(UndoneSanctions.parse(undone).revoked).toBe(lineCount);
        });
      } finally {
        writing.abort();
        await writer;
        report(took, waits);
      }
      if (torture) expect(Math.max(...waits.map(({ ms }) => ms))).toBeLessThanOrEqual(worstAnswerMaxMs);
    });

    function report(took: Readonly<Record<string, number>>, waits: readonly { during: string; ms: number }[]): void {
      for (const [what, ms] of Object.entries(took)) {
        const worst = Math.max(0, ...waits.filter(({ during }) => during === what).map((wait) => wait.ms));
        console.info(
          `${what} on ${name}: ${ms.toFixed(0)} ms; another tenant's write waited ${worst.toFixed(0)} ms at most`,
        );
      }
    }
  });
});
