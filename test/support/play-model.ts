/**
 * Reference model of play, written from docs/gameplay.md and the interface documents alone: it keeps every event and
 * counts all of them anew for each question. Times are milliseconds; calendars are those of UTC.
 */
import type { Aggregate, MemberType, SortOrder } from '../../src/contract/gameplay/leaderboards.js';

export interface PlayEvent {
  readonly name: string;
  readonly user: string;
  readonly team: string | null;
  readonly session: string;
  readonly type: 'single' | 'group';
  readonly amount: number;
}

/** A daily, weekly or monthly reset, so many minutes after midnight. */
interface ModelReset {
  readonly range: 'd' | 'w' | 'm';
  readonly minutes: number;
}

export interface BoardRules {
  readonly eventName: string;
  readonly aggregate: Aggregate;
  readonly sortOrder: SortOrder;
  readonly startDate: number | null;
  readonly endDate: number | null;
  readonly reset: ModelReset | null;
}

/** What an event counts for: a user's own score, and the score of the team that it names. */
type For = Readonly<Record<MemberType, boolean>>;

interface BoardEvent extends PlayEvent {
  /** It counts in the scores that are shown. */
  live: For;
  /** It is kept, so a rebuild counts it unless its user is excluded. */
  kept: For;
}

export interface ModelPeriod {
  startsAt: number;
  endsAt: number | null;
  readonly events: BoardEvent[];
}

export interface ModelRank {
  readonly rank: number;
  readonly memberId: string;
  readonly score: number;
}

export const minuteMs = 60_000;

/** Begin of the period that contains `at`, or of one that many later. */
function startOf({ range, minutes }: ModelReset, at: number, later = 0): number {
  const day = new Date(at - minutes * minuteMs);
  const [year, month, date] = [day.getUTCFullYear(), day.getUTCMonth(), day.getUTCDate()];
  const sinceMonday = (day.getUTCDay() + 6) % 7;
  const first = {
    d: Date.UTC(year, month, date + later),
    w: Date.UTC(year, month, date - sinceMonday + 7 * later),
    m: Date.UTC(year, month + later, 1),
  };
  return first[range] + minutes * minuteMs;
}

const shownMax = BigInt(Number.MAX_SAFE_INTEGER);
export const shown = (score: bigint): number =>
  Number(score > shownMax ? shownMax : score < -shownMax ? -shownMax : score);

/** Score of a user by the events that count for it. */
function scoreOfUser({ aggregate, sortOrder }: BoardRules, events: readonly PlayEvent[]): bigint {
  let score: bigint | null = null;
  for (const { type, amount } of events) {
    const value = BigInt(amount);
    if (score === null || aggregate === 'last') score = value;
    else if (aggregate === 'sum') score = type === 'single' ? score + value : value;
    else if (sortOrder === 'desc' ? value > score : value < score) score = value;
  }
  return score ?? 0n;
}

/** Score of a team: the sum of what its users brought, their best event, or the last one. */
function scoreOfTeam(rules: BoardRules, events: readonly PlayEvent[]): bigint {
  if (rules.aggregate !== 'sum') return scoreOfUser(rules, events);
  const users = [...new Set(events.map(({ user }) => user))];
  return users
    .map((user) =>
      scoreOfUser(
        rules,
        events.filter((event) => event.user === user),
      ),
    )
    .reduce((sum, share) => sum + share, 0n);
}

const memberOf = (memberType: MemberType, { user, team }: PlayEvent): string | null =>
  memberType === 'user' ? user : team;

export class ModelBoard {
  /** Oldest first; the last one may be over. */
  readonly periods: ModelPeriod[];
  readonly excluded = new Set<string>();
  private erased = 0;

  constructor(
    readonly rules: BoardRules,
    now: number,
  ) {
    this.periods = [this.periodAt(now, now)];
  }

  /** The period that runs, or the last one of a board that has ended. It has no entry before its first event. */
  current(now: number): ModelPeriod {
    const last = this.last();
    if (last.endsAt === null || now < last.endsAt || this.hasEnded(now)) return last;
    const { reset } = this.rules;
    return this.periodAt(reset === null ? now : Math.max(last.endsAt, startOf(reset, now)), now);
  }

  /** The one that runs, and earlier ones in which something was sent; newest first. */
  list(now: number): ModelPeriod[] {
    const current = this.current(now);
    const earlier = this.periods.filter((period) => period !== current && period.events.length > 0);
    return [current, ...earlier.reverse()];
  }

  /** When a period ends, as it is shown: the running one with its board, where that is earlier. */
  endOf(period: ModelPeriod, now: number): number | null {
    const { endDate } = this.rules;
    const isCurrent = period === this.last() || !this.periods.includes(period);
    if (!isCurrent || endDate === null || endDate <= period.startsAt) return period.endsAt;
    if (period.endsAt === null || endDate < period.endsAt) return endDate;
    return now < endDate || period.endsAt <= endDate ? period.endsAt : endDate;
  }

