/** Actions that a rule would have taken so far, in place of those that it took. */
import type { RuleFacts, RuleVerdict } from '../../../../src/contract/rules/rule-decisions.js';
import type { RuleTestCounted, RuleTestPast } from '../../../../src/contract/rules/rule-tests.js';
import { addTo } from '../../../platform/collections/add-to.js';
import { hourMs } from '../../../platform/time/spans.js';
import type { CountAsked, Past, PastQuery, Span } from '../judging/facts.js';

const pastMax = 10_000;
const countedMax = 4_000;

/** Actions that it would have taken, and messages that it counted, as far as both still matter. */
export interface PastSoFar {
  readonly done: RuleTestPast;
  readonly counted: RuleTestCounted;
}

type PastAction = RuleTestPast[number];

/** Something that it would have done; `number` counts them up. */
interface Numbered extends PastAction {
  readonly time: number;
  readonly number: number;
}

/** Called several times for each message, so it looks only at the time that is asked for. */
export class SimulatedPast implements Past {
  /** Oldest first; those before `kept` do not count any more. */
  private readonly done: Numbered[] = [];
  private readonly byPerson = new Map<string, Numbered[]>();
  private kept = 0;
  /** Oldest first. */
  private counts: RuleTestCounted = [];

  constructor(
    past: PastSoFar,
    /** How long something counts, at most. */
    private readonly countsMs: number,
  ) {
    this.counts = [...past.counted];
    for (const one of [...past.done].sort((a, b) => Date.parse(a.at) - Date.parse(b.at))) this.push(one);
  }

  /** Each message is judged once, so nothing is repeated. */
  async past(rules: readonly PastQuery[], { externalUserId }: { externalUserId: string }, hourAgo: Date) {
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

  counted = async (asked: readonly CountAsked[]): Promise<Date[][]> => asked.map((one) => this.countedBefore(one));

  /** Messages come in the order in which they were said. */
  private countedBefore({ key, by, externalUserId, sessionId, at, spanMs }: CountAsked): Date[] {
    const isAbout = (one: { externalUserId: string; sessionId: string }) =>
      by === 'person' ? one.externalUserId === externalUserId : one.sessionId === sessionId;
    const acted = this.done.slice(this.kept).findLast(isAbout)?.time ?? 0;
    const since = Math.max(acted, at.getTime() - spanMs);
    return this.counts
      .filter((one) => one.of === key && isAbout(one))
      .map((one) => new Date(one.at))
      .filter((time) => time.getTime() > since);
  }

  /** Remembers that a message behind all others counts. */
  count(of: string, { externalUserId, sessionId, at }: RuleFacts): void {
    this.counts.push({ of, externalUserId, sessionId, at });
  }

  async imposed(_: unknown, externalUserId: string, span: Span) {
    return this.doneTo(externalUserId, span).flatMap(({ sanctions }) => sanctions);
  }

  /** Sanctions that it would have imposed on a person in this time. */
  sanctions(externalUserId: string, span: Span) {
    return this.doneTo(externalUserId, span).flatMap(({ number, at, sanctions }) =>
      sanctions.map((type, index) => ({ id: `simulated ${number} ${index}`, type, at })),
    );
  }

  /** Adds the actions on a message later than all others. */
  add({ externalUserId, sessionId, at }: RuleFacts, { actions }: RuleVerdict): void {
    const sanctions = actions.flatMap(({ sanction, review }) =>
      sanction !== undefined ? [sanction.type] : review !== undefined ? (['human_review'] as const) : [],
    );
    this.push({ externalUserId, sessionId, at, sanctions });
  }

  /** From here on, what does not count any more at this time is left out. */
  forgetAt(time: number): void {
    const before = time - Math.max(this.countsMs, hourMs);
    this.kept = Math.max(this.kept, this.done.length - pastMax);
    const first = this.counts.findIndex((one) => Date.parse(one.at) > before);
    this.counts = first === -1 ? [] : this.counts.slice(first);
    while ((this.done[this.kept]?.time ?? Number.POSITIVE_INFINITY) <= before) this.kept += 1;
  }

  /** Returns the actions and messages that still count at a time. */
  at(time: number): PastSoFar {
    this.forgetAt(time);
    const done = this.done
      .slice(this.kept)
      .map(({ externalUserId, sessionId, at, sanctions }) => ({ externalUserId, sessionId, at, sanctions }));
    return { done, counted: this.counts.slice(-countedMax) };
  }

  private push(one: PastAction): void {
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
