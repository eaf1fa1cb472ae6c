/** Rows of projects and of who may work in them. */
import type { App, ProjectUser } from '../../../src/contract/projects/projects.js';
import { type ProjectRole, projectRoles } from '../../../src/contract/route.js';
import { timeOrNull } from '../../platform/database/column-values.js';
import type { Database, DatabaseClient, Reader, Transaction } from '../../platform/database/database.js';
import { projectInReach } from '../../platform/database/in-reach.js';
import { Remembered } from '../../platform/database/remembered.js';
import type { UserCaller } from '../../platform/http/caller.js';
import type { Inviter } from '../identity/project-people.js';

interface ProjectRow {
  readonly id: string;
  readonly tenantId: string;
  readonly name: string;
  readonly billingProjectId: string;
  readonly createdAt: Date;
}

interface PermissionRow {
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
  acceptedAt: timeOrNull(row.acceptedAt),
  invitedByUserId: row.invitedByUserId,
});

/** Ids per query; SQLite takes no more than 32,766 parameters. */
const idsAtOnce = 1_000;
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

/** A signed-in user. Roles that groups gave count for logins that the identity provider confirmed alone. */
type PermissionHolder = Pick<UserCaller, 'id' | 'confirmedAt'>;
const heldBy = ({ id, confirmedAt }: PermissionHolder) => ({
  ...{ userId: id, acceptedAt: { not: null } },
  ...(confirmedAt === null ? { fromGroups: false } : {}),
});

export class ProjectStore {
  private readonly tenants = new Remembered((id) => this.findTenant(id));
  private readonly onlyProjects = new Remembered((tenantId) => this.findOnly(tenantId));

  constructor(private readonly database: Database) {}

  async insert(tx: Transaction, row: ProjectRow): Promise<void> {
    const { tenantId } = row;
    await this.database.takeTurn(tx, `projects of ${tenantId}`); // two at once would both count one
    await tx.project.create({ data: row });
    const count = await tx.project.count({ where: { tenantId, ...projectInReach } });
    if (count === 2) this.onlyProjects.forgetAfter(this.database, tx);
  }

  find = (id: string) => this.database.read.project.findFirst({ where: { id, ...projectInReach }, ...withSettings });

  /** Tenant of a project within reach; every request asks this. */
  tenantOf = (id: string): Promise<string | null> => this.tenants.get(id);

  /** Returns the name of a project within reach; null where there is none. */
  nameOf = async (id: string): Promise<string | null> => (await this.find(id))?.name ?? null;

  /** True if the project exists within reach. */
  isOpen = async (id: string): Promise<boolean> => (await this.tenantOf(id)) !== null;

  /** The project of a tenant that has exactly one within reach. */
  onlyProjectOf = (tenantId: string): Promise<string | null> => this.onlyProjects.get(tenantId);

  /** Tenant of a project that exists, within reach or not. */
  tenantIn = async (client: DatabaseClient, id: string): Promise<string> =>
    (await client.project.findUniqueOrThrow({ where: { id }, select: { tenantId: true } })).tenantId;

  /** Returns the projects within reach among the ids, read from the database now. */
  inReach = async (ids: readonly string[]): Promise<Set<string>> => {
    const found = new Set<string>();
    for (let from = 0; from < ids.length; from += idsAtOnce) {
      const where = { id: { in: ids.slice(from, from + idsAtOnce) }, ...projectInReach };
      for (const { id } of await this.database.read.project.findMany({ where, select: { id: true } })) found.add(id);
    }
    return found;
  };

  byBillingId = async (billingProjectId: string): Promise<ProjectRow | null> =>
    this.database.read.project.findFirst({ where: { billingProjectId, ...projectInReach } });

  /** Returns the projects of all tenants within reach. */
  allIds = async (): Promise<string[]> =>
    (await this.database.read.project.findMany({ where: projectInReach, select: { id: true } })).map(({ id }) => id);

  ofTenant = (tenantId: string) =>
    this.database.read.project.findMany({
      where: { tenantId, ...projectInReach },
      orderBy: { id: 'asc' },
      ...withSettings,
    });

  async deletedOf(tenantId: string): Promise<string[]> {
    const rows = await this.database.read.project.findMany({
      where: { tenantId, deletedAt: { not: null } },
      select: { id: true },
    });
    return rows.map(({ id }) => id);
  }

  /** Projects of any tenant that were shared with the user, with the user's role. */
  async sharedWith(user: PermissionHolder) {
    const rows = await this.database.read.projectPermission.findMany({
      where: { ...heldBy(user), project: projectInReach },
      include: { project: withSettings },
      orderBy: { projectId: 'asc' },
    });
    return rows.map(({ project, role }) => ({ project, role: toRole(role) }));
  }

  /** null when the project does not exist any more. */
  async rename(tx: Transaction, id: string, name: string) {
    const { count } = await tx.project.updateMany({ where: { id, deletedAt: null }, data: { name } });
    return count === 0 ? null : tx.project.findFirst({ where: { id }, ...withSettings });
  }