  /** Sends an event; true: the board listens to it now. */
  send(event: PlayEvent, now: number): boolean {
    const { eventName, startDate } = this.rules;
    if (event.name !== eventName || (startDate !== null && now < startDate) || this.hasEnded(now)) return false;
    const counts = !this.excluded.has(event.user);
    const kept = { user: true, team: event.team !== null };
    this.begun(now).events.push({ ...event, kept, live: counts ? kept : { user: false, team: false } });
    return true;
  }

  /** Ends the running period and begins one. */
  reset(now: number): void {
    const running = this.begun(now);
    const end = this.rules.endDate;
    const cutAt = end !== null && running.startsAt < end && end < now ? end : now;
    if (running.endsAt === null || cutAt < running.endsAt) running.endsAt = cutAt;
    this.periods.push(this.periodAt(now, now));
  }

  /** What a member did before in the running period counts never again; false: they are not on the board. */
  remove(memberType: MemberType, memberId: string, now: number): boolean {
    const own = this.current(now).events.filter(
      (event) => event.live[memberType] && memberOf(memberType, event) === memberId,
    );
    for (const event of own) {
      event.live = { ...event.live, [memberType]: false };
      event.kept = { ...event.kept, [memberType]: false };
    }
    return own.length > 0;
  }

  /** Takes a user off until `include`; what they brought to teams stays until a rebuild. */
  exclude(user: string, now: number): void {
    this.excluded.add(user);
    for (const event of this.current(now).events) if (event.user === user) event.live = { ...event.live, user: false };
  }

  include(user: string): void {
    this.excluded.delete(user);
  }

  /** Counts a period again from all events that are kept. */
  rebuild(period: ModelPeriod): void {
    for (const event of period.events)
      event.live = this.excluded.has(event.user) ? { user: false, team: false } : event.kept;
  }

  /** Everything of one user is of another from now on, in the order in which it came. */
  rename(from: string, to: string): void {
    for (const { events } of this.periods)
      for (const [index, event] of events.entries()) if (event.user === from) events[index] = { ...event, user: to };
    if (this.excluded.delete(from)) this.excluded.add(to);
  }

  /** What an erased user brought to teams stays without a name; of an excluded one, only until a rebuild. */
  erase(user: string): void {
    const isExcluded = this.excluded.delete(user);
    this.erased += 1;
    for (const { events } of this.periods)
      for (const [index, event] of events.entries()) {
        if (event.user !== user) continue;
        const live = { user: false, team: event.live.team };
        const kept = { user: false, team: event.kept.team && event.live.team && !isExcluded };
        events[index] = { ...event, user: `erased ${this.erased}`, live, kept };
      }
  }

  /** @param hidden users who are left out of ranks */
  ranking(memberType: MemberType, period: ModelPeriod, hidden: ReadonlySet<string> = new Set()): ModelRank[] {
    const counted = period.events.map((event, at) => ({ ...event, at })).filter(({ live }) => live[memberType]);
    const members = new Set(counted.map((event) => memberOf(memberType, event)));
    const sign = this.rules.sortOrder === 'desc' ? -1 : 1;
    const scoreOf = memberType === 'user' ? scoreOfUser : scoreOfTeam;
    const found = [...members].flatMap((memberId) => {
      if (memberId === null || (memberType === 'user' && hidden.has(memberId))) return [];
      const own = counted.filter((event) => memberOf(memberType, event) === memberId);
      const scores = own.map((_, index) => shown(scoreOf(this.rules, own.slice(0, index + 1))));
      const score = scores.at(-1) ?? 0;
      // Of equal scores, the one that was reached first is ahead, and has stood since.
      const reached = own[scores.findLastIndex((earlier) => earlier !== score) + 1]?.at ?? -1;
      return [{ memberId, score, reached }];
    });
    found.sort((a, b) => sign * (a.score - b.score) || a.reached - b.reached);
    return found.map(({ memberId, score }, index) => ({ rank: index + 1, memberId, score }));
  }

  private last(): ModelPeriod {
    const last = this.periods.at(-1);
    if (last === undefined) throw new Error('A board has a period from its creation.');
    return last;
  }

  /** The running period, which has an entry from now on. */
  private begun(now: number): ModelPeriod {
    const current = this.current(now);
    if (!this.periods.includes(current)) this.periods.push(current);
    return current;
  }

  private periodAt(startsAt: number, now: number): ModelPeriod {
    const { reset } = this.rules;
    const endsAt = reset === null || this.hasEnded(now) ? null : startOf(reset, now, 1);
    return { startsAt, endsAt, events: [] };
  }

  private hasEnded(now: number): boolean {
    const { endDate } = this.rules;
    return endDate !== null && endDate <= now;
  }
}

export interface ChallengeRules {
  readonly eventName: string;
  readonly goal: number;
  /** 0: reach the goal; 1: stay below it until the time is over. */
  readonly goalCondition: 0 | 1;
  readonly durationMinutes: number | null;
  readonly repeatable: boolean;
  readonly reset: ModelReset | null;
  readonly counting: 'per-session' | 'total';
}

