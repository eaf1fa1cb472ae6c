/**
 * Checks of a season that a schema cannot express: references, positions, dates, limits, what may be counted together.
 * Pure.
 */
import type { ErrorDetail } from '../../../src/contract/errors.js';
import {
  challengesPerLevelMax,
  levelChallengesPerProjectMax,
  levelsPerBattlePassMax,
} from '../../../src/contract/gameplay/battle-pass-levels.js';
import { battlePassesPerProjectMax } from '../../../src/contract/gameplay/battle-passes.js';
import { categoriesPerProjectMax } from '../../../src/contract/gameplay/challenge-categories.js';
import { challengesPerProjectMax } from '../../../src/contract/gameplay/challenges.js';
import { leaderboardsPerProjectMax } from '../../../src/contract/gameplay/leaderboards.js';
import type { Season, SeasonBattlePass } from '../../../src/contract/gameplay/season.js';
import { challengeProblems } from '../challenges/challenge-checks.js';
import { dateProblems } from '../game-events/model/checks.js';
import { boardProblems } from '../leaderboards/board.js';

/** Path of the season in the request; `challenges.3.goal` of the file follows. */
const root = 'body.season';

/**
 * @param file what is applied
 * @param whole what the project then holds: the objects of the file at their places, then those that only the project has
 * @param stored what the project holds now; null: nothing is known of it
 */
export const seasonProblems = (file: Season, whole: Season, stored: Season | null): ErrorDetail[] => [
  ...tooMany(whole),
  ...file.challenges.flatMap((_, index) => aloneProblems(whole, index)),
  ...file.battlePasses.flatMap((pass, index) => {
    const all = whole.battlePasses[index] ?? pass;
    return passProblems(pass, all, `${root}.battlePasses.${index}`);
  }),
  ...file.leaderboards.flatMap((board, index) => boardProblems(board, `${root}.leaderboards.${index}`)),
  ...(stored === null ? [] : fixedProblems(file, stored)),
];

function tooMany({ categories, challenges, battlePasses, leaderboards }: Season): ErrorDetail[] {
  const inLevels = battlePasses.flatMap(({ levels }) => levels.flatMap((level) => level.challenges));
  const limits = [
    ['categories', 'categories', categories.length, categoriesPerProjectMax],
    ['challenges', 'challenges', challenges.length, challengesPerProjectMax],
    ['battlePasses', 'battle passes', battlePasses.length, battlePassesPerProjectMax],
    ['battlePasses', 'challenges in levels', inLevels.length, levelChallengesPerProjectMax],
    ['leaderboards', 'leaderboards', leaderboards.length, leaderboardsPerProjectMax],
  ] as const;
  return limits
    .filter(([, , count, max]) => count > max)
    .map(([list, what, count, max]) => ({
      path: `${root}.${list}`,
      message: `the project would have ${count} ${what}; the maximum is ${max}`,
    }));
}

function aloneProblems({ categories, challenges }: Season, index: number): ErrorDetail[] {
  const challenge = challenges[index];
  if (challenge === undefined) return [];
  const path = `${root}.challenges.${index}`;
  const problems = challengeProblems(challenge, path);
  if (!categories.some(({ key }) => key === challenge.category))
    problems.push({ path: `${path}.category`, message: `there is no category "${challenge.category}"` });
  const { autoActivated, eventName, counting } = challenge;
  const other = challenges.find(
    (one) => autoActivated && one.autoActivated && one.eventName === eventName && one.counting !== counting,
  );
  if (other !== undefined) problems.push(countedDifferently(path, eventName, other.key));
  return problems;
}

const countedDifferently = (path: string, eventName: string, other: string): ErrorDetail => ({
  path: `${path}.counting`,
  message: `"${other}" counts ${eventName} in another way; give both the same counting`,
});

/** @param whole the pass as it then is, with levels that only the project has behind those of the file */
function passProblems(pass: SeasonBattlePass, whole: SeasonBattlePass, path: string): ErrorDetail[] {
  const problems = dateProblems(pass, path);
  if (whole.levels.length > levelsPerBattlePassMax)
    problems.push({
      path: `${path}.levels`,
      message: `the pass would hold ${whole.levels.length} levels; the maximum is ${levelsPerBattlePassMax}`,
    });
  const countings = new Map<string, { readonly counting: string; readonly key: string }>();
  const kept = whole.levels.flatMap((level, at) => level.challenges.slice(pass.levels[at]?.challenges.length ?? 0));
  for (const { eventName, counting, key } of kept) countings.set(eventName, { counting, key });
  const places = new Map(whole.levels.slice(pass.levels.length).map(({ position, key }) => [position, key]));
  pass.levels.forEach((level, at) => {
    const here = `${path}.levels.${at}`;
    const taken = places.get(level.position);
    if (taken !== undefined)
      problems.push({ path: `${here}.position`, message: `${level.position} is the number of level "${taken}"` });
    places.set(level.position, level.key);
    const challenges = whole.levels[at]?.challenges.length ?? 0;
    if (challenges > challengesPerLevelMax)
      problems.push({
        path: `${here}.challenges`,
        message: `the level would hold ${challenges} challenges; the maximum is ${challengesPerLevelMax}`,
      });
    level.challenges.forEach((challenge, index) => {
      const { eventName, counting, key } = challenge;
      problems.push(...challengeProblems(challenge, `${here}.challenges.${index}`));
      const other = countings.get(eventName) ?? { counting, key };
      if (other.counting !== counting)
        problems.push(countedDifferently(`${here}.challenges.${index}`, eventName, other.key));
      countings.set(eventName, other);
    });
  });
  return problems;
}

/** Lists changes to fields that cannot change once scores exist. */
function fixedProblems(file: Season, stored: Season): ErrorDetail[] {
  const boards = new Map(stored.leaderboards.map((board) => [board.key, board]));
  return file.leaderboards.flatMap((board, index) => {
    const before = boards.get(board.key);
    if (before === undefined) return [];
    return (['eventName', 'aggregate', 'sortOrder'] as const)
      .filter((field) => before[field] !== board[field])
      .map((field) => ({
        path: `${root}.leaderboards.${index}.${field}`,
        message: `is permanently "${before[field]}"; create another board with another key`,
      }));
  });
}
