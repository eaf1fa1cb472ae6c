/** Answers what other modules ask about accounts and API keys: their names. */
import type { ProjectAuthor } from '../../../src/contract/projects/projects.js';
import type { AccountStore } from './accounts/store.js';
import type { ApiKeyStore } from './api-keys/store.js';

export class AccountDirectory {
  constructor(
    private readonly accounts: AccountStore,
    private readonly apiKeys: ApiKeyStore,
  ) {}

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
