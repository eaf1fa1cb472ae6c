/** Names of projects, where lists have their ids. */
import type { EarshotClient } from '../../client/earshot-client.js';
import { projectRoutes } from '../../contract/projects/projects.js';

/** `all` of what belongs to no single project; the id of a project that the caller does not see. */
export async function projectNames(client: EarshotClient): Promise<(id: string | null) => string> {
  const names = new Map((await client.call(projectRoutes.list, {})).map(({ id, name }) => [id, name]));
  return (id) => (id === null ? 'all' : (names.get(id) ?? id));
}
