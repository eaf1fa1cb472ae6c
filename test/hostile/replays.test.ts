/**
 * Replays of a long log: fifty streams that begin at its beginning and show nothing of it. Nobody else may notice. What
 * another tenant has logged costs a stream nothing; of the tenant's own log it passes over a bounded part in each turn.
 */
import { uuidv7 } from 'uuidv7';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Database } from '../../daemon/platform/database/database.js';
import { EventLog } from '../../daemon/platform/events/log.js';
import type { NewEvent } from '../../daemon/platform/events/logged.js';
import { LocalWakeUps } from '../../daemon/platform/events/wake-ups.js';
import { EarshotClient } from '../../src/client/earshot-client.js';
import { accountRoutes } from '../../src/contract/identity/accounts.js';
import { apiKeyRoutes } from '../../src/contract/identity/api-keys.js';
import { participantRoutes } from '../../src/contract/people/participants.js';
import { projectRoutes } from '../../src/contract/projects/projects.js';
import { administrator, DaemonProcess } from '../support/daemon-process.js';
import { rentedMachine, watchingHealth } from '../support/health-watch.js';
import { makeOtherTenant } from '../support/other-tenant.js';
import { scale, torture } from '../support/scale.js';
import { openStream, type RawStream } from '../support/stream.js';

const logged = scale(20_000, 300_000);
const perInsert = 5_000;
const streamsAtOnce = scale(15, 50);
const patienceMs = 250_000;

const daemon = new DaemonProcess({ EARSHOT_RATE_LIMIT_CREDENTIAL: '0' }, rentedMachine);
interface Tenant {
  readonly key: string;
  readonly client: EarshotClient;
  readonly projectId: string;
}
let ours: Tenant;
/** Tenant with the long log. */
let theirs: Tenant;
const clientWith = (key: string) => new EarshotClient({ baseUrl: daemon.url, credential: { kind: 'apiKey', key } });

/** Gives the other tenant a project, and that project a long log. Returns its id. */
async function fillLog(count: number): Promise<string> {
  const database = await Database.connect(daemon.databaseUrl);
  const log = new EventLog(database, new LocalWakeUps(), () => new Date());
  const id = uuidv7();
  const { id: tenantId } = await database.read.tenant.findFirstOrThrow({ where: { name: 'another tenant' } });
  const of = { tenantId, projectId: id };
  const event = (): NewEvent => ({
    ...of,
    type: 'participant.updated',
    resourceId: `participant:${uuidv7()}`,
    action: 'updated',
    data: { id: 'x', externalUserId: 'u', displayName: 'somebody', userData: { text: 'y'.repeat(300) } },
  });
  try {
    const row = { id, tenantId, name: 'with a long log', billingProjectId: id, createdAt: new Date() };
    await database.transaction((tx) => tx.project.create({ data: row }));
    for (let from = 0; from < count; from += perInsert)
      await database.transaction((tx) => log.append(tx, ...Array.from({ length: perInsert }, event)));
  } finally {
    await database.close();
  }
  return id;
}

beforeAll(async () => {
  await daemon.start();
  const anonymous = new EarshotClient({ baseUrl: daemon.url });
  const { accessToken } = await anonymous.call(accountRoutes.loginCredentials, { body: administrator });
  const admin = new EarshotClient({ baseUrl: daemon.url, credential: { kind: 'bearer', token: accessToken } });
  const projectId = (await admin.call(projectRoutes.list, {}))[0]?.id ?? '';
  const body = { name: 'streams', scopes: ['events' as const, 'participants' as const] };
  const { key } = await admin.call(apiKeyRoutes.create, { body });
  const otherKey = await makeOtherTenant(daemon.databaseUrl, new Date());
  await daemon.end('SIGTERM');
  const other = await fillLog(logged);
  await daemon.start();
  ours = { key, client: clientWith(key), projectId };
  theirs = { key: otherKey, client: clientWith(otherKey), projectId: other };
}, 300_000);
afterAll(() => daemon.dispose());

/** Opens the streams and waits until all are live: each is told of something that happens now. */
async function replayAll({ key, client, projectId: of }: Tenant, path: string, count: number): Promise<void> {
  const headers = { 'X-API-Key': key };
  const streams: RawStream[] = await Promise.all(
    Array.from({ length: count }, () => openStream(`${daemon.url}${path}`, headers)),
  );
  const body = { externalUserId: uuidv7() };
  const { id } = await client.call(participantRoutes.create, { params: { projectId: of }, body });
  await client.call(participantRoutes.remove, { params: { projectId: of, id } });
  for (const stream of streams) {
    const ofThis = expect.objectContaining({ type: 'participant.deleted', resourceId: `participant:${id}` });
    while (!ofThis.asymmetricMatch((await stream.next(patienceMs)).data)); // those of earlier rounds come first
    stream.close();
  }
  await Promise.all(streams.map(({ ended }) => ended));
}

const deletions = 'types=participant.deleted&since=';
const ofProject = ({ projectId: id }: Tenant) => `/api/projects/${id}/events/stream?${deletions}`;

describe(`${streamsAtOnce} replays that show nothing of a log of ${logged} events keep nobody waiting`, () => {
  it.each([
    ['of another tenant, from its beginning', () => `${ofProject(ours)}earliest`],
    ['of another tenant, tenant-wide', () => '/api/events/stream?types=participant.del*&since=earliest'],
    ['of another tenant, since a time', () => `${ofProject(ours)}2026-01-01T00:00:00Z`],
    ['of another tenant, since an unknown event', () => `${ofProject(ours)}0190a000-0000-7000-8000-000000000000`],
  ])('%s', { timeout: 300_000 }, async (title, path) => {
    await watchingHealth(daemon, title, () => replayAll(ours, path(), streamsAtOnce));
  });

  it.each([
    ['of their own', () => `${ofProject(theirs)}earliest`],
    ['of their own, tenant-wide', () => '/api/events/stream?types=participant.del*&since=earliest'],
  ])('%s', { timeout: 300_000 }, async (title, path) => {
    await watchingHealth(daemon, title, () => replayAll(theirs, path(), streamsAtOnce));
  });
});

it('serves one tenant between the many replays of another', { timeout: 300_000 }, async () => {
  const many = replayAll(theirs, `${ofProject(theirs)}earliest`, streamsAtOnce);
  many.catch(() => {}); // told below
  const began = performance.now();
  await replayAll(ours, `${ofProject(ours)}earliest`, 1);
  const oneMs = performance.now() - began;
  await many;
  const manyMs = performance.now() - began;
  console.info(`one stream is live after ${oneMs.toFixed(0)} ms, the others after ${manyMs.toFixed(0)} ms`);
  if (torture) expect(oneMs).toBeLessThan(manyMs / 2);
});
