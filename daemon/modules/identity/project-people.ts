/** The part of projects that identity needs: who is invited to them, and the first project of a tenant. Projects fulfil it. */
import type { UserInvitation } from '../../../src/contract/identity/accounts.js';
import type { MadeAccess } from '../../../src/contract/projects/projects.js';
import type { ProjectRole } from '../../../src/contract/route.js';
import type { Transaction } from '../../platform/database/database.js';

/** An account or a key that invited people; `projectId` null: to any project. */
export interface Inviter {
  readonly id: string;
  readonly projectId: string | null;
}

export interface OpenInvitation {
  readonly permissionId: string;
  readonly tenantId: string;
  readonly projectId: string;
  readonly email: string;
}

interface InvitedAccount {
  readonly id: string;
  readonly tenantId: string;
  readonly email: string;
}

export interface ProjectPeople {
  byToken(token: string): Promise<OpenInvitation | null>;
  describe(token: string): Promise<Omit<UserInvitation, 'hasAccount'> | null>;
  openFor(tx: Transaction, email: string): Promise<OpenInvitation[]>;
  /** Throws invitation_token_invalid. */
  accept(tx: Transaction, invitation: OpenInvitation, userId: string): Promise<void>;
  /** Returns false where the invitation was accepted or withdrawn in the meantime. */
  acceptOpen(tx: Transaction, invitation: OpenInvitation, userId: string): Promise<boolean>;
  /** Gives the roles of groups in the projects of the tenant, and takes those that groups gave before. */
  followGroups(
    tx: Transaction,
    account: InvitedAccount,
    grants: readonly { readonly project: string; readonly role: ProjectRole }[],
  ): Promise<void>;
  hasGroupRoles(userId: string): Promise<boolean>;
  takeGroupRoles(tx: Transaction, userId: string): Promise<unknown>;
  /** Lists the keys that the account made and whom it invited, and revokes and withdraws what is still open. */
  madeBy(tx: Transaction, account: Inviter, withdraw: boolean): Promise<MadeAccess[]>;
  /** Lists whom the account or key invited, and withdraws what is still open. */
  invitedBy(tx: Transaction, inviter: Inviter, withdraw: boolean): Promise<MadeAccess[]>;
}

/** Creates the first project of a new tenant. */
export interface FirstProjectMaker {
  create(tx: Transaction, tenantId: string, ownerId: string): Promise<void>;
}
