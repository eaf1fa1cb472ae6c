/** Rewards as they are typed: `1=coin:100`, the level's place, the type and the amount. */
import type { BattlePassRewards } from '../../contract/gameplay/battle-pass-levels.js';
import { UsageError } from '../../terminal/usage-error.js';

interface Reward {
  readonly position: number;
  readonly type: string;
  readonly amount: string | null;
}

function rewardIn(flag: string, text: string): Reward {
  const [, place, type, amount] = /^\s*(\d{1,7})=([^:]+)(?::(.+))?$/.exec(text) ?? [];
  if (place === undefined || type === undefined)
    throw new UsageError(`--${flag}: "${text}" is no reward; write the level, the type and the amount as 1=coin:100.`);
  return { position: Number(place), type, amount: amount ?? null };
}

/** Throws UsageError. One entry a level, with the tracks that were typed. */
export function levelRewards({ free = [], premium = [] }: { readonly free?: string[]; readonly premium?: string[] }) {
  if (free.length + premium.length === 0)
    throw new UsageError('Name at least one reward: --free 1=coin:100, or --premium 1=item:cape.');
  const levels = new Map<number, BattlePassRewards>();
  const tracks = [
    ['free', free, (type: string, amount: string | null) => ({ rewardType: type, rewardAmount: amount })],
    [
      'premium',
      premium,
      (type: string, amount: string | null) => ({ premiumRewardType: type, premiumRewardAmount: amount }),
    ],
  ] as const;
  for (const [flag, texts, fields] of tracks) {
    const seen = new Set<number>();
    for (const { position, type, amount } of texts.map((text) => rewardIn(flag, text))) {
      if (seen.has(position)) throw new UsageError(`--${flag}: level ${position} has two rewards; a level has one.`);
      seen.add(position);
      levels.set(position, { ...levels.get(position), position, ...fields(type, amount) });
    }
  }
  return [...levels.values()];
}
