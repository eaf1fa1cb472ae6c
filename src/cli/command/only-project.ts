/** The project of a command that names none. */
import type { EarshotClient } from '../../client/earshot-client.js';
import { ApiError } from '../../client/errors.js';
import { projectRoutes } from '../../contract/projects/projects.js';
import { StateError } from '../../terminal/state-error.js';
import { UsageError } from '../../terminal/usage-error.js';
import { harmless } from '../../text/printable.js';

/** Returns the only project there is, else the one that is chosen on the terminal. Throws UsageError. */
export async function onlyProject(client: EarshotClient): Promise<string> {
  const projects = await client.call(projectRoutes.list, {}).catch((error: unknown) => {
    if (error instanceof ApiError && error.code === 'insufficient_scope') return null;
    throw error;
  });
  if (projects === null) return projectOfKey(client);
  const [only, another] = projects;
  if (only !== undefined && another === undefined) return only.id;
  if (only === undefined) throw new StateError('no_project', 'You have no project.');
  const { canAsk, choose, explain } = await import('../../terminal/questions.js');
  const keep = '`earshot profiles set NAME --project NAME` stores one';
  const among = projects.map(({ id, name }) => ({ id, says: name }));
  if (canAsk()) {
    explain(`You have several projects. --project names one; ${keep}.`);
    return choose('In which project?', among);
  }
  const names = projects.map(({ id, name }) => `\n  ${harmless(name)}  ${id}`).join('');
  throw new UsageError(`Name one of your projects with --project; ${keep}:${names}`);
}

/** A key that may not list projects still knows the one that it is limited to. */
async function projectOfKey(client: EarshotClient): Promise<string> {
  const { apiKeyRoutes } = await import('../../contract/identity/api-keys.js');
  const { name, projectId } = await client.call(apiKeyRoutes.own, {});
  if (projectId !== null) return projectId;
  throw new UsageError(
    `The API key ${harmless(name)} is for every project of the tenant but cannot list them (scope projects:read). Name the project by its id, with --project or EARSHOT_PROJECT.`,
  );
}
