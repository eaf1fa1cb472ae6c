/**
 * Checks scope, project and role as the route declares them. Nothing else decides who may do what; where an answer shows
 * more to some callers, its handler asks `mayActAs`.
 */
import type { IncomingHttpHeaders } from 'node:http';
import { withSmallUuid } from '../../../src/contract/common.js';
import { DomainError } from '../../../src/contract/errors.js';
import { atLeast, type ProjectRole, type Route } from '../../../src/contract/route.js';
import { opens, type RequiredScope, type ScopeName } from '../../../src/contract/scopes.js';
import type { Caller, Member, ProjectGrant } from './caller.js';

/** Projects and roles that a caller can reach. */
export interface ProjectAccess {
  /** null when the project does not exist or the caller may not reach it: both get the same answer. */
  grant(caller: Member, projectId: string): Promise<ProjectGrant | null>;
  /** The tenant's project when it has exactly one. */
  onlyProject(tenantId: string): Promise<string | null>;
}

/** The operators of the installation. */
export interface InstallationAccess {
  runsInstallation(tenantId: string): Promise<boolean>;
}

interface NamingRequest {
  readonly params: unknown;
  readonly headers: IncomingHttpHeaders;
  /** Parsed, for routes that name the project there. */
  body(): Promise<unknown>;
}

const textField = (value: unknown, name: string): string | null => {
  if (typeof value !== 'object' || value === null || !(name in value)) return null;
  const field: unknown = Reflect.get(value, name);
  return typeof field === 'string' && field !== '' ? field : null;
};

export class Authorisation {
  constructor(
    private readonly access: ProjectAccess,
    private readonly installation: InstallationAccess,
  ) {}

  /**
   * Checks the call and returns the grant of its project. Throws the 403s, room_token_invalid (401) and project_required
   * (400).
   */
  async projectOf(route: Route, caller: Caller, named: NamingRequest): Promise<ProjectGrant | undefined> {
    if (caller.kind === 'anonymous' || caller.kind === 'service') return undefined;
    if (caller.kind === 'player') return { projectId: caller.projectId, tenantId: caller.tenantId, role: 'viewer' };
    if (caller.kind === 'moderator' || caller.kind === 'peer') {
      if (textField(named.params, 'roomId') !== caller.roomId) throw new DomainError('room_token_invalid');
      return {
        projectId: caller.projectId,
        tenantId: caller.tenantId,
        role: caller.kind === 'peer' ? 'viewer' : 'moderator',
      };
    }
    if (
      caller.kind === 'apiKey' &&
      route.scope !== null &&
      (route.scope === undefined || !opens(caller.scopes, route.scope))
    ) {
      throw new DomainError('insufficient_scope', {
        message: `The API key lacks the scope ${route.scope}. Create a key that has it.`,
      });
    }
    if (route.tenantRole === 'admin' && !isTenantAdmin(caller)) throw new DomainError('insufficient_role');
    if (route.runsInstallation === true && !(await this.installation.runsInstallation(caller.tenantId)))
      throw new DomainError('insufficient_role', {
        message: 'This is for administrators of the tenant that runs the installation. Ask its operator.',
      });
    const projectId = await this.projectIdOf(route, caller, named);
    if (projectId === null) return undefined;
    const grant = await this.access.grant(caller, withSmallUuid(projectId));
    if (grant === null) throw new DomainError(route.projectIn === 'gameplay' ? 'unknown_app' : 'no_access_to_project');
    if (route.role !== undefined && !atLeast(grant.role, route.role)) {
      throw new DomainError('insufficient_role', {
        message: `This needs the role ${route.role} in the project; yours is ${grant.role}. Ask an administrator of the project.`,
      });
    }
    return grant;
  }

  private async projectIdOf(
    route: Route,
    caller: Member,
    { params, headers, body }: NamingRequest,
  ): Promise<string | null> {
    if (route.projectIn === 'gameplay') return this.gameplayProject(caller, headers);
    if (route.projectIn === 'body') return textField(await body(), 'projectId');
    return textField(params, 'projectId');
  }

  /** A key's own project, else the header, else the tenant's only one. */
  private async gameplayProject(caller: Member, headers: IncomingHttpHeaders): Promise<string> {
    if (caller.kind === 'apiKey' && caller.projectId !== null) return caller.projectId;
    const named = headers['x-project-id'];
    if (typeof named === 'string' && named !== '') return named;
    const only = await this.access.onlyProject(caller.tenantId);
    if (only === null) throw new DomainError('project_required');
    return only;
  }
}

/** True for users, whose role decides, and for a key with the scope. */
export const hasScope = (caller: Member, scope: RequiredScope): boolean =>
  caller.kind === 'user' || opens(caller.scopes, scope);

/** True if the caller has the role in the project, and a key the scope as well: reading alone is not enough. */
export const mayActAs = (role: ProjectRole, caller: Member, grant: ProjectGrant, scope: ScopeName): boolean =>
  atLeast(grant.role, role) && hasScope(caller, scope);

/** Tenant-wide keys are made by tenant administrators and count as such. */
const isTenantAdmin = (caller: Member): boolean =>
  caller.kind === 'user' ? caller.tenantRole === 'admin' : caller.projectId === null;
