/** Random lives of boards over HTTP against the reference model: rankings and periods are the same after every step. */
import fc from 'fast-check';
import { expect } from 'vitest';
import { leaderboardExclusionRoutes } from '../../src/contract/gameplay/leaderboard-exclusions.js';
import { leaderboardRoutes, MemberType } from '../../src/contract/gameplay/leaderboards.js';
import { playerRoutes } from '../../src/contract/gameplay/players.js';
import { sanctionRoutes } from '../../src/contract/moderation/sanctions.js';
import { personRoutes } from '../../src/contract/people/person.js';
import { personMoveRoutes } from '../../src/contract/people/person-moves.js';
import { rebuilding } from '../leaderboards/support.js';
import { ModelBoard, type ModelPeriod, minuteMs, type PlayEvent } from '../support/play-model.js';
import { scale } from '../support/scale.js';
import { describeWalk } from '../support/walk.js';

const people = ['ann', 'ben', 'cem'];
const begin = Date.UTC(2030, 2, 30, 20);

const user = fc.constantFrom(...people);
const action = <const Name extends string>(name: Name) => fc.constant(name);
const step = fc.oneof(
  {
    weight: 12,
    arbitrary: fc.record({
      do: action('send'),
      user,
      team: fc.constantFrom(null, 'red', 'blue'),
      type: fc.constantFrom('single' as const, 'single' as const, 'group' as const),
      amount: fc.integer({ min: -2, max: 3 }),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({ do: action('wait'), minutes: fc.constantFrom(1, 60, 600, 1_440, 4_320, 50_000) }),
  },
  { weight: 2, arbitrary: fc.record({ do: action('read') }) },
  // the clock is ahead for a moment, in which somebody plays
  { weight: 1, arbitrary: fc.record({ do: action('hurry'), user, minutes: fc.constantFrom(600, 1_440) }) },
  { weight: 1, arbitrary: fc.record({ do: action('reset') }) },
  { weight: 1, arbitrary: fc.record({ do: action('remove'), memberType: action('user'), member: user }) },
  {
    weight: 1,
    arbitrary: fc.record({ do: action('remove'), memberType: action('team'), member: fc.constantFrom('red', 'blue') }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constantFrom('exclude' as const, 'include' as const), user }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constantFrom('restrict' as const, 'release' as const), user }) },
  { weight: 1, arbitrary: fc.record({ do: action('erase'), user }) },
  { weight: 1, arbitrary: fc.record({ do: action('rename'), user, to: fc.constantFrom('ann', 'ben', 'dia') }) },
  { weight: 1, arbitrary: fc.record({ do: action('recount'), ago: fc.nat({ max: 3 }) }) },
  { weight: 2, arbitrary: fc.record({ do: action('rebuild'), without: fc.option(user, { nil: null }) }) },
);
type Sent = Pick<PlayEvent, 'user' | 'team' | 'type' | 'amount'>;
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

const life = fc.record({
  aggregate: fc.constantFrom('sum' as const, 'best' as const, 'last' as const),
  sortOrder: fc.constantFrom('desc' as const, 'asc' as const),
  range: fc.constantFrom(null, 'd' as const, 'w' as const, 'm' as const),
  hour: fc.constantFrom(0, 4, 23),
  /** Minutes until the board begins and ends. */
  from: fc.constantFrom(null, 30, 2_000),
  until: fc.constantFrom(null, null, 3_000, 100_000),
  steps: fc.array(step, { minLength: 5, maxLength: scale(25, 60), size: 'max' }),
});

