/** Announcements between daemons that share a PostgreSQL database. */
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { PostgresqlWakeUps } from '../../../daemon/platform/events/postgresql-wake-ups.js';
import { eventually } from '../../support/eventually.js';
import { hasPostgresql, type PostgresqlServer, startPostgresql } from '../../support/postgresql.js';

let server: PostgresqlServer;
beforeAll(async () => {
  if (hasPostgresql) server = await startPostgresql();
});
afterAll(() => server?.stop());

it.runIf(hasPostgresql)('wakes listeners of every daemon, and those of its own once', async () => {
  const [one, other] = [new PostgresqlWakeUps(server.url, 'tried'), new PostgresqlWakeUps(server.url, 'tried')];
  await Promise.all([one.start(), other.start()]);
  const heard = { one: 0, other: 0 };
  one.onWake(() => {
    heard.one += 1;
  });
  other.onWake(() => {
    heard.other += 1;
  });
  one.wake();
  await eventually(() => expect(heard.other).toBe(1));
  // What the other announces now comes behind an echo of the first.
  other.wake();
  await eventually(() => expect(heard.one).toBe(2));
  await sleep(50);
  expect(heard).toEqual({ one: 2, other: 2 });
  await Promise.all([one.stop(), other.stop()]);
});

it.runIf(hasPostgresql)('wakes for news of its kind alone', async () => {
  const [one, other] = [new PostgresqlWakeUps(server.url, 'kinds'), new PostgresqlWakeUps(server.url, 'kinds')];
  await Promise.all([one.start(), other.start()]);
  const heard: string[] = [];
  other.onWake(() => heard.push('events'));
  other.onWake(() => heard.push('deliveries'), 'deliveries');
  one.wake();
  await eventually(() => expect(heard).toEqual(['events']));
  one.wake('deliveries');
  one.wake();
  await eventually(() => expect(heard).toEqual(['events', 'events', 'deliveries']));
  await Promise.all([one.stop(), other.stop()]);
});

it.runIf(hasPostgresql)('tells the others what it could not tell while its connection was lost', async () => {
  const [one, other] = [new PostgresqlWakeUps(server.url, 'lost'), new PostgresqlWakeUps(server.url, 'lost')];
  await one.start();
  const admin = new pg.Client({ connectionString: server.url });
  await admin.connect();
  const { rows } = await admin.query<{ pid: number }>(`SELECT pid FROM pg_stat_activity WHERE query = 'LISTEN lost'`);
  expect(rows).toHaveLength(1);
  await other.start();
  let heard = 0;
  other.onWake(() => {
    heard += 1;
  }, 'rows');
  await admin.query('SELECT pg_terminate_backend($1)', [rows[0]?.pid]);
  await eventually(() => expect(one.isHearing).toBe(false));
  one.tellOthers('rows');
  await eventually(() => expect(heard).toBe(1), 5_000);
  await eventually(() => expect(one.isHearing).toBe(true));
  await admin.end();
  await Promise.all([one.stop(), other.stop()]);
});

it.runIf(hasPostgresql)('sends texts to the others, as many as wait and as long as fit', async () => {
  const [one, other] = [new PostgresqlWakeUps(server.url, 'texts'), new PostgresqlWakeUps(server.url, 'texts')];
  await Promise.all([one.start(), other.start()]);
  const heard: string[] = [];
  const own: string[] = [];
  other.onText((text) => heard.push(text));
  one.onText((text) => own.push(text));
  one.sendText("it's ten of clubs");
  one.sendText('x'.repeat(8_000)); // PostgreSQL would refuse it
  for (let count = 0; count < 200; count++) one.sendText(String(count));
  await eventually(() => expect(heard.at(-1)).toBe('199'));
  expect(heard[0]).toBe("it's ten of clubs");
  expect(heard.length).toBeLessThan(70); // the oldest of what waited are lost
  expect(own).toEqual([]);
  await Promise.all([one.stop(), other.stop()]);
});
