/**
 * Random lives of battle passes over HTTP, beside single challenges and under seasons that change, against the reference
 * model: answers and progress are the same after every step, and whoever follows the events knows the same.
 */
import fc from 'fast-check';
import { expect } from 'vitest';
import { EarshotClient } from '../../src/client/earshot-client.js';
import { battlePassLevelRoutes } from '../../src/contract/gameplay/battle-pass-levels.js';
import { battlePassProgressRoutes } from '../../src/contract/gameplay/battle-pass-progress.js';
import { battlePassRoutes } from '../../src/contract/gameplay/battle-passes.js';
import { challengeRoutes } from '../../src/contract/gameplay/challenges.js';
import { deletionRoutes } from '../../src/contract/gameplay/deletions.js';
import { gameplayRoutes } from '../../src/contract/gameplay/gameplay.js';
import { playerBattlePassRoutes } from '../../src/contract/gameplay/player-battle-passes.js';
import { playerRoutes } from '../../src/contract/gameplay/players.js';
import { seasonRoutes } from '../../src/contract/gameplay/season-routes.js';
import { personRoutes } from '../../src/contract/people/person.js';
import { personMoveRoutes } from '../../src/contract/people/person-moves.js';
import { eventually } from '../support/eventually.js';
import { passFollower } from '../support/pass-follower.js';
import { ModelPass, ModelPassPlayer } from '../support/pass-model.js';
import { minuteMs } from '../support/play-model.js';
import { scale } from '../support/scale.js';
import { describeWalk, type Walk } from '../support/walk.js';

const people = ['ann', 'ben'];
const eventNames = ['kill-enemy', 'earn-points'] as const;
const countings = ['per-session', 'total'] as const;

const eventName = fc.constantFrom(...eventNames);
const counting = fc.constantFrom(...countings);
const maybe = <T>(one: fc.Arbitrary<T>) => fc.option(one, { nil: null });
const action = <const Name extends string>(...names: Name[]) => fc.constantFrom(...names);

const levelChallenge = fc
  .record({
    eventName,
    goal: fc.integer({ min: 1, max: 4 }),
    goalCondition: fc.constantFrom(0 as const, 0 as const, 1 as const),
    durationMinutes: maybe(fc.constant(10)),
  })
  .map((one) => ({ ...one, goalCondition: one.durationMinutes === null ? (0 as const) : one.goalCondition }));
const pass = fc.record({
  isInOrder: fc.boolean(),
  from: maybe(fc.constantFrom(0, 5)),
  until: maybe(fc.integer({ min: 20, max: 60 })),
  counting: fc.record({ 'kill-enemy': counting, 'earn-points': counting }),
  levels: fc.array(fc.record({ hasReward: fc.boolean(), challenges: fc.array(levelChallenge, { maxLength: 3 }) }), {
    minLength: 1,
    maxLength: 3,
  }),
});
const single = fc.record({ eventName, goal: fc.integer({ min: 1, max: 6 }), counting });

