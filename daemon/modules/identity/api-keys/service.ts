/** API keys: created, listed, revoked, and checked on each call. */

import { DomainError } from '../../../../src/contract/errors.js';
import type {
  ApiKeyListQuery,
  ApiKeyResponse,
  CreateApiKey,
  CreateApiKeyResponse,
} from '../../../../src/contract/identity/api-keys.js';
import type { MadeAccess } from '../../../../src/contract/projects/projects.js';
import { atLeast } from '../../../../src/contract/route.js';
import { allScopes } from '../../../../src/contract/scopes.js';
import { isPartOf } from '../../../../src/text/fold.js';
import { dropWhile } from '../../../platform/collections/drop-while.js';
import type { Database } from '../../../platform/database/database.js';
import { foundChange } from '../../../platform/http/audit-trail.js';
import type { ApiKeyCaller, Member, ProjectGrant, UserCaller } from '../../../platform/http/caller.js';
import { uuidv7 } from '../../../platform/ids/new-id.js';
import type { Clock } from '../../../platform/time/clock.js';
import type { AccountStore } from '../accounts/store.js';
import type { ProjectPeople } from '../project-people.js';
import { generateKey, keyHash, shownPrefix } from './key-format.js';
import { type ApiKeyStore, type ReadKey, type StoredKeyRow, toApiKey } from './store.js';

/** Reads the rights of accounts in projects. */
interface Grants {
  grant(caller: Member, projectId: string): Promise<ProjectGrant | null>;
  /** Projects of whatever tenant that were shared with the user. */
  shared(user: UserCaller): Promise<string[]>;
}

/** The owner of a key; projectId null: the whole tenant. */
interface KeyPlace {
  readonly tenantId: string;
  readonly projectId: string | null;
}

const touchIntervalMs = 60_000;

/** null when there is no such key, or it is no longer valid. */
function callerAt(now: Date, key: ReadKey | null): ApiKeyCaller | null {
  const caller = key?.caller ?? null;
  return caller === null || caller.expiresAt === null || caller.expiresAt > now ? caller : null;
}

function isWanted(key: ApiKeyResponse, { search, projectId, scope, unusedSince }: ApiKeyListQuery): boolean {
  const { name, keyPrefix, scopes, lastUsedAt } = key;
  return (
    isPartOf(search, `${name}\n${keyPrefix}`) &&
    (projectId === undefined || key.projectId === projectId) &&
    (scope === undefined || scopes.includes(scope)) &&
    (unusedSince === undefined || lastUsedAt === null || Date.parse(lastUsedAt) < Date.parse(unusedSince))
  );
}

export class ApiKeyService {
  /** When the last use of a key was stored, for uses within the interval; the oldest first. */
  private readonly touched = new Map<string, number>();

  constructor(
    private readonly database: Database,
    private readonly keys: ApiKeyStore,
    private readonly accounts: Pick<AccountStore, 'addresses'>,
    private readonly grants: Grants,
    private readonly invitations: Pick<ProjectPeople, 'invitedBy'>,
    private readonly now: Clock,
  ) {}

  /** Tenant administrators see every key of the tenant, and everybody those of the projects they administer. */
  async list(caller: UserCaller, wanted: ApiKeyListQuery): Promise<ApiKeyResponse[]> {
    const visible: StoredKeyRow[] = [];
    const shared = await this.grants.shared(caller);
    for (const row of await this.keys.active(caller.tenantId, shared, this.now())) {
      if (await this.mayAdminister(caller, row)) visible.push(row);
    }
    return (await this.shown(visible)).filter((key) => isWanted(key, wanted));
  }

