/**
 * People who work in a project: invited by e-mail, accepted, promoted, removed. Nobody acts above their own role; at
 * least one owner stays.
 */
import { createHash } from 'node:crypto';
import { DomainError } from '../../../src/contract/errors.js';
import type {
  InvitedProjectUser,
  MadeAccess,
  ProjectAuthor,
  ProjectUser,
  ProjectUserListQuery,
} from '../../../src/contract/projects/projects.js';
import { atLeast, type ProjectRole } from '../../../src/contract/route.js';
import { isPartOf } from '../../../src/text/fold.js';
import type { Database, Transaction } from '../../platform/database/database.js';
import { asLostRace, isUniqueViolation } from '../../platform/database/errors.js';
import { foundChange } from '../../platform/http/audit-trail.js';
import type { Member, ProjectGrant } from '../../platform/http/caller.js';
import { uuidv7 } from '../../platform/ids/new-id.js';
import type { Mailer } from '../../platform/mail/mail.js';
import type { MailAllowance } from '../../platform/mail/mail-allowance.js';
import { randomText } from '../../platform/secrets/random.js';
import type { Clock } from '../../platform/time/clock.js';
import { dayMs } from '../../platform/time/spans.js';
import type { ApiKeyStore } from '../identity/api-keys/store.js';
import type { AccountDirectory } from '../identity/directory.js';
import type { Inviter, OpenInvitation, ProjectPeople } from '../identity/project-people.js';
import { invitationEmail } from './invitation-email.js';
import { type ProjectStore, toProjectUser, toRole } from './store.js';

const invitationDays = 14;
const tokenBytes = 32;
const hashOf = (token: string): string => createHash('sha256').update(token).digest('hex');

export class ProjectUserService implements ProjectPeople {
  constructor(
    private readonly database: Database,
    private readonly projects: ProjectStore,
    private readonly accounts: Pick<AccountDirectory, 'inviterOf' | 'named'>,
    private readonly keys: Pick<ApiKeyStore, 'madeBy' | 'revoke'>,
    private readonly mailer: Mailer,
    private readonly allowance: Pick<MailAllowance, 'isFree'>,
    private readonly publicUrl: () => string,
    private readonly now: Clock,
  ) {}

  async list(projectId: string, { search, role, status }: ProjectUserListQuery): Promise<ProjectUser[]> {
    return (await this.projects.permissions(projectId))
      .map(toProjectUser)
      .filter(({ email }) => isPartOf(search, email))
      .filter((one) => role === undefined || one.role === role)
      .filter((one) => status === undefined || one.status === status);
  }

  /** People and keys of that name, those included who are not in the project any more. */
  authors = ({ tenantId, projectId }: ProjectGrant, name: string): Promise<ProjectAuthor[]> =>
    this.accounts.named(tenantId, projectId, name);

  /** Throws already_invited, insufficient_role. */
  async invite(grant: ProjectGrant, caller: Member, email: string, role: ProjectRole): Promise<InvitedProjectUser> {
    refuseByKey(caller, role);
    refuseAbove(grant, role);
    const token = randomText(tokenBytes);
    const invitedAt = this.now();
    const row = {
      id: uuidv7(),
      projectId: grant.projectId,
      userId: null,
      email: email.toLowerCase(),
      role,
      invitedByUserId: caller.id,
      tokenHash: hashOf(token),
      tokenExpiresAt: new Date(invitedAt.getTime() + invitationDays * dayMs),
      invitedAt,
      acceptedAt: null,
    };
    try {
      await this.database.transaction(async (tx) => {
        await this.projects.removeLapsed(tx, row.projectId, row.email, invitedAt);
        await this.projects.insertPermission(tx, row);
      });
    } catch (error) {
      if (isUniqueViolation(error)) throw new DomainError('already_invited');
      throw error;
    }
    const url = `${this.publicUrl()}/invitation#token=${token}`;
    const project = (await this.projects.find(grant.projectId))?.name ?? '';
    const invitedBy = await this.accounts.inviterOf(caller.id);
    const letter = { to: row.email, project, role, invitedBy, url, days: invitationDays };
    // Beyond what a tenant may send, the inviter passes the link on.
    const sent = this.allowance.isFree(grant.tenantId) && (await this.mailer.send(invitationEmail(letter)));
    return { ...toProjectUser(row), invitationUrl: sent ? null : url };
  }

