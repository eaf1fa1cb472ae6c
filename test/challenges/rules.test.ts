import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import * as rules from '../../daemon/modules/challenges/rules.js';

const base: rules.ChallengeRules = {
  goal: 3,
  goalCondition: 0,
  durationMinutes: null,
  repeatable: false,
  autoActivated: false,
  resetPeriod: null,
  counting: 'total',
  lateMinutes: 0,
  liveDate: null,
};
const at = (minute: number) => new Date(Date.UTC(2026, 0, 1, 0, minute));
const one = { type: 'single', amount: 1, sessionId: 's' } as const;
const kills = (amount: number) => ({ ...one, amount });

const must = (step: rules.Step | null): rules.Step => {
  if (step === null) throw new Error('the step is not possible');
  return step;
};
const unlocked = (challenge = base) => must(rules.unlock(challenge, rules.untouched, at(0))).to;
const running = (challenge = base) => must(rules.activate(challenge, unlocked(challenge), at(0))).to;
const unclaimed = (challenge = base) => must(rules.progress(challenge, running(challenge), kills(3))).to;
const finished = (challenge = base) => must(rules.claim(challenge, unclaimed(challenge), at(5))).to;

describe('unlock → unlocked → in-progress → unclaimed → finished', () => {
  it('runs its course', () => {
    expect(unlocked()).toMatchObject({ state: 'unlocked', unlockedAt: at(0), activatedAt: null });
    expect(running()).toMatchObject({ state: 'in-progress', counter: 0, activatedAt: at(0), endsAt: null });
    expect(must(rules.progress(base, running(), kills(2))).to).toMatchObject({ state: 'in-progress', counter: 2 });
    expect(unclaimed()).toMatchObject({ state: 'unclaimed', counter: 3 });
    expect(finished()).toMatchObject({ state: 'finished', claimedAt: at(5) });
  });

  const progressIn = {
    unlock: rules.untouched,
    unlocked: unlocked(),
    'in-progress': running(),
    unclaimed: unclaimed(),
    finished: finished(),
  };
  const steps: Record<string, (from: rules.Progress) => rules.Step | null> = {
    unlock: (from) => rules.unlock(base, from, at(9)),
    activate: (from) => rules.activate(base, from, at(9)),
    cancel: rules.cancel,
    claim: (from) => rules.claim(base, from, at(9)),
    reset: rules.reset,
    progress: (from) => rules.progress(base, from, one),
  };
  const next: Record<string, Partial<Record<keyof typeof progressIn, string>>> = {
    unlock: { unlock: 'unlocked' },
    activate: { unlocked: 'in-progress' },
    cancel: { unlocked: 'unlock', 'in-progress': 'unlock' },
    claim: { unclaimed: 'finished' },
    reset: { unlocked: 'unlock', 'in-progress': 'unlock', unclaimed: 'unlock', finished: 'unlock' },
    progress: { 'in-progress': 'in-progress' },
  };
  it.each(
    Object.keys(steps).flatMap((name) =>
      (Object.keys(progressIn) as (keyof typeof progressIn)[]).map(
        (state) => [name, state, next[name]?.[state] ?? null] as const,
      ),
    ),
  )('%s on %s leads to %s', (name, state, expected) => {
    expect(steps[name]?.(progressIn[state])?.to.state ?? null).toBe(expected);
  });

  it('repeatable: unlock again after the claim', () => {
    const repeatable = { ...base, repeatable: true };
    const claimed = must(rules.claim(repeatable, unclaimed(repeatable), at(5)));
    expect(claimed.announced).toMatchObject({ state: 'finished', claimedAt: at(5), counter: 3 });
    expect(claimed.to).toEqual(rules.untouched);
    expect(rules.unlock(repeatable, claimed.to, at(6))).not.toBeNull();
  });

  it('cannot be unlocked before its live date', () => {
    const later = { ...base, liveDate: at(10) };
    expect(rules.unlock(later, rules.untouched, at(9))).toBeNull();
    expect(rules.unlock(later, rules.untouched, at(10))).not.toBeNull();
  });

  it('changes nothing by an event that leaves the counter as it is', () => {
    expect(rules.progress(base, running(), { ...one, amount: null })).toBeNull();
    const counted = must(rules.progress(base, running(), kills(2))).to;
    expect(rules.progress(base, counted, { ...kills(2), type: 'group' })).toBeNull();
  });
});

