/** Found messages as lines of a terminal: when, where, who, what; the words that were looked for in colour. */
import type { MessageHit } from '../../contract/sessions/message-search.js';
import type { Message } from '../../contract/sessions/sessions.js';
import { widthOf, wrapped } from '../../terminal/columns.js';
import { cell, type Screen } from '../../terminal/output.js';
import { clockTime } from '../../terminal/shown-times.js';
import { styled } from '../../terminal/terminal.js';
import { harmless } from '../../text/printable.js';

const nameWidth = 16;

const named = (text: string): string => harmless(text).padEnd(nameWidth);

type Marks = MessageHit['marks'];

/** The part of the text from `from` to `to`, with what is marked in it in colour. */
function marked(text: string, marks: Marks, from: number, to: number): string {
  let [shown, at] = ['', from];
  for (const { start, end } of marks) {
    const [begin, stop] = [Math.max(start, at), Math.min(end, to)];
    if (begin >= stop) continue;
    shown += harmless(text.slice(at, begin)) + styled('yellow', harmless(text.slice(begin, stop)));
    at = stop;
  }
  return shown + harmless(text.slice(at, to));
}

/** The text behind its head, on a terminal broken between words; further lines stand behind the indent. */
function lines(head: string, content: string, marks: Marks, { isTerminal, width }: Screen, indent: string): string[] {
  if (!isTerminal) return [head + harmless(content)];
  const room = width ?? Number.POSITIVE_INFINITY;
  const [first = ''] = wrapped(content, Math.max(room - widthOf(head), textMin));
  const rest = content.slice(first.length).trimStart();
  const more = rest === '' ? [] : wrapped(rest, Math.max(room - indent.length, textMin));
  let at = 0;
  return [first, ...more].map((part, index) => {
    const from = content.indexOf(part, at);
    at = from + part.length;
    return (index === 0 ? head : indent) + marked(content, marks, from, at);
  });
}

const textMin = 20;
const step = '    ';

const around = ({ timestamp, senderName, content }: Message, screen: Screen): string[] => {
  const time = screen.isTerminal ? clockTime(new Date(timestamp)) : timestamp;
  const shown = lines(`${step}${time}  ${named(senderName)}  `, content, [], screen, step + step);
  return screen.isTerminal ? shown.map((line) => styled('dim', line)) : shown;
};

/** The hit, or with its context each message of it. */
export function shownHit(hit: MessageHit, screen: Screen): string[] {
  const { message, roomId, context, marks } = hit;
  const head = `${[cell(message.timestamp, screen), named(roomId), named(message.senderName)].join('  ')}  `;
  const found = lines(head, message.content, marks, screen, step);
  if (context === undefined) return found;
  const place = context.findIndex(({ id }) => id === message.id);
  const part = (from: number, to?: number) => context.slice(from, to).flatMap((one) => around(one, screen));
  return place < 0 ? [...found, ...part(0)] : [...part(0, place), ...found, ...part(place + 1)];
}
