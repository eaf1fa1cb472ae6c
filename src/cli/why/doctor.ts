/**
 * The checks an operator would make first when something does not work, in that order; stops where later checks would
 * be meaningless.
 */
import type { EarshotClient } from '../../client/earshot-client.js';
import { accountRoutes } from '../../contract/identity/accounts.js';
import { projectRoutes } from '../../contract/projects/projects.js';
import { providerOf } from '../sign-in/provider.js';
import { troublesOf } from './troubles.js';

export interface Checked {
  readonly check:
    | 'daemon'
    | 'links'
    | 'sign-in'
    | 'credential'
    | 'projects'
    | 'settings'
    | 'voice'
    | 'webhooks'
    | 'plugins'
    | 'jobs';
  readonly ok: boolean;
  readonly says: string;
}

export async function* examine(client: EarshotClient): AsyncGenerator<Checked, void> {
  let publicUrl = client.baseUrl;
  const daemon = await found('daemon', async () => {
    const { name, version, ...greeting } = await client.call(accountRoutes.greet, {});
    publicUrl = greeting.publicUrl;
    return `${name} ${version} at ${client.baseUrl}`;
  });
  yield daemon;
  if (!daemon.ok) return;
  if (isOwnMachine(publicUrl) && !isOwnMachine(client.baseUrl))
    yield {
      check: 'links',
      ok: false,
      says: `Links to rooms and invitations begin with ${publicUrl}, which only opens on the daemon's own machine. Set EARSHOT_PUBLIC_URL=${client.baseUrl.replace(/\/$/, '')} there.`,
    };

  const provider = await providerOf(client).catch(() => null);
  if (provider !== null)
    yield {
      check: 'sign-in',
      ok: provider.problem === null,
      says: provider.problem ?? `at ${provider.issuer}`,
    };

  let projects: { id: string; name: string; isConfigured: boolean }[] = [];
  const credential = await found('credential', async () => {
    if (client.credential === undefined) throw new Error('None. Log in with `login`, or set EARSHOT_API_KEY.');
    projects = await client.call(projectRoutes.list, {});
    return client.credential.kind === 'apiKey' ? 'the API key holds' : 'the login holds';
  });
  yield credential;
  if (!credential.ok) return;

  yield {
    check: 'projects',
    ok: projects.length > 0,
    says:
      projects.map(({ name }) => name).join(', ') ||
      'None. Create one with `projects create`, or ask for an invitation.',
  };
  for (const { name } of projects.filter(({ isConfigured }) => !isConfigured))
    yield { check: 'settings', ok: false, says: `${name} has none. Set them with \`settings set\`.` };
  yield* troublesOf(client, projects);
}

const isOwnMachine = (url: string): boolean => /^(localhost|127\..*|\[::1?\]|0\.0\.0\.0)$/.test(new URL(url).hostname);

async function found(check: Checked['check'], look: () => Promise<string>): Promise<Checked> {
  try {
    return { check, ok: true, says: await look() };
  } catch (error) {
    return { check, ok: false, says: error instanceof Error ? error.message : String(error) };
  }
}
