/** Rows of tenants, users and revoked tokens. */
import type { UserProfile } from '../../../../src/contract/identity/accounts.js';
import type { TenantRole } from '../../../../src/contract/route.js';
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

const statements = (parameter: string) => ({
  byId: `SELECT ${bulkRows('User').columns('u.')}, t."disabledAt" AS "tenantDisabledAt"
    FROM "User" AS u JOIN "Tenant" AS t ON t."id" = u."tenantId" WHERE u."id" = ${parameter}`,
  revoked: `SELECT 1 FROM "RevokedToken" WHERE "jti" = ${parameter}`,
});
const accountStatements: Readonly<Record<Dialect, ReturnType<typeof statements>>> = {
  sqlite: statements('?'),
  postgresql: statements('$1'),
};

export class AccountStore {
  private readonly sql;

  constructor(private readonly database: Database) {
    this.sql = accountStatements[database.dialect];
  }

  /** By id. */
  async emails(tenantId: string, ids: readonly string[]): Promise<[string, string][]> {
    const rows = await this.database.read.user.findMany({
      where: { tenantId, id: { in: [...ids] } },
      select: { id: true, email: true },
    });
    return rows.map(({ id, email }) => [id, email]);
  }

  /** Asked by every call of a user, so it is written out: Prisma takes several times as long for it. */
  async byId(id: string): Promise<Account | null> {
    type Found = Omit<AccountRow, 'tenant'> & { readonly tenantDisabledAt: Date | null };
    const [found] = await this.database.read.$queryRawUnsafe<Found[]>(this.sql.byId, id);
    if (found === undefined) return null;
    const { tenantDisabledAt: disabledAt, ...row } = found;
    return toAccount({ ...row, tenant: { disabledAt } });
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
  async unlink(tx: Transaction, id: string, tokensValidAt: Date): Promise<number> {
    await tx.user.update({ where: { id }, data: { tokensValidAt } });
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
  oldestTenant = (tx: Transaction): Promise<{ readonly id: string; readonly disabledAt: Date | null } | null> =>
    tx.tenant.findFirst({ orderBy: { id: 'asc' }, select: { id: true, disabledAt: true } });

  async insert(tx: Transaction, account: NewAccount): Promise<void> {
    await tx.user.create({ data: { ...account, email: account.email.toLowerCase() } });
  }

  async setPassword(tx: Transaction, id: string, passwordHash: string, tokensValidAt: Date): Promise<void> {
    await tx.user.update({ where: { id }, data: { passwordHash, tokensValidAt } });
  }

  async setDisabled(tx: Transaction, id: string, disabledAt: Date | null, tokensValidAt: Date): Promise<void> {
    await tx.user.update({ where: { id }, data: { disabledAt, tokensValidAt } });
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

  async isRevoked(jti: string): Promise<boolean> {
    return (await this.database.read.$queryRawUnsafe<unknown[]>(this.sql.revoked, jti)).length > 0;
  }

  async revoke(tx: Transaction, jti: string, expiresAt: Date): Promise<void> {
    await tx.revokedToken.upsert({ where: { jti }, create: { jti, expiresAt }, update: {} });
  }
}
