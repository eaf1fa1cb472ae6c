/** Checks that everything configured to count events has in common. Pure. */
import type { ErrorDetail } from '../../../../src/contract/errors.js';
import { type Challenge, noSuchEvent } from '../../../../src/contract/gameplay/challenges.js';
import { findGameEvent, propertiesOf, propertyType } from '../../../../src/contract/gameplay/game-events.js';

export type CountedEvents = Pick<Challenge, 'eventName' | 'countProperty' | 'metadataConditions'>;

/**
 * Lists the properties, counted or in conditions, that the event does not have. `path`: prefix of the fields in the
 * refusal.
 */
export const eventProblems = (
  { eventName, countProperty, metadataConditions }: CountedEvents,
  path: string,
): ErrorDetail[] => {
  const event = findGameEvent(eventName);
  if (event === null) return [{ path: `${path}.eventName`, message: noSuchEvent(eventName) }];
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
