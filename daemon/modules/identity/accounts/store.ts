/** Rows of tenants, users and revoked tokens. */
import type { UserProfile } from '../../../../src/contract/identity/accounts.js';
import type { TenantRole } from '../../../../src/contract/route.js';
import { BatchedLookup } from '../../../platform/database/batched-lookup.js';
import { bulkRows } from '../../../platform/database/bulk-rows.js';
import type { Database, Reader, Transaction } from '../../../platform/database/database.js';
import type { Dialect } from '../../../platform/database/dialect.js';

export interface Account {
  readonly id: string;
  readonly tenantId: string;
  readonly email: string;
  readonly displayName: string;
  readonly role: TenantRole;
  readonly passwordHash: string | null;
  readonly tokensValidAt: Date;
  readonly createdAt: Date;
  readonly disabledAt: Date | null;
  /** True if groups of the identity provider gave the role. */
  readonly roleFromGroups: boolean;
}

type NewAccount = Omit<Account, 'disabledAt' | 'roleFromGroups'>;

/** A person of an identity provider. */
export interface Subject {
  readonly issuer: string;
  /** Never given to somebody else by the issuer, unlike an e-mail address. */
  readonly subject: string;
}

export interface TenantSummary {
  readonly id: string;
  readonly name: string;
  readonly users: number;
  readonly projects: number;
  readonly createdAt: Date;
  readonly disabledAt: Date | null;
}

export interface AccountSummary extends Pick<Account, 'email' | 'role' | 'createdAt' | 'disabledAt'> {
  /** Name of the tenant. */
  readonly tenant: string;
  readonly identities: readonly Subject[];
}

export const toProfile = ({ id, tenantId, email, displayName, role, createdAt }: Account): UserProfile => ({
  id,
  tenantId,
  email,
  displayName,
  role,
  createdAt: createdAt.toISOString(),
});

/** An account of a disabled tenant counts as disabled itself. */
const withTenant = { include: { tenant: { select: { disabledAt: true } } } } as const;
type AccountRow = Omit<Account, 'role'> & { role: string; tenant: { disabledAt: Date | null } };
const toAccount = ({ tenant, role, ...row }: AccountRow): Account => ({
  ...row,
  role: role === 'admin' ? 'admin' : 'member',
  disabledAt: row.disabledAt ?? tenant.disabledAt,
});

const accountColumns = `${bulkRows('User').columns('u.')}, t."disabledAt" AS "tenantDisabledAt"`;
const statements = (parameter: string, logins: string, id: string, jti: string) => ({
  byId: `SELECT ${accountColumns} FROM "User" AS u JOIN "Tenant" AS t ON t."id" = u."tenantId" WHERE u."id" = ${parameter}`,
  /** Parameter: JSON array of arrays of a user's id and a token's jti. Tokens that are revoked are left out. */
  signedIn: `SELECT ${jti} AS "jti", ${accountColumns} FROM ${logins} JOIN "User" AS u ON u."id" = ${id}
    JOIN "Tenant" AS t ON t."id" = u."tenantId" WHERE NOT EXISTS (SELECT 1 FROM "RevokedToken" WHERE "jti" = ${jti})`,
});
const accountStatements: Readonly<Record<Dialect, ReturnType<typeof statements>>> = {
  sqlite: statements('?', 'json_each(?) AS login', 'login.value->>0', 'login.value->>1'),
  postgresql: statements('$1', 'jsonb_array_elements($1::jsonb) AS login(e)', 'login.e->>0', 'login.e->>1'),
};

type FoundAccount = Omit<AccountRow, 'tenant'> & { readonly tenantDisabledAt: Date | null };
const foundAccount = ({ tenantDisabledAt: disabledAt, ...row }: FoundAccount): Account =>
  toAccount({ ...row, tenant: { disabledAt } });

const loginOf = (id: string, jti: string): string => JSON.stringify([id, jti]);

