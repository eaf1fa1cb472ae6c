/** Season files made up from their schema, with the keys and references that a schema cannot say. */
import fc from 'fast-check';
import {
  SeasonFile,
  SeasonFileBattlePass,
  SeasonFileCategory,
  SeasonFileChallenge,
  SeasonFileLeaderboard,
} from '../../src/contract/gameplay/season-file.js';
import { valid } from '../support/arbitrary.js';

const itemsMax = 4;
type Item = Record<string, unknown>;
const isItem = (value: unknown): value is Item => typeof value === 'object' && value !== null && !Array.isArray(value);

/** The objects with their keys replaced, so that each occurs once in every list, and places left to the order. */
const keyed = (items: unknown, prefix: string): Item[] =>
  (Array.isArray(items) ? items : []).filter(isItem).map(({ position: _, ...item }, index) => ({
    ...item,
    key: `${prefix}-${index}`,
    ...('challenges' in item ? { challenges: keyed(item.challenges, 'challenge') } : {}),
    ...('levels' in item ? { levels: keyed(item.levels, 'level') } : {}),
  }));

/** Fields whose rules a schema cannot say, made such that a daemon takes them too. */
const sound = (items: readonly Item[]): Item[] =>
  items.map((item) => ({
    ...item,
    ...('eventName' in item ? { countProperty: null, metadataConditions: [] } : {}),
    ...('goal' in item ? { counting: 'total', durationMinutes: 5 } : {}),
    ...('endDate' in item ? { endDate: null } : {}),
    ...('challenges' in item ? { challenges: sound(keyed(item.challenges, 'challenge')) } : {}),
    ...('levels' in item ? { levels: sound(keyed(item.levels, 'level')) } : {}),
  }));

/** Files that the schema takes, in the words of a designer. */
export const seasonFile: fc.Arbitrary<unknown> = fc
  .record({
    categories: fc.array(valid(SeasonFileCategory), { maxLength: itemsMax }),
    challenges: fc.array(valid(SeasonFileChallenge), { maxLength: itemsMax }),
    battlePasses: fc.array(valid(SeasonFileBattlePass), { maxLength: itemsMax }),
    leaderboards: fc.array(valid(SeasonFileLeaderboard), { maxLength: itemsMax }),
  })
  .map(({ categories, challenges, battlePasses, leaderboards }) => ({
    categories: keyed(categories, 'category'),
    challenges: keyed(challenges, 'challenge').map((one) => ({ ...one, category: 'category-0' })),
    battlePasses: keyed(battlePasses, 'pass'),
    leaderboards: keyed(leaderboards, 'board'),
  }))
  .filter((file) => SeasonFile.safeParse(file).success);

/** Files that a daemon takes. What a leaderboard counts stays: it never changes. */
export const soundFile: fc.Arbitrary<SeasonFile> = fc
  .record({
    categories: fc.array(valid(SeasonFileCategory), { maxLength: itemsMax }),
    challenges: fc.array(valid(SeasonFileChallenge), { maxLength: itemsMax }),
    battlePasses: fc.array(valid(SeasonFileBattlePass), { maxLength: itemsMax }),
    leaderboards: fc.array(valid(SeasonFileLeaderboard), { maxLength: itemsMax }),
  })
  .map(({ categories, challenges, battlePasses, leaderboards }) => ({
    categories: keyed(categories, 'category'),
    challenges: sound(keyed(challenges, 'challenge')).map((one, index) => ({
      ...one,
      category: categories.length === 0 ? 'default' : `category-${index % categories.length}`,
    })),
    battlePasses: sound(keyed(battlePasses, 'pass')),
    leaderboards: sound(keyed(leaderboards, 'board')).map((one) => ({
      ...one,
      ...{ eventName: 'kill-enemy', aggregate: 'sum', sortOrder: 'desc' },
    })),
  }))
  .map((file) => SeasonFile.safeParse(file))
  .filter((judged) => judged.success)
  .map(({ data }) => data);
