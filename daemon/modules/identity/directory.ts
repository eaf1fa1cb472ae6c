/** Answers what other modules ask about accounts and API keys: their names. */
import type { ProjectAuthor } from '../../../src/contract/projects/projects.js';
import type { Transaction } from '../../platform/database/database.js';
import type { ApiKeyCaller, UserCaller } from '../../platform/http/caller.js';
import type { Clock } from '../../platform/time/clock.js';
import type { AccountStore } from './accounts/store.js';
import type { ApiKeyStore } from './api-keys/store.js';

/** Who may act in projects, without the login. */
export type ActiveMember =
  | Pick<UserCaller, 'kind' | 'id' | 'tenantId' | 'tenantRole' | 'confirmedAt'>
  | Pick<ApiKeyCaller, 'kind' | 'tenantId' | 'projectId'>;

export class AccountDirectory {
  constructor(
    private readonly accounts: AccountStore,
    private readonly apiKeys: ApiKeyStore,
    private readonly now: Clock,
  ) {}

  /** Returns the account or key as it may act now; null where it is gone, disabled, revoked or expired. */
  async member(id: string): Promise<ActiveMember | null> {
    const account = await this.accounts.byId(id);
    if (account === null) {
      const key = (await this.apiKeys.current(id))?.caller ?? null;
      return key?.expiresAt != null && key.expiresAt <= this.now() ? null : key;
    }
    const { tenantId, role: tenantRole, disabledAt } = account;
    return disabledAt === null ? { kind: 'user', id, tenantId, tenantRole, confirmedAt: this.now() } : null;
  }

  /** True for the tenant that the first start has made. */
  runsInstallation = async (tenantId: string): Promise<boolean> =>
    (await this.accounts.oldestTenant())?.id === tenantId;

  /** Returns the e-mail address of a user; null where there is none. */
  async user(id: string): Promise<string | null> {
    return (await this.accounts.byId(id))?.email ?? null;
  }

  /** Returns the name of an API key; null where there is none. */
  async apiKey(id: string): Promise<string | null> {
    return (await this.apiKeys.byId(id))?.name ?? null;
  }

  /** Returns how an invitation names a person or a key; null where it is gone. */
  async inviterOf(id: string): Promise<string | null> {
    const account = await this.accounts.byId(id);
    if (account === null) return this.apiKey(id);
    const { displayName, email } = account;
    return displayName === email ? email : `${displayName} (${email})`;
  }

  /** Returns e-mail addresses of users and names of keys of the tenant, by id; those that are gone too. */
  async names(tenantId: string, ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
    return new Map([...(await this.accounts.emails(tenantId, ids)), ...(await this.apiKeys.names(tenantId, ids))]);
  }

  /** Returns these ids, and for each key who made it: who acts with a key of their own acts themselves. */
  async behind(tx: Transaction, ids: readonly string[]): Promise<ReadonlySet<string>> {
    return new Set([...ids, ...(await this.apiKeys.creatorsOf(tx, ids))]);
  }

  /** Returns the accounts and keys of that name that may have acted in the project: those that are gone too. */
  async named(tenantId: string, projectId: string, name: string): Promise<ProjectAuthor[]> {
    const account = await this.accounts.byEmail(name);
    const keys = await this.apiKeys.named({ tenantId, projectId }, name);
    return [
      ...(account === null || account.tenantId !== tenantId
        ? []
        : [{ id: account.id, kind: 'user' as const, name: account.email }]),
      ...keys.map((key) => ({ ...key, kind: 'apiKey' as const })),
    ];
  }

  /** Returns the ids that are accounts of the tenant, and not API keys. */
  async people(tenantId: string, ids: readonly string[]): Promise<ReadonlySet<string>> {
    return new Set((await this.accounts.emails(tenantId, ids)).map(([id]) => id));
  }
}
