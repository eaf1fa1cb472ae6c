/** Random lives of battle passes, step by step against the plain model, and what followers of the log are told of them. */
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { typeNow } from '../../daemon/modules/challenges/battle-passes/rules.js';
import { unpacked } from '../../daemon/platform/events/packed.js';
import { DomainError } from '../../src/contract/errors.js';
import { type BattlePassLevel, CreateBattlePassLevelRequest } from '../../src/contract/gameplay/battle-pass-levels.js';
import { CreateBattlePassRequest } from '../../src/contract/gameplay/battle-passes.js';
import {
  BattlePassChallengeChangedPayload,
  BattlePassLevelClaimedPayload,
} from '../../src/contract/gameplay/player-battle-passes.js';
import { databases, type TestDatabase } from '../support/database.js';
import { type Game, openGame, start } from '../support/game.js';
import { scale } from '../support/scale.js';
import { minuteMs, PassModel, type PassPlan, type PassStep } from './battle-pass-model.js';

const runs = scale(6, 3_000);
const stepsMax = scale(30, 80);
const patienceMs = scale(120_000, 3_600_000);
const people = 2;
const nobody = { purchasePrice: null, purchaseCurrency: null };

const event = fc.constantFrom('kill-enemy' as const, 'earn-points' as const);
const maybe = <T>(one: fc.Arbitrary<T>) => fc.option(one, { nil: null });
const challenge = fc
  .record({ event, goal: fc.integer({ min: 1, max: 4 }), stayBelow: fc.boolean(), minutes: maybe(fc.constant(10)) })
  .map((plan) => ({ ...plan, stayBelow: plan.stayBelow && plan.minutes !== null }));
const plans: fc.Arbitrary<PassPlan> = fc.record({
  inOrder: fc.boolean(),
  from: maybe(fc.integer({ min: 0, max: 10 })),
  until: maybe(fc.integer({ min: 20, max: 60 })),
  perSession: fc.record({ 'kill-enemy': fc.boolean(), 'earn-points': fc.boolean() }),
  levels: fc.array(fc.array(challenge, { maxLength: 3 }), { minLength: 1, maxLength: 4 }),
});
const who = fc.nat({ max: people - 1 });
const level = fc.nat({ max: 3 });
const played = fc.record({
  event,
  amount: fc.nat({ max: 4 }),
  sets: fc.boolean(),
  session: fc.constantFrom('a', 'b'),
});
const action = <const Name extends string>(name: Name) => fc.constant(name);
const steps: fc.Arbitrary<PassStep> = fc.oneof(
  { weight: 2, arbitrary: fc.record({ do: action('unlock'), who }) },
  { weight: 4, arbitrary: fc.record({ do: action('activate'), who, level }) },
  { weight: 3, arbitrary: fc.record({ do: action('claim'), who, level }) },
  {
    weight: 8,
    arbitrary: fc.record({ do: action('play'), who, events: fc.array(played, { minLength: 1, maxLength: 4 }) }),
  },
  { weight: 3, arbitrary: fc.record({ do: action('wait'), minutes: fc.constantFrom(1, 5, 10, 15) }) },
  { weight: 1, arbitrary: fc.record({ do: action('reset'), who }) },
);
/** Most lives begin as lives do. */
const lives = fc.tuple(fc.boolean(), fc.array(steps, { maxLength: stepsMax, size: 'max' })).map(([begun, rest]) => {
  const beginning: PassStep[] = [
    { do: 'wait', minutes: 10 },
    { do: 'unlock', who: 0 },
    { do: 'activate', who: 0, level: 0 },
  ];
  return begun ? [...beginning, ...rest] : rest;
});

const time = (minutes: number | null): string | null =>
  minutes === null ? null : new Date(start + minutes * minuteMs).toISOString();

async function configure({ projectId, passes }: Game, plan: PassPlan) {
  const pass = await passes.configuration.create(
    projectId,
    CreateBattlePassRequest.parse({
      name: 'Season',
      startDate: time(plan.from),
      endDate: time(plan.until),
      isUnlockedIncrementally: plan.inOrder,
    }),
  );
  const levels: BattlePassLevel[] = [];
  for (const [index, challenges] of plan.levels.entries()) {
    const request = CreateBattlePassLevelRequest.parse({
      position: index + 1,
      challenges: challenges.map(({ event: eventName, goal, stayBelow, minutes }) => ({
        name: 'Challenge',
        eventName,
        goal,
        goalCondition: stayBelow ? 1 : 0,
        durationMinutes: minutes,
        counting: plan.perSession[eventName] ? 'per-session' : 'total',
      })),
    });
    levels.push(await passes.levels.create(projectId, pass.id, request));
  }
  return { pass, levels };
}
type Configured = Awaited<ReturnType<typeof configure>>;