  /** Throws permission_not_found, last_owner, insufficient_role. */
  async remove(
    grant: ProjectGrant,
    permissionId: string,
    withdraw: boolean,
  ): Promise<{ permissionId: string; removed: true; made: MadeAccess[] }> {
    return this.database.transaction(async (tx) => {
      const { userId } = await this.withinReach(tx, grant, permissionId, null);
      await this.projects.removePermission(tx, permissionId);
      const made = userId === null ? [] : await this.madeBy(tx, { id: userId, projectId: grant.projectId }, withdraw);
      return { permissionId, removed: true as const, made };
    });
  }

  /** Lists the keys that the account made and whom it invited, and revokes and withdraws what is still open. */
  async madeBy(tx: Transaction, account: Inviter, withdraw: boolean): Promise<MadeAccess[]> {
    const made: MadeAccess[] = [];
    const now = this.now();
    for (const { id, name, projectId } of await this.keys.madeBy(tx, account.id, account.projectId, now)) {
      if (withdraw) await this.keys.revoke(tx, id, now);
      made.push({ kind: 'apiKey', id, name, projectId, withdrawn: withdraw });
    }
    return [...made, ...(await this.invitedBy(tx, account, withdraw))];
  }

  /** Lists whom the account or key invited, and withdraws what is still open. Who has accepted stays. */
  async invitedBy(tx: Transaction, inviter: Inviter, withdraw: boolean): Promise<MadeAccess[]> {
    const made: MadeAccess[] = [];
    for (const { id, email, projectId, acceptedAt, tokenExpiresAt } of await this.projects.invitedBy(tx, inviter)) {
      const isOpen = acceptedAt === null;
      if (isOpen && tokenExpiresAt !== null && tokenExpiresAt <= this.now()) continue;
      const withdrawn = withdraw && isOpen;
      if (withdrawn) await this.projects.removePermission(tx, id);
      made.push({ kind: isOpen ? 'invitation' : 'member', id, name: email, projectId, withdrawn });
    }
    return made;
  }

  /** Throws permission_not_found, last_owner, insufficient_role. */
  async changeRole(
    grant: ProjectGrant,
    caller: Pick<Member, 'id' | 'kind'>,
    permissionId: string,
    role: ProjectRole,
  ): Promise<ProjectUser> {
    refuseByKey(caller, role);
    refuseAbove(grant, role);
    return this.database.transaction(async (tx) => {
      const row = await this.withinReach(tx, grant, permissionId, role);
      // Nobody keeps a role that groups gave by giving it to themselves, or by giving the same one again.
      const staysOfGroups = row.fromGroups && (row.role === role || row.userId === caller.id);
      return toProjectUser(await this.projects.setRole(tx, permissionId, role, staysOfGroups));
    });
  }

  /** Returns the open invitation of a link's token, or null. */
  async byToken(token: string) {
    const row = await this.open(token);
    return row === null ? null : toInvitation(row);
  }

  /** Returns what the invited person reads of the invitation, or null. */
  async describe(token: string) {
    const row = await this.open(token);
    if (row === null) return null;
    return {
      email: row.email,
      project: row.project.name,
      role: toRole(row.role),
      invitedBy: row.invitedByUserId === null ? null : await this.accounts.inviterOf(row.invitedByUserId),
      expiresAt: row.tokenExpiresAt.toISOString(),
    };
  }

  private async open(token: string) {
    const row = await this.projects.byInvitation(hashOf(token));
    const { tokenExpiresAt = null } = row ?? {};
    return row === null || tokenExpiresAt === null || tokenExpiresAt <= this.now() ? null : { ...row, tokenExpiresAt };
  }

  async openFor(tx: Transaction, email: string) {
    return (await this.projects.openInvitations(tx, email.toLowerCase(), this.now())).map(toInvitation);
  }

