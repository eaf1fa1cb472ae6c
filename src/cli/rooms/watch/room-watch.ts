/** State of a watched room, and the actions of the keys on it. */
import type { EarshotClient } from '../../../client/earshot-client.js';
import { PartialLines } from '../../../client/partial-lines.js';
import type { Room } from '../../../contract/rooms/rooms.js';
import type { Session } from '../../../contract/sessions/sessions.js';
import { wholeEvent } from '../../events/event-gist.js';
import type { KnownNames } from '../../names/known-names.js';
import { messageOf } from '../../run.js';
import type { KeyName } from '../../terminal/live/keyboard.js';
import { Prompt } from '../../terminal/live/prompt.js';
import type { Size } from '../../terminal/live/screen.js';
import { RoomActs, type Somebody } from './acts.js';
import type { RoomWatcher } from './follow-room.js';
import { peopleOf, type RoomLine, roomLine, roomView, spokenLine } from './view.js';

const linesMax = 500;

export class RoomWatch {
  private room: Room | null = null;
  private session: Session | null = null;
  private readonly lines: RoomLine[] = [];
  private readonly partials = new PartialLines();
  private chosen: string | null = null;
  private done = '';
  private trouble: string | null = null;
  private busy = false;
  private readonly prompt: Prompt;
  private readonly acts: RoomActs;

  constructor(
    client: EarshotClient,
    private readonly place: { readonly projectId: string; readonly roomId: string },
    private readonly names: KnownNames,
    private readonly on: { changed(): void; leave(): void },
  ) {
    this.prompt = new Prompt(on.changed);
    this.acts = new RoomActs(client, place, this.prompt, on.changed);
  }

  readonly watcher: Omit<RoomWatcher, 'until'> = {
    room: (room) => {
      this.room = room;
      const people = peopleOf(room);
      if (!people.some(({ externalUserId }) => externalUserId === this.chosen))
        this.chosen = people[0]?.externalUserId ?? null;
      for (const { externalUserId, displayName } of people) this.names.keep(externalUserId, displayName);
      this.on.changed();
    },
    session: (session) => {
      this.session = session;
      this.on.changed();
    },
    event: (event) => {
      const whole = wholeEvent(event);
      if (
        whole?.type === 'bot.status.changed' ||
        whole?.type === 'session.created' ||
        whole?.type === 'session.updated'
      )
        this.session = whole.payload.data;
      if (whole?.type === 'message.created') this.partials.settle(whole.payload.data);
      const line = roomLine(event, this.names);
      if (line !== null) this.lines.push(line);
      if (this.lines.length > linesMax) this.lines.shift();
      this.on.changed();
    },
    partial: (partial) => {
      this.partials.add(partial);
      this.on.changed();
    },
    trouble: (line) => {
      this.trouble = line;
      this.on.changed();
    },
  };

  draw(size: Size): string {
    const { room, session, chosen } = this;
    const lines = [...this.lines, ...this.partials.shown.map((partial) => spokenLine(partial, this.names))];
    const foot = this.trouble ?? this.done;
    return roomView({ roomId: this.place.roomId, room, session, lines, chosen, prompt: this.prompt, foot }, size);
  }

  press(key: KeyName): void {
    if (this.prompt.handleKey(key)) return;
    if (key === 'q') this.on.leave();
    if (this.busy) return;
    if (key === 'up' || key === 'down') this.choose(key === 'up' ? -1 : 1);
    else if (key === 'u') this.act(() => this.acts.undo());
    else this.toSomebody(key);
    this.on.changed();
  }

  private toSomebody(key: KeyName): void {
    const peer = peopleOf(this.room).find(({ externalUserId }) => externalUserId === this.chosen);
    if (!'mbkn'.includes(key)) return;
    if (peer === undefined) {
      this.done = 'Nobody is here.';
      return;
    }
    const whom: Somebody = { externalUserId: peer.externalUserId, name: peer.displayName };
    if (key === 'm') this.act(() => this.acts.impose('mute', whom));
    else if (key === 'b') this.act(() => this.acts.impose('ban', whom));
    else if (key === 'k') this.act(() => this.acts.kick(whom));
    else this.act(() => this.acts.note(whom));
  }

  private choose(step: number): void {
    const people = peopleOf(this.room);
    const index = people.findIndex(({ externalUserId }) => externalUserId === this.chosen);
    const next = people[Math.max(0, Math.min(index + step, people.length - 1))];
    this.chosen = next?.externalUserId ?? null;
  }

  /** One thing at a time; a refusal is shown and ends nothing. */
  private act(what: () => Promise<string>): void {
    this.busy = true;
    this.done = '';
    void what()
      .catch((error: unknown) => messageOf(error).split('\n')[0] ?? '')
      .then((says) => {
        this.busy = false;
        this.done = says;
        this.on.changed();
      });
  }
}