async function act(game: Game, { pass, levels }: Configured, step: PassStep): Promise<void> {
  if (step.do === 'wait') {
    game.time.now += step.minutes * minuteMs;
    while ((await game.players.applyTime(100)) > 0);
    return;
  }
  const player = game.player(`u${step.who}`);
  if (step.do === 'unlock') await game.passes.players.unlock(player, pass.id, nobody);
  else if (step.do === 'reset') await game.passes.players.reset(player, pass.id);
  else if (step.do === 'play') {
    const events = step.events.map((one) => ({
      user_id: player.userId,
      event_name: one.event,
      event_type: one.sets ? 'group' : 'single',
      session_id: one.session,
      meta_data: { amount: one.amount },
    }));
    for (const { refusal } of await game.intake.submitAll(game.backEnd, events, null)) expect(refusal).toBeNull();
  } else {
    const levelId = levels[step.level]?.id ?? 'none';
    if (step.do === 'activate') await game.passes.players.activateLevel(player, levelId);
    else await game.passes.players.claimLevel(player, levelId);
  }
}

const outcome = (work: Promise<void>): Promise<string> =>
  work.then(
    () => 'ok',
    (error: unknown) => {
      if (error instanceof DomainError) return error.code;
      throw error;
    },
  );

async function seen(game: Game, { pass }: Configured, who: number) {
  const found = await game.passes.players.read(game.player(`u${who}`));
  const definition = found.all.passes.get(pass.id);
  if (definition === undefined) throw new Error('The pass is missing.');
  const progress = found.progressIn(definition);
  return definition.levels.map((one) => {
    const current = progress.levelOf(one.level.id);
    return {
      activated: current !== null,
      completed: (current?.completedAt ?? null) !== null,
      claimed: (current?.claimedAt ?? null) !== null,
      challenges: one.challenges.map((each) => {
        const { counter, ...rest } = progress.progressOf(each.challenge.id);
        return [typeNow(each, { counter, ...rest }, found.now), counter];
      }),
    };
  });
}

/** Each message begins where the one before it ended. */
async function told({ database, projectId }: Game, { levels }: Configured) {
  const where = { projectId, type: 'battlepass.challenge.changed' };
  const rows = await database.read.domainEvent.findMany({ where, orderBy: { position: 'asc' } });
  const last = new Map<string, (string | number)[]>();
  for (const { payload } of rows) {
    const data = BattlePassChallengeChangedPayload.parse(JSON.parse(unpacked(payload)).data);
    const { old_battle_pass_challenge: from, new_battle_pass_challenge: to } = data;
    const key = `${to.user_id} ${to.challenge_id}`;
    expect([from.type, from.user_challenge_current_score]).toEqual(last.get(key) ?? ['unlock', 0]);
    last.set(key, [to.type, to.user_challenge_current_score]);
  }
  return (who: number) =>
    levels.map(({ challenges }) => challenges.map(({ id }) => last.get(`u${who} ${id}`) ?? ['unlock', 0]));
}

async function claimsTold({ database, projectId }: Game): Promise<number[]> {
  const where = { projectId, type: 'battlepass.level.claimed' };
  const rows = await database.read.domainEvent.findMany({ where, orderBy: { position: 'asc' } });
  return rows.map(({ payload }) => {
    const { data } = JSON.parse(payload);
    return Number(BattlePassLevelClaimedPayload.parse(data).battle_pass_level_reward_claimed.user_id.slice(1));
  });
}

describe.each(databases)('battle passes on $name', ({ open, here }) => {
  let opened: TestDatabase;
  beforeAll(async () => {
    if (here) opened = await open();
  });
  afterAll(async () => {
    if (here) await opened.close();
  });

  it.skipIf(!here)('live as the model does, and the log tells it', { timeout: patienceMs }, () =>
    fc.assert(
      fc.asyncProperty(plans, lives, async (plan, life) => {
        // Jobs are everybody's: what an earlier life has left behind would fall due in this one.
        await opened.database.transaction((tx) => tx.playerChallenge.deleteMany());
        const game = await openGame(opened.database);
        const configured = await configure(game, plan);
        const model = new PassModel(plan, start, people);
        for (const step of life) {
          if ('level' in step && step.level >= plan.levels.length) continue;
          expect(await outcome(act(game, configured, step))).toBe(model.do(step));
          for (let each = 0; each < people; each += 1) {
            expect(await seen(game, configured, each)).toEqual(model.seen(each));
          }
        }
        const toldOf = await told(game, configured);
        for (let each = 0; each < people; each += 1) expect(toldOf(each)).toEqual(model.told(each));
        expect(await claimsTold(game)).toEqual(model.claims);
      }),
      { numRuns: runs, ...(runs < 100 ? { seed: 20_260_101 } : {}) },
    ),
  );
});
