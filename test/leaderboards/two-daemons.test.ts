/** Two daemons on one PostgreSQL, each with the ranks in its own memory: whichever is asked, what it says is true now. */
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { EarshotClient } from '../../src/client/earshot-client.js';
import { leaderboardRoutes, MemberType } from '../../src/contract/gameplay/leaderboards.js';
import { playerRoutes } from '../../src/contract/gameplay/players.js';
import { startDaemon, type TestDaemon } from '../support/daemon.js';
import { eventually } from '../support/eventually.js';
import { hasPostgresql, type PostgresqlServer, startPostgresql } from '../support/postgresql.js';
import { scale } from '../support/scale.js';
import { withoutVoice } from '../support/two-daemons.js';
import { BoardModel, type Sent } from './model.js';
import { rebuilding } from './support.js';

const masterKey = 'cd'.repeat(32);
const either = fc.constantFrom(0, 1);
const user = fc.constantFrom('ann', 'ben', 'cem', 'dia');
const step = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('send' as const),
      on: either,
      sent: fc.record({
        user,
        team: fc.constantFrom(null, 'red', 'blue'),
        amount: fc.integer({ min: 0, max: 6 }),
        type: fc.constantFrom('single' as const, 'group' as const),
      }),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('remove' as const), on: either, user }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('reset' as const), on: either }) },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('rebuild' as const), on: either, without: user, undo: fc.boolean() }),
  },
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

describe.runIf(hasPostgresql)('leaderboards of two daemons on one PostgreSQL', () => {
  let server: PostgresqlServer;
  let daemons: [TestDaemon, TestDaemon];
  let projectId: string;
  beforeAll(async () => {
    server = await startPostgresql();
    const settings = { DATABASE_URL: server.url, EARSHOT_MASTER_KEY: masterKey };
    daemons = [await startDaemon({ settings }), await startDaemon({ settings: { ...settings, ...withoutVoice } })];
    projectId = daemons[0].projectId;
  }, 60_000);
  afterAll(async () => {
    for (const daemon of daemons) await daemon.stop();
    await server.stop();
  });

  const clients = (): [EarshotClient, EarshotClient] => [daemons[0].admin, daemons[1].admin];
  const create = async () => {
    const body = { name: 'Points', eventName: 'earn-points' };
    return (await daemons[0].admin.call(leaderboardRoutes.create, { params: { projectId }, body })).id;
  };
  const send = (client: EarshotClient, { user: userId, team, amount, type }: Sent) =>
    client.call(playerRoutes.sendEvent, {
      params: { projectId, userId },
      body: {
        ...{ event_name: 'earn-points', event_type: type, meta_data: { amount } },
        ...(team === null ? {} : { team_id: team }),
      },
    });
  const rankingOn = async (client: EarshotClient, id: string, memberType: MemberType) => {
    const { entries } = await client.call(leaderboardRoutes.ranking, {
      params: { projectId, id },
      query: { memberType },
    });
    return entries.map(({ rank, memberId, score }) => `${rank} ${memberId} ${score}`);
  };
  const membersInMemory = async ({ url }: TestDaemon) => {
    const text = await (await fetch(`${url}/metrics`)).text();
    return Number(/^\w*leaderboard_members_in_memory(?:\{.*\})? (\d+)$/m.exec(text)?.[1]);
  };

  it('hold the board in memory, both of them', async () => {
    const id = await create();
    await send(daemons[0].admin, { user: 'ann', team: null, amount: 1, type: 'single' });
    await eventually(async () => {
      for (const client of clients()) await rankingOn(client, id, 'user');
      for (const daemon of daemons) expect(await membersInMemory(daemon)).toBeGreaterThan(0);
    });
  });

  it(
    'say what the plain model says, whichever has counted, reset, removed or rebuilt',
    async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: scale(15, 40) }), async (steps) => {
          const id = await create();
          const model = new BoardModel('sum', 'desc');
          const params = { projectId, id };
          const act = async (one: Step) => {
            const client = clients()[one.on] ?? daemons[0].admin;
            if (one.do === 'send') {
              await send(client, one.sent);
              model.events.push(one.sent);
            } else if (one.do === 'remove') {
              const member = { ...params, memberType: 'user' as const, memberId: one.user };
              const stands = model.ranking('user').some((line) => line.split(' ')[1] === one.user);
              const removal = client.call(leaderboardRoutes.removeMember, { params: member });
              await (stands
                ? removal
                : expect(removal).rejects.toMatchObject({ code: 'leaderboard_member_not_found' }));
              if (stands) model.since.set(`user ${one.user}`, model.events.length);
            } else if (one.do === 'reset') {
              await client.call(leaderboardRoutes.reset, { params });
              model.began = model.events.length;
            } else {
              const before = model.excluded;
              const rebuild = rebuilding(client, params);
              const { id: rebuildId } = await rebuild.make({ without: [one.without] });
              await rebuild.apply(rebuildId);
              model.excluded = new Set([...before, one.without]);
              if (!one.undo) return;
              await expectBoth();
              await rebuild.undo(rebuildId);
              model.excluded = before;
            }
          };
          const expectBoth = async () => {
            const expected = MemberType.options.map((kind) => model.ranking(kind));
            for (const client of clients())
              expect(await Promise.all(MemberType.options.map((kind) => rankingOn(client, id, kind)))).toEqual(
                expected,
              );
          };
          for (const one of steps) {
            await act(one);
            await expectBoth();
          }
          await daemons[0].admin.call(leaderboardRoutes.delete, { params });
        }),
        { numRuns: scale(2, 200), endOnFailure: true },
      );
    },
    scale(120_000, 3_600_000),
  );

  it('show on one daemon at once what the other has acknowledged, while many send to both', async () => {
    const id = await create();
    const [here, there] = clients();
    const rounds = scale(4, 200);
    const play = async (player: number) => {
      const memberId = `p${player}`;
      let total = 0;
      for (let round = 0; round < rounds; round += 1) {
        const [to, from] = (player + round) % 2 === 0 ? [here, there] : [there, here];
        const amount = ((player * 7 + round * 3) % 11) + 1;
        await send(to, { user: memberId, team: `t${player % 3}`, amount, type: 'single' });
        total += amount;
        const member = { projectId, id, memberType: 'user' as const, memberId };
        const { member: seen } = await from.call(leaderboardRoutes.member, { params: member });
        expect(seen).toMatchObject({ score: total });
      }
      return `${memberId} ${total}`;
    };
    const totals = await Promise.all(Array.from({ length: 12 }, (_, player) => play(player)));
    const [first, second] = await Promise.all([rankingOn(here, id, 'user'), rankingOn(there, id, 'user')]);
    expect(first).toEqual(second);
    expect(first?.map((line) => line.split(' ').slice(1).join(' ')).sort()).toEqual(totals.sort());
    const teams = await Promise.all([rankingOn(here, id, 'team'), rankingOn(there, id, 'team')]);
    expect(teams[0]).toEqual(teams[1]);
  });
});
