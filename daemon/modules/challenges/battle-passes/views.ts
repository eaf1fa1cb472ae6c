/** How battle passes are shown: to players, on topics, to operators. Pure. */
import type {
  PlayerBattlePass,
  PlayerBattlePassLevel,
} from '../../../../src/contract/gameplay/battle-pass-progress.js';
import type { BattlePass } from '../../../../src/contract/gameplay/battle-passes.js';
import type {
  AnnouncedLevelChallenge,
  BattlePassChallengeChangedPayload,
  BattlePassExpiredPayload,
  BattlePassLevelClaimedPayload,
  BattlePassUnlockInfo,
  PersonalBattlePass,
  PersonalBattlePassLevel,
  RewardTrack,
} from '../../../../src/contract/gameplay/player-battle-passes.js';
import { ownValue } from '../../../../src/names/own-value.js';
import { timeOrNull } from '../../../platform/database/column-values.js';
import { textIn } from '../../game-events/model/localised.js';
import type { AnnouncedProgress, Progress, Step } from '../rules.js';
import type { LevelChallengeDefinition, LevelDefinition, PassDefinition } from './definitions.js';
import type { PlayerPass } from './progress-store.js';
import { claimable, isRunning, type PassProgress, typeNow, typeOf } from './rules.js';

/** The hosted service's names of the kinds that it has; other kinds keep their own names. */
const rewardNames: Readonly<Record<string, string>> = {
  nothing: 'Nothing',
  coin: 'Coins',
  experience: 'Experience',
  item: 'Item',
  voucher: 'Voucher',
  money: 'Money',
};
const rewardName = (type: string): string => ownValue(rewardNames, type) ?? type;

const passState = (battlePass: BattlePass, isActive: boolean) => ({
  battle_pass_id: battlePass.id,
  app_id: battlePass.projectId,
  battle_pass_priority: battlePass.priority,
  start_date: battlePass.startDate,
  end_date: battlePass.endDate,
  is_active: isActive,
});

export const personalPass = (
  pass: PassDefinition,
  unlocked: PlayerPass | null,
  language: string,
  now: Date,
): PersonalBattlePass => {
  const { battlePass } = pass;
  const { name, description, shortDescription, disclaimer } = battlePass;
  const text = (texts: typeof description) => (texts === null ? null : textIn(texts, language));
  return {
    ...passState(battlePass, isRunning(pass, now)),
    battle_pass_name: textIn(name, language),
    battle_pass_description: text(description),
    battle_pass_short_description: text(shortDescription),
    battle_pass_disclaimer: text(disclaimer),
    package_sku_ios: battlePass.packageSkuIos,
    package_sku_android: battlePass.packageSkuAndroid,
    image_xs: battlePass.imageXs,
    image_s: battlePass.imageS,
    image_m: battlePass.imageM,
    image_l: battlePass.imageL,
    image_xl: battlePass.imageXl,
    read_more_link: battlePass.readMoreLink,
    is_unlocked_incrementally: battlePass.isUnlockedIncrementally,
    unlocked_at: timeOrNull(unlocked?.unlockedAt),
    can_purchase_with_money: battlePass.canPurchaseWithMoney,
    can_purchase_with_coins: battlePass.canPurchaseWithCoins,
  };
};

export const personalLevel = (
  definition: LevelDefinition,
  player: PassProgress,
  hasPremium: boolean,
  language: string,
  now: Date,
): PersonalBattlePassLevel => {
  const { level, pass, challenges } = definition;
  const progress = player.levelOf(level.id);
  return {
    level_id: level.id,
    app_id: level.projectId,
    battle_pass_id: pass.battlePass.id,
    reward_amount: level.rewardAmount,
    reward_type_name: rewardName(level.rewardType),
    level_reward_type: level.rewardType,
    level_completed: (progress?.completedAt ?? null) !== null,
    level_priority: level.position,
    // The SDK has one flag: it falls when premium gives the player another reward to claim.
    reward_claimed: (progress?.claimedAt ?? null) !== null && claimable(definition, progress, hasPremium).length === 0,
    activated_at: timeOrNull(progress?.activatedAt),
    challenges: challenges.map((definition) =>
      personalChallenge(definition, player.progressOf(definition.challenge.id), language, now),
    ),
  };
};