export class AccountStore {
  private readonly sql;
  /** By `loginOf`: every call of a user asks this. */
  private readonly logins = new BatchedLookup((logins) => this.findLogins(logins));

  constructor(private readonly database: Database) {
    this.sql = accountStatements[database.dialect];
  }

  /** By id, those of the tenant. */
  emails = (tenantId: string, ids: readonly string[]): Promise<[string, string][]> =>
    this.addressesWhere({ tenantId, id: { in: [...ids] } });

  /** By id, of whatever tenant. */
  addresses = (ids: readonly string[]): Promise<[string, string][]> => this.addressesWhere({ id: { in: [...ids] } });

  private async addressesWhere(where: { tenantId?: string; id: { in: string[] } }): Promise<[string, string][]> {
    const rows = await this.database.read.user.findMany({ where, select: { id: true, email: true } });
    return rows.map(({ id, email }) => [id, email]);
  }

  async byId(id: string): Promise<Account | null> {
    const [found] = await this.database.read.$queryRawUnsafe<FoundAccount[]>(this.sql.byId, id);
    return found === undefined ? null : foundAccount(found);
  }

  /** Returns the account as it is now; null where there is none, or where the token is revoked. */
  async signedIn(id: string, jti: string): Promise<Account | null> {
    const login = loginOf(id, jti);
    return (await this.logins.getAll([login])).get(login) ?? null;
  }

  async byEmail(email: string, reader: Reader | Transaction = this.database.read): Promise<Account | null> {
    const row = await reader.user.findUnique({ where: { email: email.toLowerCase() }, ...withTenant });
    return row === null ? null : toAccount(row);
  }

  /** Returns the account that is linked to the person. */
  async bySubject(tx: Transaction, { issuer, subject }: Subject): Promise<Account | null> {
    const where = { issuer_subject: { issuer, subject } };
    const row = await tx.userIdentity.findUnique({ where, include: { user: withTenant } });
    return row === null ? null : toAccount(row.user);
  }

  /** Returns to whom the account is linked. Until the transaction ends, no other links it. */
  async subjectsOf(tx: Transaction, userId: string): Promise<readonly Subject[]> {
    await tx.user.update({ where: { id: userId }, data: { id: userId } });
    return tx.userIdentity.findMany({ where: { userId } });
  }

  async link(tx: Transaction, userId: string, { issuer, subject }: Subject, linkedAt: Date): Promise<void> {
    await tx.userIdentity.create({ data: { issuer, subject, userId, linkedAt } });
  }

  /** Ends every login of the account, too. Returns to how many people it was linked. */
  async unlink(tx: Transaction, id: string, now: Date): Promise<number> {
    await this.endLogins(tx, id, now);
    return (await tx.userIdentity.deleteMany({ where: { userId: id } })).count;
  }

  /** By tenant, oldest first; null: of every tenant. */
  async list(tenantId: string | null): Promise<AccountSummary[]> {
    const rows = await this.database.read.user.findMany({
      where: tenantId === null ? {} : { tenantId },
      orderBy: [{ tenantId: 'asc' }, { id: 'asc' }],
      include: {
        tenant: { select: { name: true, disabledAt: true } },
        identities: { select: { issuer: true, subject: true } },
      },
    });
    return rows.map((row) => {
      const { email, role, createdAt, disabledAt } = toAccount(row);
      return { email, role, tenant: row.tenant.name, createdAt, disabledAt, identities: row.identities };
    });
  }

  hasTenants = async (client: Reader = this.database.read): Promise<boolean> =>
    (await client.tenant.findFirst({ select: { id: true } })) !== null;

  emailOf = async (tx: Transaction, id: string): Promise<string> =>
    (await tx.user.findUniqueOrThrow({ where: { id }, select: { email: true } })).email;

  /** The operator's own tenant, disabled or not. */
  oldestTenant = (
    tx: Reader | Transaction = this.database.read,
  ): Promise<{ readonly id: string; readonly disabledAt: Date | null } | null> =>
    tx.tenant.findFirst({ orderBy: { id: 'asc' }, select: { id: true, disabledAt: true } });

