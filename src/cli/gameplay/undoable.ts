/** Sentences about deletions of gameplay objects, which can be undone for a day. */

import type { EarshotClient } from '../../client/earshot-client.js';
import { progressPlayersMax, seasonRoutes } from '../../contract/gameplay/season-routes.js';

/** What the deletion of an object takes along. */
export async function progressIn(client: EarshotClient, params: { projectId: string; id: string }): Promise<string> {
  const { players } = await client.call(seasonRoutes.progress, { params });
  const atLeast = players >= progressPlayersMax ? 'at least ' : '';
  return `the progress of ${atLeast}${players.toLocaleString('en')} ${players === 1 ? 'player' : 'players'}`;
}

/** For `confirm`. */
export const undoableForADay = 'It can be undone for a day';

/** `deleted`: the object; `id`: of the object or of the deletion. */
export const deletedForADay = (deleted: string, id: string): string =>
  `${deleted} deleted. For a day, this restores it with the progress of players: earshot gameplay undo-delete ${id}`;