  /** Throws insufficient_role, no_access_to_project, validation_failed for an end that lies behind. */
  async create(caller: UserCaller, request: CreateApiKey): Promise<CreateApiKeyResponse> {
    const projectId = request.projectId ?? null;
    const grant = projectId === null ? null : await this.grants.grant(caller, projectId);
    if (projectId !== null && grant === null) throw new DomainError('no_access_to_project');
    // A key belongs to the tenant of its project, which may differ from the tenant of its creator.
    const place = { tenantId: grant?.tenantId ?? caller.tenantId, projectId };
    if (!(await this.mayAdminister(caller, place))) throw new DomainError('insufficient_role');
    foundChange({ id: place.projectId ?? place.tenantId, ...place });
    const createdAt = this.now();
    const expiresAt = request.expiresAt === undefined ? null : new Date(request.expiresAt);
    if (expiresAt !== null && expiresAt <= createdAt) {
      throw new DomainError('validation_failed', {
        details: [{ path: 'body.expiresAt', message: 'is in the past; name a time in the future' }],
      });
    }
    const key = generateKey();
    const row = {
      id: uuidv7(),
      ...place,
      name: request.name,
      keyPrefix: shownPrefix(key),
      keyHash: keyHash(key),
      scopes: [...new Set(request.scopes)],
      createdByUserId: caller.id,
      createdAt,
      expiresAt,
    };
    const stored = await this.database.transaction((tx) => this.keys.insert(tx, row));
    return { ...toApiKey(stored, caller.name), key };
  }

  /** Throws api_key_not_found, insufficient_role. */
  async revoke(
    caller: UserCaller,
    id: string,
    withdraw: boolean,
  ): Promise<{ id: string; deleted: true; made: MadeAccess[] }> {
    const row = await this.keys.byId(id);
    if (row === null || row.revokedAt !== null || !(await this.isWithinReach(caller, row)))
      throw new DomainError('api_key_not_found');
    if (!(await this.mayAdminister(caller, row))) throw new DomainError('insufficient_role');
    foundChange(row);
    return this.database.transaction(async (tx) => {
      await this.keys.revoke(tx, id, this.now());
      return { id, deleted: true, made: await this.invitations.invitedBy(tx, { id, projectId: null }, withdraw) };
    });
  }

  /** Returns what is known of the key itself. Throws credential_invalid when it was deleted meanwhile. */
  async own({ id }: ApiKeyCaller): Promise<ApiKeyResponse> {
    const row = await this.keys.byId(id);
    if (row === null) throw new DomainError('credential_invalid');
    const [key] = await this.shown([row]);
    if (key === undefined) throw new DomainError('credential_invalid');
    return key;
  }

  private async shown(rows: readonly StoredKeyRow[]): Promise<ApiKeyResponse[]> {
    const addresses = new Map(await this.accounts.addresses(rows.flatMap((row) => row.createdByUserId ?? [])));
    return rows.map((row) => toApiKey(row, addresses.get(row.createdByUserId ?? '') ?? null));
  }

  scopes = (): string[] => [...allScopes];

  /** Checks a presented key; null when it is not valid. */
  async verify(key: string): Promise<ApiKeyCaller | null> {
    const now = this.now();
    const caller = callerAt(now, await this.keys.presented(key));
    if (caller !== null) this.touch(caller.id, now);
    return caller;
  }

  /** The current caller of a key that was valid before; null when it has ended. */
  async current({ id }: Pick<ApiKeyCaller, 'id'>): Promise<ApiKeyCaller | null> {
    return callerAt(this.now(), await this.keys.current(id));
  }

  /** At most once a minute and after the answer: a lost update here does no harm. */
  private touch(id: string, now: Date): void {
    const nowMs = now.getTime();
    dropWhile(this.touched, (touchedMs) => nowMs - touchedMs >= touchIntervalMs);
    if (this.touched.has(id)) return;
    this.touched.set(id, nowMs);
    this.keys.touch(id, now).catch(() => this.touched.delete(id));
  }

  private async isWithinReach(caller: UserCaller, { tenantId, projectId }: KeyPlace): Promise<boolean> {
    return (
      tenantId === caller.tenantId || (projectId !== null && (await this.grants.grant(caller, projectId)) !== null)
    );
  }

  private async mayAdminister(caller: UserCaller, { tenantId, projectId }: KeyPlace): Promise<boolean> {
    if (tenantId === caller.tenantId && caller.tenantRole === 'admin') return true;
    if (projectId === null) return false;
    const grant = await this.grants.grant(caller, projectId);
    return grant !== null && atLeast(grant.role, 'admin');
  }
}
