/** How a player's challenge is shown: to the player, on topics, to operators. Pure. */
import {
  type AnnouncedChallenge,
  AnnouncedChallengeState,
  type ChallengeWebhookPayload,
  type PersonalChallenge,
} from '../../../src/contract/gameplay/player-challenges.js';
import type { PlayerChallenge } from '../../../src/contract/gameplay/players.js';
import { timeOrNull } from '../../platform/database/column-values.js';
import { textIn } from '../game-events/model/localised.js';
import type { ChallengeDefinition, CountedDefinition } from './definitions.js';
import type { AnnouncedProgress, Progress, Step } from './rules.js';

const factsOf = ({ challenge }: ChallengeDefinition, progress: AnnouncedProgress) => {
  const claimed = progress.state === 'finished';
  return {
    challenge_id: challenge.id,
    challenge_duration_time: challenge.durationMinutes,
    live_date: challenge.liveDate,
    challenge_goal: challenge.goal,
    user_challenge_current_score: progress.counter,
    challenge_icon: challenge.icon,
    challenge_icon_hd: challenge.iconHd,
    challenge_price: challenge.price,
    challenge_reward: challenge.reward,
    challenge_reward_type: challenge.rewardType,
    challenge_goal_condition: challenge.goalCondition,
    challenge_xp: challenge.xp,
    repeatable: challenge.repeatable,
    type: progress.state,
    challenge_auto_activated: challenge.autoActivated,
    is_claimed: claimed,
    user_challenge_unlocked_at: timeOrNull(progress.unlockedAt),
    user_challenge_activated_at: timeOrNull(progress.activatedAt),
    user_challenge_is_claimed: claimed,
    user_challenge_status: AnnouncedChallengeState.options.indexOf(progress.state),
  };
};

export const personalChallenge = (
  definition: ChallengeDefinition,
  progress: AnnouncedProgress,
  language: string,
): PersonalChallenge => {
  const { name, description } = definition.challenge;
  return {
    ...factsOf(definition, progress),
    challenge_name: textIn(name, language),
    challenge_description: description === null ? null : textIn(description, language),
  };
};

const announced = (definition: ChallengeDefinition, progress: AnnouncedProgress, userId: string): AnnouncedChallenge =>
  Object.assign(factsOf(definition, progress), { user_id: userId });

export const challengeChanged = (
  definition: ChallengeDefinition,
  userId: string,
  step: Step,
): ChallengeWebhookPayload => ({
  webhook_type: 'challenge-changed',
  category_position: definition.categoryIndex,
  old_challenge: announced(definition, step.from, userId),
  new_challenge: announced(definition, step.announced, userId),
});

export const playerChallenge = (
  { challenge }: Pick<CountedDefinition, 'challenge'>,
  progress: Progress,
  userId: string,
): PlayerChallenge => ({
  challengeId: challenge.id,
  name: challenge.name,
  userId,
  state: progress.state,
  counter: progress.counter,
  goal: challenge.goal,
  goalCondition: challenge.goalCondition,
  unlockedAt: timeOrNull(progress.unlockedAt),
  activatedAt: timeOrNull(progress.activatedAt),
  endsAt: timeOrNull(progress.endsAt),
  claimedAt: timeOrNull(progress.claimedAt),
});
