/** Checks of a challenge beyond the types of its fields. Pure. */
import type { ErrorDetail } from '../../../src/contract/errors.js';
import type { Challenge } from '../../../src/contract/gameplay/challenges.js';
import { type CountedEvents, eventProblems } from '../game-events/model/checks.js';

/** Choice: a challenge without a category goes into this one, created when first needed. */
export const defaultCategory = { slug: 'default', name: { en: 'Challenges' }, position: 0, isDaily: false };

type CountedChallenge = CountedEvents & Pick<Challenge, 'goalCondition' | 'durationMinutes'>;

/** `path`: where the challenge stands in the request. */
export const challengeProblems = (challenge: CountedChallenge, path: string): ErrorDetail[] => {
  const { goalCondition, durationMinutes } = challenge;
  const problems = eventProblems(challenge, path);
  if (goalCondition === 1 && durationMinutes === null) {
    problems.push({ path: `${path}.durationMinutes`, message: 'is required with goalCondition 1' });
  }
  return problems;
};

/** True if both are auto-activated and count the same event in different ways. */
export const countDifferently = (a: Challenge, b: Challenge): boolean =>
  a.id !== b.id && a.autoActivated && b.autoActivated && a.eventName === b.eventName && a.counting !== b.counting;
