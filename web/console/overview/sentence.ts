/** An event as a sentence: whom it is about, and what happened, in the words of the reader. */
import type { DomainEvent } from '../../../src/contract/events.js';
import { spanOf } from '../../../src/text/span.js';
import { kindWord } from '../cases/queries.js';
import type { FirstWords } from '../words/en.js';
import { type EventLine, lineOf, textOf } from './event-line.js';

/** What an event says besides whom it is about. */
interface ToldEvent {
  readonly type: string;
  readonly data: unknown;
  /** Who did it; empty: nobody is named. */
  readonly by: string;
}

const sanctionText = ({ feed, sanctions }: FirstWords, { type, data, by }: ToldEvent): string => {
  const kind = textOf(data, 'type') ?? '';
  const name = sanctions.types[kind as keyof typeof sanctions.types] ?? kind;
  if (type === 'sanction.revoked') return feed.revoked(name, by);
  if (type === 'sanction.updated') return feed.changed(name, by);
  const duration: unknown = Reflect.get(Object(data), 'duration');
  const done = feed.imposed[kind as keyof typeof feed.imposed] ?? feed.given(name);
  return [
    done,
    ...(typeof duration === 'number' ? [feed.lasting(spanOf(duration, ' '))] : []),
    ...(by === '' ? [] : [feed.by(by)]),
    ...(textOf(data, 'reason') === null ? [] : [`(${textOf(data, 'reason')})`]),
  ].join(' ');
};

/** The word for a state of a case or review, where there is one. */
const stateWord = ({ cases }: FirstWords, data: unknown): string => {
  const decision = textOf(data, 'decision');
  const status = textOf(data, 'status') ?? '';
  const known: Readonly<Record<string, unknown>> = { ...cases, ...cases.decisions };
  const word = known[decision ?? status];
  return typeof word === 'string' ? word : (decision ?? status);
};

function restOf(words: FirstWords, told: ToldEvent): string | null {
  const { feed } = words;
  const { type, data, by } = told;
  const text = (name: string) => textOf(data, name) ?? '';
  const room = text('roomId') || text('externalRoomId');
  if (type.startsWith('sanction.')) return sanctionText(words, told);
  switch (type) {
    case 'report.created':
      return feed.reported(kindWord(words, text('category')));
    case 'case.created':
      return feed.caseOpened(kindWord(words, text('category')));
    case 'case.updated':
      return feed.caseIs(stateWord(words, data), by);
    case 'case.overdue':
      return feed.caseIs(words.cases.overdue, '');
    case 'review.created':
      return text('kind') === 'appeal' ? feed.appealed : feed.reviewAsked;
    case 'review.updated':
      return feed.reviewIs(kindWord(words, text('kind')), stateWord(words, data), by);
    case 'rule.matched':
      return feed.matched(text('ruleName'));
    case 'participant.joined':
      return feed.joined(room);
    case 'participant.left':
      return feed.left(room);
    case 'message.created':
      return feed.said(text('content'));
    case 'room.announced':
      return feed.announced(room, text('text'));
    case 'room.restricted':
      return feed.restricted(
        room,
        Reflect.get(Object(data), 'closed') !== null,
        Reflect.get(Object(data), 'muted') !== null,
      );
    default:
      return null;
  }
}

export function sentenceOf(words: FirstWords, event: DomainEvent, nameOf: (id: string) => string): EventLine {
  const line = lineOf(event);
  const { data } = event.payload;
  const rule = textOf(Reflect.get(Object(data), 'evidence'), 'ruleId');
  const author =
    (event.type === 'sanction.revoked' ? textOf(data, 'revokedByUserId') : textOf(data, 'createdByUserId')) ??
    textOf(data, 'decidedByUserId') ??
    textOf(data, 'claimedByUserId');
  const by = author !== null ? nameOf(author) : rule === null ? '' : words.feed.rule(nameOf(rule));
  return { ...line, what: restOf(words, { type: event.type, data, by }) ?? `${event.type}: ${line.what}` };
}

/** A case grows with each report, which is told by itself; lines of the system repeat what other events say. */
export const isTold = ({ type, payload }: DomainEvent): boolean =>
  (!(type === 'message.created' && textOf(payload.data, 'type') !== 'user') &&
    !(type === 'case.updated' || type === 'review.updated')) ||
  Object.hasOwn(payload.changes ?? {}, 'status');

export interface EventGroup {
  /** The newest of them. */
  readonly line: EventLine;
  readonly count: number;
  /** Others whom the same happened to. */
  readonly others: number;
}

/** Joins what follows one another and says the same, of one person or of several. */
export function grouped(lines: readonly EventLine[]): readonly EventGroup[] {
  const groups: { line: EventLine; count: number; people: Set<string> }[] = [];
  for (const line of lines) {
    const last = groups.at(-1);
    if (last !== undefined && last.line.type === line.type && last.line.what === line.what) {
      last.count += 1;
      if (line.who !== null) last.people.add(line.who);
    } else groups.push({ line, count: 1, people: new Set(line.who === null ? [] : [line.who]) });
  }
  return groups.map(({ line, count, people }) => ({ line, count, others: Math.max(0, people.size - 1) }));
}
