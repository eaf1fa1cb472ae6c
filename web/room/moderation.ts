/** Moderation from this page: buttons beside each person, a dialog, and the way back. */
import type { RoomAccess } from '../../src/client/room/room-access.js';
import type { RoomPerson } from '../../src/contract/rooms/room-events.js';
import type { RoomAct } from '../../src/contract/rooms/room-moderation.js';
import { byId, isolated, make, messageOf, namedButton } from '../elements.js';
import type { PageWords } from '../words/en.js';
import { words } from '../words/words.js';

type ModerationAction = keyof PageWords['moderate'];

interface Done {
  readonly externalUserId: string;
  /** Description of the action, such as `you muted Ann for 10 minutes`. */
  readonly what: string;
  readonly act: RoomAct;
}

export type Whom = Pick<RoomPerson, 'externalUserId' | 'name'>;

const actions: readonly ModerationAction[] = ['mute', 'kick', 'ban', 'note'];
const forever = 'forever';
const usualMute = '600';

export class ModerationPanel {
  private readonly dialog = byId('moderation', HTMLDialogElement);
  private readonly form = byId('moderation-form', HTMLFormElement);
  private readonly term = byId('moderation-term', HTMLSelectElement);
  private readonly reason = byId('moderation-reason', HTMLInputElement);
  private readonly note = byId('moderation-note', HTMLTextAreaElement);
  private readonly confirm = byId('moderation-confirm', HTMLButtonElement);
  private readonly undoLast = byId('undo-last', HTMLButtonElement);
  /** Actions that can be taken back, the last at the end. */
  private done: readonly Done[] = [];
  private readonly undoBeside = new Map<string, HTMLButtonElement>();
  private asked: { readonly action: ModerationAction; readonly person: Whom } | null = null;

  constructor(private readonly access: RoomAccess) {
    byId('moderation-cancel', HTMLButtonElement).addEventListener('click', () => this.dialog.close());
    this.form.addEventListener('submit', (event) => {
      event.preventDefault();
      void this.act();
    });
    this.undoLast.addEventListener('click', () => void this.undo(this.done.at(-1), byId('people-title', HTMLElement)));
  }

  /** The buttons beside a person. */
  controls(person: Whom): HTMLElement {
    const { externalUserId, name } = person;
    const buttons = actions.map((action) => {
      const button = namedButton(words.moderate[action], name);
      button.addEventListener('click', () => this.ask(action, person));
      return button;
    });
    const undo = namedButton(words.texts.undo, name);
    undo.addEventListener('click', () => {
      const last = this.done.findLast((one) => one.externalUserId === externalUserId);
      void this.undo(last, buttons[0] ?? undo);
    });
    this.undoBeside.set(externalUserId, undo);
    this.offerUndo();
    return make('div', { className: 'acts', children: [...buttons, undo] });
  }

  private ask(action: ModerationAction, person: Whom): void {
    this.asked = { action, person };
    byId('moderation-title', HTMLElement).textContent = `${words.moderate[action]} ${isolated(person.name)}`;
    const hasTerm = action === 'mute' || action === 'ban';
    byId('moderation-term-field', HTMLElement).hidden = !hasTerm;
    byId('moderation-reason-field', HTMLElement).hidden = !hasTerm;
    byId('moderation-note-field', HTMLElement).hidden = action !== 'note';
    byId('moderation-kick', HTMLElement).hidden = action !== 'kick';
    this.term.required = hasTerm;
    this.note.required = action === 'note';
    this.term.value = action === 'mute' ? usualMute : '';
    this.reason.value = '';
    this.note.value = '';
    this.confirm.textContent = words.moderate[action];
    this.refuse(null);
    this.dialog.showModal();
  }

  private async act(): Promise<void> {
    const { asked, term, reason, note } = this;
    if (asked === null) return;
    const { action, person } = asked;
    const { externalUserId } = person;
    const duration = term.value === forever ? null : Number(term.value);
    const given = reason.value.trim();
    const imposed = { externalUserId, duration, ...(given === '' ? {} : { reason: given }) };
    const body = { mute: imposed, ban: imposed, kick: { externalUserId }, note: { externalUserId, text: note.value } };
    this.confirm.disabled = true;
    try {
      const act = await this.post<RoomAct | null>(action, body[action]);
      const span = duration === null ? null : (term.selectedOptions[0]?.text ?? '');
      const what = words.moderated[action](isolated(person.name), span);
      if (act !== null) this.done = [...this.done, { externalUserId, what, act }];
      this.dialog.close();
      this.showOutcome(`${what.charAt(0).toUpperCase()}${what.slice(1)}.`, act !== null);
    } catch (error) {
      this.refuse(error);
    } finally {
      this.confirm.disabled = false;
    }
  }

  /** @param next what has the focus afterwards, since the button may go */
  private async undo(last: Done | undefined, next: HTMLElement): Promise<void> {
    if (last === undefined) return;
    const { externalUserId, act, what } = last;
    try {
      await this.post('undo', { externalUserId, ...act });
      this.showOutcome(words.undone(what), false);
    } catch (error) {
      this.showOutcome(messageOf(error), false);
    }
    this.done = this.done.filter((one) => one !== last);
    this.offerUndo();
    next.focus();
  }

  private showOutcome(text: string, undoable: boolean): void {
    byId('acted', HTMLElement).hidden = false;
    byId('acted-text', HTMLElement).textContent = text;
    this.undoLast.hidden = !undoable;
    this.offerUndo();
  }

  private offerUndo(): void {
    for (const [user, button] of this.undoBeside)
      button.hidden = !this.done.some(({ externalUserId }) => externalUserId === user);
  }

  private refuse(error: unknown): void {
    const line = byId('moderation-refusal', HTMLElement);
    line.hidden = error === null;
    line.textContent = error === null ? '' : messageOf(error);
  }

  /** Throws what the daemon says, for people. */
  private async post<Answer>(action: string, body: object): Promise<Answer> {
    const { url, token } = this.access;
    const response = await fetch(`${url}/moderation/${action}`, {
      method: 'POST',
      cache: 'no-store',
      headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    }).catch(() => null);
    const answer = await response?.json().catch(() => null);
    if (response?.ok === true) return answer;
    throw new Error(answer?.message ?? words.unreachable);
  }
}
