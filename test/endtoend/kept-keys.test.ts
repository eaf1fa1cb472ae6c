/** A daemon that is killed between a change and its answer: whoever asks again with the same key gets the answer, and one change. */
import { once } from 'node:events';
import net from 'node:net';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { EarshotClient } from '../../src/client/earshot-client.js';
import { accountRoutes } from '../../src/contract/identity/accounts.js';
import { projectRoutes } from '../../src/contract/projects/projects.js';
import { sessionRoutes } from '../../src/contract/sessions/sessions.js';
import { administrator, DaemonProcess } from '../support/daemon-process.js';
import { inSqlite } from '../support/database.js';
import { scale } from '../support/scale.js';

/** At small scale one for each change. */
const rounds = scale(4, 60);
const patienceMs = 20_000;

const daemon = new DaemonProcess(inSqlite) /* looked at without giving way */;
let token: string;
let projectId: string;
let sessionId: string;
beforeAll(async () => {
  await daemon.start();
  const anonymous = new EarshotClient({ baseUrl: daemon.url });
  ({ accessToken: token } = await anonymous.call(accountRoutes.loginCredentials, { body: administrator }));
  const admin = new EarshotClient({ baseUrl: daemon.url, credential: { kind: 'bearer', token } });
  projectId = (await admin.call(projectRoutes.list, {}))[0]?.id ?? '';
  const body = { title: 'Match', externalRoomId: 'arena', autoStart: false };
  ({ id: sessionId } = await admin.call(sessionRoutes.create, { params: { projectId }, body }));
});
afterAll(() => daemon.dispose());

/** Request for a change, and the rows that it leaves, found by a name that the round gives it. */
interface Change {
  readonly path: () => string;
  readonly body: (name: string) => object;
  readonly rows: string;
}
const changes: readonly Change[] = [
  {
    path: () => 'sanctions',
    body: (name) => ({ type: 'warn', externalUserId: name }),
    rows: 'SELECT "id" FROM "Sanction" WHERE "externalUserId" = ?',
  },
  {
    path: () => `sessions/${sessionId}/messages`,
    body: (name) => ({ externalUserId: 'ann', content: name }),
    rows: 'SELECT "id" FROM "Message" WHERE "content" = ?',
  },
  { path: () => 'gatherings', body: (name) => ({ name }), rows: 'SELECT "id" FROM "Gathering" WHERE "name" = ?' },
  {
    path: () => 'webhooks/subscriptions',
    body: (name) => ({ url: `https://203.0.113.9/${name}`, secret: 'a long enough secret', events: ['*'] }),
    rows: `SELECT "id" FROM "WebhookSubscription" WHERE "url" = 'https://203.0.113.9/' || ?`,
  },
];

const urlOf = ({ path }: Change) => `/api/projects/${projectId}/${path()}`;
const headersOf = (key: string) => ({
  Authorization: `Bearer ${token}`,
  'Content-Type': 'application/json',
  'Idempotency-Key': key,
});

/** Sends the request, and kills the daemon in the moment in which the change is in the database. */
async function askAndKill(change: Change, name: string): Promise<void> {
  const { hostname, port } = new URL(daemon.url);
  const socket = net.connect(Number(port), hostname);
  socket.on('error', () => {});
  await once(socket, 'connect');
  const body = JSON.stringify(change.body(name));
  const headers = Object.entries({ Host: hostname, 'Content-Length': body.length, ...headersOf(name) });
  const head = headers.map(([field, value]) => `${field}: ${value}\r\n`).join('');
  const database = new Database(join(daemon.dataDir, 'earshot.db'), { readonly: true });
  const rows = database.prepare(change.rows).pluck();
  await new Promise((resolve) => socket.write(`POST ${urlOf(change)} HTTP/1.1\r\n${head}\r\n${body}`, resolve));
  const end = Date.now() + patienceMs;
  // Without giving way: the answer is stored within a millisecond or two.
  while (rows.all(name).length === 0) if (Date.now() > end) throw new Error('Nothing was done.');
  if (daemon.pid !== undefined) process.kill(daemon.pid, 'SIGKILL');
  database.close();
  await daemon.end('SIGKILL');
  socket.destroy();
}

const rowsOf = (change: Change, name: string): unknown[] => {
  const database = new Database(join(daemon.dataDir, 'earshot.db'), { readonly: true });
  try {
    return database.prepare(change.rows).pluck().all(name);
  } finally {
    database.close();
  }
};

it('is done once', { timeout: rounds * 20_000 + 60_000 }, async () => {
  for (let round = 0; round < rounds; round += 1) {
    const change = changes[round % changes.length] ?? changes[0];
    if (change === undefined) throw new Error('There is nothing to do.');
    const name = `round-${round}`;
    await askAndKill(change, name);
    await daemon.start();
    const ask = { method: 'POST', headers: headersOf(name), body: JSON.stringify(change.body(name)) };
    const answers = [await fetch(daemon.url + urlOf(change), ask), await fetch(daemon.url + urlOf(change), ask)];
    const told = await Promise.all(answers.map(async (one) => ({ status: one.status, body: await one.json() })));
    expect(told[0]).toMatchObject({ status: 201, body: { id: expect.any(String) } });
    expect(told[1]).toEqual(told[0]);
    expect(told[0]?.body).toMatchObject({ id: rowsOf(change, name)[0] });
    expect(rowsOf(change, name)).toHaveLength(1);
  }
});
