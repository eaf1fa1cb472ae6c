/** Names of those who impose sanctions and decide reviews, where lists have their ids. */
import type { EarshotClient } from '../../client/earshot-client.js';
import { apiKeyRoutes } from '../../contract/identity/api-keys.js';
import type { Sanction } from '../../contract/moderation/sanction-record.js';
import { projectUserRoutes } from '../../contract/projects/projects.js';
import { ruleRoutes } from '../../contract/rules/rules.js';
import { isClosed, noneWhere } from '../command/refusals.js';

/** Returns who imposed a sanction, by name where the daemon knows it and the caller may see it. */
export const authorOf = (
  { createdBy, createdByUserId }: Pick<Sanction, 'createdBy' | 'createdByUserId'>,
  nameOf: (id: string | null) => string | null = (id) => id,
): string => createdBy ?? nameOf(createdByUserId) ?? 'the system';

/**
 * The e-mail address of a colleague, or the name of a key or rule; the id where it is none any more, or not shown to the
 * caller.
 */
export async function moderatorNames(
  client: EarshotClient,
  projectId: string,
): Promise<(id: string | null) => string | null> {
  const [colleagues, keys, rules] = await Promise.all([
    client.call(projectUserRoutes.list, { params: { projectId } }).catch(noneWhere(isClosed)),
    client.call(apiKeyRoutes.list, {}).catch(noneWhere(isClosed)),
    client.call(ruleRoutes.list, { params: { projectId } }).catch(noneWhere(isClosed)),
  ]);
  const names = new Map(colleagues.map(({ userId, email }) => [userId, email]));
  for (const { id, name } of keys) names.set(id, `key ${name}`);
  for (const { id, name } of rules) names.set(id, `rule ${name}`);
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
    by: Reflect.get(row, 'createdBy') ?? nameIn(row, 'createdByUserId'),
    claimedBy: nameIn(row, 'claimedByUserId'),
  }));
}

/** The row with names instead of ids of accounts and keys: `decidedByUserId` becomes `decidedBy`. */
export async function namedRecord(client: EarshotClient, projectId: string, row: object): Promise<object> {
  const nameOf = await moderatorNames(client, projectId);
  const author: unknown = Reflect.get(row, 'createdBy');
  const named = Object.entries(row).flatMap(([field, value]): [string, unknown][] => {
    if (field === 'createdBy') return [];
    if (!field.endsWith('ByUserId')) return [[field, value]];
    const known = field === 'createdByUserId' && typeof author === 'string' ? author : nameOf(value ?? null);
    return [[field.replace(/UserId$/, ''), known]];
  });
  return Object.fromEntries(named);
}
