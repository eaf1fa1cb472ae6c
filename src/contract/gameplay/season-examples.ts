/** Examples of seasons in the OpenAPI document. */
import type { Json } from '../tidy-schema.js';

const name = { en: 'Winter', de: 'Winter' };
const threeDown = { key: 'three-down', name: { en: 'Three down' }, eventName: 'kill-enemy', goal: 3 };
const premium = { premiumRewardType: 'item', premiumRewardAmount: 'cape' };
const level = { key: 'one', position: 1, rewardType: 'coin', rewardAmount: '100', ...premium, challenges: [threeDown] };
const file = {
  categories: [{ key: 'daily', name: { en: 'Daily' }, isDaily: true }],
  challenges: [{ ...threeDown, category: 'daily' }],
  battlePasses: [{ key: 'winter', name, startDate: '2027-01-01T00:00:00Z', levels: [level] }],
  leaderboards: [{ key: 'kills', name: { en: 'Kills' }, eventName: 'kill-enemy' }],
};
const winter = { key: 'winter', name };
const player = { name: 'casual', share: 7, skill: 0.3, events: { 'kill-enemy': 2 } };
const path = 'challenges/three-down';

export const seasonExampleParts: Readonly<Record<string, Json>> = {
  SeasonFile: { ...file, players: [player] },
  SeasonPlayer: player,
  ...{ SeasonFileCategory: { key: 'daily', position: 0 }, SeasonCategory: { key: 'daily', position: 0 } },
  ...{ SeasonFileChallenge: { ...threeDown, category: 'daily' }, SeasonChallenge: { ...threeDown, category: 'daily' } },
  ...{ SeasonFileLevelChallenge: threeDown, SeasonLevelChallenge: threeDown },
  ...{ SeasonFileLevel: level, SeasonLevel: { key: 'one', position: 1 } },
  ...{ SeasonFileBattlePass: winter, SeasonBattlePass: winter },
  ...{ SeasonFileLeaderboard: { key: 'kills' }, SeasonLeaderboard: { key: 'kills' } },
  SeasonFieldChange: { field: 'goal', before: 3, after: 5 },
  SeasonConflict: { path, message: 'goal was 3, is 4' },
  SeasonChange: {
    ...{ action: 'update', kind: 'challenge', path, name: 'Three down' },
    effects: ['Nobody is in progress. Players who have reached the old goal keep it.'],
  },
  SeasonPlan: { unlisted: ['leaderboards/old'] },
};