describe('a goal that was lowered to what is counted already', () => {
  const lowered = { ...base, goal: 2 };
  const counted = must(rules.progress(base, running(), kills(2))).to;

  it('is reached by the next event that counts, whatever it adds', () => {
    for (const event of [kills(1), kills(0), { ...kills(2), type: 'group' as const }])
      expect(must(rules.progress(lowered, counted, event)).to).toMatchObject({ state: 'unclaimed' });
  });

  it('is not reached by an event that does not count, or that sets less', () => {
    expect(rules.progress(lowered, counted, { ...one, amount: null })).toBeNull();
    const set = must(rules.progress(lowered, counted, { ...kills(1), type: 'group' })).to;
    expect(set).toMatchObject({ state: 'in-progress', counter: 1 });
    const otherSession = { ...lowered, counting: 'per-session' as const };
    const begun = must(rules.progress(otherSession, counted, { ...one, amount: null })).to;
    expect(begun).toMatchObject({ state: 'in-progress', counter: 2, sessionId: 's' });
  });

  it('is lost where it had to be stayed below', () => {
    const below = { ...lowered, goalCondition: 1 as const };
    const same = { ...kills(2), type: 'group' as const };
    expect(must(rules.progress(below, counted, same)).announced).toMatchObject({ state: 'lost', counter: 2 });
  });
});

describe('time-out → lost in notifications, unlock in lists', () => {
  const timed = { ...base, durationMinutes: 10 };

  it('waits until the last moment', () => {
    expect(rules.dueAt(running(timed))).toEqual(at(10));
    expect(rules.settle(timed, running(timed), new Date(at(10).getTime() - 1))).toEqual([]);
  });

  it('is lost when the time is up', () => {
    const counted = must(rules.progress(timed, running(timed), kills(2))).to;
    const [step, ...more] = rules.settle(timed, counted, at(10));
    expect(step?.announced).toMatchObject({ state: 'lost', counter: 2 });
    expect(step?.to).toEqual(rules.untouched);
    expect(more).toEqual([]);
  });

  it('leaves a reward that waits to be claimed alone', () => {
    expect(rules.settle(timed, unclaimed(timed), at(999))).toEqual([]);
  });
});

describe('goal condition 1: unclaimed at its end while below the goal, lost when reached', () => {
  const below = { ...base, goalCondition: 1 as const, durationMinutes: 10 };

  it('is won by time below the goal', () => {
    const counted = must(rules.progress(below, running(below), kills(2))).to;
    expect(rules.settle(below, counted, at(10)).map(({ announced }) => announced.state)).toEqual(['unclaimed']);
  });

  it('is lost in the moment the goal is reached', () => {
    const step = must(rules.progress(below, running(below), kills(3)));
    expect(step.announced).toMatchObject({ state: 'lost', counter: 3 });
    expect(step.to).toEqual(rules.untouched);
  });
});

describe('late minutes', () => {
  const late = { ...base, durationMinutes: 30, lateMinutes: 20 };

  it('pass before the clock alone ends what has begun; who asks before sees the end', () => {
    expect(rules.dueAt(running(late))).toEqual(at(50));
    expect(rules.settle(late, running(late), at(30)).at(-1)?.to).toMatchObject({ state: 'unlock' });
    expect(rules.settle(late, running(late), at(50)).at(-1)?.to).toEqual(rules.untouched);
    expect(rules.settle(late, running(late), at(29))).toEqual([]);
    expect(rules.dueAt(unclaimed(late))).toBeNull();
  });
});

