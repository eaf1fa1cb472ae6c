/** Claims of an Idempotency-Key name the daemon that does the request, and end with it. */
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { IdempotencyStore } from '../../../daemon/platform/idempotency/store.js';
import { sanctionRoutes } from '../../../src/contract/moderation/sanctions.js';
import { settingsRoutes } from '../../../src/contract/projects/settings.js';
import { tokenRoutes } from '../../../src/contract/rooms/tokens.js';
import { openPostgresql, openSqlite } from '../../support/database.js';
import { eventually } from '../../support/eventually.js';
import { hasPostgresql } from '../../support/postgresql.js';
import { TwoDaemons } from '../../support/two-daemons.js';

const openers = { sqlite: openSqlite, ...(hasPostgresql ? { postgresql: openPostgresql } : {}) };

describe.each(Object.entries(openers))('on %s', (_, open) => {
  it('a request whose claim another daemon has taken over stores nothing', async () => {
    const { database, close } = await open();
    const store = new IdempotencyStore(database);
    const createdAt = new Date();
    const record = {
      ...{ id: 'k', requestHash: 'h', projectId: null, createdAt },
      expiresAt: new Date(createdAt.getTime() + 60_000),
    };
    const answer = (body: unknown) => ({ status: 201, body });
    expect(await store.claim({ ...record, holder: 'one' })).toBeNull();
    expect(await store.claim({ ...record, holder: 'two' })).toMatchObject({ holder: 'one', answer: null });
    await store.release('k', createdAt);
    expect(await store.claim({ ...record, holder: 'two' })).toBeNull();
    const insert = (shard: number) => () =>
      database.transaction((tx) => tx.streamHead.create({ data: { shard, position: 0n } }));
    await expect(store.during({ id: 'k', holder: 'one' }, () => answer('late'), insert(1))).rejects.toMatchObject({
      code: 'idempotency_in_progress',
    });
    await store.during({ id: 'k', holder: 'two' }, () => answer('done'), insert(2));
    const shards = await database.read.streamHead.findMany({ where: { shard: { gt: 0 } } });
    expect(shards.map(({ shard }) => shard)).toEqual([2]);
    expect(await store.claim({ ...record, holder: 'one' })).toMatchObject({ answer: answer('done') });
    await store.release('k', createdAt);
    expect(await store.claim({ ...record, holder: 'one' })).toMatchObject({ answer: answer('done') });
    await store.release('k', createdAt, true);
    expect(await store.claim({ ...record, holder: 'one' })).toBeNull();
    await close();
  });
});

describe.skipIf(!hasPostgresql)('a daemon that is killed in the middle of a request', { timeout: 120_000 }, () => {
  let both: TwoDaemons;
  let operator: pg.Client;
  beforeAll(async () => {
    both = await TwoDaemons.start();
    operator = new pg.Client({ connectionString: both.databaseUrl });
    await operator.connect();
  }, 120_000);
  afterAll(async () => {
    await operator.end();
    await both.stop();
  });

  it('gives a refusal again, although the daemon with the rooms was asked in a transaction', async () => {
    await both.client(0).call(settingsRoutes.put, { params: both.params(), body: { tokenProvider: 'embedded' } });
    const { token } = await both.client(0).call(tokenRoutes.generateForProject, {
      params: both.params(),
      body: { roomId: 'arena', userId: 'mod', permissions: { moderate: true } },
    });
    const kick = (which: 0 | 1) =>
      fetch(`${both.daemons[which].url}/rooms/arena/moderation/kick`, {
        method: 'POST',
        headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json', 'Idempotency-Key': 'kick' },
        body: JSON.stringify({ externalUserId: 'nobody' }),
      });
    const answers = [];
    for (const which of [1, 1, 0, 1] as const) answers.push((await kick(which)).status);
    expect(answers).toEqual([404, 404, 404, 404]);
    expect((await operator.query('SELECT 1 FROM "IdempotencyRecord"')).rows).toEqual([]);
  });

  it('does a thing once that is asked for at both daemons at once, and both answer with it', async () => {
    const { key } = await both.key(['sanctions']);
    const path = sanctionRoutes.create.path.replace('{projectId}', both.projectId);
    const ask = async (which: 0 | 1, name: string) => {
      const answer = await fetch(both.daemons[which].url + path, {
        method: 'POST',
        headers: { 'X-API-Key': key, 'Content-Type': 'application/json', 'Idempotency-Key': name },
        body: JSON.stringify({ type: 'warn', externalUserId: name }),
      });
      return { status: answer.status, body: await answer.json() };
    };
    for (let round = 0; round < 20; round += 1) {
      const all = await Promise.all(([0, 1, 0, 1, 0, 1] as const).map((which) => ask(which, `storm-${round}`)));
      expect(all).toEqual(all.map(() => all[0]));
      expect(all[0]?.status).toBe(201);
    }
    const { rows } = await operator.query(
      `DELETE FROM "Sanction" WHERE "externalUserId" LIKE 'storm-%' RETURNING "id"`,
    );
    expect(rows).toHaveLength(20);
    await operator.query('DELETE FROM "IdempotencyRecord"');
  });

  it('leaves it to another daemon at once, while one that runs is waited for', async () => {
    const { key } = await both.key(['sanctions']);
    const path = sanctionRoutes.create.path.replace('{projectId}', both.projectId);
    const ask = (which: 0 | 1) =>
      fetch(both.daemons[which].url + path, {
        method: 'POST',
        headers: { 'X-API-Key': key, 'Content-Type': 'application/json', 'Idempotency-Key': 'once' },
        body: JSON.stringify({ type: 'warn', externalUserId: 'ann' }),
      });
    await operator.query('BEGIN');
    await operator.query('SELECT 1 FROM "StreamHead" FOR UPDATE'); // nobody can append
    const cut = ask(0).catch(() => null);
    await eventually(async () => {
      const { rows } = await operator.query('SELECT "holder" FROM "IdempotencyRecord"');
      expect(rows).toEqual([{ holder: expect.any(String) }]);
    });
    expect((await ask(1)).status).toBe(409);
    await both.daemons[0].end('SIGKILL');
    await operator.query('ROLLBACK');
    expect(await cut).toBeNull();
    const answer = await eventually(async () => {
      const again = await ask(1);
      expect(again.status).toBe(201);
      return again.json();
    }, 10_000);
    expect(await (await ask(1)).json()).toEqual(answer);
    expect((await operator.query('SELECT 1 FROM "Sanction"')).rows).toHaveLength(1);
  });
});
