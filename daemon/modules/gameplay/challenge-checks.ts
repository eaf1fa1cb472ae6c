/** Checks of a challenge beyond the types of its fields. Pure. */
import type { ErrorDetail } from '../../../src/contract/errors.js';
import type { Challenge } from '../../../src/contract/gameplay/challenges.js';
import { findGameEvent, propertiesOf, propertyType } from '../../../src/contract/gameplay/game-events.js';

/** Choice: a challenge without a category goes into this one, created when first needed. */
export const defaultCategory = { slug: 'default', name: { en: 'Challenges' }, position: 0, isDaily: false };

export type CountedEvents = Pick<Challenge, 'eventName' | 'countProperty' | 'metadataConditions'>;
type Counted = CountedEvents & Pick<Challenge, 'goalCondition' | 'durationMinutes'>;

/**
 * Lists the properties, counted or in conditions, that the event does not have. `path`: prefix of the fields in the
 * refusal.
 */
export const eventProblems = (
  { eventName, countProperty, metadataConditions }: CountedEvents,
  path: string,
): ErrorDetail[] => {
  const event = findGameEvent(eventName);
  if (event === null)
    return [
      { path: `${path}.eventName`, message: 'is not an event of the catalogue; `game-events catalogue` lists them' },
    ];
  const known = propertiesOf(event);
  const problems: ErrorDetail[] = [];
  if (countProperty !== null && !(known.includes(countProperty) && propertyType(countProperty) === 'number')) {
    problems.push({ path: `${path}.countProperty`, message: `is not a number property of ${eventName}` });
  }
  metadataConditions.forEach(({ key }, index) => {
    if (known.includes(key)) return;
    problems.push({ path: `${path}.metadataConditions.${index}.key`, message: `is not a property of ${eventName}` });
  });
  return problems;
};

/** Times in UTC, as they are stored. `path`: where they stand in the request. */
export const dateProblems = (
  { startDate, endDate }: { readonly startDate: string | null; readonly endDate: string | null },
  path: string,
): ErrorDetail[] =>
  startDate !== null && endDate !== null && endDate <= startDate
    ? [{ path: `${path}.endDate`, message: 'must be later than startDate' }]
    : [];

/** `path`: where the challenge stands in the request. */
export const challengeProblems = (challenge: Counted, path: string): ErrorDetail[] => {
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
