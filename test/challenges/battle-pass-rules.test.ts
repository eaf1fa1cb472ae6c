/** Many lives of battle passes in memory: what holds whatever players do, whenever. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { definePasses, type PassDefinition } from '../../daemon/modules/challenges/battle-passes/definitions.js';
import { typeNow } from '../../daemon/modules/challenges/battle-passes/rules.js';
import { fold } from '../../daemon/modules/challenges/fold.js';
import { ProgressChanges } from '../../daemon/modules/challenges/progress-changes.js';
import { readGameEvent } from '../../daemon/modules/game-events/model/game-event.js';
import { scale } from '../support/scale.js';

const minuteMs = 60_000;
const start = Date.UTC(2026, 0, 1);
const createdAt = new Date(start).toISOString();
const projectId = 'p';
const player = { projectId, userId: 'u1' };

interface Plan {
  readonly inOrder: boolean;
  readonly from: number;
  readonly until: number;
  readonly goals: readonly (readonly number[])[];
}

const time = (minutes: number): string => new Date(start + minutes * minuteMs).toISOString();

function define({ inOrder, from, until, goals }: Plan): PassDefinition {
  const none = { description: null, countProperty: null, durationMinutes: null, xp: null, icon: null, iconHd: null };
  const levels = goals.map((ofLevel, index) => ({
    ...{
      id: `l${index}`,
      projectId,
      battlePassId: 'b',
      position: index + 1,
      rewardAmount: null,
      rewardType: 'nothing',
      premiumRewardAmount: null,
      premiumRewardType: 'nothing',
    },
    challenges: ofLevel.map((goal, place) => ({
      ...none,
      ...{ id: `c${index}.${place}`, levelId: `l${index}`, position: place + 1, name: { en: 'Kill' }, goal },
      ...{ eventName: 'kill-enemy', metadataConditions: [], goalCondition: 0 as const, counting: 'total' as const },
      ...{ createdAt, updatedAt: createdAt },
    })),
    ...{ createdAt, updatedAt: createdAt },
  }));
  const images = { imageXs: null, imageS: null, imageM: null, imageL: null, imageXl: null };
  const shop = { packageSkuIos: null, packageSkuAndroid: null, readMoreLink: null };
  const texts = { description: null, shortDescription: null, disclaimer: null };
  const pass = {
    ...{ id: 'b', projectId, name: { en: 'Season' }, ...texts, ...images, ...shop, priority: 0 },
    ...{ startDate: time(from), endDate: time(until), isUnlockedIncrementally: inOrder },
    ...{ canPurchaseWithMoney: false, canPurchaseWithCoins: false, lateMinutes: 0, createdAt, updatedAt: createdAt },
  };
  const [defined] = definePasses('t', [pass], levels);
  if (defined === undefined) throw new Error('The pass is missing.');
  return defined;
}

/** A player who has unlocked the pass; what is stored is handed on from step to step. */
class Life {
  private stored = this.nothing();

  constructor(
    private readonly pass: PassDefinition,
    private readonly counted = pass.levels.flatMap(({ challenges }) => challenges),
  ) {}

  private nothing() {
    return {
      challenges: new Map<string, ProgressChanges['challenges'][number]>(),
      levels: new Map<string, ProgressChanges['levels'][number]>(),
    };
  }

  private definitions() {
    const counted = new Map(this.counted.map((one) => [one.challenge.id, one]));
    const byEvent = new Map([['kill-enemy', this.counted]]);
    const levels = new Map(this.pass.levels.map((one) => [one.level.id, one]));
    const passes = new Map([['b', this.pass]]);
    return new Map([
      [
        projectId,
        { categories: [], byId: new Map(), passes, levels, counted, byEvent, boards: [], boardsByEvent: new Map() },
      ],
    ]);
  }

  private get passes() {
    return { passes: [{ ...player, battlePassId: 'b' }], levels: [...this.stored.levels.values()], challenges: [] };
  }

  open(now: Date): ProgressChanges {
    return new ProgressChanges(this.definitions(), [...this.stored.challenges.values()], this.passes, now);
  }

