/** Who may do what in a project (contract, section 1). */
import type { Member, ProjectGrant } from '../../http/caller.js';
import type { ProjectAccess } from '../../http/authorisation.js';
import { type ProjectStore, toRole } from './store.js';

export class Access implements ProjectAccess {
  constructor(private readonly projects: ProjectStore) {}

  /**
   * A key counts as admin of its projects, never as owner. Choice: a tenant's administrators count as owners of all its
   * projects, so that a project whose owner has left can be saved.
   */
  async grant(caller: Member, projectId: string): Promise<ProjectGrant | null> {
    const project = await this.projects.find(projectId);
    if (project === null) return null;
    const { tenantId } = project;
    if (caller.kind === 'apiKey') {
      const inReach = caller.tenantId === tenantId && (caller.projectId === null || caller.projectId === projectId);
      return inReach ? { projectId, tenantId, role: 'admin' } : null;
    }
    if (caller.tenantId === tenantId && caller.tenantRole === 'admin') return { projectId, tenantId, role: 'owner' };
    const permission = await this.projects.permissionOf(projectId, caller.id);
    return permission === null ? null : { projectId, tenantId, role: toRole(permission.role) };
  }

  async onlyProject(tenantId: string): Promise<string | null> {
    const [first, second] = await this.projects.ofTenant(tenantId);
    return first !== undefined && second === undefined ? first.id : null;
  }

  /** Ids of the projects whose events the caller may read. */
  async readable(caller: Member): Promise<Set<string>> {
    if (caller.kind === 'apiKey' && caller.projectId !== null) return new Set([caller.projectId]);
    const ids = new Set<string>();
    if (caller.kind === 'apiKey' || caller.tenantRole === 'admin') {
      for (const { id } of await this.projects.ofTenant(caller.tenantId)) ids.add(id);
    }
    if (caller.kind === 'user') for (const { project } of await this.projects.sharedWith(caller.id)) ids.add(project.id);
    return ids;
  }
}
