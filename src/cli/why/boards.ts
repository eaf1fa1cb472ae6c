/** Why a leaderboard is not what it should be: a rebuild of it that failed, or was set aside. */
import { leaderboardRebuildRoutes } from '../../contract/gameplay/leaderboard-rebuilds.js';
import { leaderboardRoutes } from '../../contract/gameplay/leaderboards.js';
import { namedBy } from '../names/candidates.js';
import type { Lookup } from '../names/lookup.js';
import { sourceOf } from '../names/sources.js';
import { bad, type Examined, type Finding, good } from './finding.js';

export async function examineBoards(lookup: Lookup, typed: string): Promise<Examined[]> {
  const { find } = await sourceOf('leaderboard');
  const projectId = await lookup.projectId();
  const meant = namedBy(typed, await find(lookup, typed));
  return Promise.all(
    meant.map(async ({ id }) => {
      const board = await lookup.client.call(leaderboardRoutes.get, { params: { projectId, id } });
      return {
        subject: `leaderboard ${board.name.en ?? id}`,
        findings: [(await ofLastRebuild(lookup, id)) ?? good(`It counts ${board.eventName}; no rebuild of it failed.`)],
      };
    }),
  );
}

/** null: it did not fail, or a later one took its place. */
async function ofLastRebuild({ client, projectId }: Lookup, id: string): Promise<Finding | null> {
  const params = { projectId: await projectId(), id };
  const { rebuilds } = await client.call(leaderboardRebuildRoutes.list, { params, query: { limit: 1 } });
  const [{ failure, createdAt } = { failure: null, createdAt: '' }] = rebuilds;
  if (failure === null) return null;
  return bad(
    failure === 'daemon_ended_twice'
      ? `The rebuild of ${createdAt} was set aside: the daemon crashed twice during it.`
      : `The rebuild of ${createdAt} failed: ${failure}.`,
    `earshot leaderboards rebuild ${id}`,
  );
}