const personalChallenge = (
  definition: LevelChallengeDefinition,
  progress: Progress,
  language: string,
  now: Date,
): PersonalBattlePassLevel['challenges'][number] => {
  const { challenge } = definition;
  return {
    challenge_id: challenge.id,
    challenge_name: textIn(challenge.name, language),
    challenge_description: challenge.description === null ? null : textIn(challenge.description, language),
    challenge_goal: challenge.goal,
    challenge_goal_condition: challenge.goalCondition,
    challenge_duration_time: challenge.durationMinutes,
    user_challenge_current_score: progress.counter,
    user_challenge_activated_at: timeOrNull(progress.activatedAt),
    challenge_xp: challenge.xp,
    challenge_icon: challenge.icon,
    challenge_icon_hd: challenge.iconHd,
    type: typeNow(definition, progress, now),
  };
};

export const isCompleted = ({ levels }: PassDefinition, player: PassProgress): boolean =>
  levels.length > 0 && levels.every(({ level }) => (player.levelOf(level.id)?.completedAt ?? null) !== null);

export const unlockInfo = (unlocked: PlayerPass, completed: boolean): BattlePassUnlockInfo => ({
  purchase_id: unlocked.purchaseId,
  battle_pass_id: unlocked.battlePassId,
  user_id: unlocked.userId,
  purchase_price: unlocked.purchasePrice,
  purchase_currency: unlocked.purchaseCurrency,
  purchased_at: unlocked.unlockedAt.toISOString(),
  battle_pass_completed: completed,
});

const announced = (
  definition: LevelChallengeDefinition,
  progress: AnnouncedProgress,
  userId: string,
): AnnouncedLevelChallenge => {
  const { level, challenge, index, projectId } = definition;
  return {
    app_id: projectId,
    battle_pass_id: level.pass.battlePass.id,
    level_id: level.level.id,
    user_id: userId,
    level_position_index: level.index,
    challenge_id: challenge.id,
    challenge_position_index: index,
    challenge_goal: challenge.goal,
    user_challenge_current_score: progress.counter,
    type: typeOf(progress),
  };
};

export const levelChallengeChanged = (
  definition: LevelChallengeDefinition,
  userId: string,
  { from, announced: to }: Step,
): BattlePassChallengeChangedPayload => ({
  webhook_type: 'battlepass-challenge-changed',
  old_battle_pass_challenge: announced(definition, from, userId),
  new_battle_pass_challenge: announced(definition, to, userId),
});

export const levelClaimed = (
  { level, index }: LevelDefinition,
  userId: string,
  track: RewardTrack,
): BattlePassLevelClaimedPayload => ({
  webhook_type: 'battlepass-level-reward-claimed',
  battle_pass_level_reward_claimed: {
    app_id: level.projectId,
    battle_pass_id: level.battlePassId,
    level_id: level.id,
    user_id: userId,
    level_position_index: index,
    reward_amount: track === 'free' ? level.rewardAmount : level.premiumRewardAmount,
    reward_type_name: rewardName(track === 'free' ? level.rewardType : level.premiumRewardType),
  },
  // Choice: the message about the free track stays the SDK's model.
  ...(track === 'free' ? {} : { track }),
});

export const passExpired = (battlePass: BattlePass): BattlePassExpiredPayload => ({
  webhook_type: 'battlepass-expired',
  old_battle_pass: passState(battlePass, true),
  new_battle_pass: passState(battlePass, false),
});

export const playerLevel = (
  { level, challenges }: LevelDefinition,
  player: PassProgress,
  now: Date,
): PlayerBattlePassLevel => {
  const progress = player.levelOf(level.id);
  return {
    levelId: level.id,
    battlePassId: level.battlePassId,
    position: level.position,
    activatedAt: timeOrNull(progress?.activatedAt),
    completedAt: timeOrNull(progress?.completedAt),
    claimedAt: timeOrNull(progress?.claimedAt),
    premiumClaimedAt: timeOrNull(progress?.premiumClaimedAt),
    challenges: challenges.map((definition) => {
      const progress = player.progressOf(definition.challenge.id);
      return {
        challengeId: definition.challenge.id,
        name: definition.challenge.name,
        state: typeNow(definition, progress, now),
        counter: progress.counter,
        goal: definition.challenge.goal,
        endsAt: timeOrNull(progress.endsAt),
      };
    }),
  };
};

export const playerPass = (
  pass: PassDefinition,
  unlocked: PlayerPass,
  player: PassProgress,
  now: Date,
): PlayerBattlePass => ({
  battlePassId: pass.battlePass.id,
  name: pass.battlePass.name,
  userId: unlocked.userId,
  purchaseId: unlocked.purchaseId,
  purchasePrice: unlocked.purchasePrice,
  purchaseCurrency: unlocked.purchaseCurrency,
  unlockedAt: unlocked.unlockedAt.toISOString(),
  premiumAt: timeOrNull(unlocked.premiumAt),
  completed: isCompleted(pass, player),
  levels: pass.levels.map((level) => playerLevel(level, player, now)),
});
