/** Messages that a rule counts. */
import { createHash } from 'node:crypto';
import type { CountCondition, RuleDefinition } from '../../../../src/contract/rules/rule-definition.js';
import { type ConditionFacts, isCounted, placed } from './conditions.js';

interface PlacedCount {
  /** Such as `all.0`. */
  readonly place: string;
  readonly count: CountCondition;
  /** Identifies the counted messages: a new version of the rule that counts the same ones continues the count. */
  readonly key: string;
}

const keyCharacters = 12;

const keyOf = ({ of }: CountCondition): string =>
  createHash('sha256').update(JSON.stringify(of)).digest('hex').slice(0, keyCharacters);

export const countsIn = ({ when }: RuleDefinition): PlacedCount[] =>
  placed(when).flatMap(({ place, condition: { count } }) =>
    count === undefined ? [] : [{ place, count, key: keyOf(count) }],
  );

/** The counting conditions for which the message counts. */
export const countedBy = (
  definition: RuleDefinition,
  message: Pick<ConditionFacts, 'origin' | 'confidence' | 'language' | 'annotations' | 'said'>,
): PlacedCount[] => countsIn(definition).filter(({ place, count }) => isCounted(count, place, message) === true);

/** The most messages, this one included, in a span of this length that holds it. `others`: times of the others. */
export function mostWithin(spanMs: number, at: number, others: readonly number[]): number {
  const times = [at, ...others].sort((a, b) => a - b);
  return times.reduce((most, first, index) => {
    if (first > at || at - first >= spanMs) return most;
    return Math.max(most, times.slice(index).filter((time) => time - first < spanMs).length);
  }, 1);
}
