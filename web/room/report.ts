/** What everybody finds beside the others on this page: report them, and block them. */
import { block, unblock } from '../../src/client/room/block.js';
import { report } from '../../src/client/room/report.js';
import type { RoomAccess } from '../../src/client/room/room-access.js';
import { byId, isolated, make, messageOf, namedButton } from '../elements.js';
import { words } from '../words/words.js';
import type { Whom } from './moderation.js';
import type { RoomScreen } from './room-state.js';
import { categoryWords } from './words.js';

/** As much as a report of a voice room can show of what was said. */
const lastSeconds = 60;

export class ReportPanel {
  private readonly dialog = byId('report', HTMLDialogElement);
  private readonly category = byId('report-category', HTMLSelectElement);
  private readonly words = byId('report-words', HTMLTextAreaElement);
  private readonly attach = byId('report-attach', HTMLInputElement);
  private readonly confirm = byId('report-confirm', HTMLButtonElement);
  private readonly blockButtons = new Map<string, { readonly button: HTMLButtonElement; readonly name: string }>();
  private person: Whom | null = null;
  private view: Pick<RoomScreen, 'blocked' | 'reportCategories'> = { blocked: [], reportCategories: [] };

  constructor(private readonly access: RoomAccess) {
    byId('report-cancel', HTMLButtonElement).addEventListener('click', () => this.dialog.close());
    byId('report-form', HTMLFormElement).addEventListener('submit', (event) => {
      event.preventDefault();
      void this.send();
    });
  }

  /** Shows whom the reader blocks. */
  show(view: Pick<RoomScreen, 'blocked' | 'reportCategories'>): void {
    this.view = view;
    for (const [externalUserId, { button, name }] of this.blockButtons) {
      const text = words.block(this.isBlocked(externalUserId));
      button.textContent = text;
      button.setAttribute('aria-label', `${text} ${name}`);
    }
  }

  /** The buttons beside a person. */
  controls(person: Whom): HTMLElement {
    const { externalUserId, name } = person;
    const reporting = namedButton(words.texts.report, name);
    reporting.addEventListener('click', () => this.ask(person));
    const blocking = namedButton(words.block(this.isBlocked(externalUserId)), name);
    blocking.addEventListener('click', () => void this.toggleBlock(person, blocking));
    this.blockButtons.set(externalUserId, { button: blocking, name });
    return make('div', { className: 'acts', children: [reporting, blocking] });
  }

  private isBlocked = (externalUserId: string): boolean => this.view.blocked.includes(externalUserId);

  private ask(person: Whom): void {
    this.person = person;
    byId('report-title', HTMLElement).textContent = words.reportOf(isolated(person.name));
    const options = this.view.reportCategories.map((name) => {
      const option = make('option', { text: categoryWords(name) });
      option.value = name;
      return option;
    });
    const choose = make('option', { text: words.texts.choose });
    choose.value = '';
    this.category.replaceChildren(choose, ...options);
    this.words.value = '';
    this.attach.checked = true;
    this.refuse(null);
    this.dialog.showModal();
  }

  private async send(): Promise<void> {
    const { person } = this;
    if (person === null) return;
    const described = this.words.value.trim();
    this.confirm.disabled = true;
    try {
      const { message } = await report(this.access, {
        externalUserId: person.externalUserId,
        category: this.category.value,
        language: document.documentElement.lang,
        ...(described === '' ? {} : { words: described }),
        ...(this.attach.checked ? { evidence: { lastSeconds } } : {}),
      });
      this.dialog.close();
      tell(message);
    } catch (error) {
      this.refuse(error);
    } finally {
      this.confirm.disabled = false;
    }
  }

  private async toggleBlock({ externalUserId, name }: Whom, button: HTMLButtonElement): Promise<void> {
    const blocks = !this.isBlocked(externalUserId);
    button.disabled = true;
    try {
      await (blocks ? block : unblock)(this.access, externalUserId);
      tell(words.blockOutcome(isolated(name), blocks));
    } catch (error) {
      tell(messageOf(error));
    } finally {
      button.disabled = false;
    }
  }

  private refuse(error: unknown): void {
    const line = byId('report-refusal', HTMLElement);
    line.hidden = error === null;
    line.textContent = error === null ? '' : messageOf(error);
  }
}

function tell(text: string): void {
  byId('told', HTMLElement).hidden = false;
  byId('told-text', HTMLElement).textContent = text;
}
