/** Expected answers of an operation to each caller, computed from nothing but its declaration. */
import type { ErrorCode } from '../../../src/contract/error-catalogue.js';
import { atLeast, type ProjectRole, type Route } from '../../../src/contract/route.js';

/** `passes`: neither credential nor right was in the way; what comes then is the operation's own affair. */
export type Outcome = 'passes' | ErrorCode;

const isInRoom = ({ path }: Route): boolean => path.startsWith('/rooms/');
const isGameplay = ({ path }: Route): boolean => path.startsWith('/api/v1/');
const namesProject = ({ path, projectIn }: Route): boolean => projectIn === 'body' || path.includes('{projectId}');

/** Somebody who signs in, with this role in the project and none of weight in the tenant. */
export function forMember(route: Route, role: ProjectRole): Outcome {
  if (isGameplay(route) || isInRoom(route)) return forNoToken(route);
  if (!route.auth.includes('bearer')) return 'credential_kind';
  if (route.tenantRole === 'admin') return 'insufficient_role';
  return route.role === undefined || atLeast(role, route.role) ? 'passes' : 'insufficient_role';
}

/** An administrator of the tenant counts as owner of its projects. */
export function forTenantAdministrator(route: Route): Outcome {
  if (isGameplay(route) || isInRoom(route)) return forNoToken(route);
  return route.auth.includes('bearer') ? 'passes' : 'credential_kind';
}

interface KeyRights {
  readonly inScope: boolean;
  /** Limited to one project, or for all of a tenant. */
  readonly limited: boolean;
  /** True if the project that the call names is within its reach. */
  readonly inReach: boolean;
}

/** A key counts as administrator of its projects, and never as owner. */
export function forKey(route: Route, { inScope, limited, inReach }: KeyRights): Outcome {
  if (!route.auth.includes('apiKey')) return 'credential_kind';
  if (!inScope && route.scope !== null) return 'insufficient_scope';
  if (route.tenantRole === 'admin' && limited) return 'insufficient_role';
  if (route.runsInstallation === true && !inReach) return 'insufficient_role';
  if (route.projectIn === 'gameplay') return inReach || limited ? 'passes' : 'unknown_app';
  if (namesProject(route) && !inReach) return 'no_access_to_project';
  return route.role === 'owner' ? 'insufficient_role' : 'passes';
}

export function forPlayer(route: Route): Outcome {
  if (!isGameplay(route)) return forNoToken(route);
  return route.auth.includes('playerToken') ? 'passes' : 'credential_kind';
}

/** A bearer that is none of the kind that is expected there, such as a login that has ended. */
export function forNoToken(route: Route): Outcome {
  if (isInRoom(route)) return 'room_token_invalid';
  return isGameplay(route) ? 'player_token_invalid' : 'credential_invalid';
}
