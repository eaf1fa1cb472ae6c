/** Lists of categories in a query, as clients put them together: with spaces, and a comma behind the last. */
import { expect, it } from 'vitest';
import { playerChallengeRoutes } from '../../src/contract/gameplay/player-challenges.js';

it.each(['include_categories', 'exclude_categories'] as const)('%s is trimmed, entry by entry', (name) => {
  const { query } = playerChallengeRoutes.all;
  expect(query.parse({ [name]: ' daily , weekly,,' })[name]).toEqual(['daily', 'weekly']);
  expect(query.parse({})[name]).toEqual([]);
});