  /** Puts the project out of reach; its name becomes free. */
  async markDeleted(tx: Transaction, id: string, deletedAt: Date): Promise<void> {
    await tx.project.updateMany({ where: { id, deletedAt: null }, data: { deletedAt, name: `deleted ${id}` } });
    this.tenants.forgetAfter(this.database, tx);
    this.onlyProjects.forgetAfter(this.database, tx);
  }

  /** Keeps other transactions from changing roles in the project until this one has ended. */
  lock = (tx: Transaction, id: string) => tx.project.updateMany({ where: { id }, data: { id } });

  permissionOf = (projectId: string, user: PermissionHolder) =>
    this.database.read.projectPermission.findFirst({ where: { projectId, ...heldBy(user) } });

  permissions = (projectId: string) =>
    this.database.read.projectPermission.findMany({ where: { projectId }, orderBy: { id: 'asc' } });

  permission = (reader: Reader | Transaction, projectId: string, id: string) =>
    reader.projectPermission.findFirst({ where: { projectId, id } });

  insertPermission = (tx: Transaction, row: PermissionRow & { readonly fromGroups?: boolean }) =>
    tx.projectPermission.create({ data: row });

  /** Deletes an expired invitation of the address. */
  removeLapsed = (tx: Transaction, projectId: string, email: string, now: Date) =>
    tx.projectPermission.deleteMany({ where: { projectId, email, acceptedAt: null, tokenExpiresAt: { lte: now } } });

  /** `fromGroups`: groups give the role, and take it; false: a person does. */
  setRole = (tx: Transaction, id: string, role: ProjectRole, fromGroups: boolean) =>
    tx.projectPermission.update({ where: { id }, data: { role, fromGroups } });

  namesIn = (tx: Transaction, tenantId: string) =>
    tx.project.findMany({ where: { tenantId, ...projectInReach }, select: { id: true, name: true } });

  /** Permissions of the person, and those that wait for their address. */
  permissionsIn = (tx: Transaction, tenantId: string, { id: userId, email }: { id: string; email: string }) =>
    tx.projectPermission.findMany({ where: { OR: [{ userId }, { email }], project: { tenantId } } });

  /** The role that the user has in the project of an invitation, and the one that it gives; null: they have none. */
  async ownBeside(tx: Transaction, invitationId: string, userId: string) {
    const invitation = await tx.projectPermission.findUnique({ where: { id: invitationId } });
    if (invitation === null) return null;
    await this.lock(tx, invitation.projectId);
    const where = { projectId: invitation.projectId, userId, acceptedAt: { not: null } };
    const has = await tx.projectPermission.findFirst({ where });
    return has === null ? null : { has, given: invitation.role };
  }

  /** Permissions by invitations of the account or key in projects within reach, oldest first. `projectId` null: in all. */
  invitedBy = (tx: Transaction, { id, projectId }: Inviter) =>
    tx.projectPermission.findMany({
      where: { invitedByUserId: id, project: projectInReach, ...(projectId === null ? {} : { projectId }) },
      orderBy: { id: 'asc' },
    });

  removePermission = (tx: Transaction, id: string) => tx.projectPermission.deleteMany({ where: { id } });

  hasRolesFromGroups = async (userId: string): Promise<boolean> =>
    (await this.database.read.projectPermission.findFirst({
      where: { userId, fromGroups: true },
      select: { id: true },
    })) !== null;

  removeFromGroups = (tx: Transaction, userId: string) =>
    tx.projectPermission.deleteMany({ where: { userId, fromGroups: true } });

  /** Owners besides this one who can sign in. */
  ownersBeside = (tx: Transaction, projectId: string, id: string) =>
    tx.projectPermission.count({
      where: { projectId, id: { not: id }, role: 'owner', acceptedAt: { not: null }, user: { disabledAt: null } },
    });

  byInvitation = (tokenHash: string) =>
    this.database.read.projectPermission.findFirst({
      where: { tokenHash, project: projectInReach },
      include: { project: true },
    });

  /** Invitations of an address that are neither accepted nor expired, oldest first. */
  openInvitations = (tx: Transaction, email: string, now: Date) =>
    tx.projectPermission.findMany({
      where: { email, acceptedAt: null, tokenExpiresAt: { gt: now }, project: projectInReach },
      include: { project: true },
      orderBy: { id: 'asc' },
    });

  /** false when it was already accepted or withdrawn. */
  async accept(tx: Transaction, id: string, userId: string, acceptedAt: Date): Promise<boolean> {
    const { count } = await tx.projectPermission.updateMany({
      where: { id, acceptedAt: null },
      data: { userId, acceptedAt, tokenHash: null, tokenExpiresAt: null },
    });
    return count > 0;
  }

  private async findTenant(id: string): Promise<string | null> {
    const where = { id, ...projectInReach };
    return (await this.database.read.project.findFirst({ where, select: { tenantId: true } }))?.tenantId ?? null;
  }

  private async findOnly(tenantId: string): Promise<string | null> {
    const where = { tenantId, ...projectInReach };
    const [first, second] = await this.database.read.project.findMany({ where, select: { id: true }, take: 2 });
    return first !== undefined && second === undefined ? first.id : null;
  }
}
