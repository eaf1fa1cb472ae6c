/**
 * The life of a challenge for one player: unlock → unlocked → in-progress → unclaimed → finished.
 * Pure: each function yields the step it makes, or null where the step is not possible. Time comes in as `now`.
 */
import { storableTime } from '../../../src/contract/common.js';
import type { Challenge } from '../../../src/contract/gameplay/challenges.js';
import type { AnnouncedChallengeState, ChallengeState } from '../../../src/contract/gameplay/player-challenges.js';
import { type CountedEvent, count, type RunningSum } from '../game-events/model/counting.js';
import { periodAt } from '../game-events/model/periods.js';

export interface ChallengeRules
  extends Pick<
    Challenge,
    | 'goal'
    | 'goalCondition'
    | 'durationMinutes'
    | 'repeatable'
    | 'autoActivated'
    | 'resetPeriod'
    | 'counting'
    | 'lateMinutes'
  > {
  readonly liveDate: Date | null;
}

interface ProgressIn<State> {
  readonly state: State;
  readonly counter: number;
  /** The counter, where it lies beyond what is shown of it. */
  readonly exact: string | null;
  readonly sessionId: string | null;
  readonly unlockedAt: Date | null;
  readonly activatedAt: Date | null;
  /** When the time limit ends. */
  readonly endsAt: Date | null;
  /** When the reset period in which it was unlocked ends. */
  readonly periodEndsAt: Date | null;
  /** For so long after its time, events that happened before may still come. */
  readonly lateMinutes: number;
  readonly claimedAt: Date | null;
}

/** One time through a challenge, from its beginning until it is back at the start. */
export type Round = ProgressIn<ChallengeState>;

interface WithOthers {
  /**
   * Beside the round that is shown, oldest first: those that are over and may still count what happened in them, and
   * those that go on after the claim of a reward that such a one has won.
   */
  readonly otherRounds: readonly Round[];
}

/** A player's progress in a challenge. */
export interface Progress extends Round, WithOthers {}
/** The announced state; it differs from the stored one when the step also resets the challenge. */
export type AnnouncedProgress = ProgressIn<AnnouncedChallengeState> & WithOthers;

export interface Step {
  readonly from: Progress;
  readonly to: Progress;
  readonly announced: AnnouncedProgress;
}

/** The state before any step; a challenge without a row is in it. */
export const untouched: Progress = {
  state: 'unlock',
  counter: 0,
  exact: null,
  sessionId: null,
  unlockedAt: null,
  activatedAt: null,
  endsAt: null,
  periodEndsAt: null,
  lateMinutes: 0,
  claimedAt: null,
  otherRounds: [],
};

/** Late events reach so many rounds back. */
const otherRoundsMax = 8;

const sumOfProgress = ({ counter, exact }: Round): RunningSum => ({ value: counter, exact });

const step = (from: Progress, to: Progress): Step => ({ from, to, announced: to });
/** What may still be won in rounds before stays. */
const backToStart = (from: Progress, announced: AnnouncedProgress = untouched): Step => ({
  from,
  to: { ...untouched, otherRounds: from.otherRounds },
  announced,
});
const passed = (time: Date | null, now: Date): boolean => time !== null && time <= now;

export const isLive = (rules: ChallengeRules, now: Date): boolean => rules.liveDate === null || rules.liveDate <= now;

export const unlock = (rules: ChallengeRules, from: Progress, now: Date): Step | null => {
  if (from.state !== 'unlock' || !isLive(rules, now)) return null;
  const periodEndsAt = rules.resetPeriod === null ? null : periodAt(rules.resetPeriod, now).endsAt;
  const { lateMinutes } = rules;
  const { otherRounds } = from;
  return step(from, { ...untouched, state: 'unlocked', unlockedAt: now, periodEndsAt, lateMinutes, otherRounds });
};

export const activate = (rules: ChallengeRules, from: Progress, now: Date): Step | null => {
  if (from.state !== 'unlocked') return null;
  const minutes = rules.durationMinutes;
  const endsAt = minutes === null ? null : storableTime(now.getTime() + minutes * 60_000);
  return step(from, { ...from, state: 'in-progress', activatedAt: now, endsAt });
};

/** As if it had been activated now, with the same time limit. */
export const begunNow = (from: Progress, now: Date): Progress => {
  const { activatedAt, endsAt } = from;
  if (activatedAt === null || endsAt === null) return from;
  return { ...from, activatedAt: now, endsAt: new Date(now.getTime() + endsAt.getTime() - activatedAt.getTime()) };
};

/** Choice: a reward that waits to be claimed cannot be cancelled. */
export const cancel = (from: Progress): Step | null =>
  from.state === 'unlocked' || from.state === 'in-progress' ? backToStart(from) : null;

export const claim = (rules: ChallengeRules, from: Progress, now: Date): Step | null => {
  if (from.state !== 'unclaimed') return null;
  const finished: Progress = { ...from, state: 'finished', claimedAt: now };
  const again = rules.repeatable || passed(from.periodEndsAt, now);
  return { from, to: afterClaim(finished, again, now), announced: finished };
};

/** The next reward that waits, else what was claimed, or, where it may be done again, the round that began meanwhile. */
const afterClaim = ({ otherRounds, ...claimed }: Progress, again: boolean, now: Date): Progress => {
  const rounds: readonly Round[] = again ? otherRounds : [...otherRounds, claimed];
  const next =
    rounds.find(({ state }) => state === 'unclaimed') ??
    rounds.findLast((one) => one.state !== 'in-progress' || !passed(endOf(one), now));
  return { ...(next ?? untouched), otherRounds: rounds.filter((one) => one !== next) };
};

/** For operators: resets everything, in any state. null: there is nothing to reset. */
export const reset = (from: Progress): Step | null =>
  from.state === 'unlock' ? null : { from, to: untouched, announced: untouched };

