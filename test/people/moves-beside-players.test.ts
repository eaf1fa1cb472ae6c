/** People who are moved while they enter gatherings, are kicked, invited and play: on PostgreSQL, where all of it runs at once. */
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { EarshotClient } from '../../src/client/earshot-client.js';
import { ApiError } from '../../src/client/errors.js';
import { challengeRoutes } from '../../src/contract/gameplay/challenges.js';
import { gameplayRoutes } from '../../src/contract/gameplay/gameplay.js';
import { leaderboardRoutes } from '../../src/contract/gameplay/leaderboards.js';
import { playerRoutes } from '../../src/contract/gameplay/players.js';
import { sanctionRoutes } from '../../src/contract/moderation/sanctions.js';
import { personMoveRoutes } from '../../src/contract/people/person-moves.js';
import { type Gatherings, gatheringsOf } from '../gatherings/support.js';
import { startDaemon, type TestDaemon } from '../support/daemon.js';
import { eventually } from '../support/eventually.js';
import { hasPostgresql, type PostgresqlServer, startPostgresql } from '../support/postgresql.js';
import { scale } from '../support/scale.js';

const rounds = scale(25, 200);

describe.skipIf(!hasPostgresql)('moves beside players', () => {
  let server: PostgresqlServer;
  let daemon: TestDaemon;
  let game: EarshotClient;
  let g: Gatherings;
  let tables: pg.Client;
  let boards: string[];
  let challengeId: string;
  beforeAll(async () => {
    server = await startPostgresql();
    daemon = await startDaemon({ settings: { DATABASE_URL: server.url } });
    game = await daemon.clientWith(['gameplay'], daemon.projectId);
    g = gatheringsOf({ client: daemon.admin, projectId: daemon.projectId });
    tables = new pg.Client({ connectionString: server.url });
    await tables.connect();
    const body = { name: { en: 'Kills' }, eventName: 'kill-enemy' } as const;
    const create = async () => (await daemon.admin.call(leaderboardRoutes.create, { params: params(), body })).id;
    boards = [await create(), await create()];
    const goal = { ...body, goal: 1_000 };
    ({ id: challengeId } = await daemon.admin.call(challengeRoutes.create, { params: params(), body: goal }));
  }, 60_000);
  afterAll(async () => {
    await tables.end();
    await daemon.stop();
    await server.stop();
  });

  const params = () => ({ projectId: daemon.projectId });
  const move = (user: string, externalUserId: string) =>
    daemon.admin.call(personMoveRoutes.move, { params: { ...params(), user }, body: { externalUserId } });
  const kill = (user_id: string) =>
    game.call(gameplayRoutes.sendEvent, {
      body: { user_id, event_name: 'kill-enemy', event_type: 'single', meta_data: { amount: 1 } },
    });
  const act = (route: typeof playerRoutes.unlock, userId: string) =>
    daemon.admin.call(route, { params: { ...params(), userId, id: challengeId } });

  const waiting = (count: number) =>
    eventually(async () => {
      const { rows } = await tables.query('SELECT DISTINCT pid FROM pg_locks WHERE NOT granted');
      expect(rows).toHaveLength(count);
    });

  it('lets those wait who give a seat to either of two people who are becoming one', async () => {
    const [one, other] = [await g.person('one'), await g.person('other')];
    const [home, raid] = [await g.create({ ownerId: one.id }), await g.create()];
    await tables.query('BEGIN');
    await tables.query('SELECT 1 FROM "Gathering" WHERE "id" = $1 FOR UPDATE', [home.id]);
    const moving = move('one', 'other');
    await waiting(1); // in the middle of the move
    const entering = Promise.allSettled([
      g.join(raid.joinCode, one.id),
      g.join(raid.joinCode, other.id),
      g.invite(raid.id, [other.id]),
      g.leave(home.id, one.id),
    ]);
    await waiting(5);
    await tables.query('COMMIT');
    await moving;
    const codes = (await entering).map((end) => (end.status === 'rejected' ? end.reason.code : 'done'));
    expect(codes).toEqual(['done', 'participant_not_found', 'participant_not_found', 'done']);
    expect(await g.get(raid.id)).toMatchObject({
      memberCount: 1,
      ownerId: one.id,
      members: [{ participantId: one.id }],
    });
    expect(await g.get(home.id)).toMatchObject({ memberCount: 0, ownerId: null });
  });

  it(`${rounds} rounds: seats are those of members, owners are there, nobody is answered 500`, {
    timeout: scale(240_000, 1_200_000),
  }, async () => {
    const refused: Record<string, number> = {};
    for (let round = 0; round < rounds; round += 1) {
      const [from, to] = [`from ${round}`, `to ${round}`];
      const [host, one, other] = [await g.person(`host ${round}`), await g.person(from), await g.person(to)];
      const [theirs, own] = [await g.create({ ownerId: host.id }), await g.create({ ownerId: one.id })];
      const empty = await g.create();
      const [invitation] = await g.invite(theirs.id, [other.id]);
      await g.invite(theirs.id, [one.id]);
      const calls: Promise<unknown>[] = [
        move(from, to),
        g.join(theirs.joinCode, one.id),
        g.join(theirs.joinCode, other.id),
        g.accept(invitation?.id ?? '', other.id),
        g.join(empty.joinCode, one.id),
        g.join(empty.joinCode, other.id),
        g.add(own.id, other.id),
        g.leave(own.id, one.id),
        g.invite(own.id, [one.id, other.id]),
        g.invite(empty.id, [other.id]),
        ...[from, to, from, to].map(kill),
        act(playerRoutes.unlock, round % 2 === 0 ? from : to),
        daemon.admin.call(sanctionRoutes.create, { params: params(), body: { type: 'warn', externalUserId: from } }),
      ];
      // One after the other, or not, in another order each time.
      const shuffled = calls.map((_, index) => calls[(index * 7 + round) % calls.length] ?? Promise.resolve());
      for (const answer of await Promise.allSettled(shuffled)) {
        if (answer.status === 'fulfilled') continue;
        if (!(answer.reason instanceof ApiError)) throw answer.reason;
        const { status, code } = answer.reason;
        refused[`${status} ${code}`] = (refused[`${status} ${code}`] ?? 0) + 1;
      }
      for (const { id } of [theirs, own, empty]) {
        const { memberCount, members = [], ownerId } = await g.get(id);
        const seated = members.filter(({ status }) => status === 'joined' || status === 'ready');
        expect(seated).toHaveLength(memberCount);
        if (memberCount > 0) expect(seated.map(({ participantId }) => participantId)).toContain(ownerId);
        const open = (await g.invitations(id)).filter(({ status }) => status === 'pending');
        expect(new Set(open.map(({ participantId }) => participantId)).size).toBe(open.length);
      }
    }
    expect(Object.keys(refused).filter((text) => text.startsWith('5'))).toEqual([]);
    // Nobody is named who is not there.
    for (const table of ['GatheringMember', 'GatheringInvitation']) {
      const { rows } = await tables.query(
        `SELECT m."gatheringId" FROM "${table}" AS m LEFT JOIN "Participant" AS p
           ON p."id" = m."participantId" AND p."externalUserId" = m."externalUserId" WHERE p."id" IS NULL`,
      );
      expect([table, rows]).toEqual([table, []]);
    }
    const counted = await tables.query(
      'SELECT "userId", count(*)::int AS "kills" FROM "GameEvent" GROUP BY "userId" ORDER BY "userId"',
    );
    for (const id of boards) {
      const { rows } = await tables.query(
        `SELECT s."memberId" AS "userId", (-s."sortKey")::int AS "kills" FROM "LeaderboardScore" AS s
           JOIN "LeaderboardTally" AS t ON t."id" = s."tallyId" WHERE t."leaderboardId" = $1 ORDER BY s."memberId"`,
        [id],
      );
      expect(rows).toEqual(counted.rows);
    }
    const { rows: locked } = await tables.query(
      'SELECT deadlocks::int FROM pg_stat_database WHERE datname = current_database()',
    );
    expect(locked).toEqual([{ deadlocks: 0 }]);
  });
});