  async insert(tx: Transaction, account: NewAccount): Promise<void> {
    await tx.user.create({ data: { ...account, email: account.email.toLowerCase() } });
  }

  /** False where the account's logins were ended since it was read. Until the transaction ends, nothing else ends them. */
  async isStill(tx: Transaction, { id, tokensValidAt }: Pick<Account, 'id' | 'tokensValidAt'>): Promise<boolean> {
    return (await tx.user.updateMany({ where: { id, tokensValidAt }, data: { id } })).count === 1;
  }

  /** Returns from when on tokens are valid. */
  async setPassword(tx: Transaction, id: string, passwordHash: string, now: Date): Promise<Date> {
    const tokensValidAt = await this.endLogins(tx, id, now);
    await tx.user.update({ where: { id }, data: { passwordHash } });
    return tokensValidAt;
  }

  async setDisabled(tx: Transaction, id: string, disabledAt: Date | null, now: Date): Promise<void> {
    await this.endLogins(tx, id, now);
    await tx.user.update({ where: { id }, data: { disabledAt } });
  }

  /** Voids every token and console session of the account: tokens name the value of `tokensValidAt`, which never comes again. */
  private async endLogins(tx: Transaction, id: string, now: Date): Promise<Date> {
    const { tokensValidAt } = await tx.user.findUniqueOrThrow({ where: { id }, select: { tokensValidAt: true } });
    const next = new Date(Math.max(now.getTime(), tokensValidAt.getTime() + 1));
    await tx.user.update({ where: { id }, data: { tokensValidAt: next } });
    await tx.consoleSession.deleteMany({ where: { userId: id } });
    return next;
  }

  /** Makes an administrator of a member, or a member of somebody whom groups have made one. */
  async followGroups(tx: Transaction, id: string, isAdmin: boolean): Promise<void> {
    await (isAdmin
      ? tx.user.updateMany({ where: { id, role: 'member' }, data: { role: 'admin', roleFromGroups: true } })
      : tx.user.updateMany({ where: { id, roleFromGroups: true }, data: { role: 'member', roleFromGroups: false } }));
  }

  /** Oldest first. */
  async tenants(): Promise<TenantSummary[]> {
    const rows = await this.database.read.tenant.findMany({
      orderBy: { id: 'asc' },
      include: { _count: { select: { users: true, projects: { where: { deletedAt: null } } } } },
    });
    return rows.map(({ _count, ...tenant }) => ({ ...tenant, ..._count }));
  }

  async insertTenant(tx: Transaction, tenant: { id: string; name: string; createdAt: Date }): Promise<void> {
    await tx.tenant.create({ data: tenant });
  }

  async setTenantDisabled(tx: Transaction, id: string, disabledAt: Date | null): Promise<void> {
    await tx.tenant.updateMany({ where: { id }, data: { disabledAt } });
  }

  /** Revokes a token that may be used once; a second time violates uniqueness. */
  async useUp(tx: Transaction, jti: string, expiresAt: Date): Promise<void> {
    await tx.revokedToken.create({ data: { jti, expiresAt } });
  }

  /** Until the later of the times that it was revoked for. */
  async revoke(tx: Transaction, jti: string, expiresAt: Date): Promise<void> {
    await tx.revokedToken.upsert({ where: { jti }, create: { jti, expiresAt }, update: {} });
    await tx.revokedToken.updateMany({ where: { jti, expiresAt: { lt: expiresAt } }, data: { expiresAt } });
  }

  private async findLogins(logins: readonly string[]): Promise<ReadonlyMap<string, Account>> {
    type Found = FoundAccount & { readonly jti: string };
    const rows = await this.database.read.$queryRawUnsafe<Found[]>(this.sql.signedIn, `[${logins.join()}]`);
    return new Map(rows.map(({ jti, ...row }) => [loginOf(row.id, jti), foundAccount(row)]));
  }
}
