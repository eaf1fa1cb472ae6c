/** A case as lines of text: what speaks for it, what was reported, and what was said around. */
import { fitted, wrapped } from '../../../terminal/columns.js';
import { clockTime } from '../../../terminal/shown-times.js';
import { styled } from '../../../terminal/terminal.js';
import { harmless } from '../../../text/printable.js';
import type { ShownCase } from './open-cases.js';

const nameWidth = 14;
const least = 20;

export const personOf = ({ detail: { externalUserId, roomId } }: ShownCase): string =>
  externalUserId ?? (roomId === null ? 'nobody' : `room ${roomId}`);

export function caseLines(shown: ShownCase, columns: number): string[] {
  const { detail, reports } = shown;
  const fold = (label: string, text: string): string[] =>
    wrapped(harmless(text), Math.max(least, columns - label.length)).map(
      (line, index) => `${index === 0 ? label : ' '.repeat(label.length)}${line}`,
    );
  const more = detail.reports - reports.length;
  return [
    ...fold('why      ', detail.why),
    ...fold('due      ', detail.dueAt),
    ...(detail.heldAt === null ? [] : fold('on hold  ', `since ${detail.heldAt}: ${detail.holdReason ?? ''}`)),
    ...(detail.note === null ? [] : fold('note     ', detail.note)),
    ...detail.orderList.flatMap(({ kind, authority, memberState, reference, status }) =>
      fold('order    ', `${kind} by ${authority} (${memberState}), ${reference}: ${status}`),
    ),
    ...detail.reviewList.flatMap(({ kind, statement }) => fold('review   ', `${kind}: ${statement ?? ''}`)),
    ...reports.flatMap(({ category, words, reporterUserId, transcript, brigaded, trustedFlagger, noticeFrom }) => [
      '',
      ...fold(
        'report   ',
        `${category}, by ${reporterUserId ?? noticeFrom ?? 'the team'}${brigaded ? ', brigaded' : ''}${trustedFlagger ? ', a trusted flagger' : ''}: ${words ?? ''}`,
      ),
      ...transcript.flatMap(({ named, saidAt, senderName, content }) => {
        const label = `${named ? '>' : ' '} ${clockTime(new Date(saidAt))}  ${fitted(harmless(senderName), nameWidth)}  `;
        const lines = fold(label, content);
        return named ? lines.map((line) => styled('red', line)) : lines;
      }),
    ]),
    ...(more > 0 ? ['', `${more} more ${more === 1 ? 'report' : 'reports'}`] : []),
  ];
}
