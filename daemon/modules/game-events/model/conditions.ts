/** Conditions by which a challenge counts events. Pure. */
import type { MetadataCondition } from '../../../../src/contract/gameplay/challenges.js';
import type { GameEventProperties } from '../../../../src/contract/gameplay/game-events.js';
import { ownValue } from '../../../../src/names/own-value.js';

const isMet = ({ key, values }: MetadataCondition, properties: GameEventProperties): boolean => {
  const value = ownValue(properties, key);
  return value !== undefined && values.some((wanted) => String(wanted) === String(value));
};

/**
 * True if the properties of an event satisfy the conditions, joined from left to right, or if there is no condition.
 * Choice: values are compared as text, so that "3" in a form means 3 in an event.
 */
export const satisfies = (properties: GameEventProperties, conditions: readonly MetadataCondition[]): boolean => {
  const [first, ...rest] = conditions;
  if (first === undefined) return true;
  return rest.reduce(
    (soFar, condition) =>
      condition.conjunction === 'OR' ? soFar || isMet(condition, properties) : soFar && isMet(condition, properties),
    isMet(first, properties),
  );
};
