/** Effects of a run of game events on players' challenges, against one event after the other by hand. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { challengeProblems, countDifferently } from '../../daemon/modules/challenges/challenge-checks.js';
import { countedFacts } from '../../daemon/modules/challenges/counted-facts.js';
import type { ChallengeDefinition } from '../../daemon/modules/challenges/definitions.js';
import { concerned, fold } from '../../daemon/modules/challenges/fold.js';
import { type Definitions, noPasses } from '../../daemon/modules/challenges/progress-changes.js';
import { activate, unlock, untouched } from '../../daemon/modules/challenges/rules.js';
import { readGameEvent } from '../../daemon/modules/game-events/model/game-event.js';
import { Challenge } from '../../src/contract/gameplay/challenges.js';

const now = new Date('2026-01-01T12:00:00Z');
const challengeOf = (fields: Partial<Challenge>): Challenge =>
  Challenge.parse({
    ...{ id: 'c', projectId: 'p', categoryId: 'k', name: { en: 'Kill' }, description: null, eventName: 'kill-enemy' },
    ...{ countProperty: null, metadataConditions: [], goal: 3, goalCondition: 0, durationMinutes: null },
    ...{ repeatable: false, autoActivated: false, resetPeriod: null, reward: null, rewardType: null, xp: null },
    ...{ price: null, liveDate: null, icon: null, iconHd: null, counting: 'total', lateMinutes: 0 },
    ...{ createdAt: now.toISOString(), updatedAt: now.toISOString() },
    ...fields,
  });

function definitionOf(fields: Partial<Challenge>): ChallengeDefinition {
  const challenge = challengeOf(fields);
  return { ...countedFacts(challenge, 't', 'p'), kind: 'challenge', challenge, categoryIndex: 0 };
}
const projectOf = (definition: ChallengeDefinition): Definitions => {
  const byEvent = new Map([[definition.event.name, [definition]]]);
  const alone = { categories: [], byId: new Map(), passes: new Map(), levels: new Map(), counted: new Map() };
  return new Map([['p', { ...alone, byEvent }]]);
};
const kill = (userId: string, amount: number) => ({
  projectId: 'p',
  occurredAt: null,
  event: readGameEvent({ event_name: 'kill-enemy', user_id: userId, meta_data: { amount, enemy_type: 'orc' } }, null),
});
function running(definition: ChallengeDefinition, userId: string) {
  const unlocked = unlock(definition, untouched, now);
  const begun = unlocked === null ? null : activate(definition, unlocked.to, now);
  if (begun === null) throw new Error('the challenge cannot begin');
  return { projectId: 'p', userId, challengeId: definition.challenge.id, progress: begun.to };
}

const changesOf = (...given: Parameters<typeof fold>) => {
  const { challenges, counters, steps } = fold(...given);
  return { changed: [...challenges, ...counters], steps };
};

describe('a run of game events', () => {
  const definition = definitionOf({ goal: 1_000_000 });
  const events = fc.array(fc.tuple(fc.constantFrom('ann', 'bob'), fc.integer({ min: 0, max: 50 })), { maxLength: 40 });

  it('adds up to the sum of its amounts for each player, and shows each step once', () => {
    fc.assert(
      fc.property(events, (sent) => {
        const before = ['ann', 'bob'].map((userId) => running(definition, userId));
        const { changed, steps } = changesOf(
          sent.map((one) => kill(...one)),
          projectOf(definition),
          before,
          noPasses,
          now,
        );
        for (const userId of ['ann', 'bob']) {
          const own = sent.filter(([user, amount]) => user === userId && amount > 0);
          const sum = own.reduce((total, [, amount]) => total + amount, 0);
          const after = changed.find((one) => one.userId === userId);
          expect(after?.progress.counter ?? 0).toBe(sum);
          expect(steps.filter((one) => one.userId === userId)).toHaveLength(own.length);
        }
      }),
    );
  });

  it('comes to the same in one go as one event after the other', () => {
    const short = definitionOf({ goal: 7 });
    fc.assert(
      fc.property(events, (sent) => {
        const run = sent.map((one) => kill(...one));
        let current = ['ann', 'bob'].map((userId) => running(short, userId));
        for (const one of run) {
          const { changed } = changesOf([one], projectOf(short), current, noPasses, now);
          current = current.map((before) => changed.find(({ userId }) => userId === before.userId) ?? before);
        }
        const before = ['ann', 'bob'].map((userId) => running(short, userId));
        const { changed } = changesOf(run, projectOf(short), before, noPasses, now);
        expect(before.map((one) => changed.find(({ userId }) => userId === one.userId) ?? one)).toEqual(current);
      }),
    );
  });

  it('leaves alone who has not begun, and what is of another project', () => {
    const elsewhere = { ...kill('ann', 1), projectId: 'other' };
    expect(concerned([kill('ann', 1), kill('ann', 2), elsewhere], projectOf(definition))).toEqual([
      { projectId: 'p', userId: 'ann', challengeId: 'c' },
    ]);
    expect(fold([kill('ann', 1), elsewhere], projectOf(definition), [], noPasses, now).isEmpty).toBe(true);
  });

  it('first ends what has run out of time, then does not count', () => {
    const timed = definitionOf({ durationMinutes: 1 });
    const after = new Date(now.getTime() + 60_000);
    const { changed, steps } = changesOf([kill('ann', 9)], projectOf(timed), [running(timed, 'ann')], noPasses, after);
    expect(changed.map(({ progress }) => progress.state)).toEqual(['unlock']);
    expect(steps.map(({ step }) => step.announced.state)).toEqual(['lost']);
  });
});

describe('what a challenge must satisfy', () => {
  const condition = (key: string) => ({ key, values: ['orc'], conjunction: 'AND' as const });
  it.each<[string, Partial<Challenge>, string[]]>([
    ['nothing more', {}, []],
    ['an event of the catalogue', { eventName: 'unheard-of' }, ['body.eventName']],
    ['a number to count', { countProperty: 'enemy_type' }, ['body.countProperty']],
    ['a property that the event has', { countProperty: 'unheard_of' }, ['body.countProperty']],
    [
      'conditions on properties that the event has',
      { metadataConditions: [condition('enemy_type'), condition('unheard_of')] },
      ['body.metadataConditions.1.key'],
    ],
    ['a time limit to stay below the goal for', { goalCondition: 1 }, ['body.durationMinutes']],
    ['which it has', { goalCondition: 1, durationMinutes: 5 }, []],
  ])('is %s', (_, fields, paths) => {
    expect(challengeProblems(challengeOf(fields), 'body').map(({ path }) => path)).toEqual(paths);
  });

  const auto = (id: string, fields: Partial<Challenge> = {}) => challengeOf({ id, autoActivated: true, ...fields });
  it.each<[string, Challenge, boolean]>([
    ['itself', auto('a', { counting: 'per-session' }), false],
    ['one that counts alike', auto('b'), false],
    ['one that counts in the other way', auto('b', { counting: 'per-session' }), true],
    ['one of another event', auto('b', { counting: 'per-session', eventName: 'build-road' }), false],
    ['one that players activate', challengeOf({ id: 'b', counting: 'per-session' }), false],
  ])('as auto-activated is judged beside %s', (_, other, expected) => {
    expect(countDifferently(auto('a'), other)).toBe(expected);
    expect(countDifferently(other, auto('a'))).toBe(expected);
  });
});
