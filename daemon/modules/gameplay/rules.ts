/**
 * The life of a challenge for one player: unlock → unlocked → in-progress → unclaimed → finished.
 * Pure: each function yields the step it makes, or null where the step is not possible. Time comes in as `now`.
 */
import type { Challenge } from '../../../src/contract/gameplay/challenges.js';
import type { AnnouncedChallengeState, ChallengeState } from '../../../src/contract/gameplay/player-challenges.js';
import { type CountedEvent, count } from './counting.js';
import { periodEnd } from './periods.js';

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
  readonly sessionId: string | null;
  readonly unlockedAt: Date | null;
  readonly activatedAt: Date | null;
  /** When the time is up. */
  readonly endsAt: Date | null;
  /** When the reset period in which it was unlocked is over. */
  readonly periodEndsAt: Date | null;
  readonly claimedAt: Date | null;
}

/** Where a player stands with a challenge. */
export type Progress = ProgressIn<ChallengeState>;
/** What is announced; it differs from what is kept when the step also leads back to the start. */
export type AnnouncedProgress = ProgressIn<AnnouncedChallengeState>;

export interface Step {
  readonly from: Progress;
  readonly to: Progress;
  readonly announced: AnnouncedProgress;
}

/** Nothing done yet; a challenge without a row stands here. */
export const untouched: Progress = {
  state: 'unlock',
  counter: 0,
  sessionId: null,
  unlockedAt: null,
  activatedAt: null,
  endsAt: null,
  periodEndsAt: null,
  claimedAt: null,
};

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
  const periodEndsAt = rules.resetPeriod === null ? null : periodEnd(rules.resetPeriod, now);
  return step(from, { ...untouched, state: 'unlocked', unlockedAt: now, periodEndsAt });
};

export const activate = (rules: ChallengeRules, from: Progress, now: Date): Step | null => {
  if (from.state !== 'unlocked') return null;
  const minutes = rules.durationMinutes;
  const endsAt = minutes === null ? null : new Date(now.getTime() + minutes * 60_000);
  return step(from, { ...from, state: 'in-progress', activatedAt: now, endsAt });
};

/** Choice: a reward that waits to be claimed cannot be cancelled away. */
export const cancel = (from: Progress): Step | null =>
  from.state === 'unlocked' || from.state === 'in-progress' ? backToStart(from) : null;

export const claim = (rules: ChallengeRules, from: Progress, now: Date): Step | null => {
  if (from.state !== 'unclaimed') return null;
  const finished: Progress = { ...from, state: 'finished', claimedAt: now };
  const again = rules.repeatable || passed(from.periodEndsAt, now);
  return again ? backToStart(from, finished) : step(from, finished);
};

/** For operators: forgets everything, whatever the state. null: there is nothing to forget. */
export const reset = (from: Progress): Step | null => (from.state === 'unlock' ? null : backToStart(from));

const lost = (from: Progress): Step => backToStart(from, { ...from, state: 'lost' });

/** Counts an event; null: nothing changes. "Only in-progress counts." */
export const progress = (rules: ChallengeRules, from: Progress, event: CountedEvent): Step | null => {
  if (from.state !== 'in-progress') return null;
  const { value, sessionId } = count({ value: from.counter, sessionId: from.sessionId }, event, rules.counting);
  if (value === from.counter && sessionId === from.sessionId) return null;
  const counted: Progress = { ...from, counter: value, sessionId };
  if (value < rules.goal) return step(from, counted);
  // goal condition 0: reached; 1: "lost when reached"
  if (rules.goalCondition === 0) return step(from, { ...counted, state: 'unclaimed' });
  return { ...lost(counted), from };
};

/** The time is up: lost, or with goal condition 1 won by having stayed below the goal. */
const timeOut = (rules: ChallengeRules, from: Progress): Step =>
  rules.goalCondition === 1 ? step(from, { ...from, state: 'unclaimed' }) : lost(from);

/** The next moment at which `settle` will do something; null: never by itself. */
export const dueAt = ({ state, endsAt, periodEndsAt }: Progress): Date | null => {
  if (state !== 'in-progress') return state === 'unclaimed' ? null : periodEndsAt;
  if (endsAt === null || periodEndsAt === null) return endsAt ?? periodEndsAt;
  return endsAt <= periodEndsAt ? endsAt : periodEndsAt;
};

/**
 * What has happened by the clock alone, in its order: the time ran out, the reset period ended.
 * Choice: a period's end takes everything back to the start but a reward that waits to be claimed.
 */
export const settle = (rules: ChallengeRules, from: Progress, now: Date): Step[] => {
  const due = dueAt(from);
  if (!passed(due, now)) return [];
  const ranOut = from.state === 'in-progress' && from.endsAt?.getTime() === due?.getTime();
  const next = ranOut ? timeOut(rules, from) : backToStart(from);
  return [next, ...settle(rules, next.to, now)];
};

/**
 * What a player's read does to an auto-activated challenge. Choice: it does so again whenever the challenge stands at
 * the start (after a time-out, a new period or the claim of a repeatable one).
 */
export const autoActivate = (rules: ChallengeRules, from: Progress, now: Date): Step[] => {
  if (!rules.autoActivated) return [];
  const unlocked = unlock(rules, from, now);
  const activated = activate(rules, unlocked?.to ?? from, now);
  return [unlocked, activated].filter((taken) => taken !== null);
};