describeWalk(
  'a random walk of boards',
  begin,
  life,
  async ({ daemon, time, round }, { aggregate, sortOrder, range, hour, from, until, steps }) => {
    const { client, projectId } = daemon;
    const project = { projectId };
    const own = (name: string) => `${name} ${round}`;
    time.now += 2_880 * minuteMs;
    const at = (minutes: number | null) => (minutes === null ? null : time.now + minutes * minuteMs);
    const rules = { aggregate, sortOrder, eventName: 'defeat-boss', startDate: at(from), endDate: at(until) };
    const model = new ModelBoard({ ...rules, reset: range === null ? null : { range, minutes: hour * 60 } }, time.now);
    const iso = (ms: number | null) => (ms === null ? null : new Date(ms).toISOString());
    const atTime = `${String(hour).padStart(2, '0')}:00`;
    const { id } = await client.call(leaderboardRoutes.create, {
      params: project,
      body: {
        ...{ ...rules, name: 'Walk', countProperty: 'health' },
        ...{ startDate: iso(rules.startDate), endDate: iso(rules.endDate) },
        resetPeriod: range === null ? null : { range, atTime, timeZone: 'UTC' },
      },
    });
    const board = { ...project, id };
    const restricted = new Map<string, string>();
    const send = async ({ user, team, type, amount }: Sent) => {
      const body = { event_name: 'defeat-boss', event_type: type, meta_data: { health: amount } };
      await client.call(playerRoutes.sendEvent, {
        params: { ...project, userId: own(user) },
        body: team === null ? body : { ...body, team_id: team },
      });
      model.send({ name: 'defeat-boss', user: own(user), session: '', team, type, amount }, time.now);
    };
    const act = async (one: Step): Promise<void> => {
      if (one.do === 'wait') time.now += one.minutes * minuteMs;
      if (one.do === 'send') await send(one);
      if (one.do === 'hurry') {
        time.now += one.minutes * minuteMs;
        await send({ user: one.user, team: 'red', type: 'single', amount: 1 });
        time.now -= one.minutes * minuteMs;
      }
      if (one.do === 'reset') {
        await client.call(leaderboardRoutes.reset, { params: board });
        model.reset(time.now);
      }
      if (one.do === 'remove') {
        const memberId = one.memberType === 'user' ? own(one.member) : one.member;
        const params = { ...board, memberType: one.memberType, memberId };
        const done = await client.call(leaderboardRoutes.removeMember, { params }).then(
          () => true,
          () => false,
        );
        expect(done).toBe(model.remove(one.memberType, memberId, time.now));
      }
      if (one.do === 'exclude' || one.do === 'include') {
        const body = { userId: own(one.user), leaderboardId: id };
        await client.call(leaderboardExclusionRoutes[one.do], { params: project, body });
        if (one.do === 'include') model.include(body.userId);
        else if (!model.excluded.has(body.userId)) model.exclude(body.userId, time.now);
      }
      if (one.do === 'restrict' && !restricted.has(own(one.user))) {
        const body = { type: 'ranked_restriction', externalUserId: own(one.user) } as const;
        restricted.set(own(one.user), (await client.call(sanctionRoutes.create, { params: project, body })).id);
      }
      if (one.do === 'release') {
        const sanction = restricted.get(own(one.user));
        if (sanction === undefined) return;
        restricted.delete(own(one.user));
        await client.call(sanctionRoutes.revoke, { params: { ...project, id: sanction }, body: {} });
      }
      if (one.do === 'erase') {
        await client.call(personRoutes.erase, { params: { ...project, user: own(one.user) } });
        model.erase(own(one.user));
        restricted.delete(own(one.user));
      }
      if (one.do === 'rename') {
        const [from, to] = [own(one.user), own(one.to)];
        const move = { params: { ...project, user: from }, body: { externalUserId: to } };
        const moved = await daemon.admin.call(personMoveRoutes.move, move).then(
          () => true,
          () => false,
        );
        if (!moved) return;
        model.rename(from, to);
        const sanction = restricted.get(from);
        restricted.delete(from);
        if (sanction !== undefined) restricted.set(to, sanction);
      }
      if (one.do === 'recount') {
        const period = model.list(time.now)[one.ago];
        const { periods } = await client.call(leaderboardRoutes.periods, {
          params: board,
          query: { limit: 200 },
        });
        const periodId = periods[one.ago]?.id;
        if (period === undefined || periodId === undefined) return;
        const made = await rebuilding(client, board).make({ periodId });
        await rebuilding(client, board).apply(made.id);
        model.rebuild(period);
      }
      if (one.do === 'rebuild') {
        const without = one.without === null ? [] : [own(one.without)];
        const made = await rebuilding(client, board).make({ without });
        await rebuilding(client, board).apply(made.id);
        for (const name of without) model.excluded.add(name);
        model.rebuild(model.current(time.now));
      }
    };
    const shown = async () => {
      const { periods } = await client.call(leaderboardRoutes.periods, { params: board, query: { limit: 200 } });
      const seen: unknown[] = [];
      for (const { id: periodId, startsAt, endsAt, isCurrent } of periods) {
        const rankings: string[][] = [];
        for (const memberType of MemberType.options) {
          const query = { memberType, periodId, limit: 200 };
          const { entries } = await client.call(leaderboardRoutes.ranking, { params: board, query });
          rankings.push(entries.map(({ rank, memberId, score }) => `${rank} ${memberId} ${score}`));
        }
        seen.push({ startsAt, endsAt, isCurrent, rankings });
      }
      return seen;
    };
    const expected = () => {
      const hidden = new Set(restricted.keys());
      const rankingsOf = (period: ModelPeriod) =>
        MemberType.options.map((memberType) =>
          model.ranking(memberType, period, hidden).map(({ rank, memberId, score }) => `${rank} ${memberId} ${score}`),
        );
      return model.list(time.now).map((period, index) => ({
        ...{ startsAt: iso(period.startsAt), endsAt: iso(model.endOf(period, time.now)), isCurrent: index === 0 },
        rankings: rankingsOf(period),
      }));
    };
    for (const [index, one] of steps.entries()) {
      time.now += 1;
      await act(one);
      if (one.do !== 'wait') expect(await shown(), `after step ${index}`).toEqual(expected());
    }
    for (const sanction of restricted.values())
      await client.call(sanctionRoutes.revoke, { params: { ...project, id: sanction }, body: {} });
    await client.call(leaderboardRoutes.delete, { params: board });
  },
);
