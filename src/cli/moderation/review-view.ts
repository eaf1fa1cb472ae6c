/** A case on one screen, with what somebody needs to decide it: who, what they say, what for, and what came before. */
import type { ReviewDetail } from '../../contract/moderation/reviews.js';
import type { Sanction } from '../../contract/moderation/sanction-record.js';
import { record, type Screen, table } from '../../terminal/output.js';
import { relative } from '../../terminal/shown-times.js';
import { harmless } from '../../text/printable.js';
import { authorOf } from '../names/moderators.js';
import { endOf } from './sanction-end.js';
import { whoOf } from './sanction-rows.js';
import { wordsOnBefore } from './sanctions-before.js';

export interface ReviewContext {
  /** Every sanction of the person, that of the case among them. */
  readonly ofPerson: readonly Sanction[];
  readonly nameOf: (id: string | null) => string | null;
}

/** The person a review is about, by the name that people know. */
export const personOf = ({ sanction, externalUserId }: ReviewDetail): string =>
  (sanction === null ? externalUserId : whoOf(sanction)) ?? 'somebody';

/** The transcript around the case, or at least the messages that are its evidence. */
export const wordsOf = ({ transcript, messages }: ReviewDetail): ReviewDetail['transcript'] =>
  transcript.length > 0 ? transcript : messages;

/** Returns the fields of a case in a few lines. */
export function reviewFields(review: ReviewDetail, { ofPerson, nameOf }: ReviewContext, screen: Screen): object {
  const { kind, statement, sanction, note, createdAt } = review;
  const others = ofPerson.filter(({ id }) => id !== sanction?.id);
  return {
    person: personOf(review),
    kind,
    waits: createdAt,
    says: statement,
    ...(sanction === null ? { about: 'a sanction that no longer exists' } : about(sanction, nameOf, screen)),
    ...(review.createdBy === null || !review.inName ? {} : { 'appealed by': harmless(review.createdBy) }),
    ...decidedIn(review),
    before: wordsOnBefore(others, nameOf, screen.now) ?? 'nothing',
    ...(note === null || note === undefined || note === '' ? {} : { note }),
    id: review.id,
  };
}

export function reviewView(review: ReviewDetail, context: ReviewContext, screen: Screen): string {
  const { consequences, cut } = review;
  const said = wordsOf(review);
  return [
    record(reviewFields(review, context, screen), screen),
    ...(said.length === 0 ? [] : [table(said, ['timestamp', 'senderName', 'content'], screen)]),
    ...(consequences.length === 0 ? [] : [table(consequences, ['type', 'status', 'reason', 'endAt'], screen)]),
    ...(cut === undefined ? [] : [`Incomplete: ${cut.join(', ')}`]),
  ].join('\n\n');
}

/** The case that led to the sanction, what people reported there, and what the person was told. */
function decidedIn({ case: decided, told, sanction }: ReviewDetail): object {
  const reported = decided?.reports.map(({ category, words }) => (words === null ? category : `${category}: ${words}`));
  return {
    ...(sanction?.note == null || sanction.note === '' ? {} : { 'note on it': harmless(sanction.note) }),
    ...(decided === null ? {} : { case: `${decided.id}, ${decided.category}` }),
    ...(decided?.note == null ? {} : { 'note on the case': harmless(decided.note) }),
    ...(reported === undefined || reported.length === 0 ? {} : { reported: harmless(reported.join(' | ')) }),
    ...(told === null ? {} : { told: harmless(`${told.title}. ${told.text.replaceAll('\n', ' ')}`) }),
  };
}

function about(sanction: Sanction, nameOf: ReviewContext['nameOf'], { now, isTerminal }: Screen) {
  const { type, reason, status, createdAt } = sanction;
  const time = (iso: string) => (isTerminal ? relative(iso, now) : iso);
  const end = endOf(sanction, (endAt) => `${status === 'active' ? 'ends' : 'to'} ${time(endAt)}`);
  return {
    about: [type, reason === null || reason === '' ? 'no reason' : JSON.stringify(reason), status, end]
      .map(harmless)
      .join(', '),
    imposed: `${time(createdAt)} by ${harmless(authorOf(sanction, nameOf))}`,
  };
}
