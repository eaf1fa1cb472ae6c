/** What a challenge must satisfy beyond the types of its fields. Pure. */

import type { ErrorDetail } from '../../../src/contract/errors.js';
import type { Challenge } from '../../../src/contract/gameplay/challenges.js';
import { findGameEvent, propertiesOf, propertyType } from '../../../src/contract/gameplay/game-events.js';

export const challengeProblems = (challenge: Challenge): ErrorDetail[] => {
  const { eventName, countProperty, metadataConditions, goalCondition, durationMinutes } = challenge;
  const event = findGameEvent(eventName);
  if (event === null) return [{ path: 'body.eventName', message: 'is not an event of the catalogue' }];
  const known = propertiesOf(event);
  const problems: ErrorDetail[] = [];
  if (countProperty !== null && !(known.includes(countProperty) && propertyType(countProperty) === 'number')) {
    problems.push({ path: 'body.countProperty', message: `is not a number property of ${eventName}` });
  }
  metadataConditions.forEach(({ key }, index) => {
    if (known.includes(key)) return;
    problems.push({ path: `body.metadataConditions.${index}.key`, message: `is not a property of ${eventName}` });
  });
  if (goalCondition === 1 && durationMinutes === null) {
    problems.push({ path: 'body.durationMinutes', message: 'is required with goalCondition 1' });
  }
  return problems;
};

/** Whether both are auto-activated and count the same event in different ways. */
export const countDifferently = (a: Challenge, b: Challenge): boolean =>
  a.id !== b.id && a.autoActivated && b.autoActivated && a.eventName === b.eventName && a.counting !== b.counting;
