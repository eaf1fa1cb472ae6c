/** How a challenge of a player is shown: to the player, on topics, to operators. Pure. */
import type { LocalisedText } from '../../../src/contract/gameplay/challenges.js';
import {
  type ChallengeWebhookPayload,
  type PersonalChallenge,
  type ToldChallenge,
  ToldChallengeState,
} from '../../../src/contract/gameplay/player-challenges.js';
import type { PlayerChallenge } from '../../../src/contract/gameplay/players.js';
import type { ChallengeDefinition } from './definitions.js';
import type { Progress, Step, ToldProgress } from './rules.js';

const time = (date: Date | null): string | null => date?.toISOString() ?? null;

/** Text in the language, else in English, else in any; "pt-BR" falls back to "pt". */
export const textIn = (texts: LocalisedText, language: string): string =>
  texts[language] ?? texts[language.split('-')[0] ?? ''] ?? texts.en ?? Object.values(texts)[0] ?? '';

const factsOf = ({ challenge }: ChallengeDefinition, standing: ToldProgress) => {
  const claimed = standing.state === 'finished';
  return {
    challenge_id: challenge.id,
    challenge_duration_time: challenge.durationMinutes,
    live_date: challenge.liveDate,
    challenge_goal: challenge.goal,
    user_challenge_current_score: standing.counter,
    challenge_icon: challenge.icon,
    challenge_icon_hd: challenge.iconHd,
    challenge_price: challenge.price,
    challenge_reward: challenge.reward,
    challenge_reward_type: challenge.rewardType,
    challenge_goal_condition: challenge.goalCondition,
    challenge_xp: challenge.xp,
    repeatable: challenge.repeatable,
    type: standing.state,
    challenge_auto_activated: challenge.autoActivated,
    is_claimed: claimed,
    user_challenge_unlocked_at: time(standing.unlockedAt),
    user_challenge_activated_at: time(standing.activatedAt),
    user_challenge_is_claimed: claimed,
    user_challenge_status: ToldChallengeState.options.indexOf(standing.state),
  };
};

export const personalChallenge = (
  definition: ChallengeDefinition,
  standing: ToldProgress,
  language: string,
): PersonalChallenge => {
  const { name, description } = definition.challenge;
  return {
    ...factsOf(definition, standing),
    challenge_name: textIn(name, language),
    challenge_description: description === null ? null : textIn(description, language),
  };
};

const told = (definition: ChallengeDefinition, standing: ToldProgress, userId: string): ToldChallenge => ({
  ...factsOf(definition, standing),
  user_id: userId,
});

export const challengeChanged = (
  definition: ChallengeDefinition,
  userId: string,
  step: Step,
): ChallengeWebhookPayload => ({
  webhook_type: 'challenge-changed',
  category_position: definition.categoryIndex,
  old_challenge: told(definition, step.from, userId),
  new_challenge: told(definition, step.told, userId),
});

export const playerChallenge = (
  { challenge }: ChallengeDefinition,
  standing: Progress,
  userId: string,
): PlayerChallenge => ({
  challengeId: challenge.id,
  userId,
  state: standing.state,
  counter: standing.counter,
  goal: challenge.goal,
  goalCondition: challenge.goalCondition,
  unlockedAt: time(standing.unlockedAt),
  activatedAt: time(standing.activatedAt),
  endsAt: time(standing.endsAt),
  claimedAt: time(standing.claimedAt),
});
