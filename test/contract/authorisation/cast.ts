/** Everybody who might call: one credential of each kind that the matrix asks about, made as its holder would get it. */
import { randomUUID } from 'node:crypto';
import { EarshotClient } from '../../../src/client/earshot-client.js';
import { playerRoutes } from '../../../src/contract/gameplay/players.js';
import { accountRoutes } from '../../../src/contract/identity/accounts.js';
import { apiKeyRoutes } from '../../../src/contract/identity/api-keys.js';
import { projectRoutes, projectUserRoutes } from '../../../src/contract/projects/projects.js';
import { type ProjectRole, projectRoles } from '../../../src/contract/route.js';
import { allRoutes } from '../../../src/contract/routes.js';
import { allScopes, opens, type RequiredScope, scopeNames } from '../../../src/contract/scopes.js';
import { startDaemon, type TestDaemon } from '../../support/daemon.js';
import { makeOtherTenant } from '../../support/other-tenant.js';

export type Headers = Readonly<Record<string, string>>;

export interface Cast {
  /** The clock of the daemon. */
  now(): Date;
  readonly daemon: TestDaemon;
  /** The project that every call names, and the one that the tenant's administrator names. */
  readonly projectId: string;
  readonly administratorsProjectId: string;
  readonly otherTenantKey: string;
  /** Key of a project beside them. */
  readonly otherProjectKey: string;
  readonly expiredKey: string;
  readonly revokedKey: string;
  readonly endedLogin: string;
  readonly player: string;
  readonly admin: string;
  readonly members: Readonly<Record<ProjectRole, string>>;
  keyWith(scope: RequiredScope): string;
  /** Returns a key with all scopes but those that include this one. */
  keyWithout(scope: RequiredScope): string;
}

const minuteMs = 60_000;
const password = 'a long enough password';

/** A daemon with all of them. */
export async function assemble(settings: Readonly<Record<string, string>> = {}): Promise<Cast> {
  let time = new Date();
  const daemon = await startDaemon({
    now: () => time,
    settings: { EARSHOT_RATE_LIMIT_ADDRESS: '0', ...settings },
  });
  const { admin, projectId } = daemon;
  const anonymous = new EarshotClient({ baseUrl: daemon.url });
  const newKey = async (scopes: readonly RequiredScope[], limits: { projectId?: string; expiresAt?: string } = {}) =>
    admin.call(apiKeyRoutes.create, { body: { name: 'cast', scopes: [...scopes], ...limits } });

  const signIn = async (role: ProjectRole): Promise<string> => {
    const body = { email: `${role}.${randomUUID()}@example.com`, role };
    const { invitationUrl } = await admin.call(projectUserRoutes.invite, { params: { projectId }, body });
    const token = tokenIn(invitationUrl ?? '');
    return (await anonymous.call(accountRoutes.acceptInvitation, { body: { token, password } })).accessToken;
  };

  const newProject = async (name: string) => (await admin.call(projectRoutes.create, { body: { name } })).id;
  const otherProjectId = await newProject('beside');
  const expiresAt = new Date(time.getTime() + minuteMs).toISOString();
  const expired = await newKey(scopeNames, { expiresAt });
  const revoked = await newKey(scopeNames);
  await admin.call(apiKeyRoutes.revoke, { params: { id: revoked.id } });
  const endedLogin = await signIn('admin');
  const ended = new EarshotClient({ baseUrl: daemon.url, credential: { kind: 'bearer', token: endedLogin } });
  await ended.call(accountRoutes.logout, {});
  const { token: player } = await admin.call(playerRoutes.createToken, { params: { projectId, userId: 'player' } });

  const members = {} as Record<ProjectRole, string>;
  for (const role of projectRoles) members[role] = await signIn(role);
  const withScope = new Map<RequiredScope, string>();
  const withoutScope = new Map<RequiredScope, string>();
  for (const scope of new Set(allRoutes.map((route) => route.scope ?? 'sessions'))) {
    withScope.set(scope, (await newKey([scope])).key);
    withoutScope.set(scope, (await newKey(allScopes.filter((held) => !opens([held], scope)))).key);
  }
  time = new Date(time.getTime() + 2 * minuteMs);
  return {
    daemon,
    projectId,
    now: () => time,
    administratorsProjectId: await newProject("the administrator's"),
    otherTenantKey: await makeOtherTenant(daemon.databaseUrl, time),
    otherProjectKey: (await newKey(scopeNames, { projectId: otherProjectId })).key,
    expiredKey: expired.key,
    revokedKey: revoked.key,
    endedLogin,
    player,
    admin: admin.credential?.kind === 'bearer' ? admin.credential.token : '',
    members,
    keyWith: (scope) => withScope.get(scope) ?? '',
    keyWithout: (scope) => withoutScope.get(scope) ?? '',
  };
}

const tokenIn = (url: string): string => /[#?&]token=([^&]+)/.exec(url)?.[1] ?? '';
