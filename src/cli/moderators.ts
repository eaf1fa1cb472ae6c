/** Names of those who impose sanctions and decide reviews, where lists have their ids. */
import type { EarshotClient } from '../client/earshot-client.js';
import { ApiError } from '../client/errors.js';
import { apiKeyRoutes } from '../contract/identity/api-keys.js';
import { projectUserRoutes } from '../contract/projects/projects.js';

/** Whoever is not allowed to read a list sees ids. */
const readable = async <T>(list: Promise<readonly T[]>): Promise<readonly T[]> =>
  list.catch((error: unknown) => {
    if (error instanceof ApiError && (error.status === 401 || error.status === 403)) return [];
    throw error;
  });

/** The e-mail address of a colleague, the name of a key, or the id of who is neither any more. */
export async function moderatorNames(
  client: EarshotClient,
  projectId: string,
): Promise<(id: string | null) => string | null> {
  const [colleagues, keys] = await Promise.all([
    readable(client.call(projectUserRoutes.list, { params: { projectId } })),
    readable(client.call(apiKeyRoutes.list, {})),
  ]);
  const names = new Map(colleagues.map(({ userId, email }) => [userId, email]));
  for (const { id, name } of keys) names.set(id, `key ${name}`);
  return (id) => (id === null ? null : (names.get(id) ?? id));
}
