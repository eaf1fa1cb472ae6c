/** Gates that a rule must pass before it may act. */
import type { RuleTestReport } from '../../client/rule-test.js';

interface Gates {
  readonly minPrecision?: number | undefined;
  readonly minRecall?: number | undefined;
  readonly maxNew?: number | undefined;
}

/** Why the rule does not pass; empty: it does. What cannot be measured does not pass. */
export function failedGates({ precision, recall, diff, matches }: RuleTestReport, gates: Gates): string[] {
  const tooLow = (name: string, value: number | null, least: number | undefined): string[] => {
    if (least === undefined || (value !== null && value >= least)) return [];
    const found =
      value === null ? 'cannot be measured, because there are no decisions by people' : `is ${shown(value)}`;
    return [`${name} ${found}; at least ${shown(least)} is required.`];
  };
  const added = diff === null ? matches.length : diff.added.length;
  const isTooMany = gates.maxNew !== undefined && added > gates.maxNew;
  return [
    ...tooLow('Precision', precision, gates.minPrecision),
    ...tooLow('Recall', recall, gates.minRecall),
    ...(isTooMany ? [`It acts ${added} times where the current version does not; ${gates.maxNew} are allowed.`] : []),
  ];
}

const shown = (share: number): string => share.toFixed(2);
export const shareText = (share: number | null): string => (share === null ? 'nobody decided' : shown(share));
