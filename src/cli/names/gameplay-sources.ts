/** The gameplay configuration of a project, by name. */
import { battlePassLevelRoutes } from '../../contract/gameplay/battle-pass-levels.js';
import { battlePassRoutes } from '../../contract/gameplay/battle-passes.js';
import { challengeCategoryRoutes } from '../../contract/gameplay/challenge-categories.js';
import { challengeRoutes } from '../../contract/gameplay/challenges.js';
import { leaderboardRoutes } from '../../contract/gameplay/leaderboards.js';
import { everyRow, namedBy } from './candidates.js';
import type { GameplayKind } from './kinds.js';
import { type Lookup, page, type Source } from './lookup.js';

interface NamedRow {
  readonly id: string;
  /** Name by language. */
  readonly name: Readonly<Record<string, string>>;
  readonly slug?: string;
}
interface Path {
  readonly projectId: string;
}
type NamedRowPage = { readonly rows: readonly NamedRow[]; readonly total: number };

/** All of a list that comes in pages. */
const allOf =
  (
    list: (client: Lookup['client'], params: Path, query: ReturnType<typeof page>) => Promise<NamedRowPage>,
  ): Source['find'] =>
  async ({ client, projectId }) => {
    const params = { projectId: await projectId() };
    return (await everyRow((offset) => list(client, params, page(offset)))).map(({ id, name, slug }) => {
      const names = [...Object.values(name), ...(slug === undefined ? [] : [slug])];
      return { id, names: [...new Set(names)], says: names.join(', ') };
    });
  };

const battlePasses = allOf(async (client, params, query) => {
  const { battlePasses: rows, total } = await client.call(battlePassRoutes.list, { params, query });
  return { rows, total };
});

/** Levels have no names: `Season 1/3` is the third of that pass. */
const levels: Source['find'] = async (lookup, typed) => {
  const [, pass = ''] = /^(.+)\/\d+$/.exec(typed) ?? [];
  const passes = pass === '' ? [] : namedBy(pass, await battlePasses(lookup, pass));
  const projectId = await lookup.projectId();
  const found = passes.map(async ({ id, says }) => {
    const rows = await everyRow(async (offset) => {
      const { levels: rows, total } = await lookup.client.call(battlePassLevelRoutes.list, {
        params: { projectId, id },
        query: page(offset),
      });
      return { rows, total };
    });
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
    find: allOf(async (client, params, query) => {
      const { challenges: rows, total } = await client.call(challengeRoutes.list, { params, query });
      return { rows, total };
    }),
  },
  category: {
    noun: 'category',
    command: 'challenge-categories list',
    find: allOf(async (client, params, query) => {
      const { challengeCategories: rows, total } = await client.call(challengeCategoryRoutes.list, { params, query });
      return { rows, total };
    }),
  },
  battlePass: {
    noun: 'battle pass',
    command: 'battle-passes list',
    find: battlePasses,
  },
  leaderboard: {
    noun: 'leaderboard',
    command: 'leaderboards list',
    find: allOf(async (client, params, query) => {
      const { leaderboards: rows, total } = await client.call(leaderboardRoutes.list, { params, query });
      return { rows, total };
    }),
  },
  level: { noun: 'level', command: 'battle-passes levels list', find: levels },
};
