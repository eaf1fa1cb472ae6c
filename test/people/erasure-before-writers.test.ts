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
  describe('an erasure beside a writer who has read of the person', { timeout: 60_000 }, () => {
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
        'SELECT COUNT(*) AS count FROM pg_locks WHERE NOT granted',
      );
      return Number(rows[0]?.count);
    };
    const erase = (user: string) => daemon.client.call(personRoutes.erase, { params: { ...params(), user } });
    const tracesOf = async (person: string) => Object.keys(tracesIn(await contentsOf(server.url), [person]));

    /** Erases the person while a writer who has read of them is held before its last step, in which it opens their case. */
    async function erasedDuring<T>(person: string, write: () => Promise<T>): Promise<T> {
      await beside.query('BEGIN');
      await beside.query(
        `INSERT INTO "Case" ("id", "tenantId", "projectId", "openKey", "status", "category", "categoryWeight", "reports",
          "reporters", "reviews", "weight", "brigaded", "rank", "dueAt", "createdAt", "updatedAt")
        VALUES ('beside', '', $1, $2, 'open', 'spam', 1, 0, 0, 0, 0, 0, 0, now(), now(), now())`,
        [daemon.projectId, `person:${person}`],
      );
      const written = write();
      await eventually(async () => expect(await waiting()).toBe(1));
      const erasure = erase(person);
      await Promise.race([erasure, eventually(async () => expect(await waiting()).toBe(2))]);
      await beside.query('ROLLBACK');
      await erasure;
      return written;
    }

    it('leaves no appeal of them', async () => {
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
      expect((await erasedDuring(person, appeal).catch(() => null))?.sanctionId ?? id).toBe(id);
      expect(await tracesOf(person)).toEqual([]);
    });

    it('leaves no report of them', async () => {
      const person = 'stranger-who-is-reported';
      const body = { externalUserId: person, category: 'spam', words: 'they said it again' };
      const report = () => daemon.client.call(reportRoutes.create, { params: params(), body });
      expect(await erasedDuring(person, report)).toMatchObject({ externalUserId: person });
      expect(await tracesOf(person)).toEqual([]);
    });
  });