  /**
   * Gives somebody the roles of their groups in the projects of their tenant, and takes those that groups gave before. A role
   * that somebody gave stays as it is.
   *
   * @param grants with the name or id of a project; `*` is every project
   */
  async followGroups(
    tx: Transaction,
    { id, tenantId, email }: { readonly id: string; readonly tenantId: string; readonly email: string },
    grants: readonly { readonly project: string; readonly role: ProjectRole }[],
  ): Promise<void> {
    const roles = new Map<string, ProjectRole>();
    for (const project of await this.projects.namesIn(tx, tenantId))
      for (const { project: named, role } of grants) {
        const before = roles.get(project.id);
        const isMore = before === undefined || !atLeast(before, role);
        if (isMore && ['*', project.id, project.name].includes(named)) roles.set(project.id, role);
      }
    for (const row of await this.projects.permissionsIn(tx, tenantId, { id, email })) {
      const role = roles.get(row.projectId);
      const isLapsed = row.acceptedAt === null;
      if (!isLapsed) roles.delete(row.projectId);
      if (isLapsed || (row.fromGroups && role === undefined)) await this.projects.removePermission(tx, row.id);
      else if (row.fromGroups && role !== undefined && role !== row.role)
        await this.projects.setRole(tx, row.id, role, true);
    }
    const at = this.now();
    for (const [projectId, role] of roles)
      await this.projects
        .insertPermission(tx, {
          ...{ id: uuidv7(), projectId, userId: id, email, role, invitedByUserId: null, tokenHash: null },
          ...{ tokenExpiresAt: null, invitedAt: at, acceptedAt: at, fromGroups: true },
        })
        .catch(asLostRace); // the same person signs in twice at once
  }

  /** As `acceptOpen`. Throws invitation_token_invalid when it was accepted or withdrawn in the meantime. */
  async accept(tx: Transaction, invitation: OpenInvitation, userId: string): Promise<void> {
    if (!(await this.acceptOpen(tx, invitation, userId))) throw new DomainError('invitation_token_invalid');
  }

  /**
   * A person has one role in a project: who has one already, by another address, gets the greater of the two. Returns false
   * where the invitation was accepted or withdrawn in the meantime.
   */
  async acceptOpen(
    tx: Transaction,
    { permissionId, tenantId, projectId }: OpenInvitation,
    userId: string,
  ): Promise<boolean> {
    const own = await this.projects.ownBeside(tx, permissionId, userId);
    if (!(await this.projects.accept(tx, permissionId, userId, this.now()))) return false;
    foundChange({ id: own?.has.id ?? permissionId, tenantId, projectId });
    if (own === null) return true;
    const { has, given } = own;
    await this.projects.removePermission(tx, permissionId);
    if (!atLeast(toRole(has.role), toRole(given))) await this.projects.setRole(tx, has.id, toRole(given), false);
    return true;
  }

  hasGroupRoles = (userId: string): Promise<boolean> => this.projects.hasRolesFromGroups(userId);

  /** Takes every role in projects that groups gave. */
  takeGroupRoles = (tx: Transaction, userId: string) => this.projects.removeFromGroups(tx, userId);

  /** Returns the permission if this caller may change it, and an owner remains afterwards. */
  private async withinReach(tx: Transaction, grant: ProjectGrant, permissionId: string, next: ProjectRole | null) {
    await this.projects.lock(tx, grant.projectId);
    const row = await this.projects.permission(tx, grant.projectId, permissionId);
    if (row === null) throw new DomainError('permission_not_found');
    refuseAbove(grant, toRole(row.role));
    const losesOwner = row.role === 'owner' && row.acceptedAt !== null && next !== 'owner';
    if (losesOwner && (await this.projects.ownersBeside(tx, grant.projectId, permissionId)) === 0)
      throw new DomainError('last_owner');
    return row;
  }
}

const toInvitation = ({
  id,
  email,
  project,
}: {
  id: string;
  email: string;
  project: { id: string; tenantId: string };
}): OpenInvitation => ({
  permissionId: id,
  tenantId: project.tenantId,
  projectId: project.id,
  email,
});

/** An administrator makes keys with every scope, which outlive the key that invited them. */
function refuseByKey({ kind }: Pick<Member, 'kind'>, role: ProjectRole): void {
  if (kind === 'apiKey' && !atLeast('moderator', role)) {
    throw new DomainError('insufficient_role', {
      message: `A key can give at most the role moderator. Sign in as an administrator of the project to give the role ${role}.`,
    });
  }
}

function refuseAbove(grant: ProjectGrant, role: ProjectRole): void {
  if (!atLeast(grant.role, role)) {
    throw new DomainError('insufficient_role', {
      message: `Your role is ${grant.role}; only an ${role} can grant, change or remove the role ${role}.`,
    });
  }
}
