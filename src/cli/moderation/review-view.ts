/** A case on one screen, with what somebody needs to decide it: who, what they say, what for, and what came before. */
import type { ReviewDetail } from '../../contract/moderation/reviews.js';
import type { Sanction } from '../../contract/moderation/sanction-record.js';
import { harmless } from '../../printable.js';
import { record, type Screen, table } from '../terminal/output.js';
import { relative } from '../typed/times.js';
import { endOf } from './sanction-end.js';
import { whoOf } from './sanction-rows.js';
import { wordsOnBefore } from './sanctions-before.js';

interface ReviewBeside {
  /** Every sanction of the person, that of the case among them. */
  readonly ofPerson: readonly Sanction[];
  readonly nameOf: (id: string | null) => string | null;
}

export function reviewView(review: ReviewDetail, { ofPerson, nameOf }: ReviewBeside, screen: Screen): string {
  const { kind, externalUserId, statement, sanction, messages, transcript, consequences, note, createdAt } = review;
  const others = ofPerson.filter(({ id }) => id !== sanction?.id);
  const fields = {
    person: sanction === null ? externalUserId : whoOf(sanction),
    kind,
    waits: createdAt,
    says: statement,
    ...(sanction === null ? { about: 'a sanction that is gone' } : about(sanction, nameOf, screen)),
    before: wordsOnBefore(others, nameOf, screen.now) ?? 'nothing',
    ...(note === null || note === undefined || note === '' ? {} : { note }),
    id: review.id,
  };
  const said = transcript.length > 0 ? transcript : messages;
  return [
    record(fields, screen),
    ...(said.length === 0 ? [] : [table(said, ['timestamp', 'senderName', 'content'], screen)]),
    ...(consequences.length === 0 ? [] : [table(consequences, ['type', 'status', 'reason', 'endAt'], screen)]),
  ].join('\n\n');
}

function about(sanction: Sanction, nameOf: ReviewBeside['nameOf'], { now, isTerminal }: Screen) {
  const { type, reason, status, createdAt, createdByUserId } = sanction;
  const time = (iso: string) => (isTerminal ? relative(iso, now) : iso);
  const end = endOf(sanction, (endAt) => `${status === 'active' ? 'ends' : 'to'} ${time(endAt)}`);
  return {
    about: [type, reason === null || reason === '' ? 'no reason' : JSON.stringify(reason), status, end]
      .map(harmless)
      .join(', '),
    imposed: `${time(createdAt)} by ${harmless(nameOf(createdByUserId) ?? 'nobody')}`,
  };
}
