/** Applies keys to the case in sight. One action at a time; a refusal is shown and ends nothing. */

import { type DecideCaseRequest, DecideCaseRequest as Request } from '../../../contract/reports/cases.js';
import { cut, wrapped } from '../../../terminal/columns.js';
import { styled } from '../../../terminal/terminal.js';
import { UsageError } from '../../../terminal/usage-error.js';
import { foreverWord } from '../../../text/forever.js';
import { harmless } from '../../../text/printable.js';
import { footLines } from '../../terminal/live/foot.js';
import type { KeyName } from '../../terminal/live/keyboard.js';
import { OneAction } from '../../terminal/live/one-action.js';
import { Prompt } from '../../terminal/live/prompt.js';
import type { Size } from '../../terminal/live/screen.js';
import type { WalkEvents } from '../../terminal/live/walk.js';
import { daemonNow } from '../../typed/daemon-clock.js';
import { parseDuration } from '../../typed/times.js';
import { banned } from '../ban-type.js';
import { noneFor } from '../none-for.js';
import { typedEnd } from '../term.js';
import { caseLines, personOf } from './case-lines.js';
import type { OpenCases, ShownCase } from './open-cases.js';

const keys = 's sanction  n no violation  i too little evidence  f unfounded  e escalate  r release  q quit';
const keysWithoutCase = 'Return checks again  q quit';
const unchanged = 'Nothing was changed.';
/** The header and the two lines of the foot, each with an empty line between it and the case. */
const aroundLines = 5;

const dismissals: ReadonlyMap<KeyName, DecideCaseRequest> = new Map([
  ['n', { decision: 'no_action', reasonCode: 'no_violation' }],
  ['i', { decision: 'no_action', reasonCode: 'insufficient_evidence' }],
]);
const unfounded: DecideCaseRequest = { decision: 'no_action', reasonCode: 'unfounded_reports' };
const yes = 'yes';
const Kind = Request.shape.sanction.unwrap().shape.type;

/** A kind of sanction; `ban` is a temporary or a permanent one, by the time. */
function kindOf(typed: string): string {
  if (typed === 'ban' || Kind.safeParse(typed).success) return typed;
  throw new UsageError(`Write ban, ${Kind.options.slice(0, 5).join(', ')} or another kind.`);
}
const secondsOf = (typed: string): number | null =>
  typed === '' || typed === foreverWord ? null : parseDuration(typed);

export class CaseWalk {
  private readonly decided: string[] = [];
  private readonly prompt: Prompt;
  private scrolled = 0;
  private readonly action: OneAction;

  constructor(
    private readonly queue: OpenCases,
    private shown: ShownCase | null,
    private readonly on: WalkEvents,
  ) {
    this.prompt = new Prompt(on.changed);
    this.action = new OneAction(on.changed);
  }

  /** Returns what was done, to be printed once the screen is gone. Waits for actions under way. */
  async summary(): Promise<string[]> {
    if (this.prompt.line === null) await this.action.ended();
    return this.shown === null ? this.decided : [...this.decided, `${personOf(this.shown)}: still claimed by you`];
  }

  draw(size: Size): string {
    const { shown } = this;
    const all =
      shown === null
        ? wrapped(noneFor('case', this.queue.passedOver).message, size.columns)
        : caseLines(shown, size.columns);
    const height = Math.max(1, size.rows - aroundLines);
    this.scrolled = Math.max(0, Math.min(this.scrolled, all.length - height));
    const lines = all.slice(this.scrolled, this.scrolled + height);
    const below = all.length - this.scrolled - lines.length;
    return [
      `${styled('bold', cut(shown === null ? 'Cases' : harmless(personOf(shown)), size.columns / 2))}${below > 0 ? styled('dim', `  ↓ ${below} more lines`) : ''}`,
      '',
      ...lines,
      ...Array.from({ length: height - lines.length }, () => ''),
      '',
      ...footLines(
        this.prompt,
        { foot: this.action.says, keys: shown === null ? keysWithoutCase : keys },
        size.columns,
      ),
    ].join('\n');
  }

  press(key: KeyName): void {
    if (this.prompt.handleKey(key)) return;
    if (key === 'q') this.on.leave();
    else if (key === 'up' || key === 'down') this.scrolled += key === 'up' ? -1 : 1;
    else if (!this.action.isBusy) this.act(key);
    this.on.changed();
  }

  private act(key: KeyName): void {
    const { shown } = this;
    if (shown === null) {
      if (key === 'return') this.action.start(() => this.next(''));
      return;
    }
    const dismissal = dismissals.get(key);
    if (key === 'f') this.action.start(() => this.unfounded(shown));
    else if (dismissal !== undefined) this.action.start(() => this.decide(shown, dismissal));
    else if (key === 's') this.action.start(() => this.sanction(shown));
    else if (key === 'r') this.action.start(() => this.leaveCase(shown, 'released'));
    else if (key === 'e') this.action.start(() => this.leaveCase(shown, 'escalated to administrators'));
  }

  private async sanction(shown: ShownCase): Promise<string> {
    const answers = await this.prompt.ask(
      { label: 'Kind of sanction:', initial: 'mute', read: kindOf },
      {
        label: 'For how long:',
        initial: '1h',
        help: (typed) =>
          typedEnd(typed === '' ? foreverWord : typed, daemonNow()) ?? 'Such as 10m or 7d; empty: until revoked.',
        read: secondsOf,
      },
      { label: 'Reason, shown to the person:', read: (typed) => typed },
    );
    if (answers === null) return unchanged;
    const [typed, seconds, reason] = answers;
    const type = Kind.parse(banned(typed, seconds !== null));
    const duration = seconds === null ? {} : { duration: seconds };
    const sanction = { type, ...duration, ...(reason === '' ? {} : { reason }) };
    return this.decide(shown, { decision: 'sanction', reasonCode: 'violation', sanction });
  }

  /** It counts against everybody who reported, so it is asked for. */
  private async unfounded(shown: ShownCase): Promise<string> {
    const answers = await this.prompt.ask({
      label: `This counts against ${shown.detail.reporters === 1 ? '1 reporter' : `${shown.detail.reporters} reporters`}. Type ${yes}:`,
      read: (typed) => typed,
    });
    return answers?.[0] === yes ? this.decide(shown, unfounded) : unchanged;
  }

  private async decide(shown: ShownCase, body: DecideCaseRequest): Promise<string> {
    const { status, decision, reasonCode } = await this.queue.decide(shown.detail.id, body);
    const what = status === 'decided' ? `${decision} (${reasonCode})` : 'waits for somebody else to confirm it';
    this.decided.push(`${personOf(shown)}: ${what}`);
    return this.next(`${personOf(shown)}: ${what}`);
  }

  private async leaveCase(shown: ShownCase, how: 'released' | 'escalated to administrators'): Promise<string> {
    if (how === 'released') await this.queue.release(shown.detail.id);
    else await this.queue.escalate(shown.detail.id);
    return this.next(`${personOf(shown)}: ${how}`);
  }

  /** Shows the next case; `says` is what was done with the one before. */
  private async next(says: string): Promise<string> {
    this.shown = null;
    this.scrolled = 0;
    this.shown = await this.queue.claim();
    return says;
  }
}
