/**
 * Format of a season file: the challenges, battle passes and leaderboards of a project, each under a key of the
 * designer's own, and the players that a simulation makes up. `season.ts` has the same without anything left out.
 */
import { z } from 'zod';
import {
  CreateBattlePassLevelRequest,
  CreateLevelChallengeRequest,
  challengesPerLevelMax,
  levelsPerBattlePassMax,
} from './battle-pass-levels.js';
import { battlePassesPerProjectMax, CreateBattlePassRequest } from './battle-passes.js';
import { CreateChallengeCategoryRequest, categoriesPerProjectMax, Slug } from './challenge-categories.js';
import { CreateChallengeRequest, challengesPerProjectMax } from './challenges.js';
import { CreateLeaderboardRequest, leaderboardsPerProjectMax } from './leaderboards.js';
import { SeasonPlayer, seasonPlayersMax } from './season-players.js';

/** Under this the daemon knows an object again, whatever else of it changes. */
export const SeasonKey = Slug.describe('Permanent name: another key means another object');

/** Choice: a challenge without a category goes into this one, as everywhere. */
const defaultCategoryKey = 'default';

const { slug: _, position, ...categoryFields } = CreateChallengeCategoryRequest.shape;
const { categoryId: __, ...challengeFields } = CreateChallengeRequest.shape;
const { position: levelPosition, challenges: ___, ...levelFields } = CreateBattlePassLevelRequest.shape;

/** Each key once. */
const uniqueKeys = (context: z.core.ParsePayload<readonly { readonly key: string }[]>): void => {
  const seen = new Set<string>();
  context.value.forEach(({ key }, index) => {
    if (seen.has(key))
      context.issues.push({
        ...{ code: 'custom', input: key, path: [index, 'key'] },
        message: `"${key}" is the key of another one in this list`,
      });
    seen.add(key);
  });
};

/** The list of a file; default: empty. */
const keyed = <T extends z.ZodObject<{ key: typeof SeasonKey }>>(item: T, max: number) =>
  z.array(item).max(max).check(uniqueKeys).default([]);

export const SeasonFileCategory = z
  .strictObject({
    key: SeasonKey,
    ...categoryFields,
    position: position
      .unwrap()
      .optional()
      .describe('Position in the list of categories; default: as in the file, from 0'),
  })
  .meta({ id: 'SeasonFileCategory' });

export const SeasonFileChallenge = z
  .strictObject({
    key: SeasonKey,
    category: Slug.default(defaultCategoryKey).describe('Key of its category'),
    ...challengeFields,
  })
  .meta({ id: 'SeasonFileChallenge' });

export const SeasonFileLevelChallenge = z
  .strictObject({ key: SeasonKey, ...CreateLevelChallengeRequest.shape })
  .meta({ id: 'SeasonFileLevelChallenge' });

export const SeasonFileLevel = z
  .strictObject({
    key: SeasonKey,
    position: levelPosition.optional().describe('Place in the pass; default: after the previous level, from 1'),
    ...levelFields,
    challenges: keyed(SeasonFileLevelChallenge, challengesPerLevelMax).describe(
      'Challenges, in order; a level without any is completed as soon as it is activated',
    ),
  })
  .meta({ id: 'SeasonFileLevel' });

export const SeasonFileBattlePass = z
  .strictObject({
    key: SeasonKey,
    ...CreateBattlePassRequest.shape,
    levels: keyed(SeasonFileLevel, levelsPerBattlePassMax).describe('In order; keys are unique in the pass'),
  })
  .meta({ id: 'SeasonFileBattlePass' });

export const SeasonFileLeaderboard = z
  .strictObject({ key: SeasonKey, ...CreateLeaderboardRequest.shape })
  .meta({ id: 'SeasonFileLeaderboard' });

export const SeasonFile = z
  .strictObject({
    categories: keyed(SeasonFileCategory, categoriesPerProjectMax).describe('Categories of challenges'),
    challenges: keyed(SeasonFileChallenge, challengesPerProjectMax).describe('Goals that game events count towards'),
    battlePasses: keyed(SeasonFileBattlePass, battlePassesPerProjectMax).describe('Levels of challenges with rewards'),
    leaderboards: keyed(SeasonFileLeaderboard, leaderboardsPerProjectMax).describe('Rankings of users and teams'),
    players: z
      .array(SeasonPlayer)
      .max(seasonPlayersMax)
      .default([])
      .describe('Players that a simulation makes up; nothing of it is stored'),
  })
  .meta({ id: 'SeasonFile' });
export type SeasonFile = z.infer<typeof SeasonFile>;