type ChallengeState = 'unlock' | 'unlocked' | 'in-progress' | 'unclaimed' | 'finished';
export type ChallengeAct = 'unlock' | 'activate' | 'cancel' | 'claim' | 'reset';

/** The challenges of one player. */
export class ModelPlayer {
  private readonly challenges: ModelChallenge[];

  /** @param others what else of the player is in progress: challenges of battle passes */
  constructor(
    rules: readonly ChallengeRules[],
    private readonly others: (now: number) => readonly Pick<ChallengeRules, 'eventName' | 'counting'>[] = () => [],
  ) {
    this.challenges = rules.map((one) => new ModelChallenge(one));
  }

  /** `ok`, or the code of the refusal. */
  act(action: ChallengeAct, index: number, now: number): string {
    this.settle(now);
    const challenge = this.challenges[index];
    if (challenge === undefined || !challenge.allows(action)) return 'action_not_possible';
    const { eventName, counting } = challenge.rules;
    const active = [...this.inProgress(now), ...this.others(now)];
    const conflicts = active.some((other) => other.eventName === eventName && other.counting !== counting);
    if (action === 'activate' && conflicts) return 'counting_conflict';
    challenge.act(action, now);
    return 'ok';
  }

  send(event: PlayEvent, now: number): void {
    this.settle(now);
    for (const challenge of this.challenges) challenge.count(event);
  }

  /** State and counter of each. */
  seen(now: number): { readonly state: string; readonly counter: number }[] {
    this.settle(now);
    return this.challenges.map(({ state, counter }) => ({ state, counter: shown(counter) }));
  }

  inProgress(now: number): ChallengeRules[] {
    this.settle(now);
    return this.challenges.filter(({ state }) => state === 'in-progress').map(({ rules }) => rules);
  }

  /** True if both have begun one challenge. */
  sharesWith(other: ModelPlayer): boolean {
    return this.challenges.some(({ state }, index) => state !== 'unlock' && other.hasBegun(index));
  }

  /** Adds what the other has begun. */
  takeOver(other: ModelPlayer): void {
    for (const [index, challenge] of other.challenges.entries())
      if (other.hasBegun(index)) this.challenges[index] = challenge;
  }

  get hasBegunAny(): boolean {
    return this.challenges.some((_, index) => this.hasBegun(index));
  }

  private hasBegun(index: number): boolean {
    return (this.challenges[index]?.state ?? 'unlock') !== 'unlock';
  }

  private settle(now: number): void {
    for (const challenge of this.challenges) challenge.settle(now);
  }
}

class ModelChallenge {
  state: ChallengeState = 'unlock';
  counter = 0n;
  private session: string | null = null;
  private endsAt = Number.POSITIVE_INFINITY;
  private periodEndsAt = Number.POSITIVE_INFINITY;

  constructor(readonly rules: ChallengeRules) {}

  allows(action: ChallengeAct): boolean {
    const from: Readonly<Record<ChallengeAct, readonly ChallengeState[]>> = {
      unlock: ['unlock'],
      activate: ['unlocked'],
      cancel: ['unlocked', 'in-progress'],
      claim: ['unclaimed'],
      reset: ['unlocked', 'in-progress', 'unclaimed', 'finished'],
    };
    return from[action].includes(this.state);
  }

  act(action: ChallengeAct, now: number): void {
    const { reset, durationMinutes, repeatable } = this.rules;
    if (action === 'unlock') {
      this.state = 'unlocked';
      if (reset !== null) this.periodEndsAt = startOf(reset, now, 1);
    } else if (action === 'activate') {
      this.state = 'in-progress';
      if (durationMinutes !== null) this.endsAt = now + durationMinutes * minuteMs;
    } else if (action === 'claim' && !repeatable && now < this.periodEndsAt) this.state = 'finished';
    else this.begin();
  }

  /** Only challenges in progress count. */
  count({ name, type, session, amount }: PlayEvent): void {
    const { eventName, goal, goalCondition, counting } = this.rules;
    if (this.state !== 'in-progress' || name !== eventName) return;
    const restarts = counting === 'per-session' && this.session !== null && this.session !== session;
    const before = restarts ? 0n : this.counter;
    this.counter = type === 'single' ? before + BigInt(amount) : BigInt(amount);
    this.session = session;
    if (shown(this.counter) < goal) return;
    if (goalCondition === 1) this.begin();
    else this.state = 'unclaimed';
  }

  /** What the time does by itself: a limit that ends wins or loses, a reward that waits stays. */
  settle(now: number): void {
    if (this.state === 'in-progress' && this.endsAt <= now && this.endsAt <= this.periodEndsAt) {
      if (this.rules.goalCondition === 1) this.state = 'unclaimed';
      else this.begin();
    }
    if (this.state !== 'unclaimed' && this.periodEndsAt <= now) this.begin();
  }

  private begin(): void {
    this.state = 'unlock';
    this.counter = 0n;
    this.session = null;
    this.endsAt = Number.POSITIVE_INFINITY;
    this.periodEndsAt = Number.POSITIVE_INFINITY;
  }
}
