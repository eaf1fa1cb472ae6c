/** Finds a level of a battle pass by the pass and its position, as people write it: `Season 1/3`. */
import type { EarshotClient } from '../../client/earshot-client.js';
import { battlePassLevelRoutes } from '../../contract/gameplay/battle-pass-levels.js';
import { looksLikeId } from '../names/id-shape.js';
import { UnknownName, UsageError } from '../typed/usage-error.js';

/** Levels of one answer. */
const limit = 200;

/** @param passIdOf finds the pass of a name or id. Throws UsageError, UnknownName. */
export async function levelIdOf(
  typed: string,
  {
    client,
    projectId,
    passIdOf,
  }: { client: EarshotClient; projectId: string; passIdOf(name: string): Promise<string> },
): Promise<string> {
  if (looksLikeId.test(typed)) return typed;
  const [, pass, position] = /^(.+)\/(\d+)$/.exec(typed) ?? [];
  if (pass === undefined) throw new UsageError('Write the level as PASS/POSITION, such as "Season 1/3", or its id.');
  const params = { projectId, id: await passIdOf(pass) };
  for (let offset = 0; ; offset += limit) {
    const { levels, total } = await client.call(battlePassLevelRoutes.list, { params, query: { limit, offset } });
    const level = levels.find((one) => one.position === Number(position));
    if (level !== undefined) return level.id;
    if (offset + levels.length >= total || levels.length === 0)
      throw new UnknownName(`The battle pass ${pass} has no level at position ${position}.`);
  }
}
