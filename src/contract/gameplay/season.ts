/**
 * A season: everything that is configured of a project's gameplay, each object under its key and with every field. What
 * a file leaves out is filled in here, so that two seasons can be compared field by field.
 */
import { z } from 'zod';
import { BattlePassLevel, LevelChallenge, noReward } from './battle-pass-levels.js';
import { BattlePass } from './battle-passes.js';
import { ChallengeCategory } from './challenge-categories.js';
import { Challenge } from './challenges.js';
import { Leaderboard } from './leaderboards.js';
import { type SeasonFile, SeasonKey } from './season-file.js';

const ofRows = { id: true, projectId: true, createdAt: true, updatedAt: true } as const;
const ofLevelChallenges = { id: true, levelId: true, position: true, createdAt: true, updatedAt: true } as const;
const key = { key: SeasonKey };

export const SeasonCategory = z
  .object({ ...key, ...ChallengeCategory.omit({ ...ofRows, slug: true }).shape })
  .meta({ id: 'SeasonCategory' });

export const SeasonChallenge = z
  .object({ ...key, category: z.string(), ...Challenge.omit({ ...ofRows, categoryId: true }).shape })
  .meta({ id: 'SeasonChallenge' });

export const SeasonLevelChallenge = z
  .object({ ...key, ...LevelChallenge.omit(ofLevelChallenges).shape })
  .meta({ id: 'SeasonLevelChallenge' });

export const SeasonLevel = z
  .object({
    ...key,
    ...BattlePassLevel.omit({ ...ofRows, battlePassId: true }).shape,
    // Left out of seasons that were applied before levels had a premium track.
    premiumRewardAmount: BattlePassLevel.shape.premiumRewardAmount.default(null),
    premiumRewardType: BattlePassLevel.shape.premiumRewardType.default(noReward),
    challenges: z.array(SeasonLevelChallenge),
  })
  .meta({ id: 'SeasonLevel' });
export type SeasonLevel = z.infer<typeof SeasonLevel>;

export const SeasonBattlePass = z
  .object({ ...key, ...BattlePass.omit(ofRows).shape, levels: z.array(SeasonLevel) })
  .meta({ id: 'SeasonBattlePass' });
export type SeasonBattlePass = z.infer<typeof SeasonBattlePass>;

export const SeasonLeaderboard = z
  .object({ ...key, ...Leaderboard.omit(ofRows).shape })
  .meta({ id: 'SeasonLeaderboard' });

export const Season = z
  .object({
    categories: z.array(SeasonCategory),
    challenges: z.array(SeasonChallenge),
    battlePasses: z.array(SeasonBattlePass),
    leaderboards: z.array(SeasonLeaderboard),
  })
  .meta({ id: 'Season' });
export type Season = z.infer<typeof Season>;

const times = ['startDate', 'endDate', 'liveDate'];
const inUtc = (name: string, value: unknown): unknown =>
  times.includes(name) && typeof value === 'string' ? new Date(value).toISOString() : value;

/** The fields of the schema alone: what is left out as null, times in UTC. */
export const completed = <S extends z.ZodObject>(schema: S, value: object): z.output<S> =>
  schema.parse(
    Object.fromEntries(
      Object.keys(schema.shape).map((name) => [name, inUtc(name, Reflect.get(value, name) ?? null)] as const),
    ),
  );

function levelsOf(levels: SeasonFile['battlePasses'][number]['levels']): SeasonLevel[] {
  let behind = 0;
  return levels.map((level) => {
    behind = level.position ?? behind + 1;
    const challenges = level.challenges.map((one) => completed(SeasonLevelChallenge, one));
    return completed(SeasonLevel, { ...level, position: behind, challenges });
  });
}

/** Returns the season that a file describes. Its players are no part of the season. */
export const seasonOf = ({ categories, challenges, battlePasses, leaderboards }: SeasonFile): Season => ({
  categories: categories.map((one, index) => completed(SeasonCategory, { ...one, position: one.position ?? index })),
  challenges: challenges.map((one) => completed(SeasonChallenge, one)),
  battlePasses: battlePasses.map((one) => completed(SeasonBattlePass, { ...one, levels: levelsOf(one.levels) })),
  leaderboards: leaderboards.map((one) => completed(SeasonLeaderboard, one)),
});
