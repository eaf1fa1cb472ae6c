/**
 * The life of a battle pass for one player: unlocked, level after level activated and completed, rewards claimed; and of
 * the challenges in its levels, which are counted as all challenges are. Pure: time comes in as `now`. Nothing counts and
 * no level begins outside the dates of the pass.
 */
import { noReward } from '../../../../src/contract/gameplay/battle-pass-levels.js';
import type { LevelChallengeType, RewardTrack } from '../../../../src/contract/gameplay/player-battle-passes.js';
import type { CountedEvent, RunningSum } from '../../game-events/model/counting.js';
import * as rules from '../rules.js';
import type { LevelChallengeDefinition, LevelDefinition, PassDefinition } from './definitions.js';

type Dates = Pick<PassDefinition, 'startDate' | 'endDate'>;

/** A level that was activated. */
export interface LevelProgress {
  readonly activatedAt: Date;
  readonly completedAt: Date | null;
  /** On the free track. */
  readonly claimedAt: Date | null;
  readonly premiumClaimedAt: Date | null;
}

interface LevelStep {
  readonly definition: LevelChallengeDefinition;
  readonly step: rules.Step;
}

/** Changes that happen in a pass at once. */
export interface PassMove {
  readonly levels: ReadonlyMap<string, LevelProgress>;
  readonly steps: readonly LevelStep[];
}

/** How far a player has come in a pass. */
export interface PassProgress {
  /** null: not activated. */
  levelOf(levelId: string): LevelProgress | null;
  progressOf(challengeId: string): rules.Progress;
}

export const hasEnded = ({ endDate }: Dates, now: Date): boolean => endDate !== null && endDate <= now;
/** True once no event can come any more that happened while the pass ran. */
export const isClosed = ({ endDate, battlePass }: PassDefinition, now: Date): boolean =>
  endDate !== null && endDate.getTime() + battlePass.lateMinutes * 60_000 <= now.getTime();
export const isRunning = ({ startDate, endDate }: Dates, now: Date): boolean =>
  (startDate === null || startDate <= now) && !hasEnded({ startDate, endDate }, now);

/**
 * A step of the rules of challenges, as a level takes it: the goal finishes the challenge without a claim, and one whose
 * time ran out stands still, with its counter, until the level is activated again.
 */
const inLevel = ({ from, to, announced }: rules.Step): rules.Step => {
  if (announced.state === 'lost')
    return { from, to: { ...announced, state: 'unlock', otherRounds: to.otherRounds }, announced };
  if (to.state !== 'unclaimed') return { from, to, announced };
  const finished: rules.Progress = { ...to, state: 'finished' };
  return { from, to: finished, announced: finished };
};

/** True if the time of the challenge ran out before its goal was reached. */
const ranOut = ({ state, activatedAt }: rules.Progress): boolean => state === 'unlock' && activatedAt !== null;

export const settleInLevel = (definition: LevelChallengeDefinition, from: rules.Progress, now: Date): rules.Step[] =>
  rules.settle(definition, from, now).map((step) => {
    const { startDate, endDate } = definition.level.pass;
    const { endsAt } = from;
    const within =
      endsAt !== null && (startDate === null || startDate <= endsAt) && (endDate === null || endsAt <= endDate);
    if (within) return inLevel(step);
    // Choice: a time that ends outside the dates of the pass wins nothing, not even by staying below the goal.
    return inLevel({ from, to: step.to, announced: { ...from, state: 'lost' } });
  });

export const progressInLevel = (
  definition: LevelChallengeDefinition,
  from: rules.Progress,
  event: CountedEvent,
  now: Date,
): rules.Step | null => {
  const step = isRunning(definition.level.pass, now) ? rules.progress(definition, from, event) : null;
  return step === null ? null : inLevel(step);
};

/** Only while the pass runs, and of a challenge in progress: the level decides when it begins. null: not possible. */
export const setProgressInLevel = (
  definition: LevelChallengeDefinition,
  from: rules.Progress,
  counterOf: (before: RunningSum) => RunningSum,
  now: Date,
): rules.Step[] | null => {
  if (from.state !== 'in-progress' || !isRunning(definition.level.pass, now)) return null;
  return rules.setProgress(definition, from, counterOf, now)?.map(inLevel) ?? null;
};

export const typeOf = ({ state, activatedAt }: rules.AnnouncedProgress): LevelChallengeType => {
  if (state === 'finished' || state === 'in-progress') return state;
  return activatedAt === null ? 'unlock' : 'overtime';
};

/** The state that players see now: a challenge that was not finished when the pass ended stays unfinished. */
export const typeNow = (
  { level }: LevelChallengeDefinition,
  progress: rules.AnnouncedProgress,
  now: Date,
): LevelChallengeType => {
  const type = typeOf(progress);
  return type === 'in-progress' && hasEnded(level.pass, now) ? 'overtime' : type;
};

