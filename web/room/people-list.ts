/** The cards of those who are in the room, each with a meter of how loud they are. */
import { isPerson, type RoomPerson } from '../../src/contract/rooms/room-events.js';
import { icon, make } from '../elements.js';
import { words } from '../words/words.js';
import { speakingLevel } from './levels.js';
import type { RoomScreen } from './room-state.js';

interface Card {
  readonly item: HTMLLIElement;
  readonly portrait: HTMLElement;
  readonly note: HTMLElement;
  readonly meter: HTMLMeterElement;
  person: RoomPerson;
  drawn: string;
}

interface ListContext {
  readonly you: string;
  readonly controls: (person: RoomPerson) => readonly Element[];
}

type Shown = Pick<RoomScreen, 'people' | 'you' | 'blocked'>;

/** Names stay marked as speaking for this long, so that pauses between words do not flicker. */
const lingerMs = 400;

export class PeopleList {
  private readonly cards = new Map<string, Card>();
  private readonly lastSpoke = new Map<string, number>();
  private blocked: ReadonlySet<string> = new Set();

  constructor(private readonly list: HTMLUListElement) {}

  /** `controls`: the buttons beside everybody else. */
  show({ people, you, blocked }: Shown, controls: ListContext['controls']): void {
    this.blocked = new Set(blocked);
    const keys = new Set(people.map(keyOf));
    for (const [key, { item }] of this.cards) {
      if (keys.has(key)) continue;
      item.remove();
      this.cards.delete(key);
    }
    for (const person of people) {
      const card = this.cards.get(keyOf(person)) ?? this.add(person, { you: you.externalUserId, controls });
      card.person = person;
    }
    this.level(() => 0);
  }

  /** Draws how loud each one is, from 0 to 1. */
  level(of: (externalUserId: string) => number): void {
    for (const [key, card] of this.cards) {
      const level = card.person.muted || card.person.bot ? 0 : of(card.person.externalUserId);
      if (level > speakingLevel) this.lastSpoke.set(key, performance.now());
      card.portrait.style.setProperty('--level', level.toFixed(2));
      card.meter.value = level;
      this.draw(card, performance.now() - (this.lastSpoke.get(key) ?? -lingerMs) < lingerMs);
    }
  }

  private draw(card: Card, speaking: boolean): void {
    const { person, item, note, meter } = card;
    const says = noteOf(person, speaking, this.blocked.has(person.externalUserId));
    if (says === card.drawn) return;
    card.drawn = says;
    item.classList.toggle('speaking', speaking);
    item.classList.toggle('silenced', person.muted);
    meter.hidden = person.bot || !person.publishing;
    note.replaceChildren(...(person.muted ? [icon('microphone-off')] : []), document.createTextNode(says));
  }

  private add(person: RoomPerson, { you, controls }: ListContext): Card {
    const isYou = person.externalUserId === you && !person.bot;
    const portrait = make('div', { className: 'portrait', text: person.bot ? '' : initials(person.name) });
    if (person.bot) portrait.append(icon('transcript'));
    portrait.setAttribute('aria-hidden', 'true');
    portrait.style.setProperty('--hue', String(hueOf(person.externalUserId)));
    const note = make('div', { className: 'note' });
    const meter = make('meter');
    meter.setAttribute('aria-label', words.loudness(person.name));
    // Isolated: a name may turn the direction of writing.
    const name = make('div', { className: 'name', children: [make('bdi', { text: person.name })] });
    if (isYou) name.append(` ${words.you}`);
    const item = make('li', {
      className: person.bot ? 'person bot' : 'person',
      children: [portrait, name, note, meter],
    });
    if (!isYou && isPerson(person)) item.append(...controls(person));
    item.dataset.user = person.externalUserId;
    this.list.append(item);
    const card: Card = { item, portrait, note, meter, person, drawn: '' };
    this.cards.set(keyOf(person), card);
    return card;
  }
}

const keyOf = ({ externalUserId, bot }: RoomPerson): string => `${bot ? 'bot' : 'user'} ${externalUserId}`;

function noteOf({ bot, observer, muted, publishing }: RoomPerson, speaking: boolean, isBlocked: boolean): string {
  if (bot) return words.people.bot;
  if (observer) return words.people.observer;
  if (isBlocked) return words.people.blocked;
  if (muted) return words.people.muted;
  if (speaking) return words.people.speaking;
  return publishing ? words.people.canSpeak : words.people.listening;
}

function initials(name: string): string {
  const parts = name
    .replaceAll(/\p{Bidi_Control}/gu, '')
    .trim()
    .split(/\s+/)
    .slice(0, 2);
  return parts.map((word) => [...word][0]?.toUpperCase() ?? '').join('');
}

const hueStep = 137.5; // the golden angle keeps neighbours apart

/** Returns the hue of a person, the same in every window. */
const hueOf = (id: string): number =>
  Math.round([...id].reduce((sum, char) => (sum * 31 + (char.codePointAt(0) ?? 0)) % 997, 7) * hueStep) % 360;
