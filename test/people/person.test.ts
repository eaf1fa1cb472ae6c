/** GET /api/projects/{projectId}/people/{user}, and `earshot who`: one person on one page. */
import { join } from 'node:path';
import BetterSqlite from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { gatheringRoutes } from '../../src/contract/gatherings/gatherings.js';
import { sanctionRoutes } from '../../src/contract/moderation/sanctions.js';
import { participantRecordRoutes } from '../../src/contract/people/participant-records.js';
import { participantRoutes } from '../../src/contract/people/participants.js';
import { pastMax, personRoutes } from '../../src/contract/people/person.js';
import { sessionRoutes } from '../../src/contract/sessions/sessions.js';
import { commandLine } from '../support/cli.js';
import { administrator, startDaemon, type TestDaemon } from '../support/daemon.js';
import { onPostgresql } from '../support/database.js';
import { writeBeside } from '../support/write-beside.js';

let daemon: TestDaemon;
let participantId: string;
const cli = commandLine(() => ({ EARSHOT_URL: daemon.url, EARSHOT_API_KEY: daemon.apiKey }));
const params = () => ({ projectId: daemon.projectId });
const page = (user: string, client = daemon.admin) => client.call(personRoutes.get, { params: { ...params(), user } });

beforeAll(async () => {
  daemon = await startDaemon();
  const { admin } = daemon;
  const body = { externalUserId: 'u1', displayName: 'Bob' };
  ({ id: participantId } = await admin.call(participantRoutes.create, { params: params(), body }));
  const impose = (type: 'mute' | 'temp_ban', reason: string) =>
    admin.call(sanctionRoutes.create, {
      params: params(),
      body: { type, externalUserId: 'u1', reason, duration: 7_200 },
    });
  const { id } = await impose('temp_ban', 'threats');
  await admin.call(sanctionRoutes.revoke, { params: { ...params(), id }, body: { reason: 'appeal' } });
  await daemon.client.call(sanctionRoutes.create, {
    params: params(),
    body: { type: 'mute', externalUserId: 'u1', reason: 'shouting', note: 'again', duration: 7_200 },
  });
  await admin.call(participantRecordRoutes.addNote, {
    params: { ...params(), id: participantId },
    body: { text: 'Talked to him.' },
  });
  const gathering = { name: 'Friday raid', ownerId: participantId };
  await admin.call(gatheringRoutes.create, { params: params(), body: gathering });
  const session = await admin.call(sessionRoutes.create, {
    params: params(),
    body: { title: 'Evening', externalRoomId: 'hall', autoStart: false },
  });
  for (const content of ['first', 'second'])
    await admin.call(sessionRoutes.say, {
      params: { ...params(), id: session.id },
      body: { externalUserId: 'u1', content, judged: true },
    });
});
afterAll(async () => {
  await daemon.stop();
  cli.dispose();
});

describe('the page of a person', () => {
  it('has what is in force, what came before with who did it, notes, seats and last words', async () => {
    const person = await page('u1');
    expect(person).toMatchObject({
      externalUserId: 'u1',
      participant: { id: participantId, displayName: 'Bob' },
      active: [{ type: 'mute', reason: 'shouting', note: 'again', imposedBy: 'key test' }],
      past: [{ type: 'temp_ban', status: 'revoked', imposedBy: administrator.email, revokedBy: administrator.email }],
      pastTotal: 1,
      notes: [{ text: 'Talked to him.', writtenBy: administrator.email }],
      rooms: [],
      gatherings: [{ name: 'Friday raid', status: 'CREATED' }],
      lastWords: [{ content: 'second' }, { content: 'first' }],
      progress: { userId: 'u1', challenges: [], battlePasses: [] },
    });
    expect(await page(participantId)).toEqual(person);
  });

  // A SQLite file has one writer; PostgreSQL has no lock that all of them wait for.
  if (!onPostgresql)
    it('waits for no writer where nobody is known', async () => {
      const writer = new BetterSqlite(join(daemon.dataDir, 'earshot.db'));
      writer.exec('BEGIN IMMEDIATE');
      const asked = page('nobody', daemon.client).finally(() => writer.close());
      await expect(asked).rejects.toMatchObject({ code: 'participant_not_found' });
    });

  it('shows an API key the parts that its scopes open', async () => {
    const closed = await page('u1', await daemon.clientWith(['participants:read']));
    const nothing = {
      active: null,
      past: null,
      notes: null,
      rooms: null,
      gatherings: null,
      lastWords: null,
      progress: null,
    };
    expect(closed).toMatchObject({ externalUserId: 'u1', ...nothing });
    const sanctions = await page('u1', await daemon.clientWith(['participants:read', 'sanctions:read']));
    expect(sanctions).toMatchObject({ active: [{ type: 'mute', imposedBy: null }], lastWords: null });
    expect(sanctions.active?.[0]).not.toHaveProperty('note');
  });

  it('is there for somebody who was sanctioned before they came, and for nobody else', async () => {
    await expect(page('u2')).rejects.toMatchObject({ code: 'participant_not_found' });
    const body = { type: 'warn' as const, externalUserId: 'u2' };
    await daemon.admin.call(sanctionRoutes.create, { params: params(), body });
    expect(await page('u2')).toMatchObject({
      participant: null,
      active: [{ type: 'warn' }],
      notes: [],
      gatherings: [],
    });
  });
});

describe('the page of somebody with more ended sanctions than a list holds', () => {
  it('has what is in force, and counts the others', async () => {
    const body = { type: 'perm_ban' as const, externalUserId: 'u3', reason: 'still in force' };
    const { id } = await daemon.admin.call(sanctionRoutes.create, { params: params(), body });
    const columns = '"tenantId", "projectId", "externalUserId", "startAt", "createdAt", "updatedAt"';
    const ended = 10_000;
    await writeBeside(
      daemon.databaseUrl,
      `INSERT INTO "Sanction" ("id", "type", "revokedAt", ${columns})
       WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${ended})
       SELECT 'f' || i, 'warn', "createdAt", ${columns} FROM n, "Sanction" WHERE "id" = ?`,
      id,
    );
    const { active, past, pastTotal } = await page('u3');
    expect(active).toMatchObject([{ id, reason: 'still in force', imposedBy: administrator.email }]);
    expect(past).toHaveLength(pastMax);
    expect(pastTotal).toBe(ended);
  });
});

describe('earshot who', () => {
  it('says it in one screen, in the order of its urgency', async () => {
    const { code, stdout } = await cli.run(['who', 'bob']);
    expect(code).toBe(0);
    const order = [
      'Bob (u1)',
      'In force now',
      'mute',
      'shouting',
      'key test',
      'Before',
      'threats',
      'Notes',
      'Talked',
      'second',
    ];
    const places = order.map((part) => stdout.indexOf(part));
    expect(places).toEqual(places.toSorted((a, b) => a - b));
    expect(places).not.toContain(-1);
    expect(stdout).toContain('revoked by admin@localhost (appeal)');
  });

  it('counts down on a terminal', async () => {
    const { stdout } = await cli.run(['who', 'u1'], { isTerminal: true });
    expect(stdout).toMatch(/ends in 2h/);
  });

  it('refuses a name that nobody has, with the nearest', async () => {
    expect(await cli.run(['who', 'Bobb'])).toMatchObject({ code: 4, stderr: expect.stringContaining('mean Bob?') });
  });
});
