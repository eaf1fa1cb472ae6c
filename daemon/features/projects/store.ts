/** Rows of projects and of who may work in them. */
import type { App, ProjectUser } from '../../../src/contract/projects.js';
import { type ProjectRole, projectRoles } from '../../../src/contract/route.js';
import type { Database, Reader, Transaction } from '../../database/database.js';
import { Remembered } from '../../database/remembered.js';

export interface ProjectRow {
  readonly id: string;
  readonly tenantId: string;
  readonly name: string;
  readonly billingProjectId: string;
  readonly createdAt: Date;
}

export interface PermissionRow {
  readonly id: string;
  readonly projectId: string;
  readonly userId: string | null;
  readonly email: string;
  readonly role: string;
  readonly invitedByUserId: string | null;
  readonly tokenHash: string | null;
  readonly tokenExpiresAt: Date | null;
  readonly invitedAt: Date;
  readonly acceptedAt: Date | null;
}

export const toRole = (text: string): ProjectRole => projectRoles.find((role) => role === text) ?? 'viewer';

export const toProjectUser = (row: PermissionRow): ProjectUser => ({
  permissionId: row.id,
  userId: row.userId,
  email: row.email,
  role: toRole(row.role),
  status: row.acceptedAt === null ? 'pending' : 'accepted',
  invitedAt: row.invitedAt.toISOString(),
  acceptedAt: row.acceptedAt?.toISOString() ?? null,
});

const withSettings = { include: { settings: { select: { id: true } } } } as const;

export const toApp = (row: ProjectRow & { settings: { id: string } | null }, role: ProjectRole): App => ({
  id: row.id,
  tenantId: row.tenantId,
  name: row.name,
  role,
  billingProjectId: row.billingProjectId,
  createdAt: row.createdAt.toISOString(),
  isConfigured: row.settings !== null,
});

export class ProjectStore {
  private readonly tenants = new Remembered(async (id) => (await this.find(id))?.tenantId ?? null);

  constructor(private readonly database: Database) {}

  insert = (tx: Transaction, row: ProjectRow) => tx.project.create({ data: row });

  find = (id: string) => this.database.read.project.findFirst({ where: { id, deletedAt: null }, ...withSettings });

  /** Tenant of a project that is within reach; what every request asks. */
  tenantOf = (id: string): Promise<string | null> => this.tenants.get(id);

  byBillingId = (billingProjectId: string) =>
    this.database.read.project.findFirst({ where: { billingProjectId, deletedAt: null } });

  ofTenant = (tenantId: string) =>
    this.database.read.project.findMany({
      where: { tenantId, deletedAt: null },
      orderBy: { id: 'asc' },
      ...withSettings,
    });

  /** Projects of any tenant that were shared with the user, with the user's role. */
  async sharedWith(userId: string) {
    const rows = await this.database.read.projectPermission.findMany({
      where: { userId, acceptedAt: { not: null }, project: { deletedAt: null } },
      include: { project: withSettings },
      orderBy: { projectId: 'asc' },
    });
    return rows.map(({ project, role }) => ({ project, role: toRole(role) }));
  }

  rename = (tx: Transaction, id: string, name: string) =>
    tx.project.update({ where: { id }, data: { name }, ...withSettings });

  /** Out of reach; the name is free again. */
  async markDeleted(tx: Transaction, id: string, deletedAt: Date): Promise<void> {
    await tx.project.update({ where: { id }, data: { deletedAt, name: `deleted ${id}` } });
    this.database.afterCommit(tx, () => this.tenants.forget());
  }

  permissionOf = (projectId: string, userId: string) =>
    this.database.read.projectPermission.findFirst({ where: { projectId, userId, acceptedAt: { not: null } } });

  permissions = (projectId: string) =>
    this.database.read.projectPermission.findMany({ where: { projectId }, orderBy: { id: 'asc' } });

  permission = (reader: Reader | Transaction, projectId: string, id: string) =>
    reader.projectPermission.findFirst({ where: { projectId, id } });

  insertPermission = (tx: Transaction, row: PermissionRow) => tx.projectPermission.create({ data: row });

  setRole = (tx: Transaction, id: string, role: ProjectRole) =>
    tx.projectPermission.update({ where: { id }, data: { role } });

  removePermission = (tx: Transaction, id: string) => tx.projectPermission.delete({ where: { id } });

  owners = (tx: Transaction, projectId: string) =>
    tx.projectPermission.count({ where: { projectId, role: 'owner', acceptedAt: { not: null } } });

  byInvitation = (tokenHash: string) =>
    this.database.read.projectPermission.findUnique({ where: { tokenHash }, include: { project: true } });

  accept = (tx: Transaction, id: string, userId: string, acceptedAt: Date) =>
    tx.projectPermission.update({ where: { id }, data: { userId, acceptedAt, tokenHash: null, tokenExpiresAt: null } });
}
