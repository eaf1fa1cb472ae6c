/** Merges a file into a project: the content of the file and, without prune, what only the project has. Pure. */
import type { Season } from '../../../src/contract/gameplay/season.js';
import { defaultCategory } from '../challenges/challenge-checks.js';

interface Keyed {
  readonly key: string;
}

/** Returns the objects of the file first, in its order, then the others. */
const together = <T extends Keyed>(
  file: readonly T[],
  stored: readonly T[],
  both: (listed: T, kept: T) => T = (listed) => listed,
): T[] => {
  const kept = new Map(stored.map((one) => [one.key, one]));
  const listed = new Set(file.map(({ key }) => key));
  const same = (one: T): T => {
    const other = kept.get(one.key);
    return other === undefined ? one : both(one, other);
  };
  return [...file.map(same), ...stored.filter(({ key }) => !listed.has(key))];
};

export function merged(file: Season, stored: Season, prune: boolean): Season {
  const season: Season = prune
    ? file
    : {
        categories: together(file.categories, stored.categories),
        challenges: together(file.challenges, stored.challenges),
        battlePasses: together(file.battlePasses, stored.battlePasses, (pass, kept) => ({
          ...pass,
          levels: together(pass.levels, kept.levels, (level, old) => ({
            ...level,
            challenges: together(level.challenges, old.challenges),
          })),
        })),
        leaderboards: together(file.leaderboards, stored.leaderboards),
      };
  return withDefaultCategory(season, stored);
}

/** The category for challenges that name none is added, or kept, where the file does not list it. */
function withDefaultCategory(season: Season, stored: Season): Season {
  const { slug: key, ...fields } = defaultCategory;
  const needed = season.challenges.some(({ category }) => category === key);
  if (!needed || season.categories.some((one) => one.key === key)) return season;
  const category = stored.categories.find((one) => one.key === key) ?? { key, ...fields };
  return { ...season, categories: [...season.categories, category] };
}
