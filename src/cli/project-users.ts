/** Finds a person who works in a project: by e-mail address or permission id. */
import type { EarshotClient } from '../client/earshot-client.js';
import { projectUserRoutes } from '../contract/projects/projects.js';
import { harmless } from '../printable.js';
import { NotUnderstood } from './times.js';

/** The permission id. Throws NotUnderstood when nobody matches. */
export async function permissionIdOf(client: EarshotClient, projectId: string, named: string): Promise<string> {
  const users = await client.call(projectUserRoutes.list, { params: { projectId } });
  const found = users.find(({ permissionId, email }) => permissionId === named || email === named.toLowerCase());
  if (found !== undefined) return found.permissionId;
  throw new NotUnderstood(
    `Nobody in the project is called ${harmless(named)}; \`earshot users list\` shows everybody.`,
  );
}
