/** Found messages as lines of a terminal: when, where, who, what; the words that were looked for in colour. */
import type { MessageHit } from '../../contract/sessions/message-search.js';
import type { Message } from '../../contract/sessions/sessions.js';
import { harmless } from '../../printable.js';
import { cell, type Screen } from '../terminal/output.js';
import { styled } from '../terminal/terminal.js';

const nameWidth = 16;

const named = (text: string): string => harmless(text).padEnd(nameWidth);

function marked({ message: { content }, marks }: MessageHit, { isTerminal }: Screen): string {
  if (!isTerminal) return harmless(content);
  let [text, at] = ['', 0];
  for (const { start, end } of marks) {
    text += harmless(content.slice(at, start)) + styled('yellow', harmless(content.slice(start, end)));
    at = end;
  }
  return text + harmless(content.slice(at));
}

const around = ({ timestamp, senderName, content }: Message, screen: Screen): string => {
  const line = `    ${cell(timestamp, { ...screen, isTerminal: false })}  ${named(senderName)}  ${harmless(content)}`;
  return screen.isTerminal ? styled('dim', line) : line;
};

/** One line, or with its context one for each message of it. */
export function shownHit(hit: MessageHit, screen: Screen): string[] {
  const { message, roomId, context } = hit;
  const line = [cell(message.timestamp, screen), named(roomId), named(message.senderName), marked(hit, screen)].join(
    '  ',
  );
  if (context === undefined) return [line];
  const place = context.findIndex(({ id }) => id === message.id);
  const lines = context.map((one) => around(one, screen));
  return place < 0 ? [line, ...lines] : [...lines.slice(0, place), line, ...lines.slice(place + 1)];
}
