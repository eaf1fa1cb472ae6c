/** Applies keys to the case in sight. One action at a time; a refusal is shown and ends nothing. */
import type { ReviewDecision } from '../../../contract/moderation/review-decision.js';
import type { ReviewDetail } from '../../../contract/moderation/reviews.js';
import { banTypes, kindOf } from '../../../contract/moderation/sanction-kinds.js';
import { UsageError } from '../../../terminal/usage-error.js';
import type { KeyName } from '../../terminal/live/keyboard.js';
import { OneAction } from '../../terminal/live/one-action.js';
import { confirmation, Prompt } from '../../terminal/live/prompt.js';
import type { Size } from '../../terminal/live/screen.js';
import type { WalkEvents } from '../../terminal/live/walk.js';
import { personOf } from '../review-view.js';
import type { CaseQueue } from './case-queue.js';
import { caseScreen, maxScroll, type ShownReview } from './case-screen.js';

/** The longest that the contract takes. */
const maxNoteLength = 2_000;
const unchanged = 'Nothing was changed.';

interface Decided {
  readonly id: string;
  readonly person: string;
  readonly decision: ReviewDecision;
}

export class ReviewWalk {
  /** The last one is what `u` takes back. */
  private readonly decisions: Decided[] = [];
  private readonly prompt: Prompt;
  private scrolled = 0;
  private readonly action: OneAction;
  private size: Size = { columns: 0, rows: 0 };

  constructor(
    private readonly queue: CaseQueue,
    private shown: ShownReview | null,
    private waiting: number,
    private readonly on: WalkEvents,
  ) {
    this.prompt = new Prompt(on.changed);
    this.action = new OneAction(on.changed);
  }

  /** Returns what was done, to be printed once the screen is gone. Waits for actions under way. */
  async summary(): Promise<string[]> {
    if (this.prompt.line === null) await this.action.ended();
    const lines = this.decisions.map(({ person, decision }) => `${person}: ${decision}`);
    return this.shown === null ? lines : [...lines, `${personOf(this.shown.review)}: still claimed by you`];
  }

  draw(size: Size): string {
    this.size = size;
    this.scrollBy(0);
    const { shown, waiting, scrolled, prompt } = this;
    return caseScreen({ shown, waiting, scrolled, prompt, foot: this.action.says }, size);
  }

  press(key: KeyName): void {
    if (this.prompt.handleKey(key)) return;
    if (key === 'q') this.on.leave();
    else if (key === 'up' || key === 'down') this.scrollBy(key === 'up' ? -1 : 1);
    else if (!this.action.isBusy) this.act(key);
    this.on.changed();
  }

  private act(key: KeyName): void {
    const { shown } = this;
    if (key === 'u') this.action.start(() => this.undo());
    else if (shown === null) {
      if (key === 'return') this.action.start(() => this.next(''));
    } else if (key === 's') this.action.start(() => this.decide(shown, 'upheld'));
    else if (key === 'f' && shown.review.kind === 'appeal') this.action.start(() => this.decide(shown, 'upheld', true));
    else if (key === 'o') this.action.start(() => this.overturn(shown));
    else if (key === 'r') this.action.start(() => this.giveBack(shown));
    else if (key === 'n') this.action.start(() => this.note(shown));
  }

  private async decide({ review }: ShownReview, decision: ReviewDecision, unfounded = false): Promise<string> {
    const person = personOf(review);
    const answer = review.kind === 'appeal' ? await this.answer() : undefined;
    if (answer === null) return unchanged;
    const more = { ...(answer === undefined ? {} : { answer }), ...(unfounded ? { unfounded } : {}) };
    await this.queue.update(review.id, { status: 'decided', decision, ...more });
    this.decisions.push({ id: review.id, person, decision });
    return this.next(`${person}: ${outcomeWords(review, decision)}. u undoes it.`);
  }

  /** Asks for the reasons that a person who appealed is given; null: none were given. */
  private async answer(): Promise<string | null> {
    const answers = await this.prompt.ask({
      label: 'Answer, for the person:',
      maxLength: maxNoteLength,
      read: (text) => {
        if (text === '') throw new UsageError('Write why: the person who appealed reads it.');
        return text;
      },
    });
    return answers?.[0] ?? null;
  }

  /** Asks before a ban is lifted: the person may be in a room again in the same second. */
  private async overturn(one: ShownReview): Promise<string> {
    const { sanction } = one.review;
    if (sanction?.status === 'active' && banTypes.some((type) => type === sanction.type)) {
      const answers = await this.prompt.ask(
        confirmation(`Revoke the ${sanction.type} of ${personOf(one.review)} now?`),
      );
      if (answers?.[0] !== true) return unchanged;
    }
    return this.decide(one, 'overturned');
  }

  private async giveBack({ review }: ShownReview): Promise<string> {
    await this.queue.release(review.id);
    return this.next(`${personOf(review)}: released.`);
  }

  private async note({ review }: ShownReview): Promise<string> {
    const answers = await this.prompt.ask({
      label: 'Note, for moderators:',
      initial: review.note ?? '',
      maxLength: maxNoteLength,
      read: (text) => text,
    });
    if (answers === null) return unchanged;
    await this.queue.update(review.id, { note: answers[0] || null });
    this.shown = await this.queue.load(review.id);
    return 'The note is stored.';
  }

  /** Takes the last decision back. The case in sight is open again meanwhile, and comes next. */
  private async undo(): Promise<string> {
    const last = this.decisions.at(-1);
    if (last === undefined) return 'There is no decision to undo.';
    await this.queue.update(last.id, { status: 'claimed' });
    this.decisions.pop();
    const before = this.shown;
    this.show(await this.queue.load(last.id), this.waiting + (before === null ? 0 : 1));
    if (before !== null) await this.queue.update(before.review.id, { status: 'open' });
    const restored = last.decision === 'overturned' ? ' What it revoked is in force again.' : '';
    return `${last.person}: ${last.decision} undone.${restored}`;
  }

  /** Shows the next case; `says` is what was done with the one before. */
  private async next(says: string): Promise<string> {
    const { next, waiting } = await this.queue.claim().catch((error: unknown) => {
      this.show(null, this.waiting);
      throw error;
    });
    this.show(next, waiting);
    return says;
  }

  private show(shown: ShownReview | null, waiting: number): void {
    this.shown = shown;
    this.waiting = waiting;
    this.scrolled = 0;
  }

  private scrollBy(lines: number): void {
    this.scrolled = Math.max(0, Math.min(this.scrolled + lines, maxScroll(this.shown, this.size)));
  }
}

/** Says of an appeal what happens to the sanction. */
function outcomeWords({ kind, sanction }: ReviewDetail, decision: ReviewDecision): string {
  if (kind !== 'appeal' || sanction === null) return decision;
  return `the ${kindOf(sanction.type).name} ${decision === 'upheld' ? 'is kept' : 'is lifted'}`;
}
