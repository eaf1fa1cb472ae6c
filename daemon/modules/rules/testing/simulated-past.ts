/** What a rule would have done so far, in place of what it did. */
import type { RuleFacts, RuleVerdict } from '../../../../src/contract/rules/rule-decisions.js';
import type { RuleTestPast } from '../../../../src/contract/rules/rule-tests.js';
import { addTo } from '../../../platform/collections/add-to.js';
import { hourMs } from '../../../platform/time/spans.js';
import type { Asking, Past } from '../judging/facts.js';

const pastMax = 10_000;

type Done = RuleTestPast[number];

/** Something that it would have done; `number` counts them up. */
interface Numbered extends Done {
  readonly time: number;
  readonly number: number;
}

interface Span {
  readonly after: Date;
  readonly until: Date;
}

/** Called several times for each message, so it looks only at the time that is asked for. */
export class SimulatedPast implements Past {
  /** Oldest first; those before `kept` do not count any more. */
  private readonly done: Numbered[] = [];
  private readonly byPerson = new Map<string, Numbered[]>();
  private kept = 0;

  constructor(
    past: RuleTestPast,
    /** How long something counts, at most. */
    private readonly countsMs: number,
  ) {
    for (const one of [...past].sort((a, b) => Date.parse(a.at) - Date.parse(b.at))) this.push(one);
  }

  /** Each message is judged once, so nothing is repeated. */
  async past(rules: readonly Asking[], { externalUserId }: { externalUserId: string }, hourAgo: Date) {
    return rules.map(({ span }) => ({
      ...{ repeated: false, times: this.doneTo(externalUserId, span).length },
      sanctionsThisHour: this.sanctionsSince(hourAgo),
    }));
  }

  private sanctionsSince(time: Date): number {
    const since = time.getTime();
    let count = 0;
    for (let at = this.done.length - 1; at >= this.kept; at -= 1) {
      const one = this.done[at];
      if (one === undefined || one.time <= since) break;
      count += one.sanctions.length;
    }
    return count;
  }

  /** Sanctions that it would have imposed on a person in this time. */
  sanctions(externalUserId: string, span: Span) {
    return this.doneTo(externalUserId, span).flatMap(({ number, at, sanctions }) =>
      sanctions.map((type, index) => ({ id: `simulated ${number} ${index}`, type, at })),
    );
  }

  /** Of a message behind all others. */
  add({ externalUserId, at }: RuleFacts, { actions }: RuleVerdict): void {
    const sanctions = actions.flatMap(({ sanction, review }) =>
      sanction !== undefined ? [sanction.type] : review !== undefined ? (['human_review'] as const) : [],
    );
    this.push({ externalUserId, at, sanctions });
  }

  /** From here on, what does not count any more at this time is left out. */
  forgetAt(time: number): void {
    const before = time - Math.max(this.countsMs, hourMs);
    this.kept = Math.max(this.kept, this.done.length - pastMax);
    while ((this.done[this.kept]?.time ?? Number.POSITIVE_INFINITY) <= before) this.kept += 1;
  }

  /** What still counts at a time. */
  at(time: number): RuleTestPast {
    this.forgetAt(time);
    return this.done.slice(this.kept).map(({ externalUserId, at, sanctions }) => ({ externalUserId, at, sanctions }));
  }

  private push(one: Done): void {
    const numbered = { ...one, time: Date.parse(one.at), number: this.done.length };
    this.done.push(numbered);
    addTo(this.byPerson, one.externalUserId, numbered);
  }

  /** Oldest first. */
  private doneTo(externalUserId: string, { after, until }: Span): readonly Numbered[] {
    const [from, to] = [after.getTime(), until.getTime()];
    const own = this.byPerson.get(externalUserId) ?? [];
    let first = own.length;
    for (; first > 0; first -= 1) {
      const one = own[first - 1];
      if (one === undefined || one.time <= from || one.number < this.kept) break;
    }
    return own.slice(first).filter(({ time }) => time <= to);
  }
}
