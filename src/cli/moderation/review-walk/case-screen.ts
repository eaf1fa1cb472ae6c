/** A case on a terminal of any size: what is known of it, what was said, and the keys. Longer ones are scrolled. */

import type { ReviewDetail } from '../../../contract/moderation/reviews.js';
import { kindOf } from '../../../contract/moderation/sanction-kinds.js';
import { cut, fitted, widthOf, wrapped } from '../../../terminal/columns.js';
import { cell, type Screen } from '../../../terminal/output.js';
import { clockTime } from '../../../terminal/shown-times.js';
import { styled } from '../../../terminal/terminal.js';
import { harmless } from '../../../text/printable.js';
import { footLines, type OpenQuestion } from '../../terminal/live/foot.js';
import type { Size } from '../../terminal/live/screen.js';
import { daemonNow } from '../../typed/daemon-clock.js';
import { personOf, type ReviewContext, reviewFields, wordsOf } from '../review-view.js';

export interface ShownReview {
  readonly review: ReviewDetail;
  readonly context: ReviewContext;
}

interface CasePicture {
  /** null: no case is in sight. */
  readonly shown: ShownReview | null;
  /** Open reviews besides this one. */
  readonly waiting: number;
  /** Lines that are scrolled past. */
  readonly scrolled: number;
  readonly prompt: OpenQuestion;
  /** Last decision, or the last error. */
  readonly foot: string;
}

const keys = 's uphold  o overturn  u undo  r release  n note  ↑↓ scroll  q quit';
/** Verbs that say what happens to the sanction; short enough for a terminal of 80 columns. */
const keysOfAppeal = (name: string): string =>
  `s keep ${name}  f unfounded  o lift ${name}  u undo  r release  n note  ↑↓ more  q quit`;
const keysWithoutCase = 'Return checks again  u undo  q quit';
const lineNameWidth = 14;
const gap = '  ';
/** The header and the two lines of the foot, each with an empty line between it and the case. */
const aroundLines = 5;

/** Lines of the case that fit. */
const heightOf = ({ rows }: Size): number => Math.max(1, rows - aroundLines);

/** Returns the number of lines by which a case can be scrolled. */
export const maxScroll = (shown: ShownReview | null, size: Size): number =>
  shown === null ? 0 : Math.max(0, linesOf(shown, size).length - heightOf(size));

export function caseScreen({ shown, waiting, scrolled, prompt, foot }: CasePicture, size: Size): string {
  const height = heightOf(size);
  const all = shown === null ? [noCase(waiting)] : linesOf(shown, size);
  const lines = all.slice(scrolled, scrolled + height);
  const below = all.length - scrolled - lines.length;
  const blank = Array.from({ length: height - lines.length }, () => '');
  const title = shown === null ? 'Reviews' : personOf(shown.review);
  const others = shown === null ? '' : waiting === 0 ? 'no other case is open' : `${waiting} more open`;
  const more = below > 0 ? `  ↓ ${below} more lines` : '';
  return [
    `${styled('bold', cut(harmless(title), size.columns / 2))}  ${styled('dim', `${others}${more}`)}`,
    '',
    ...lines,
    ...blank,
    '',
    ...footLines(prompt, { foot, keys: keysFor(shown) }, size.columns),
  ].join('\n');
}

function keysFor(shown: ShownReview | null): string {
  if (shown === null) return keysWithoutCase;
  const { kind, sanction } = shown.review;
  const name = sanction === null ? 'restriction' : kindOf(sanction.type).name;
  return kind === 'appeal' ? keysOfAppeal(name === 'ban' ? name : 'it') : keys;
}

/** The walk skips reviews that were released in it, and those that somebody else claims first. */
const noCase = (open: number): string =>
  open === 0
    ? 'No review is open.'
    : `No case to show. ${open} ${open === 1 ? 'review is' : 'reviews are'} open that you released or could not claim.`;

function linesOf({ review, context }: ShownReview, { columns }: Size): string[] {
  const screen: Screen = { isTerminal: true, now: daemonNow(), width: columns };
  const { person: _, ...fields } = { ...reviewFields(review, context, screen) } as Record<string, unknown>;
  const width = Math.max(...Object.keys(fields).map((name) => name.length));
  const known = Object.entries(fields).flatMap(([name, value]) =>
    hanging(`${name.padEnd(width)}${gap}`, cell(value, screen), columns),
  );
  return [...known, ...said(review, columns), ...consequences(review, screen)];
}

/** Text in lines that fit, each behind the width of its label. */
const hanging = (label: string, text: string, columns: number): string[] =>
  wrapped(text, Math.max(lineNameWidth, columns - widthOf(label))).map(
    (line, index) => `${index === 0 ? label : ' '.repeat(widthOf(label))}${line}`,
  );

/** The transcript; the messages that are the evidence stand out. */
function said(review: ReviewDetail, columns: number): string[] {
  const evidence = new Set(review.messages.map(({ id }) => id));
  const lines = wordsOf(review).flatMap(({ id, timestamp, senderName, content }) => {
    const isEvidence = evidence.has(id);
    const name = fitted(harmless(senderName), lineNameWidth);
    const label = `${isEvidence ? '>' : ' '} ${clockTime(new Date(timestamp))}${gap}${name}${gap}`;
    return hanging(label, harmless(content), columns).map((line) => (isEvidence ? styled('red', line) : line));
  });
  return lines.length === 0 ? [] : ['', ...lines];
}

function consequences({ consequences: all }: ReviewDetail, screen: Screen): string[] {
  const lines = all.map(({ type, status, reason }) => `  ${cell(type, screen)} ${status}  ${cell(reason, screen)}`);
  return lines.length === 0 ? [] : ['', 'Result', ...lines];
}