describe('reset periods', () => {
  const daily = { ...base, resetPeriod: { range: 'd', atTime: '00:30', timeZone: 'UTC' } as const };

  it('take what was begun or finished back to the start', () => {
    for (const from of [unlocked(daily), running(daily), finished(daily)]) {
      expect(rules.dueAt(from)).toEqual(at(30));
      expect(rules.settle(daily, from, at(30)).map(({ to }) => to)).toEqual([rules.untouched]);
    }
  });

  it('let an old reward be claimed, and the challenge begun anew', () => {
    expect(rules.settle(daily, unclaimed(daily), at(31))).toEqual([]);
    expect(must(rules.claim(daily, unclaimed(daily), at(31))).to).toEqual(rules.untouched);
  });

  it('come after a time-out that was earlier, and before one that was later', () => {
    const below = { ...daily, goalCondition: 1 as const };
    const short = { ...below, durationMinutes: 10 };
    expect(rules.settle(short, running(short), at(40)).map(({ announced }) => announced.state)).toEqual(['unclaimed']);
    const long = { ...below, durationMinutes: 60 };
    expect(rules.settle(long, running(long), at(90)).map(({ announced }) => announced.state)).toEqual(['unlock']);
  });
});

describe('auto_activated: unlocked and activated at the first read', () => {
  const auto = { ...base, autoActivated: true };

  it('takes both steps, once', () => {
    const steps = rules.autoActivate(auto, rules.untouched, at(1));
    expect(steps.map(({ to }) => to.state)).toEqual(['unlocked', 'in-progress']);
    expect(rules.autoActivate(auto, steps[1]?.to ?? rules.untouched, at(2))).toEqual([]);
  });

  it('does nothing to a challenge that is finished or not live yet', () => {
    expect(rules.autoActivate(auto, finished(auto), at(9))).toEqual([]);
    expect(rules.autoActivate({ ...auto, liveDate: at(10) }, rules.untouched, at(9))).toEqual([]);
  });
});

describe('any course of a challenge', () => {
  const challenge = fc.record({
    goal: fc.integer({ min: 1, max: 5 }),
    goalCondition: fc.constantFrom(0 as const, 1 as const),
    durationMinutes: fc.integer({ min: 1, max: 60 }),
    repeatable: fc.boolean(),
    autoActivated: fc.boolean(),
    resetPeriod: fc.option(fc.constant({ range: 'd', atTime: '00:30', timeZone: 'UTC' } as const), { nil: null }),
    counting: fc.constantFrom('per-session' as const, 'total' as const),
    lateMinutes: fc.constantFrom(0, 20),
    liveDate: fc.constant(null),
  });
  const deeds = fc.array(
    fc.record({
      deed: fc.constantFrom('unlock', 'activate', 'cancel', 'claim', 'reset', 'event', 'wait'),
      amount: fc.nat({ max: 3 }),
    }),
    { maxLength: 60 },
  );

  it('is settled in finitely many steps, joins up, and is lost only out of in-progress', () => {
    fc.assert(
      fc.property(challenge, deeds, (config, course) => {
        let now = at(0);
        let progress = rules.untouched;
        const take = (steps: (rules.Step | null)[]) => {
          for (const step of steps) {
            if (step === null) continue;
            expect(step.from).toEqual(progress);
            if (step.announced.state === 'lost') expect(step.from.state).toBe('in-progress');
            if (step.to.state === 'unlock') expect({ ...step.to, otherRounds: [] }).toEqual(rules.untouched);
            expect(step.to.otherRounds.length).toBeLessThanOrEqual(8);
            if (step.to.state === 'in-progress') expect(step.to.counter).toBeLessThan(config.goal);
            progress = step.to;
          }
        };
        for (const { deed, amount } of course) {
          if (deed === 'wait') now = new Date(now.getTime() + amount * 700_000);
          take(rules.settle(config, progress, now));
          expect(rules.settle(config, progress, now)).toEqual([]);
          if (deed === 'unlock') take([rules.unlock(config, progress, now)]);
          if (deed === 'activate') take([rules.activate(config, progress, now)]);
          if (deed === 'cancel') take([rules.cancel(progress)]);
          if (deed === 'claim') take([rules.claim(config, progress, now)]);
          if (deed === 'reset') take([rules.reset(progress)]);
          if (deed === 'event') take([rules.progress(config, progress, kills(amount))]);
        }
      }),
    );
  });
});
