/** Rows of API keys. */
import type { ApiKeyResponse } from '../../../../src/contract/identity/api-keys.js';
import type { RequiredScope } from '../../../../src/contract/scopes.js';
import { bulkRows } from '../../../platform/database/bulk-rows.js';
import { timeOrNull, type WithValues, withJson } from '../../../platform/database/column-values.js';
import type { Database, Transaction } from '../../../platform/database/database.js';
import type { Dialect } from '../../../platform/database/dialect.js';
import { Remembered } from '../../../platform/database/remembered.js';
import type { ApiKeyCaller } from '../../../platform/http/caller.js';
import { isWellFormedKey, keyHash } from './key-format.js';

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

export type StoredKeyRow = ApiKeyRow & { lastUsedAt: Date | null; revokedAt: Date | null };
const lastingAt = (now: Date) => ({ revokedAt: null, OR: [{ expiresAt: null }, { expiresAt: { gt: now } }] });

/** A name is given again when a key is replaced. */
const keysOfNameMax = 100;

/** A key with the state of its project and tenant. */
type JudgedRow = StoredKeyRow & { readonly tenantDisabledAt: Date | null; readonly projectDeletedAt: Date | null };

const judged = `SELECT ${bulkRows('ApiKey').columns('k.')}, t."disabledAt" AS "tenantDisabledAt",
  p."deletedAt" AS "projectDeletedAt" FROM "ApiKey" AS k JOIN "Tenant" AS t ON t."id" = k."tenantId"
  LEFT JOIN "Project" AS p ON p."id" = k."projectId" WHERE`;
const statements = (parameter: string) => ({
  byId: `${judged} k."id" = ${parameter}`,
  byHash: `${judged} k."keyHash" = ${parameter}`,
});
const keyStatements: Readonly<Record<Dialect, ReturnType<typeof statements>>> = {
  sqlite: statements('?'),
  postgresql: statements('$1'),
};

/** A key as it was read: who calls with it until it expires; null: it was revoked, or its place is closed. */
export interface ReadKey {
  readonly caller: ApiKeyCaller | null;
}

const scopesOf = (row: Pick<ApiKeyRow, 'scopes'>): RequiredScope[] => JSON.parse(row.scopes);

export const toApiKey = (
  row: StoredKeyRow | (ApiKeyRow & { lastUsedAt?: undefined }),
  createdBy: string | null,
): ApiKeyResponse => ({
  id: row.id,
  name: row.name,
  keyPrefix: row.keyPrefix,
  scopes: scopesOf(row),
  createdAt: row.createdAt.toISOString(),
  projectId: row.projectId,
  lastUsedAt: timeOrNull(row.lastUsedAt),
  expiresAt: timeOrNull(row.expiresAt),
  createdByUserId: row.createdByUserId,
  createdBy,
});

function readKey(row: JudgedRow | null): ReadKey | null {
  if (row === null) return null;
  if (row.revokedAt !== null || row.tenantDisabledAt !== null || row.projectDeletedAt !== null) return { caller: null };
  const { id, name, tenantId, projectId, expiresAt } = row;
  return {
    caller: { kind: 'apiKey', id, name, tenantId, projectId, scopes: scopesOf(row), credentialId: id, expiresAt },
  };
}

export class ApiKeyStore {
  /** By the hash: a key itself is nowhere kept. One that is known has no typing error. */
  private readonly recent = new Remembered(
    async (key) => (isWellFormedKey(key) ? readKey(await this.find('byHash', keyHash(key))) : null),
    { keyOf: keyHash },
  );

  constructor(private readonly database: Database) {}

  insert = (tx: Transaction, row: WithValues<ApiKeyRow, { readonly scopes: readonly RequiredScope[] }>) =>
    tx.apiKey.create({ data: withJson(row, 'scopes') });

  /** Keys of the tenant and of the projects that are neither revoked nor expired, newest first. */
  async active(tenantId: string, projectIds: string[], now: Date): Promise<StoredKeyRow[]> {
    const place = { OR: [{ tenantId }, { projectId: { in: projectIds } }] };
    return this.database.read.apiKey.findMany({
      where: { AND: [lastingAt(now), place] },
      orderBy: { id: 'desc' },
    });
  }

  /** Keys of the project (null: of any, and of the tenant) that the account made, neither revoked nor expired, oldest first. */
  madeBy(tx: Transaction, createdByUserId: string, projectId: string | null, now: Date): Promise<StoredKeyRow[]> {
    const where = { createdByUserId, ...(projectId === null ? {} : { projectId }), ...lastingAt(now) };
    return tx.apiKey.findMany({ where, orderBy: { id: 'asc' } });
  }

  /** By id; revoked ones too. */
  async names(tenantId: string, ids: readonly string[]): Promise<[string, string][]> {
    const rows = await this.database.read.apiKey.findMany({
      where: { tenantId, id: { in: [...ids] } },
      select: { id: true, name: true },
    });
    return rows.map(({ id, name }) => [id, `key ${name}`]);
  }

  /** Returns who made the keys among these ids; revoked ones too. */
  async creatorsOf(tx: Transaction, ids: readonly string[]): Promise<string[]> {
    const where = { id: { in: [...ids] } };
    const rows = await tx.apiKey.findMany({ where, select: { createdByUserId: true } });
    return rows.flatMap(({ createdByUserId }) => createdByUserId ?? []);
  }

  /** Keys of that name for the project or the whole tenant, newest first; revoked ones too. */
  named = (
    { tenantId, projectId }: { readonly tenantId: string; readonly projectId: string },
    name: string,
  ): Promise<{ id: string; name: string }[]> =>
    this.database.read.apiKey.findMany({
      where: { tenantId, name, OR: [{ projectId: null }, { projectId }] },
      select: { id: true, name: true },
      orderBy: { id: 'desc' },
      take: keysOfNameMax,
    });

  byId = (id: string) => this.find('byId', id);

  /** A key that is presented, as it was within the second. */
  presented = (key: string): Promise<ReadKey | null> => this.recent.get(key);

  /** A key as it is now. */
  current = async (id: string): Promise<ReadKey | null> => readKey(await this.byId(id));

  async revoke(tx: Transaction, id: string, revokedAt: Date): Promise<void> {
    await tx.apiKey.update({ where: { id }, data: { revokedAt } });
    this.recent.forgetAfter(this.database, tx);
  }

  async touch(id: string, lastUsedAt: Date): Promise<void> {
    await this.database.transaction((tx) => tx.apiKey.updateMany({ where: { id }, data: { lastUsedAt } }));
  }

  private async find(by: 'byId' | 'byHash', value: string): Promise<JudgedRow | null> {
    const statement = keyStatements[this.database.dialect][by];
    return (await this.database.read.$queryRawUnsafe<JudgedRow[]>(statement, value))[0] ?? null;
  }
}
