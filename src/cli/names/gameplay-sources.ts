/** The gameplay configuration of a project, by name. */
import { battlePassLevelRoutes } from '../../contract/gameplay/battle-pass-levels.js';
import { battlePassRoutes } from '../../contract/gameplay/battle-passes.js';
import { challengeCategoryRoutes } from '../../contract/gameplay/challenge-categories.js';
import { challengeRoutes } from '../../contract/gameplay/challenges.js';
import { leaderboardRoutes } from '../../contract/gameplay/leaderboards.js';
import type { ListStep } from '../command/row-pages.js';
import { everyRow, namedBy } from './candidates.js';
import type { GameplayKind } from './kinds.js';
import type { Lookup, Source } from './lookup.js';

interface NamedRow {
  readonly id: string;
  /** Name by language. */
  readonly name: Readonly<Record<string, string>>;
  readonly slug?: string;
}
interface Path {
  readonly projectId: string;
}

/** All of a list that comes in pages. */
const allOf =
  <Answer extends object>(
    list: (client: Lookup['client'], params: Path, query: ListStep) => Promise<Answer>,
    rows: (answer: Answer) => readonly NamedRow[],
  ): Source['find'] =>
  async ({ client, projectId }) => {
    const params = { projectId: await projectId() };
    return (await everyRow(client, (query) => list(client, params, query), rows)).map(({ id, name, slug }) => {
      const names = [...Object.values(name), ...(slug === undefined ? [] : [slug])];
      return { id, names: [...new Set(names)], says: names.join(', ') };
    });
  };

const battlePasses = allOf(
  (client, params, query) => client.call(battlePassRoutes.list, { params, query }),
  ({ battlePasses }) => battlePasses,
);

/** Levels have no names: `Season 1/3` is the third of that pass. */
const levels: Source['find'] = async (lookup, typed) => {
  const [, pass = ''] = /^(.+)\/\d+$/.exec(typed) ?? [];
  const passes = pass === '' ? [] : namedBy(pass, await battlePasses(lookup, pass));
  const projectId = await lookup.projectId();
  const found = passes.map(async ({ id, says }) => {
    const rows = await everyRow(
      lookup.client,
      (query) => lookup.client.call(battlePassLevelRoutes.list, { params: { projectId, id }, query }),
      (answer) => answer.levels,
    );
    return rows.map((level) => ({
      id: level.id,
      names: [`${pass}/${level.position}`],
      says: `${says}, level ${level.position}`,
    }));
  });
  return (await Promise.all(found)).flat();
};

export const gameplaySources: Readonly<Record<GameplayKind, Source>> = {
  challenge: {
    noun: 'challenge',
    command: 'challenges list',
    find: allOf(
      (client, params, query) => client.call(challengeRoutes.list, { params, query }),
      ({ challenges }) => challenges,
    ),
  },
  category: {
    noun: 'category',
    command: 'challenge-categories list',
    find: allOf(
      (client, params, query) => client.call(challengeCategoryRoutes.list, { params, query }),
      ({ challengeCategories }) => challengeCategories,
    ),
  },
  battlePass: {
    noun: 'battle pass',
    command: 'battle-passes list',
    find: battlePasses,
  },
  leaderboard: {
    noun: 'leaderboard',
    command: 'leaderboards list',
    find: allOf(
      (client, params, query) => client.call(leaderboardRoutes.list, { params, query }),
      ({ leaderboards }) => leaderboards,
    ),
  },
  level: { noun: 'level', command: 'battle-passes levels list', find: levels },
};
