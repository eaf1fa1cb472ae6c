/** Names of those who impose sanctions and decide reviews, where lists have their ids. */
import type { EarshotClient } from '../../client/earshot-client.js';
import { apiKeyRoutes } from '../../contract/identity/api-keys.js';
import { projectUserRoutes } from '../../contract/projects/projects.js';
import { isClosed, noneWhere } from '../refusals.js';

/**
 * The e-mail address of a colleague or the name of a key; the id where it is neither any more, or not shown to the
 * caller.
 */
export async function moderatorNames(
  client: EarshotClient,
  projectId: string,
): Promise<(id: string | null) => string | null> {
  const [colleagues, keys] = await Promise.all([
    client.call(projectUserRoutes.list, { params: { projectId } }).catch(noneWhere(isClosed)),
    client.call(apiKeyRoutes.list, {}).catch(noneWhere(isClosed)),
  ]);
  const names = new Map(colleagues.map(({ userId, email }) => [userId, email]));
  for (const { id, name } of keys) names.set(id, `key ${name}`);
  return (id) => (id === null ? null : (names.get(id) ?? id));
}

/** The rows with the names of who imposed or claimed: `by`, `claimedBy`. */
export async function named(
  client: EarshotClient,
  projectId: string,
  rows: readonly object[],
): Promise<readonly object[]> {
  if (rows.length === 0) return rows;
  const nameOf = await moderatorNames(client, projectId);
  const nameIn = (row: object, field: string): string | null => {
    const id: unknown = Reflect.get(row, field);
    return typeof id === 'string' ? nameOf(id) : null;
  };
  return rows.map((row) => ({
    ...row,
    by: nameIn(row, 'createdByUserId'),
    claimedBy: nameIn(row, 'claimedByUserId'),
  }));
}

/** The row with names instead of ids of accounts and keys: `decidedByUserId` becomes `decidedBy`. */
export async function namedRecord(client: EarshotClient, projectId: string, row: object): Promise<object> {
  const nameOf = await moderatorNames(client, projectId);
  return Object.fromEntries(
    Object.entries(row).map(([field, value]) =>
      field.endsWith('ByUserId') ? [field.replace(/UserId$/, ''), nameOf(value ?? null)] : [field, value],
    ),
  );
}
