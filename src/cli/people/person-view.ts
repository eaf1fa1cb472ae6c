/** One person on one screen, the urgent first: what is in force, who did it and why, where they are, what they said last. */
import { textOf } from '../../contract/gameplay/localised-text.js';
import type { Person, PersonRoom, PersonSanction } from '../../contract/people/person.js';
import { widthOf, wrapped } from '../../terminal/columns.js';
import { cell, type Screen } from '../../terminal/output.js';
import { relative } from '../../terminal/shown-times.js';
import { type Style, styled } from '../../terminal/terminal.js';
import { harmless } from '../../text/printable.js';
import { endOf } from '../moderation/sanction-end.js';
import type { RoomWords } from '../moderation/sanction-rooms.js';
import { authorOf } from '../names/moderators.js';
import { personWords } from './person-words.js';

const pastShown = 10;
const challengesShown = 10;

export function personView(person: Person, screen: Screen, roomOf: RoomWords): string {
  const { externalUserId, participant } = person;
  const title = personWords(participant?.displayName ?? externalUserId, externalUserId);
  const since =
    participant === null ? 'never in a room or a gathering' : `here since ${time(participant.joinedAt, screen)}`;
  const parts = [
    section('In force now', person.active, (one) => sanctionLine(one, screen, roomOf), 'red'),
    section(pastTitle(person), person.past?.slice(0, pastShown) ?? null, (one) => sanctionLine(one, screen, roomOf)),
    ...(person.legalHold === null ? [] : [holdLines(person.legalHold)]),
    section('Notes', person.notes, ({ createdAt, writtenBy, text }) =>
      [time(createdAt, screen), writtenBy ?? '-', text].map(harmless).join('  '),
    ),
    section('In rooms', person.rooms, (room) => roomLine(room, screen)),
    section('In gatherings', person.gatherings, ({ name, status, memberStatus, joinCode }) =>
      [name, status.toLowerCase(), memberStatus, joinCode].map(harmless).join('  '),
    ),
    section('Last words', person.lastWords, ({ timestamp, content, shadowMuted }) =>
      [time(timestamp, screen), ...(shadowMuted ? ['(heard by nobody)'] : []), content].map(harmless).join('  '),
    ),
    ...progress(person),
    ...(person.cut === undefined ? [] : [[`Incomplete: ${person.cut.join(', ')}`]]),
  ];
  const before = person.formerIds.length === 0 ? '' : `, formerly ${person.formerIds.join(', ')}`;
  const head = `${harmless(title)}${harmless(before)}, ${harmless(since)}`;
  return [screen.isTerminal ? styled('bold', head) : head, ...parts.map((lines) => lines.join('\n'))].join('\n\n');

  function holdLines({ since, caseIds, erasureRequestedAt }: NonNullable<Person['legalHold']>): string[] {
    const asked = erasureRequestedAt === null ? '' : `; erasure asked for ${time(erasureRequestedAt, screen)}`;
    return section('On legal hold', [`since ${time(since, screen)}, case ${caseIds.join(', ')}${asked}`], harmless);
  }

  function section<T>(name: string, rows: readonly T[] | null, line: (row: T) => string, style?: Style): string[] {
    const heading = screen.isTerminal ? styled('bold', name) : name;
    if (rows === null) return [heading, '  (your credential has no access to this)'];
    return [
      heading,
      ...(rows.length === 0 ? ['  nothing'] : rows.flatMap((row) => indented(line(row), screen, style))),
    ];
  }
}

/** All of it, on a terminal in lines that fit: a word that is cut off may be the one that somebody was banned for. */
function indented(text: string, { isTerminal, width }: Screen, style?: Style): string[] {
  const fits = !isTerminal || width === undefined || widthOf(text) <= width - 2;
  const lines = fits ? [text] : wrapped(text, Math.max(width - 4, 20));
  return lines.map((line, index) => {
    const shown = isTerminal && style !== undefined ? styled(style, line) : line;
    return `${index === 0 ? '  ' : '    '}${shown}`;
  });
}

const time = (iso: string, screen: Screen): string => cell(iso, screen);

const pastTitle = ({ past, pastTotal }: Person): string => {
  const shown = Math.min(pastShown, past?.length ?? 0);
  return pastTotal !== null && pastTotal > shown ? `Before (${shown} of ${pastTotal})` : 'Before';
};

/** `temp_ban  ends in 2h  "threats"  by ann@example.com, 3d ago`. */
function sanctionLine(sanction: PersonSanction, screen: Screen, roomOf: RoomWords): string {
  const { type, status, reason, imposedBy, createdAt, revokedBy, revokeReason, note } = sanction;
  const state = sanction.isActive
    ? lasting(sanction, screen)
    : status === 'revoked'
      ? takenBack(revokedBy, revokeReason)
      : status;
  const parts = [
    type,
    state,
    ...(sanction.sessionId === null ? [] : [roomOf(sanction)]),
    reason === null || reason === '' ? 'no reason' : JSON.stringify(reason),
    `by ${imposedBy ?? authorOf(sanction)}, ${time(createdAt, screen)}`,
    ...(note === null || note === undefined || note === '' ? [] : [`note: ${note}`]),
  ];
  return parts.map(harmless).join('  ');
}

/** `demo  muted  room muted to all but moderators, ends in 8m`. */
function roomLine({ roomId, muted, publishing, restrictions }: PersonRoom, screen: Screen): string {
  const whole = (['muted', 'closed'] as const).flatMap((state) => {
    const found = restrictions[state];
    if (found === null) return [];
    const end = found.until === null ? 'until it is lifted' : lasting({ endAt: found.until }, screen);
    return [`room ${state} to all but moderators, ${end}`];
  });
  return [roomId, muted ? 'muted' : publishing ? 'speaks' : 'listens', ...whole].map(harmless).join('  ');
}

const lasting = (sanction: { readonly endAt: string | null }, { isTerminal, now }: Screen): string =>
  endOf(sanction, (endAt) => `ends ${isTerminal ? relative(endAt, now) : endAt}`);

const takenBack = (by: string | null, reason: string | null): string =>
  `revoked${by === null ? '' : ` by ${by}`}${reason === null || reason === '' ? '' : ` (${reason})`}`;

function progress({ progress: play }: Person): string[][] {
  if (play === null) return [];
  const begun = play.challenges.filter(({ counter, state }) => counter > 0 || state !== 'unlock');
  const lines = [
    ...begun
      .slice(0, challengesShown)
      .map(({ name, state, counter, goal }) => `  ${counter} of ${goal}  ${state}  ${harmless(textOf(name))}`),
    ...(begun.length > challengesShown ? [`  and ${begun.length - challengesShown} more challenges`] : []),
    ...play.battlePasses.map(({ name, completed, levels }) => {
      const done = levels.filter(({ completedAt }) => completedAt !== null).length;
      return `  ${done} of ${levels.length} levels${completed ? ', completed' : ''}  battle pass ${harmless(textOf(name))}`;
    }),
  ];
  return lines.length === 0 ? [] : [['Progress', ...lines]];
}
