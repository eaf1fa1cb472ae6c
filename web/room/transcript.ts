/** Transcript on the page; follows the newest line unless somebody has scrolled back. */
import { annotationLabel } from '../../src/client/annotation-label.js';
import type { RoomAnnotation, RoomMessage, RoomPartial } from '../../src/contract/rooms/room-events.js';
import { make } from '../elements.js';

const atEndPixels = 40;

export class Transcript {
  private lines = new Map<string, HTMLLIElement>();
  private noted = new Set<string>();

  /** `spoken`: what people are saying at the moment, below the lines. */
  constructor(
    private readonly list: HTMLOListElement,
    private readonly spoken: HTMLOListElement,
  ) {
    list.tabIndex = 0; // the keyboard scrolls it
  }

  show(
    messages: readonly RoomMessage[],
    annotations: readonly RoomAnnotation[],
    speaking: readonly RoomPartial[],
  ): void {
    const { list } = this;
    const follows = list.scrollHeight - list.scrollTop - list.clientHeight < atEndPixels;
    const before = this.lines;
    this.lines = new Map(messages.map((message) => [message.id, before.get(message.id) ?? line(message)]));
    list.append(...[...this.lines].flatMap(([id, element]) => (before.has(id) ? [] : [element])));
    for (const [id, element] of before) if (!this.lines.has(id)) element.remove();
    this.annotate(annotations);
    this.spoken.replaceChildren(...speaking.map(partialLine));
    if (follows) list.scrollTop = list.scrollHeight;
  }

  private annotate(annotations: readonly RoomAnnotation[]): void {
    const before = this.noted;
    this.noted = new Set(annotations.map(({ id }) => id));
    for (const one of annotations) {
      if (before.has(one.id)) continue;
      this.lines
        .get(one.messageId)
        ?.append(make('p', { className: 'annotation', text: `${one.pluginSlug}: ${annotationLabel(one)}` }));
    }
  }
}

const partialLine = ({ senderName, content }: RoomPartial): HTMLLIElement =>
  make('li', {
    children: [
      make('p', { className: 'speaker', children: [make('bdi', { text: senderName })] }),
      make('p', { children: [make('bdi', { text: `${content} …` })] }),
    ],
  });

function line({ kind, senderName, content, timestamp }: RoomMessage): HTMLLIElement {
  if (kind === 'system') return make('li', { className: 'system', children: [make('bdi', { text: content })] });
  const time = make('time', { text: clock(timestamp) });
  time.dateTime = timestamp;
  const speaker = make('p', { className: 'speaker', children: [make('bdi', { text: senderName }), time] });
  return make('li', { children: [speaker, make('p', { children: [make('bdi', { text: content })] })] });
}

const clock = (timestamp: string): string =>
  new Date(timestamp).toLocaleTimeString([], { hour: '2-digit', minute: '2-digit', second: '2-digit' });
