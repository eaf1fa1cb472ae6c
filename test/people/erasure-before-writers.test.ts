/**
 * Writers who have read of a person whom an erasure then takes: an appeal by code, and a report that names a message. On
 * PostgreSQL, where transactions run side by side; the person has no row that both could lock.
 */
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EarshotClient } from '../../src/client/earshot-client.js';
import { sanctionRoutes } from '../../src/contract/moderation/sanctions.js';
import { statementRoutes } from '../../src/contract/moderation/statements.js';
import { personRoutes } from '../../src/contract/people/person.js';
import { reportRoutes } from '../../src/contract/reports/reports.js';
import { startDaemon, type TestDaemon } from '../support/daemon.js';
import { eventually } from '../support/eventually.js';
import { hasPostgresql, type PostgresqlServer, startPostgresql } from '../support/postgresql.js';
import { contentsOf, tracesIn } from '../support/traces.js';

if (hasPostgresql)
  describe('an erasure that comes between what a writer reads and writes', { timeout: 60_000 }, () => {
    let server: PostgresqlServer;
    let daemon: TestDaemon;
    let beside: pg.Client;
    beforeAll(async () => {
      server = await startPostgresql();
      daemon = await startDaemon({ settings: { DATABASE_URL: server.url } });
      beside = new pg.Client({ connectionString: server.url });
      await beside.connect();
    }, 60_000);
    afterAll(async () => {
      await beside?.end();
      await daemon?.stop();
      await server?.stop();
    });

    const params = () => ({ projectId: daemon.projectId });
    const waiting = async (): Promise<number> => {
      const { rows } = await beside.query<{ count: string }>(
        "SELECT COUNT(*) AS count FROM pg_locks WHERE locktype = 'advisory' AND NOT granted",
      );
      return Number(rows[0]?.count);
    };
    /** Keeps the person as a transaction does that writes about them. */
    const hold = (person: string) =>
      beside.query("SELECT pg_advisory_lock_shared(hashtextextended('person ' || $1 || ' ' || $2, 0))", [
        daemon.projectId,
        person,
      ]);
    const release = () => beside.query('SELECT pg_advisory_unlock_all()');
    const erase = (user: string) => daemon.client.call(personRoutes.erase, { params: { ...params(), user } });
    const tracesOf = async (person: string) => Object.keys(await tracesIn(await contentsOf(server.url), [person]));

    /** Begins the erasure, then the writer, and lets both go on in this order. */
    async function erasedBefore<T>(person: string, write: () => Promise<T>): Promise<PromiseSettledResult<T>> {
      await hold(person);
      const erasure = erase(person);
      await eventually(async () => expect(await waiting()).toBe(1));
      const [written] = await Promise.all([
        Promise.allSettled([write()]),
        eventually(async () => expect(await waiting()).toBe(2)).then(release),
      ]);
      await erasure;
      return written[0];
    }

    it('leaves no appeal of them, and says that there is no such sanction', async () => {
      const person = 'stranger-who-appeals';
      const body = { type: 'mute' as const, externalUserId: person, reason: 'shouting' };
      const { id } = await daemon.client.call(sanctionRoutes.create, { params: params(), body });
      const { url } = await daemon.client.call(statementRoutes.get, { params: { ...params(), id }, query: {} });
      const code = new URL(url ?? '').pathname.split('/').at(-1) ?? '';
      const appeal = () =>
        new EarshotClient({ baseUrl: daemon.url }).call(statementRoutes.appeal, {
          params: { code },
          query: {},
          body: { statement: 'It was somebody else.' },
        });
      expect(await erasedBefore(person, appeal)).toMatchObject({ reason: { status: 404 } });
      expect(await tracesOf(person)).toEqual([]);
    });

    it('keeps a report that comes right after it, as one of any other time', async () => {
      const person = 'stranger-who-is-reported';
      const body = { externalUserId: person, category: 'spam' };
      await daemon.client.call(reportRoutes.create, { params: params(), body });
      const report = () => daemon.client.call(reportRoutes.create, { params: params(), body });
      expect(await erasedBefore(person, report)).toMatchObject({ value: { externalUserId: person, repeats: 0 } });
      await erase(person);
      expect(await tracesOf(person)).toEqual([]);
    });
  });