/**
 * For operators: the counter that `counterOf` makes of the one before, after the steps that begin the challenge. Choice: a
 * reward that waits or was claimed stays. null: not possible.
 */
export const setProgress = (
  rules: ChallengeRules,
  from: Progress,
  counterOf: (before: RunningSum) => RunningSum,
  now: Date,
): Step[] | null => {
  const unlocked = unlock(rules, from, now);
  const activated = activate(rules, unlocked?.to ?? from, now);
  const begun = activated?.to ?? from;
  const { value: counter, exact } = counterOf(sumOfProgress(begun));
  const isReached = counter >= rules.goal;
  if (begun.state !== 'in-progress' || (isReached && rules.goalCondition === 1)) return null;
  const given = step(begun, { ...begun, counter, exact, state: isReached ? 'unclaimed' : 'in-progress' });
  return [unlocked, activated, given].filter((taken) => taken !== null);
};

const lost = (from: Progress): Step => backToStart(from, { ...from, state: 'lost' });

/**
 * Counts an event; null: nothing changes. Only challenges in progress count. Choice: where the goal was lowered to what
 * is counted already, the next event that counts finishes the challenge, whatever it adds.
 */
export const progress = (rules: ChallengeRules, from: Progress, event: CountedEvent): Step | null => {
  if (from.state !== 'in-progress') return null;
  const counter = { ...sumOfProgress(from), sessionId: from.sessionId };
  const { value, exact, sessionId } = count(counter, event, rules.counting);
  const counted: Progress = { ...from, counter: value, exact, sessionId };
  if (event.amount === null || value < rules.goal)
    return value === from.counter && exact === from.exact && sessionId === from.sessionId ? null : step(from, counted);
  // goal condition 0: won when the goal is reached; 1: lost when it is reached
  if (rules.goalCondition === 0) return step(from, { ...counted, state: 'unclaimed' });
  return { ...lost(counted), from };
};

/** The time limit has passed: lost, or won under goal condition 1, where the counter had to stay below the goal. */
const timeOut = (rules: ChallengeRules, from: Progress): Step =>
  rules.goalCondition === 1 ? step(from, { ...from, state: 'unclaimed' }) : lost(from);

/** When `settle` will next change something; null: never without a call. */
const endOf = ({ state, endsAt, periodEndsAt }: Round): Date | null => {
  if (state !== 'in-progress') return state === 'unclaimed' ? null : periodEndsAt;
  if (endsAt === null || periodEndsAt === null) return endsAt ?? periodEndsAt;
  return endsAt <= periodEndsAt ? endsAt : periodEndsAt;
};

/** When the clock alone stores what `settle` changes: once no event can come any more that happened before. */
export const dueAt = (round: Round): Date | null => {
  const end = endOf(round);
  if (end === null || round.state !== 'in-progress') return end;
  return storableTime(end.getTime() + round.lateMinutes * 60_000);
};

/** The rounds that are kept once the one shown is over: it, and those before it, as long as they count late events. */
const keptRounds = ({ otherRounds, ...shown }: Progress, now: Date): Round[] =>
  [...otherRounds, shown]
    .filter((one) => one.state === 'unclaimed' || (one.state === 'in-progress' && !passed(dueAt(one), now)))
    .slice(-otherRoundsMax);

/** The round that was running at a time and still counts what happened then; null: none. */
export const roundAt = (from: Progress, at: Date, now: Date): Round | null => {
  const ran = (one: Round): boolean =>
    one.state === 'in-progress' && (one.activatedAt ?? at) <= at && !passed(endOf(one), at) && !passed(dueAt(one), now);
  if (ran(from)) return from;
  return from.otherRounds.find(ran) ?? null;
};

/** A step of one of the other rounds as a step of the whole: shown only where it has won a reward that can be claimed. */
export const inOtherRound = (from: Progress, round: Round, taken: Step): Step => {
  const { otherRounds: _, ...after } = taken.to;
  const { otherRounds, ...shown } = from;
  if (after.state === 'finished') return { ...taken, from }; // in a level, which nobody does again
  const rest = otherRounds.filter((one) => one !== round);
  if (after.state === 'unlock') return step(from, { ...from, otherRounds: rest });
  if (after.state === 'in-progress' || from.state === 'unclaimed')
    return step(from, { ...from, otherRounds: otherRounds.map((one) => (one === round ? after : one)) });
  return step(from, { ...after, otherRounds: shown.state === 'unlock' ? rest : [...rest, shown] });
};

/**
 * Returns the steps that time alone has caused, in order: the time limit passed, the reset period ended. Choice: the
 * end of a period resets everything except a reward that waits to be claimed.
 */
export const settle = (rules: ChallengeRules, from: Progress, now: Date): Step[] => {
  const due = endOf(from);
  if (!passed(due, now)) return [];
  const ranOut = from.state === 'in-progress' && from.endsAt?.getTime() === due?.getTime();
  const ended = ranOut ? timeOut(rules, from) : backToStart(from);
  const isOver = ended.to.state === 'unlock';
  const next = isOver ? { ...ended, to: { ...untouched, otherRounds: keptRounds(from, now) } } : ended;
  return [next, ...settle(rules, next.to, now)];
};

/**
 * Returns the steps of an auto-activated challenge at a player's read. Choice: the challenge is activated again each
 * time it is back at the start (after a time-out, a new period or the claim of a repeatable one).
 */
export const autoActivate = (rules: ChallengeRules, from: Progress, now: Date): Step[] => {
  if (!rules.autoActivated) return [];
  const unlocked = unlock(rules, from, now);
  const activated = activate(rules, unlocked?.to ?? from, now);
  return [unlocked, activated].filter((taken) => taken !== null);
};
