/** Random lives of challenges over HTTP against the reference model: answers, states and counters are the same. */
import fc from 'fast-check';
import { expect } from 'vitest';
import { challengeRoutes } from '../../src/contract/gameplay/challenges.js';
import { playerRoutes } from '../../src/contract/gameplay/players.js';
import { ModelPlayer, minuteMs } from '../support/play-model.js';
import { scale } from '../support/scale.js';
import { describeWalk } from '../support/walk.js';

const people = 2;
const challengesMax = 4;

const eventName = fc.constantFrom('kill-enemy' as const, 'earn-points' as const);
const rules = fc
  .record({
    eventName,
    goal: fc.integer({ min: 1, max: 5 }),
    goalCondition: fc.constantFrom(0 as const, 0 as const, 1 as const),
    durationMinutes: fc.constantFrom(null, 10, 2_000),
    repeatable: fc.boolean(),
    range: fc.constantFrom(null, null, 'd' as const, 'w' as const, 'm' as const),
    counting: fc.constantFrom('per-session' as const, 'total' as const),
  })
  .map((one) => ({ ...one, goalCondition: one.durationMinutes === null ? (0 as const) : one.goalCondition }));
const who = fc.nat({ max: people - 1 });
const step = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      do: fc.constantFrom('unlock' as const, 'activate' as const, 'activate' as const, 'claim' as const),
      who,
      challenge: fc.nat({ max: challengesMax - 1 }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constantFrom('cancel' as const, 'reset' as const),
      who,
      challenge: fc.nat({ max: challengesMax - 1 }),
    }),
  },
  {
    weight: 8,
    arbitrary: fc.record({
      do: fc.constant('send' as const),
      who,
      name: eventName,
      session: fc.constantFrom('a', 'b'),
      type: fc.constantFrom('single' as const, 'single' as const, 'group' as const),
      amount: fc.integer({ min: 0, max: 3 }),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constant('wait' as const), minutes: fc.constantFrom(1, 9, 11, 1_500, 11_000) }),
  },
);
const life = fc.record({
  all: fc.array(rules, { minLength: 1, maxLength: challengesMax }),
  steps: fc.array(step, { minLength: 8, maxLength: scale(40, 80), size: 'max' }),
});

describeWalk(
  'a random walk of challenges',
  Date.UTC(2030, 2, 30, 20),
  life,
  async ({ daemon, time, round }, { all, steps }) => {
    const { client, projectId } = daemon;
    const ids: string[] = [];
    for (const { range, ...one } of all) {
      const resetPeriod = range === null ? null : { range, atTime: '04:00', timeZone: 'UTC' };
      const body = { ...one, name: 'Walk', resetPeriod };
      ids.push((await client.call(challengeRoutes.create, { params: { projectId }, body })).id);
    }
    const known = all.map(({ range, ...one }) => ({
      ...one,
      reset: range === null ? null : { range, minutes: 240 },
    }));
    const models = Array.from({ length: people }, () => new ModelPlayer(known));
    const userOf = (index: number) => `player ${round} ${index}`;
    const seen = async (index: number) => {
      const player = { projectId, userId: userOf(index) };
      const { challenges } = await client.call(playerRoutes.get, { params: player });
      return ids.map((id) => {
        const own = challenges.find(({ challengeId }) => challengeId === id);
        return { state: own?.state ?? 'unlock', counter: own?.counter ?? 0 };
      });
    };
    for (const [at, one] of steps.entries()) {
      time.now += 1;
      if (one.do === 'wait') {
        time.now += one.minutes * minuteMs;
        continue;
      }
      const model = models[one.who];
      const player = { projectId, userId: userOf(one.who) };
      if (one.do === 'send') {
        await client.call(playerRoutes.sendEvent, {
          params: player,
          body: {
            ...{ event_name: one.name, event_type: one.type, session_id: one.session },
            meta_data: { amount: one.amount },
          },
        });
        const { name, session, type, amount } = one;
        model?.send({ name, user: player.userId, team: null, session, type, amount }, time.now);
      } else {
        const id = ids[one.challenge];
        if (id === undefined) continue;
        const answer = await client.call(playerRoutes[one.do], { params: { ...player, id } }).then(
          () => 'ok',
          (error: { readonly code?: string }) => error.code ?? String(error),
        );
        expect(answer, `step ${at}`).toBe(model?.act(one.do, one.challenge, time.now));
      }
      expect(await seen(one.who), `after step ${at}`).toEqual(model?.seen(time.now));
    }
    for (const id of ids) await client.call(challengeRoutes.delete, { params: { projectId, id } });
  },
);