const begin = (definition: LevelChallengeDefinition, from: rules.Progress, now: Date): LevelStep[] => {
  const unlocked = rules.unlock(definition, { ...rules.untouched, otherRounds: from.otherRounds }, now);
  const activated = unlocked === null ? null : rules.activate(definition, unlocked.to, now);
  return activated === null ? [] : [{ definition, step: { ...activated, from } }];
};

const activatedNow = (now: Date): LevelProgress => ({
  ...{ activatedAt: now, completedAt: null },
  ...{ claimedAt: null, premiumClaimedAt: null },
});

/**
 * Returns the changes that follow by themselves: a level with every challenge finished is completed; in a pass whose
 * levels come one after the other, the next one is then activated. The first level waits for the player. A challenge
 * that was added to an activated level begins. `mayBegin`: false for a challenge that would count an event in another
 * way than one in progress.
 */
export function advance(
  pass: PassDefinition,
  player: PassProgress,
  mayBegin: (definition: LevelChallengeDefinition) => boolean,
  now: Date,
): PassMove {
  const running = isRunning(pass, now);
  const levels = new Map<string, LevelProgress>();
  const steps: LevelStep[] = [];
  let allBefore = true;
  for (const level of pass.levels) {
    const before = player.levelOf(level.level.id);
    const follows: boolean = running && pass.isUnlockedIncrementally && level.index > 0 && allBefore;
    let current: LevelProgress | null =
      before ?? (follows && level.challenges.every(mayBegin) ? activatedNow(now) : null);
    if (current !== null && current.completedAt === null) {
      const progress = level.challenges.map((definition) => player.progressOf(definition.challenge.id));
      if (progress.every(({ state }) => state === 'finished')) current = { ...current, completedAt: now };
      else if (running) steps.push(...beginMissing(level, player, mayBegin, now));
    }
    if (current !== null && current !== before) levels.set(level.level.id, current);
    allBefore = allBefore && current !== null && current.completedAt !== null;
  }
  return { levels, steps };
}

const beginMissing = (
  { challenges }: LevelDefinition,
  player: PassProgress,
  mayBegin: (definition: LevelChallengeDefinition) => boolean,
  now: Date,
): LevelStep[] =>
  challenges.flatMap((definition) => {
    const from = player.progressOf(definition.challenge.id);
    const missing = from.state === 'unlock' && from.activatedAt === null;
    return missing && mayBegin(definition) ? begin(definition, from, now) : [];
  });

/** Activates a level, or begins anew those of its challenges whose time ran out; null: not possible. */
export function activateLevel(level: LevelDefinition, player: PassProgress, now: Date): PassMove | null {
  const { pass, index, challenges } = level;
  if (!isRunning(pass, now)) return null;
  const current = player.levelOf(level.level.id);
  const isCompleted = (other: LevelDefinition) => (player.levelOf(other.level.id)?.completedAt ?? null) !== null;
  if (current === null && pass.isUnlockedIncrementally && !pass.levels.slice(0, index).every(isCompleted)) return null;
  const steps = challenges.flatMap((definition) => {
    const from = player.progressOf(definition.challenge.id);
    return current === null || ranOut(from) ? begin(definition, from, now) : [];
  });
  if (current === null) return { levels: new Map([[level.level.id, activatedNow(now)]]), steps };
  return current.completedAt === null && steps.length > 0 ? { levels: new Map(), steps } : null;
}

export const hasPremiumReward = ({ level }: LevelDefinition): boolean => level.premiumRewardType !== noReward;

/** The tracks whose reward waits: of a completed level, once on each; also after the pass has ended. */
export function claimable(level: LevelDefinition, current: LevelProgress | null, hasPremium: boolean): RewardTrack[] {
  if (current === null || current.completedAt === null) return [];
  const tracks: RewardTrack[] = current.claimedAt === null ? ['free'] : [];
  if (hasPremium && hasPremiumReward(level) && current.premiumClaimedAt === null) tracks.push('premium');
  return tracks;
}

/** Marks all of these as claimed. */
export const claimTracks = (current: LevelProgress, tracks: readonly RewardTrack[], now: Date): LevelProgress => ({
  ...current,
  ...(tracks.includes('free') ? { claimedAt: now } : {}),
  ...(tracks.includes('premium') ? { premiumClaimedAt: now } : {}),
});

/** Choice: whoever paid for the pass has premium. */
export const isPaid = (price: number | null): boolean => price !== null && price > 0;

/** Choice: a pass may be bought before it starts, and not any more once it has ended. */
export const mayUnlock = (pass: PassDefinition, now: Date): boolean => !hasEnded(pass, now);
