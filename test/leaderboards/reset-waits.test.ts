/** A period that is cut begins when nobody counts into the one before any more, not when somebody asked for it. */
import pg from 'pg';
import { expect, it } from 'vitest';
import { gameplayRoutes } from '../../src/contract/gameplay/gameplay.js';
import { leaderboardRoutes } from '../../src/contract/gameplay/leaderboards.js';
import { startDaemon } from '../support/daemon.js';
import { eventually } from '../support/eventually.js';
import { hasPostgresql, startPostgresql } from '../support/postgresql.js';

it.runIf(hasPostgresql)(
  'a reset that waits for events that are counted begins after them',
  { timeout: 60_000 },
  async () => {
    const server = await startPostgresql();
    let now = new Date('2026-03-01T10:00:00.000Z');
    const daemon = await startDaemon({ now: () => now, settings: { DATABASE_URL: server.url } });
    const operator = new pg.Client({ connectionString: server.url });
    await operator.connect();
    const params = { projectId: daemon.projectId };
    const { id } = await daemon.client.call(leaderboardRoutes.create, {
      params,
      body: { name: 'Kills', eventName: 'kill-enemy' },
    });
    await daemon.client.call(gameplayRoutes.sendEvent, {
      body: { user_id: 'ann', event_name: 'kill-enemy', event_type: 'single', meta_data: { amount: 1 } },
    });
    await operator.query('BEGIN');
    await operator.query(`SELECT 1 FROM "LeaderboardTally" WHERE "role" = 'live' FOR UPDATE`);
    const reset = daemon.client.call(leaderboardRoutes.reset, { params: { ...params, id } });
    await eventually(async () => {
      const { rows } = await operator.query(`SELECT 1 FROM pg_locks WHERE NOT granted`);
      expect(rows).not.toEqual([]);
    });
    now = new Date('2026-03-01T10:00:05.000Z');
    await operator.query('COMMIT');
    expect(await reset).toMatchObject({ startsAt: '2026-03-01T10:00:05.000Z' });
    await operator.end();
    await daemon.stop();
    await server.stop();
  },
);
