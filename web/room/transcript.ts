/** What was said, as it is written down; follows the newest line unless somebody has scrolled back. */
import type { RoomMessage } from '../../src/contract/rooms/room-events.js';
import { make } from './elements.js';

const atEndPixels = 40;

export class Transcript {
  private shown: string[] = [];

  constructor(private readonly list: HTMLOListElement) {}

  show(messages: readonly RoomMessage[]): void {
    const { list } = this;
    const follows = list.scrollHeight - list.scrollTop - list.clientHeight < atEndPixels;
    const known = new Set(this.shown);
    list.append(...messages.filter(({ id }) => !known.has(id)).map(line));
    while (list.childElementCount > messages.length) list.firstElementChild?.remove();
    this.shown = messages.map(({ id }) => id);
    if (follows) list.scrollTop = list.scrollHeight;
  }
}

function line({ kind, senderName, content, timestamp }: RoomMessage): HTMLLIElement {
  if (kind === 'system') return make('li', { className: 'system', text: content });
  const time = make('time', { text: clock(timestamp) });
  time.dateTime = timestamp;
  const speaker = make('p', { className: 'speaker', children: [make('span', { text: senderName }), time] });
  return make('li', { children: [speaker, make('p', { text: content })] });
}

const clock = (timestamp: string): string =>
  new Date(timestamp).toLocaleTimeString([], { hour: '2-digit', minute: '2-digit', second: '2-digit' });
