import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { RoleTaken, SoleRole } from '../../../daemon/platform/database/sole-role.js';
import { eventually } from '../../support/eventually.js';
import { hasPostgresql, type PostgresqlServer, startPostgresql } from '../../support/postgresql.js';

describe.skipIf(!hasPostgresql)('a role that one daemon of a database may have', () => {
  let server: PostgresqlServer;
  let operator: pg.Client;
  beforeAll(async () => {
    server = await startPostgresql();
    operator = new pg.Client({ connectionString: server.url });
    await operator.connect();
  });
  afterAll(async () => {
    await operator.end();
    await server.stop();
  });

  const role = (patienceMs: number) => new SoleRole({ dialect: 'postgresql', url: server.url }, 'voice', patienceMs);
  const here = "locktype = 'advisory' AND database = (SELECT oid FROM pg_database WHERE datname = current_database())";
  const holders = async () => (await operator.query(`SELECT pid FROM pg_locks WHERE ${here}`)).rows;
  const endConnection = `SELECT pg_terminate_backend(pid) FROM pg_locks WHERE ${here}`;

  it('is refused to another, who is told what to do, until the first stops', async () => {
    const [first, second, third] = [role(0), role(0), role(20_000)];
    await first.start();
    await expect(second.start()).rejects.toThrow(RoleTaken);
    await expect(role(0).start()).rejects.toThrow(
      /voice\. Stop it, or start this one with EARSHOT_ROLES without voice/,
    );
    const waiting = third.start();
    await first.stop();
    await waiting;
    expect(third.problem).toBeNull();
    await third.stop();
  });

  it('is taken again when the connection was lost, and missed when another was faster', async () => {
    const holder = role(0);
    await holder.start();
    await operator.query(endConnection);
    await eventually(async () => expect(await holders()).toEqual([]));
    await eventually(async () => expect(await holders()).toHaveLength(1));
    await operator.query(`${endConnection}; SELECT pg_advisory_lock(hashtext('role voice'))`);
    await eventually(() => expect(holder.problem).toContain('Another daemon of this database has the role voice'));
    await operator.query('SELECT pg_advisory_unlock_all()');
    await eventually(() => expect(holder.problem).toBeNull());
    await holder.stop();
  });

  it('needs no claim on SQLite', async () => {
    const [first, second] = [0, 0].map(() => new SoleRole({ dialect: 'sqlite', url: 'file:any' }, 'voice'));
    await Promise.all([first?.start(), second?.start()]);
    await Promise.all([first?.stop(), second?.stop()]);
  });
});
