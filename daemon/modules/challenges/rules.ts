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
    'goal' | 'goalCondition' | 'durationMinutes' | 'repeatable' | 'autoActivated' | 'resetPeriod' | 'counting'
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
  readonly claimedAt: Date | null;
}

/** A player's progress in a challenge. */
export type Progress = ProgressIn<ChallengeState>;
/** The announced state; it differs from the stored one when the step also resets the challenge. */
export type AnnouncedProgress = ProgressIn<AnnouncedChallengeState>;

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
  claimedAt: null,
};

const sumOfProgress = ({ counter, exact }: Progress): RunningSum => ({ value: counter, exact });

const step = (from: Progress, to: Progress): Step => ({ from, to, announced: to });
const backToStart = (from: Progress, announced: AnnouncedProgress = untouched): Step => ({
  from,
  to: untouched,
  announced,
});
const passed = (time: Date | null, now: Date): boolean => time !== null && time <= now;

export const isLive = (rules: ChallengeRules, now: Date): boolean => rules.liveDate === null || rules.liveDate <= now;

export const unlock = (rules: ChallengeRules, from: Progress, now: Date): Step | null => {
  if (from.state !== 'unlock' || !isLive(rules, now)) return null;
  const periodEndsAt = rules.resetPeriod === null ? null : periodAt(rules.resetPeriod, now).endsAt;
  return step(from, { ...untouched, state: 'unlocked', unlockedAt: now, periodEndsAt });
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
  return again ? backToStart(from, finished) : step(from, finished);
};

/** For operators: resets everything, in any state. null: there is nothing to reset. */
export const reset = (from: Progress): Step | null => (from.state === 'unlock' ? null : backToStart(from));

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
export const dueAt = ({ state, endsAt, periodEndsAt }: Progress): Date | null => {
  if (state !== 'in-progress') return state === 'unclaimed' ? null : periodEndsAt;
  if (endsAt === null || periodEndsAt === null) return endsAt ?? periodEndsAt;
  return endsAt <= periodEndsAt ? endsAt : periodEndsAt;
};

/**
 * Returns the steps that time alone has caused, in order: the time limit passed, the reset period ended. Choice: the
 * end of a period resets everything except a reward that waits to be claimed.
 */
export const settle = (rules: ChallengeRules, from: Progress, now: Date): Step[] => {
  const due = dueAt(from);
  if (!passed(due, now)) return [];
  const ranOut = from.state === 'in-progress' && from.endsAt?.getTime() === due?.getTime();
  const next = ranOut ? timeOut(rules, from) : backToStart(from);
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
