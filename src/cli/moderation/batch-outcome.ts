/** Describes the outcome of a file of sanctions in one sentence. */
import type { AppliedSanctions, BatchLine } from '../../contract/moderation/sanction-batches.js';
import { kindOf } from '../../contract/moderation/sanction-kinds.js';
import type { BatchItem } from '../../files/batch-lines.js';
import { momentOf } from '../../terminal/shown-times.js';
import type { BatchFile } from '../files/batch-file.js';
import { daemonNow } from '../typed/daemon-clock.js';

/** `3 until revoked, 5 until 1 December (in 2d) at the latest`: ends as they will be. */
function endsOf(items: readonly BatchItem[], now: Date): string {
  let permanent = 0;
  const ends: number[] = [];
  for (const { request } of items) {
    const { type, duration, startAt, endAt } = request;
    if (endAt !== undefined) ends.push(Date.parse(endAt));
    else if (duration !== undefined)
      ends.push((startAt === undefined ? now.getTime() : Date.parse(startAt)) + duration * 1_000);
    else if (!kindOf(type).isMomentary) permanent += 1;
  }
  const [first] = ends.sort((a, b) => a - b);
  const last = ends.at(-1);
  const shown = (at = 0) => momentOf(new Date(at).toISOString(), now);
  const until = first === last ? shown(first) : `between ${shown(first)} and ${shown(last)}`;
  return [
    ...(permanent > 0 ? [`${permanent} permanent`] : []),
    ...(ends.length > 0 ? [`${ends.length} ending ${until}`] : []),
  ].join(', ');
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
    words: (issued: string, answers: readonly AppliedSanctions[]): string => {
      const counts = [
        `${read} ${read === 1 ? 'line' : 'lines'} read`,
        `${sum(answers, 'created')} ${issued}`,
        `${sum(answers, 'unchanged')} unchanged`,
        `${refused} refused`,
        `${sum(foreseen, 'unknown')} unknown`,
        `${doubled} doubled`,
      ];
      const isCreated = ({ outcome }: BatchLine) => outcome === 'created';
      const done = new Set(answers.flatMap(({ lines }) => lines.filter(isCreated).map(({ line }) => line)));
      const ends = endsOf(
        items.filter(({ line }) => done.has(line)),
        daemonNow(),
      );
      return `Batch ${batchId}: ${counts.join(', ')}.${ends === '' ? '' : ` Of these, ${ends}.`}`;
    },
  };
}
