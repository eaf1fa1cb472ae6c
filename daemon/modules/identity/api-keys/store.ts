/** Rows of API keys. */
import type { ApiKeyResponse } from '../../../../src/contract/identity/api-keys.js';
import type { RequiredScope } from '../../../../src/contract/scopes.js';
import { timeOrNull, type WithValues, withJson } from '../../../platform/database/column-values.js';
import type { Database, Transaction } from '../../../platform/database/database.js';
import { Remembered } from '../../../platform/database/remembered.js';

interface ApiKeyRow {
  readonly id: string;
  readonly tenantId: string;
  readonly projectId: string | null;
  readonly name: string;
  readonly keyPrefix: string;
  readonly keyHash: string;
  readonly scopes: string;
  readonly createdByUserId: string | null;
  readonly createdAt: Date;
  readonly expiresAt: Date | null;
}

type StoredRow = ApiKeyRow & { lastUsedAt: Date | null; revokedAt: Date | null };

/** A key with the state of its project and tenant. */
export type JudgedRow = StoredRow & { tenant: { disabledAt: Date | null }; project: { deletedAt: Date | null } | null };
const judged = {
  include: { tenant: { select: { disabledAt: true } }, project: { select: { deletedAt: true } } },
} as const;

export const scopesOf = (row: Pick<ApiKeyRow, 'scopes'>): RequiredScope[] => JSON.parse(row.scopes);

export const toApiKey = (row: StoredRow | (ApiKeyRow & { lastUsedAt?: undefined })): ApiKeyResponse => ({
  id: row.id,
  name: row.name,
  keyPrefix: row.keyPrefix,
  scopes: scopesOf(row),
  createdAt: row.createdAt.toISOString(),
  projectId: row.projectId,
  lastUsedAt: timeOrNull(row.lastUsedAt),
  expiresAt: timeOrNull(row.expiresAt),
});

export class ApiKeyStore {
  private readonly recent = new Remembered((keyHash) =>
    this.database.read.apiKey.findUnique({ where: { keyHash }, ...judged }),
  );

  constructor(private readonly database: Database) {}

  insert = (tx: Transaction, row: WithValues<ApiKeyRow, { readonly scopes: readonly RequiredScope[] }>) =>
    tx.apiKey.create({ data: withJson(row, 'scopes') });

  /** Keys of the tenant and of the projects that are neither revoked nor expired, newest first. */
  async active(tenantId: string, projectIds: string[], now: Date): Promise<StoredRow[]> {
    const lasting = { OR: [{ expiresAt: null }, { expiresAt: { gt: now } }] };
    const place = { OR: [{ tenantId }, { projectId: { in: projectIds } }] };
    return this.database.read.apiKey.findMany({
      where: { revokedAt: null, AND: [lasting, place] },
      orderBy: { id: 'desc' },
    });
  }

  /** By id; revoked ones too. */
  async names(tenantId: string, ids: readonly string[]): Promise<[string, string][]> {
    const rows = await this.database.read.apiKey.findMany({
      where: { tenantId, id: { in: [...ids] } },
      select: { id: true, name: true },
    });
    return rows.map(({ id, name }) => [id, `key ${name}`]);
  }

  byId = (id: string) => this.database.read.apiKey.findUnique({ where: { id }, ...judged });

  byHash = (keyHash: string) => this.recent.get(keyHash);

  async revoke(tx: Transaction, id: string, revokedAt: Date): Promise<void> {
    await tx.apiKey.update({ where: { id }, data: { revokedAt } });
    this.database.afterCommit(tx, () => this.recent.forget());
  }

  async touch(id: string, lastUsedAt: Date): Promise<void> {
    await this.database.transaction((tx) => tx.apiKey.updateMany({ where: { id }, data: { lastUsedAt } }));
  }
}