const who = fc.constantFrom(...people);
const place = {
  pass: fc.constantFrom(0, 0, 1),
  level: fc.constantFrom(0, 0, 1, 1, 2),
  challenge: fc.constantFrom(0, 0, 1, 2),
};
const played = fc.record({
  name: eventName,
  amount: fc.nat({ max: 4 }),
  type: action('single', 'single', 'group'),
  session: action('a', 'b'),
});
const step = fc.oneof(
  { weight: 3, arbitrary: fc.record({ do: action('unlock'), who, pass: place.pass, isPaid: fc.boolean() }) },
  { weight: 9, arbitrary: fc.record({ do: action('activate'), who, ...place }) },
  { weight: 4, arbitrary: fc.record({ do: action('claim'), who, ...place }) },
  { weight: 1, arbitrary: fc.record({ do: action('premium'), who, pass: place.pass }) },
  { weight: 1, arbitrary: fc.record({ do: action('reset'), who, pass: place.pass }) },
  {
    weight: 10,
    arbitrary: fc.record({ do: action('play'), who, events: fc.array(played, { minLength: 1, maxLength: 4 }) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: action('set'),
      who,
      ...place,
      how: action('counter', 'add'),
      count: fc.integer({ min: 1, max: 3 }),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: action('single'),
      who,
      act: action('unlock', 'activate', 'activate', 'claim', 'cancel', 'reset'),
      index: fc.nat({ max: 1 }),
    }),
  },
  { weight: 4, arbitrary: fc.record({ do: action('wait'), minutes: fc.constantFrom(1, 5, 10, 15) }) },
  { weight: 1, arbitrary: fc.record({ do: action('rename'), who, to: fc.constantFrom(...people, 'dia') }) },
  { weight: 1, arbitrary: fc.record({ do: action('erase'), who }) },
  { weight: 1, arbitrary: fc.record({ do: action('delete'), pass: place.pass }) },
  { weight: 2, arbitrary: fc.record({ do: action('restore'), pass: place.pass }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: action('goal', 'add', 'drop'),
      ...place,
      one: levelChallenge,
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ do: action('end'), pass: place.pass, minutes: maybe(fc.integer({ min: 1, max: 40 })) }),
  },
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;
const life = fc.record({
  passes: fc.array(pass, { minLength: 1, maxLength: 2 }),
  singles: fc.array(single, { maxLength: 2 }),
  steps: fc.array(step, { minLength: 20, maxLength: scale(40, 60), size: 'max' }),
});
type Life = typeof life extends fc.Arbitrary<infer T> ? T : never;

const answered = (call: Promise<unknown>): Promise<string> =>
  call.then(
    () => 'ok',
    (error: { readonly code?: string }) => error.code ?? String(error),
  );
/** Every life begins as most do: both have a pass that runs, and one plays its first level. */
const opening: Step[] = [
  { do: 'wait', minutes: 5 },
  { do: 'unlock', who: 'ann', pass: 0, isPaid: false },
  { do: 'unlock', who: 'ben', pass: 0, isPaid: true },
  { do: 'activate', who: 'ann', pass: 0, level: 0, challenge: 0 },
];

/** What is configured: the season as the daemon has it, and as the model has it. */
async function configure({ daemon, time, round }: Walk, { passes, singles }: Life) {
  const { client, projectId } = daemon;
  const params = { projectId };
  let made = 0;
  const nextKey = () => `k${round}-${made++}`;
  const at = (minutes: number | null) => (minutes === null ? null : time.now + minutes * minuteMs);
  const iso = (ms: number | null) => (ms === null ? null : new Date(ms).toISOString());
  const drawn = passes.map((one) => {
    const rulesOf = (rules: Life['passes'][number]['levels'][number]['challenges'][number]) => ({
      ...rules,
      key: nextKey(),
      counting: one.counting[rules.eventName],
    });
    const levels = one.levels.map(({ hasReward, challenges }) => ({
      ...{ key: nextKey(), hasReward },
      challenges: challenges.map(rulesOf),
    }));
    const model = new ModelPass(one.isInOrder, at(one.from), at(one.until), levels);
    return { key: nextKey(), startDate: at(one.from), levels, model, rulesOf };
  });
  const lone = singles.map((one) => ({
    ...one,
    ...{ key: nextKey(), goalCondition: 0 as const, durationMinutes: null, repeatable: true, reset: null },
  }));
  const season = () => ({
    challenges: lone.map(({ reset, ...one }) => ({ ...one, name: one.key })),
    battlePasses: drawn.map(({ key, startDate, levels, model }, priority) => ({
      ...{ key, name: key, priority, isUnlockedIncrementally: model.isInOrder },
      ...{ startDate: iso(startDate), endDate: iso(model.endsAt) },
      levels: levels.map(({ key: levelKey, hasReward, challenges }) => ({
        ...{ key: levelKey, premiumRewardType: hasReward ? 'coin' : 'nothing' },
        challenges: challenges.map((one) => ({ ...one, name: one.key })),
      })),
    })),
  });
  const apply = () =>
    client.call(seasonRoutes.apply, { params, body: { season: season(), prune: true, force: true, allowEmpty: true } });
  await apply();
  const ids = new Map<object, string>();
  /** Ids of everything that is configured, by what the model knows it by. */
  const readIds = async () => {
    const page = { params, query: { limit: 200 } };
    const stored = await client.call(battlePassRoutes.list, page);
    for (const { key, model, levels } of drawn) {
      const id = stored.battlePasses.find(({ name }) => name.en === key)?.id ?? '';
      ids.set(model, id);
      const found = await client.call(battlePassLevelRoutes.list, { params: { ...params, id }, query: { limit: 200 } });
      for (const [index, level] of levels.entries()) {
        ids.set(level, found.levels[index]?.id ?? '');
        for (const one of level.challenges)
          ids.set(one, found.levels[index]?.challenges.find(({ name }) => name.en === one.key)?.id ?? '');
      }
    }
    const { challenges } = await client.call(challengeRoutes.list, page);
    for (const one of lone) ids.set(one, challenges.find(({ name }) => name.en === one.key)?.id ?? '');
  };
  await readIds();
  const idOf = (of: object): string => ids.get(of) ?? '';
  return { passes: drawn, singles: lone, apply, readIds, idOf };
}

