/** Describes the outcome of a file of sanctions in one sentence, and what to look at before a line is issued. */
import type { AppliedSanctions, BatchLine } from '../../contract/moderation/sanction-batches.js';
import type { BatchFile } from '../files/batch-file.js';

/** null: nothing is unusual about the line. */
export function warningsOf({ unknown, namesakes, doubleOf, inForce }: BatchLine): string | null {
  const seen =
    namesakes.length === 0 ? 'is unknown here' : `is unknown here, but is the name of ${namesakes.join(', ')}`;
  const warnings = [
    ...(unknown ? [seen] : []),
    ...(doubleOf === null ? [] : [`the same person as in line ${doubleOf}`]),
    ...(inForce.length === 0 ? [] : ['in force already']),
  ];
  return warnings.length === 0 ? null : warnings.join('; ');
}

/** `foreseen`: the dry run of each part of the file, which knows what every line would come to. */
export function batchOutcome(batchId: string, { read, items }: BatchFile, foreseen: readonly AppliedSanctions[]) {
  const sum = (answers: readonly AppliedSanctions[], field: 'created' | 'unchanged' | 'refused' | 'unknown') =>
    answers.reduce((total, answer) => total + answer[field], 0);
  const refused = read - items.length + sum(foreseen, 'refused');
  // A large file goes in parts: somebody may be in two of them.
  const people = items.flatMap(({ request }) => request.externalUserId ?? request.participantId ?? []);
  const doubled = people.length - new Set(people).size;
  return {
    /** `answers`: what has been done, or would be. */
    words: (done: string, answers: readonly AppliedSanctions[]): string => {
      const counts = [
        `${read} ${read === 1 ? 'line' : 'lines'} read`,
        `${sum(answers, 'created')} ${done}`,
        `${sum(answers, 'unchanged')} unchanged`,
        `${refused} refused`,
        `${sum(foreseen, 'unknown')} unknown`,
        `${doubled} doubled`,
      ];
      return `Batch ${batchId}: ${counts.join(', ')}.`;
    },
  };
}
