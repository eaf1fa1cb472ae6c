/** A handover as text. Pure. */
import type { Sanction } from '../../contract/moderation/sanction-record.js';
import { momentOf } from '../../terminal/shown-times.js';
import { harmless } from '../../text/printable.js';
import { authorOf } from '../names/moderators.js';
import { untilWhen } from './sanction-end.js';
import { whoOf } from './sanction-rows.js';
import type { Shift } from './shift.js';

/** Lines of each part; the rest is counted. */
const linesMax = 20;

export function shiftView(shift: Shift, nameOf: (id: string | null) => string | null, now: Date): string {
  const { notes, cases, reviews, rooms, others } = shift;
  const when = (at: string | null) => (at === null ? '' : momentOf(at, now));
  const parts: readonly (readonly [title: string, lines: readonly string[], none: string])[] = [
    [
      'Notes',
      notes.map(({ text, createdByUserId, createdAt }) => `${when(createdAt)} ${nameOf(createdByUserId)}: ${text}`),
      'Nobody left a note.',
    ],
    [
      'You left open',
      [
        ...cases.map(({ id, externalUserId, why }) => `case about ${externalUserId ?? 'nobody'}, ${why}  (${id})`),
        ...reviews.map(({ id, externalUserId, kind }) => `${kind} of ${externalUserId ?? 'nobody'}  (${id})`),
      ],
      'Nothing: you have claimed no case and no review.',
    ],
    [
      'Rooms that are muted or closed',
      rooms.map(({ roomId, muted, closed }) =>
        [
          roomId,
          ...(muted === null ? [] : [`muted until ${muted.until === null ? 'it is lifted' : when(muted.until)}`]),
          ...(closed === null ? [] : [`closed until ${closed.until === null ? 'it is reopened' : when(closed.until)}`]),
        ].join(', '),
      ),
      'None.',
    ],
    [
      `Others did since ${when(shift.since)}`,
      [
        ...bySanction(others.sanctions, nameOf, now),
        ...others.cases.map(
          ({ externalUserId, decision, decidedByUserId, decidedAt, id }) =>
            `${when(decidedAt)} ${nameOf(decidedByUserId)} decided the case about ${externalUserId ?? 'nobody'}: ${decision}  (${id})`,
        ),
        ...others.reviews.map(
          ({ externalUserId, decision, decidedByUserId, decidedAt, id }) =>
            `${when(decidedAt)} ${nameOf(decidedByUserId)} ${decision} the review of ${externalUserId ?? 'nobody'}  (${id})`,
        ),
      ],
      'Nothing.',
    ],
  ];
  return parts.map(([title, lines, none]) => [`${title}:`, ...shown(lines, none)].join('\n')).join('\n\n');
}

const bySanction = (
  sanctions: readonly Sanction[],
  nameOf: (id: string | null) => string | null,
  now: Date,
): string[] =>
  sanctions.map((one) => {
    const end = one.isActive ? untilWhen(one, now) : one.status;
    return `${momentOf(one.createdAt, now)} ${authorOf(one, nameOf)}: ${one.type} for ${whoOf(one) ?? 'nobody'}, ${end}  (${one.id})`;
  });

function shown(lines: readonly string[], none: string): string[] {
  if (lines.length === 0) return [`  ${none}`];
  const more = lines.length - linesMax;
  return [
    ...lines.slice(0, linesMax).map((line) => `  ${harmless(line)}`),
    ...(more > 0 ? [`  and ${more} more`] : []),
  ];
}
