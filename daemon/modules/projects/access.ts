/** Rights of callers in a project. */
import type { ProjectAccess } from '../../platform/http/authorisation.js';
import type { Member, ProjectGrant, UserCaller } from '../../platform/http/caller.js';
import type { ActiveMember } from '../identity/directory.js';
import { type ProjectStore, toRole } from './store.js';

export class Access implements ProjectAccess {
  constructor(private readonly projects: ProjectStore) {}

  /**
   * A key counts as admin of its projects, never as owner. Choice: a tenant's administrators count as owners of all its
   * projects, so that a project whose owner has left can still be managed.
   */
  async grant(caller: ActiveMember, projectId: string): Promise<ProjectGrant | null> {
    const tenantId = await this.projects.tenantOf(projectId);
    if (tenantId === null) return null;
    if (caller.kind === 'apiKey') {
      const inReach = caller.tenantId === tenantId && (caller.projectId === null || caller.projectId === projectId);
      return inReach ? { projectId, tenantId, role: 'admin' } : null;
    }
    if (caller.tenantId === tenantId && caller.tenantRole === 'admin') return { projectId, tenantId, role: 'owner' };
    const permission = await this.projects.permissionOf(projectId, caller);
    return permission === null ? null : { projectId, tenantId, role: toRole(permission.role) };
  }

  onlyProject = (tenantId: string): Promise<string | null> => this.projects.onlyProjectOf(tenantId);

  /** Projects of any tenant that were shared with the user. */
  async shared(user: UserCaller): Promise<string[]> {
    return (await this.projects.sharedWith(user)).map(({ project }) => project.id);
  }

  /**
   * The part of the event log that the caller may read: one project, or all within reach. null when the project is not
   * within reach.
   */
  async reach(
    caller: Member,
    projectId: string | null,
  ): Promise<{ tenantId: string; projects: Set<string>; tenantBut: Set<string> | null } | null> {
    const { tenantId } = caller;
    const only = projectId ?? (caller.kind === 'apiKey' ? caller.projectId : null);
    if (only !== null) {
      return (await this.grant(caller, only)) === null
        ? null
        : { tenantId, projects: new Set([only]), tenantBut: null };
    }
    const isWide = caller.kind === 'apiKey' || caller.tenantRole === 'admin';
    const tenantBut = isWide ? new Set(await this.projects.deletedOf(tenantId)) : null;
    const shared = caller.kind === 'user' ? await this.shared(caller) : [];
    return { tenantId, projects: new Set(shared), tenantBut };
  }
}