  kill(amount: number, now: Date): void {
    const payload = { user_id: player.userId, event_name: 'kill-enemy', meta_data: { amount } };
    const event = { projectId, event: readGameEvent(payload, null), occurredAt: null };
    const rows = [...this.stored.challenges.values()].filter(({ progress }) => progress.state === 'in-progress');
    this.keep(fold([event], this.definitions(), rows, this.passes, now));
  }

  keep(changes: ProgressChanges): void {
    for (const row of [...changes.challenges, ...changes.counters]) this.stored.challenges.set(row.challengeId, row);
    for (const level of changes.levels) this.stored.levels.set(level.levelId, level);
  }
}

const step = fc.oneof(
  fc.record({ do: fc.constantFrom('activate' as const, 'claim' as const), level: fc.nat({ max: 3 }) }),
  fc.record({ do: fc.constant('kill' as const), amount: fc.nat({ max: 6 }) }),
  fc.record({ do: fc.constant('wait' as const), minutes: fc.nat({ max: 15 }) }),
);
const plans: fc.Arbitrary<Plan> = fc.record({
  inOrder: fc.boolean(),
  from: fc.nat({ max: 20 }),
  until: fc.integer({ min: 21, max: 90 }),
  goals: fc.array(fc.array(fc.integer({ min: 1, max: 8 }), { maxLength: 3 }), { minLength: 1, maxLength: 4 }),
});

describe('battle passes, whatever players do and whenever', () => {
  it('keep their promises', () => {
    fc.assert(
      fc.property(plans, fc.array(step, { maxLength: 40, size: 'max' }), (plan, steps) => {
        const pass = define(plan);
        const life = new Life(pass);
        let now = new Date(start);
        const claims = new Map<number, number>();
        let before = look(pass, life.open(now), now);
        for (const one of steps) {
          if (one.do === 'wait') now = new Date(now.getTime() + one.minutes * minuteMs);
          else if (one.do === 'kill') life.kill(one.amount, now);
          else {
            const level = pass.levels[one.level];
            const changes = life.open(now);
            if (level === undefined) continue;
            const isDone =
              one.do === 'activate'
                ? changes.activate(level, player) !== null
                : changes.claim(level, player, false).length > 0;
            if (isDone) life.keep(changes);
            if (isDone && one.do === 'claim') claims.set(one.level, (claims.get(one.level) ?? 0) + 1);
          }
          const after = look(pass, life.open(now), now);
          const minutes = (now.getTime() - start) / minuteMs;
          const running = plan.from <= minutes && minutes < plan.until;
          if (!running) expect(after.counters).toEqual(before.counters);
          for (const [index, { activated, completed, claimed, types }] of after.levels.entries()) {
            const earlier = before.levels[index];
            // Levels that were reached stay so.
            expect([earlier?.activated && !activated, earlier?.completed && !completed]).not.toContain(true);
            expect(completed).toBe(activated && types.every((type) => type === 'finished'));
            if (claimed) expect(completed).toBe(true);
            const earlierLevels = after.levels.slice(0, index);
            if (plan.inOrder && activated) expect(earlierLevels.every((level) => level.completed)).toBe(true);
            // The level after a completed one does not wait for the player.
            if (plan.inOrder && running && index > 0 && earlierLevels.every((level) => level.completed))
              expect(activated).toBe(true);
          }
          before = after;
        }
        expect([...claims.values()].filter((count) => count > 1)).toEqual([]);
      }),
      { numRuns: scale(150, 50_000), seed: 20_260_101 },
    );
  });
});

function look(pass: PassDefinition, changes: ProgressChanges, now: Date) {
  const progress = changes.inPass(pass, player);
  const levels = pass.levels.map(({ level, challenges }) => {
    const current = progress.levelOf(level.id);
    return {
      activated: current !== null,
      completed: (current?.completedAt ?? null) !== null,
      claimed: (current?.claimedAt ?? null) !== null,
      types: challenges.map((one) => typeNow(one, progress.progressOf(one.challenge.id), now)),
    };
  });
  const all = pass.levels.flatMap(({ challenges }) => challenges);
  return { levels, counters: all.map(({ challenge }) => progress.progressOf(challenge.id).counter) };
}
