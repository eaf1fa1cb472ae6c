/** Projects: created, listed, renamed, deleted. */

import { DomainError } from '../../../src/contract/errors.js';
import type { App } from '../../../src/contract/projects/projects.js';
import { isPartOf } from '../../../src/text/fold.js';
import type { Database, Transaction } from '../../platform/database/database.js';
import { isUniqueViolation } from '../../platform/database/errors.js';
import type { HeldIds } from '../../platform/database/held-ids.js';
import type { Member, ProjectGrant, UserCaller } from '../../platform/http/caller.js';
import { uuidv7 } from '../../platform/ids/new-id.js';
import type { Clock } from '../../platform/time/clock.js';
import type { AccountStore } from '../identity/accounts/store.js';
import { type ProjectStore, toApp } from './store.js';

/** The register of billing accounts, which makes a secret for each project. */
interface BillingRegister {
  open(tx: Transaction, billingProjectId: string): Promise<void>;
}

export class ProjectService {
  constructor(
    private readonly database: Database,
    private readonly projects: ProjectStore,
    private readonly billing: BillingRegister,
    private readonly accounts: Pick<AccountStore, 'emailOf'>,
    private readonly held: Pick<HeldIds, 'takeTurn' | 'anyIn'>,
    private readonly now: Clock,
  ) {}

  async list(caller: Member, search?: string): Promise<App[]> {
    const apps = new Map<string, App>();
    if (caller.kind === 'user') {
      for (const { project, role } of await this.projects.sharedWith(caller))
        apps.set(project.id, toApp(project, role));
    }
    if (caller.kind === 'apiKey' || caller.tenantRole === 'admin') {
      for (const project of await this.projects.ofTenant(caller.tenantId)) {
        if (caller.kind === 'apiKey' && caller.projectId !== null && caller.projectId !== project.id) continue;
        apps.set(project.id, toApp(project, caller.kind === 'apiKey' ? 'admin' : 'owner'));
      }
    }
    return [...apps.values()].filter(({ name }) => isPartOf(search, name));
  }

  /** Throws project_name_taken. */
  async create(caller: UserCaller, name: string): Promise<App> {
    return this.namely(() => this.database.transaction((tx) => this.insert(tx, caller.tenantId, name, caller)));
  }

  /** The project row, its owner and its billing account, in the caller's transaction. */
  async insert(tx: Transaction, tenantId: string, name: string, owner: { id: string }): Promise<App> {
    const id = uuidv7();
    const createdAt = this.now();
    const row = { id, tenantId, name, billingProjectId: id, createdAt };
    await this.projects.insert(tx, row);
    const email = await this.accounts.emailOf(tx, owner.id);
    await this.projects.insertPermission(tx, {
      id: uuidv7(),
      projectId: id,
      userId: owner.id,
      email,
      role: 'owner',
      invitedByUserId: null,
      tokenHash: null,
      tokenExpiresAt: null,
      invitedAt: createdAt,
      acceptedAt: createdAt,
    });
    await this.billing.open(tx, row.billingProjectId);
    return toApp({ ...row, settings: null }, 'owner');
  }

  /** Throws project_name_taken. */
  async rename({ projectId, role }: ProjectGrant, name: string | undefined): Promise<App> {
    if (name === undefined) {
      const row = await this.projects.find(projectId);
      if (row === null) throw new DomainError('project_not_found');
      return toApp(row, role);
    }
    return this.namely(() =>
      this.database.transaction(async (tx) => {
        const row = await this.projects.rename(tx, projectId, name);
        if (row === null) throw new DomainError('project_not_found');
        return toApp(row, role);
      }),
    );
  }

  /** Throws legal_hold. */
  async remove({ projectId }: ProjectGrant): Promise<{ id: string; deleted: true }> {
    await this.database.transaction(async (tx) => {
      await this.held.takeTurn(tx, projectId);
      if ((await this.held.anyIn(projectId, tx)) !== null) throw new DomainError('legal_hold');
      await this.projects.markDeleted(tx, projectId, this.now());
    });
    return { id: projectId, deleted: true };
  }

  private async namely(work: () => Promise<App>): Promise<App> {
    try {
      return await work();
    } catch (error) {
      if (isUniqueViolation(error)) throw new DomainError('project_name_taken');
      throw error;
    }
  }
}