describeWalk('a random walk of battle passes', Date.UTC(2030, 2, 30, 20), life, async (walk, drawn) => {
  const { daemon, time, round } = walk;
  const { client, projectId } = daemon;
  const params = { projectId };
  const { passes, singles, apply, readIds, idOf } = await configure(walk, drawn);
  const players = new Map<string, ModelPassPlayer>();
  const tokens = new Map<string, string>();
  /** Their events may have another name by now, or none. */
  const changed = new Set<string>();
  /** Ids that somebody had before: whatever is asked of them is refused until they have data of their own. */
  const moved = new Set<string>();
  const nameOf = (name: string) => `${name} ${round}`;
  const playerOf = (name: string): ModelPassPlayer => {
    const found = players.get(name) ?? new ModelPassPlayer(singles);
    players.set(name, found);
    return found;
  };
  const follower = await passFollower(client, projectId);

  /** Answers of the daemon and of the model; null: the step is not possible in this life. */
  const act = async (one: Step): Promise<{ readonly got: string; readonly expected: string } | null> => {
    const { now } = time;
    if (one.do === 'wait') {
      time.now += one.minutes * minuteMs;
      return null;
    }
    const chosen = 'pass' in one ? passes[one.pass] : undefined;
    if ('pass' in one && chosen === undefined) return null;
    if ('who' in one) {
      const player = { ...params, userId: nameOf(one.who) };
      if (one.do === 'erase') {
        if (moved.has(one.who)) return null;
        players.delete(one.who);
        tokens.delete(player.userId);
        changed.add(one.who);
        const person = { params: { ...params, user: player.userId } };
        return { got: await answered(client.call(personRoutes.erase, person)), expected: 'ok' };
      }
      if (one.do === 'rename') {
        const from = players.get(one.who);
        if (from === undefined || !from.hasBegun || one.to === one.who) return null;
        tokens.delete(player.userId);
        const expected = playerOf(one.to).join(from, now);
        const body = { externalUserId: nameOf(one.to) };
        const move = { params: { ...params, user: player.userId }, body };
        const got = await answered(daemon.admin.call(personMoveRoutes.move, move));
        if (expected !== 'ok') return { got, expected };
        changed.add(one.who).add(one.to);
        moved.add(one.who);
        players.delete(one.who);
        return { got, expected };
      }
      const model = playerOf(one.who);
      if (one.do === 'play') {
        const body = {
          events: one.events.map(({ name, type, session, amount }) => ({
            ...{ user_id: player.userId, event_name: name, event_type: type, session_id: session },
            meta_data: { amount },
          })),
        };
        const { results } = await client.call(gameplayRoutes.sendEvents, { body });
        for (const event of one.events) model.send({ ...event, user: player.userId, team: null }, now);
        return { got: results.map(({ status }) => status).join(), expected: one.events.map(() => 200).join() };
      }
      if (one.do === 'single') {
        const rules = singles[one.index];
        if (rules === undefined) return null;
        const item = { params: { ...player, id: idOf(rules) } };
        return {
          got: await answered(client.call(playerRoutes[one.act], item)),
          expected: model.singles.act(one.act, one.index, now),
        };
      }
      if (chosen === undefined) return null;
      const item = { ...player, id: idOf(chosen.model) };
      if (one.do === 'unlock') {
        const body = one.isPaid ? { purchasePrice: 5, purchaseCurrency: 'EUR' } : {};
        return {
          got: await answered(client.call(battlePassProgressRoutes.unlock, { params: item, body })),
          expected: model.unlock(chosen.model, one.isPaid, now),
        };
      }
      if (one.do === 'premium')
        return {
          got: await answered(client.call(battlePassProgressRoutes.premium, { params: item })),
          expected: model.grantPremium(chosen.model),
        };
      if (one.do === 'reset')
        return {
          got: await answered(client.call(battlePassProgressRoutes.reset, { params: item })),
          expected: model.reset(chosen.model),
        };
      const level = chosen.levels[one.level];
      if (level === undefined) return null;
      const onLevel = { params: { ...player, id: idOf(level) } };
      if (one.do === 'activate')
        return {
          got: await answered(client.call(battlePassProgressRoutes.activateLevel, onLevel)),
          expected: model.activate(chosen.model, level, now),
        };
      if (one.do === 'claim')
        return {
          got: await answered(client.call(battlePassProgressRoutes.claimLevel, onLevel)),
          expected: model.claim(chosen.model, level),
        };
      const rules = level.challenges[one.challenge];
      if (rules === undefined) return null;
      const body = { [one.how]: one.count, reason: 'lost' };
      const counterOf = (before: bigint) => (one.how === 'add' ? before : 0n) + BigInt(one.count);
      return {
        got: await answered(client.call(playerRoutes.setProgress, { params: { ...player, id: idOf(rules) }, body })),
        expected: model.setProgress(chosen.model, rules, counterOf, now),
      };
    }
    if (chosen === undefined) return null;
    const { model } = chosen;
    const contradicts = () => [...players.values()].some((player) => player.contradicts(now));
    if (one.do === 'delete') {
      if (model.isHidden) return null;
      model.isHidden = true;
      const item = { params: { ...params, id: idOf(model) } };
      return { got: await answered(client.call(battlePassRoutes.delete, item)), expected: 'ok' };
    }
    if (one.do === 'restore') {
      if (!model.isHidden) return null;
      model.isHidden = false;
      const expected = contradicts() ? 'deletion_conflict' : 'ok';
      model.isHidden = expected !== 'ok';
      const item = { params: { ...params, id: idOf(model) } };
      return { got: await answered(client.call(deletionRoutes.undo, item)), expected };
    }
    if (passes.some((other) => other.model.isHidden)) return null;
    if (one.do === 'end') {
      const before = model.endsAt;
      model.endsAt = one.minutes === null ? null : now + one.minutes * minuteMs;
      const isBackwards = (model.endsAt ?? Number.POSITIVE_INFINITY) <= (chosen.startDate ?? 0);
      const conflicts = contradicts() ? 'counting_conflict' : 'ok';
      const expected = isBackwards ? 'validation_failed' : conflicts;
      const got = await answered(apply());
      if (expected !== 'ok') model.endsAt = before;
      return { got, expected };
    }
    const level = chosen.levels[one.level];
    if (level === undefined) return null;
    const rules = level.challenges[one.challenge];
    if (one.do === 'add') level.challenges.push(chosen.rulesOf(one.one));
    else if (rules === undefined) return null;
    else if (one.do === 'goal') rules.goal = one.one.goal;
    else level.challenges.splice(one.challenge, 1);
    const got = await answered(apply());
    await readIds();
    return { got, expected: 'ok' };
  };

  const tokenOf = async (userId: string): Promise<string> => {
    const known = tokens.get(userId);
    if (known !== undefined) return known;
    const created = await client.call(playerRoutes.createToken, { params: { ...params, userId } });
    tokens.set(userId, created.token);
    return created.token;
  };

  /** What the player's game and what operators show of the player. */
  const shown = async (name: string) => {
    const userId = nameOf(name);
    const game = new EarshotClient({
      baseUrl: daemon.url,
      credential: { kind: 'bearer', token: await tokenOf(userId) },
    });
    const levels = await game.call(playerBattlePassRoutes.allLevels, { params: { appId: projectId } });
    const player = await client.call(playerRoutes.get, { params: { ...params, userId } });
    return passes
      .filter(({ model }) => !model.isHidden)
      .map(({ model }) => {
        const own = player.battlePasses.find(({ battlePassId }) => battlePassId === idOf(model));
        return {
          game: levels
            .filter(({ battle_pass_id }) => battle_pass_id === idOf(model))
            .map(({ activated_at, level_completed, reward_claimed, challenges }) => ({
              ...{ isActivated: activated_at !== null, isCompleted: level_completed, hasClaimedAll: reward_claimed },
              challenges: challenges.map(({ type, user_challenge_current_score: count }) => `${type} ${count}`),
            })),
          operator:
            own === undefined
              ? null
              : {
                  ...{ hasPremium: own.premiumAt !== null, isCompleted: own.completed },
                  levels: own.levels.map((level) => ({
                    isActivated: level.activatedAt !== null,
                    isCompleted: level.completedAt !== null,
                    isClaimed: level.claimedAt !== null,
                    isPremiumClaimed: level.premiumClaimedAt !== null,
                    challenges: level.challenges.map(({ state, counter }) => `${state} ${counter}`),
                  })),
                },
        };
      });
  };
  const modelled = (name: string) => {
    const player = playerOf(name);
    return passes
      .filter(({ model }) => !model.isHidden)
      .map(({ model, levels }) => {
        const operator = player.seen(model, time.now);
        return {
          game: levels.map((level, index) => {
            const own = operator?.levels[index];
            return {
              ...{ isActivated: own?.isActivated ?? false, isCompleted: own?.isCompleted ?? false },
              hasClaimedAll: player.hasClaimedAll(model, level),
              challenges: own?.challenges ?? level.challenges.map(() => 'unlock 0'),
            };
          }),
          operator,
        };
      });
  };
  /** Players whose progress would go with a pass. */
  const countPlayers = async () => {
    const counts: number[] = [];
    for (const { model } of passes.filter((one) => !one.model.isHidden))
      counts.push((await client.call(seasonRoutes.progress, { params: { ...params, id: idOf(model) } })).players);
    return counts;
  };

  try {
    for (const [index, one] of [...opening, ...drawn.steps].entries()) {
      const answers = await act(one);
      if (answers !== null) expect(answers.got, `step ${index}`).toBe(answers.expected);
      for (const name of 'who' in one && one.do !== 'rename' ? [one.who] : players.keys()) {
        playerOf(name).read(time.now);
        expect(await shown(name), `${name} after step ${index}`).toEqual(modelled(name));
      }
      const have = ({ model }: { readonly model: ModelPass }) =>
        [...players.values()].filter((player) => player.passes.has(model)).length;
      const shownPasses = passes.filter(({ model }) => !model.isHidden);
      if (one.do !== 'play') expect(await countPlayers(), `after step ${index}`).toEqual(shownPasses.map(have));
    }
    const known = [...players].filter(([name]) => !changed.has(name));
    await eventually(() => {
      for (const [name, player] of known) {
        for (const { model, levels } of passes)
          for (const rules of levels.flatMap(({ challenges }) => challenges))
            expect(follower.stateOf(nameOf(name), idOf(rules))).toBe(player.told(model, rules));
        const claims = player.claims.map(({ level, track }) => `${idOf(level)} ${track}`);
        expect(follower.claimsOf(nameOf(name))).toEqual(claims);
      }
      const over = passes.filter(({ model }) => !model.isHidden && model.hasEnded(time.now));
      expect(over.filter(({ model }) => follower.endsOf(idOf(model)) === 0)).toEqual([]);
    });
    for (const [name] of known) expect(follower.gapsOf(nameOf(name))).toEqual([]);
  } finally {
    follower.close();
  }
});
