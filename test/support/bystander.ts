/** Another tenant that writes all the while something large goes on: how long each of its writes had to wait. */
import http from 'node:http';
import { json } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { EarshotClient } from '../../src/client/earshot-client.js';
import { accountRoutes } from '../../src/contract/identity/accounts.js';
import { projectRoutes } from '../../src/contract/projects/projects.js';
import { DaemonProcess } from './daemon-process.js';
import { rentedMachine, watchingHealth } from './health-watch.js';
import { hasPostgresql, type PostgresqlServer, startPostgresql } from './postgresql.js';
import { earshotd } from './program.js';
import { scale, torture } from './scale.js';

/** It writes one row after the other, with this pause between. */
const writePauseMs = scale(20, 5);
const worstWriteMaxMs = 1_000;
const theirs = { email: 'other@example.com', password: 'another long password' };

/** Posts on a connection of its own, so that the measurement does not depend on one that the daemon has just closed. */
const post = (url: string, token: string, body: string): Promise<unknown> =>
  new Promise((resolve, reject) => {
    const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };
    const request = http.request(url, { method: 'POST', agent: false, headers }, (response) => {
      if (response.statusCode === 200 || response.statusCode === 201) json(response).then(resolve, reject);
      else reject(new Error(`${url} answered ${response.statusCode}`));
    });
    request.once('error', reject).end(body);
  });

/** Somebody who signed in, with the first project of their tenant. */
export async function signedIn(daemon: DaemonProcess, account: { email: string; password: string }) {
  const { accessToken: token } = await new EarshotClient({ baseUrl: daemon.url }).call(accountRoutes.loginCredentials, {
    body: account,
  });
  const client = new EarshotClient({ baseUrl: daemon.url, credential: { kind: 'bearer', token } });
  const params = { projectId: (await client.call(projectRoutes.list, {}))[0]?.id ?? '' };
  const project = `${daemon.url}/api/projects/${params.projectId}`;
  return { client, params, post: (path: string, body: string) => post(`${project}${path}`, token, body) };
}

/** Makes the other tenant. */
async function addBystander(daemon: DaemonProcess, env: Readonly<Record<string, string>>): Promise<void> {
  const made = await earshotd(daemon.dataDir, ['tenants', 'create', 'Other', '--admin-email', theirs.email], {
    input: theirs.password,
    env,
  });
  expect(made).toMatchObject({ code: 0 });
}

/** Runs one step of the work, under its name. */
export type Timed = <T>(what: string, work: () => Promise<T>) => Promise<T>;

/**
 * Carries out the work while the other tenant writes and health is asked, and prints how long each step took and how long
 * a write waited at most. At full scale no write may wait longer than `worstWriteMaxMs`.
 */
export async function besideBystander(
  daemon: DaemonProcess,
  title: string,
  work: (timed: Timed) => Promise<void>,
): Promise<void> {
  const other = await signedIn(daemon, theirs);
  const waits: { readonly during: string; readonly ms: number }[] = [];
  const took: [string, number][] = [];
  let during = '';
  const timed: Timed = async (what, step) => {
    during = what;
    const began = performance.now();
    const result = await step();
    took.push([what, performance.now() - began]);
    return result;
  };
  const writing = new AbortController();
  const writer = (async () => {
    for (let index = 0; !writing.signal.aborted; index += 1) {
      const began = performance.now();
      await other.post('/participants', JSON.stringify({ externalUserId: `p${index}` }));
      waits.push({ during, ms: performance.now() - began });
      await sleep(writePauseMs);
    }
  })();
  try {
    await watchingHealth(daemon, title, () => work(timed));
  } finally {
    writing.abort();
    await writer;
    for (const [what, ms] of took) {
      const worst = Math.max(0, ...waits.filter((wait) => wait.during === what).map((wait) => wait.ms));
      console.info(
        `${title}: ${what} took ${ms.toFixed(0)} ms; another tenant's write waited ${worst.toFixed(0)} ms at most`,
      );
    }
  }
  expect(waits.length).toBeGreaterThan(0);
  if (torture) expect(Math.max(...waits.map(({ ms }) => ms))).toBeLessThanOrEqual(worstWriteMaxMs);
}

const patienceMs = scale(60_000, 300_000);

/** A suite for each database, with a daemon where the other tenant has an account. */
export const describeWithBystander = (
  title: string,
  define: (suite: { readonly database: string; readonly daemon: () => DaemonProcess }) => void,
): void => {
  describe.each([
    { database: 'SQLite', isHere: true },
    { database: 'PostgreSQL', isHere: hasPostgresql },
  ])(`${title} on $database`, ({ database, isHere }) => {
    describe.skipIf(!isHere)('', { timeout: patienceMs }, () => {
      let server: PostgresqlServer | null = null;
      let daemon: DaemonProcess;
      beforeAll(async () => {
        server = database === 'PostgreSQL' ? await startPostgresql() : null;
        const stored: Record<string, string> = server === null ? {} : { DATABASE_URL: server.url };
        daemon = new DaemonProcess({ ...stored, EARSHOT_OUTBOUND_ALLOW: '127.0.0.0/8' }, rentedMachine);
        await daemon.start();
        await addBystander(daemon, stored);
      }, patienceMs);
      afterAll(async () => {
        await daemon.dispose();
        await server?.stop();
      });
      define({ database, daemon: () => daemon });
    });
  });
};
