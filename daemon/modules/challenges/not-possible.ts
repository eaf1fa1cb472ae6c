/** Why something that a player asks for is not possible now, in words that say what to do. */
import { DomainError } from '../../../src/contract/errors.js';
import type { ChallengeState } from '../../../src/contract/gameplay/player-challenges.js';
import type { LevelDefinition, PassDefinition } from './battle-passes/definitions.js';
import { hasEnded, hasPremiumReward, isRunning, type LevelProgress } from './battle-passes/rules.js';
import type { CountedDefinition } from './definitions.js';
import { type ChallengeRules, isLive } from './rules.js';

const refusal = (message: string | undefined): DomainError =>
  new DomainError('action_not_possible', message === undefined ? {} : { message });

const finished = 'The challenge is finished.';
const unclaimed = 'The goal is reached. Claim the reward.';
/** By the state in which the action is not possible. */
export type ChallengeAction = 'unlock' | 'activate' | 'cancel' | 'claim' | 'reset';

const challengeReasons: Readonly<Record<ChallengeAction, Partial<Record<ChallengeState, string>>>> = {
  unlock: {
    unlocked: 'The challenge is already unlocked. Activate it.',
    'in-progress': 'The challenge is already in progress.',
    unclaimed,
    finished,
  },
  activate: {
    unlock: 'The challenge is locked for this player. Unlock it first.',
    'in-progress': 'The challenge is already in progress.',
    unclaimed,
    finished,
  },
  cancel: {
    unlock: 'The player has not begun this challenge, so there is nothing to cancel.',
    unclaimed,
    finished,
  },
  claim: {
    unlock: 'The challenge is locked for this player. Unlock and activate it, and reach its goal first.',
    unlocked: 'The challenge has not begun. Activate it, and reach its goal first.',
    'in-progress': 'The goal is not reached yet.',
    finished: 'The reward was already claimed.',
  },
  reset: {
    unlock: 'The player has not begun this challenge, so there is nothing to reset.',
  },
};

/** The time is left out for a challenge that is still hidden from players. */
export function challengeNotPossible(action: ChallengeAction, rules: ChallengeRules, state: ChallengeState, now: Date) {
  const isHidden = action === 'unlock' && !isLive(rules, now);
  return refusal(
    isHidden ? 'The challenge has not begun: its live date is in the future.' : challengeReasons[action][state],
  );
}

/** Why an operator cannot set the progress. */
export function progressNotSet(
  definition: CountedDefinition,
  { state }: { readonly state: ChallengeState },
  now: Date,
) {
  if (definition.kind === 'level') {
    const outside = outOfDates(definition.level.pass, now);
    if (outside !== null) return refusal(outside);
    if (state === 'unlock') return refusal('The challenge has not begun for this player. Activate its level first.');
  }
  if (!isLive(definition, now)) return refusal('The challenge has not begun: its live date is in the future.');
  if (state === 'finished' || state === 'unclaimed') return refusal(challengeReasons.unlock[state]);
  return refusal(`Its counter must stay below ${definition.goal}, or the challenge is lost. Send less.`);
}

export const passLocked = (): DomainError =>
  refusal('The battle pass is locked for this player. Unlock the battle pass first.');

export const unlockNotPossible = (pass: PassDefinition, now: Date): DomainError =>
  refusal(
    (hasEnded(pass, now) ? outOfDates(pass, now) : null) ?? 'The battle pass is already unlocked for this player.',
  );

export function levelNotActivated({ pass }: LevelDefinition, progress: LevelProgress | null, now: Date): DomainError {
  const outside = outOfDates(pass, now);
  if (outside !== null) return refusal(outside);
  if (progress === null) return refusal('The levels before this one are not completed yet.');
  return refusal(progress.completedAt === null ? 'The level is already activated.' : 'The level is already completed.');
}

export const premiumAlready = (): DomainError => refusal('The player already has premium in this battle pass.');

export function levelNotClaimed(level: LevelDefinition, progress: LevelProgress | null, hasPremium: boolean) {
  if (progress === null) return refusal('The level has not begun. Activate it, and finish its challenges first.');
  if (progress.completedAt === null)
    return refusal('The level is not completed yet: not all of its challenges are finished.');
  return refusal(
    hasPremiumReward(level) && !hasPremium
      ? 'The free reward was already claimed. Give the player premium before claiming the premium one.'
      : 'The reward was already claimed.',
  );
}

const outOfDates = (pass: PassDefinition, now: Date): string | null => {
  const { startDate, endDate } = pass;
  if (hasEnded(pass, now)) return `The battle pass ended at ${endDate?.toISOString()}.`;
  return isRunning(pass, now) ? null : `The battle pass starts at ${startDate?.toISOString()}.`;
};
