/**
 * Tenants and accounts as the operator of the installation manages them: not through the API, but by access to the data
 * folder.
 */

import type { MadeAccess } from '../../../../src/contract/projects/projects.js';
import type { TenantRole } from '../../../../src/contract/route.js';
import type { Database, Transaction } from '../../../platform/database/database.js';
import { uuidv7 } from '../../../platform/ids/new-id.js';
import { Refused } from '../../../platform/refused.js';
import type { Clock } from '../../../platform/time/clock.js';
import type { FirstProjectMaker, ProjectPeople } from '../project-people.js';
import { hashPassword } from './passwords.js';
import type { Account, AccountStore, AccountSummary, TenantSummary } from './store.js';

interface NewOperatorAccount {
  readonly email: string;
  readonly password: string;
  readonly role: TenantRole;
  /** Id or name; null: the only one. */
  readonly tenant: string | null;
}

export class AccountAdministration {
  constructor(
    private readonly database: Database,
    private readonly accounts: AccountStore,
    private readonly firstProject: FirstProjectMaker,
    private readonly users: Pick<ProjectPeople, 'madeBy'>,
    private readonly now: Clock,
  ) {}

  async create({ email, password, role, tenant }: NewOperatorAccount): Promise<Account> {
    const { id: tenantId } = tenant === null ? await this.onlyTenant() : await this.tenant(tenant);
    await this.refuseTaken(email);
    const passwordHash = await hashPassword(password);
    return this.database.transaction((tx) => this.insert(tx, tenantId, email, passwordHash, role));
  }

  /** The accounts of a tenant, by id or name; null: of all. */
  async list(tenant: string | null): Promise<AccountSummary[]> {
    return this.accounts.list(tenant === null ? null : (await this.tenant(tenant)).id);
  }

  /** Ends every login of the account. */
  async resetPassword(email: string, password: string): Promise<void> {
    const { id } = await this.account(email);
    const hash = await hashPassword(password);
    await this.database.transaction((tx) => this.accounts.setPassword(tx, id, hash, this.now()));
  }

  /**
   * A disabled account cannot sign in, and its logins end at once; enabling it does not bring them back. Returns the access that
   * it gave to others, which goes on unless it is withdrawn.
   */
  async setDisabled(email: string, disabled: boolean, withdraw: boolean): Promise<MadeAccess[]> {
    const { id } = await this.account(email);
    const now = this.now();
    return this.database.transaction(async (tx) => {
      await this.accounts.setDisabled(tx, id, disabled ? now : null, now);
      return disabled ? this.users.madeBy(tx, { id, projectId: null }, withdraw) : [];
    });
  }

  /**
   * Lets whoever has the account's address at the identity provider sign in to it, and ends its logins. Returns to how many
   * people of providers it was linked.
   */
  async unlink(email: string): Promise<number> {
    const { id } = await this.account(email);
    return this.database.transaction((tx) => this.accounts.unlink(tx, id, this.now()));
  }

  tenants(): Promise<TenantSummary[]> {
    return this.accounts.tenants();
  }

  /** With its first administrator and a project `default`. */
  async createTenant(name: string, administrator: { email: string; password: string }): Promise<{ id: string }> {
    if ((await this.accounts.tenants()).some((tenant) => tenant.name === name))
      throw new Refused(`There is already a tenant ${name}. Choose another name.`);
    await this.refuseTaken(administrator.email);
    const passwordHash = await hashPassword(administrator.password);
    const tenantId = uuidv7();
    return this.database.transaction(async (tx) => {
      await this.accounts.insertTenant(tx, { id: tenantId, name, createdAt: this.now() });
      const { id: ownerId } = await this.insert(tx, tenantId, administrator.email, passwordHash, 'admin');
      await this.firstProject.create(tx, tenantId, ownerId);
      return { id: tenantId };
    });
  }

  /** While it is disabled, none of its accounts, keys and projects can be used; nothing is removed. */
  async setTenantDisabled(nameOrId: string, disabled: boolean): Promise<{ name: string }> {
    const { id, name } = await this.tenant(nameOrId);
    await this.database.transaction((tx) => this.accounts.setTenantDisabled(tx, id, disabled ? this.now() : null));
    return { name };
  }

  private async insert(
    tx: Transaction,
    tenantId: string,
    email: string,
    passwordHash: string,
    role: TenantRole,
  ): Promise<Account> {
    const createdAt = this.now();
    const displayName = email;
    const row = { id: uuidv7(), tenantId, email, displayName, role, passwordHash, tokensValidAt: createdAt, createdAt };
    await this.accounts.insert(tx, row);
    return { ...row, email: email.toLowerCase(), disabledAt: null, roleFromGroups: false };
  }

  private async account(email: string): Promise<Account> {
    const account = await this.accounts.byEmail(email);
    if (account === null) throw new Refused(`There is no account for ${email}.`);
    return account;
  }

  private async refuseTaken(email: string): Promise<void> {
    if ((await this.accounts.byEmail(email)) !== null)
      throw new Refused(`There is already an account for ${email}. An account belongs to one tenant.`);
  }

  private async onlyTenant(): Promise<TenantSummary> {
    const [only, another] = await this.accounts.tenants();
    if (only === undefined) throw new Refused('Start the daemon once first: `earshotd run` sets the installation up.');
    if (another !== undefined) throw new Refused('Name the tenant with --tenant; `earshotd tenants list` shows them.');
    return only;
  }

  private async tenant(nameOrId: string): Promise<TenantSummary> {
    const found = (await this.accounts.tenants()).find(({ id, name }) => id === nameOrId || name === nameOrId);
    if (found === undefined) throw new Refused(`There is no tenant ${nameOrId}; \`earshotd tenants list\` shows them.`);
    return found;
  }
}
