/** `earshotd users …` and `earshotd tenants …`. */
import { z } from 'zod';
import { Email } from '../../../src/contract/common.js';
import { Password } from '../../../src/contract/identity/accounts.js';
import { MadeAccess } from '../../../src/contract/projects/projects.js';
import { tenantRoles } from '../../../src/contract/route.js';
import { type AdminHandler, handlerOf } from '../../platform/admin-operation.js';
import { timeOrNull } from '../../platform/database/column-values.js';
import type { AccountAdministration } from './accounts/administration.js';

const nothing = z.object({});
const TenantName = z.string().trim().min(1).max(100);

export const createUser = {
  name: 'users.create',
  input: z.object({
    email: Email,
    password: Password,
    role: z.enum(tenantRoles),
    tenant: TenantName.nullable(),
  }),
  output: nothing,
};

export const resetPassword = {
  name: 'users.reset-password',
  input: z.object({ email: Email, password: Password }),
  output: nothing,
};

export const setUserDisabled = {
  name: 'users.set-disabled',
  input: z.object({ email: Email, disabled: z.boolean(), withdraw: z.boolean().default(false) }),
  output: z.object({ made: z.array(MadeAccess) }),
};

export const unlinkUser = {
  name: 'users.unlink',
  input: z.object({ email: Email }),
  output: z.object({ unlinked: z.int().describe('To how many people of identity providers the account was linked') }),
};

export const listUsers = {
  name: 'users.list',
  input: z.object({ tenant: TenantName.nullable() }),
  output: z.array(
    z.object({
      email: z.string(),
      role: z.enum(tenantRoles),
      tenant: z.string(),
      createdAt: z.string(),
      disabledAt: z.string().nullable(),
      identities: z.array(z.object({ issuer: z.string(), subject: z.string() })),
    }),
  ),
};

export const createTenant = {
  name: 'tenants.create',
  input: z.object({ name: TenantName, email: Email, password: Password }),
  output: z.object({ id: z.string() }),
};

export const listTenants = {
  name: 'tenants.list',
  input: nothing,
  output: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      users: z.int(),
      projects: z.int(),
      createdAt: z.string(),
      disabledAt: z.string().nullable(),
    }),
  ),
};

export const setTenantDisabled = {
  name: 'tenants.set-disabled',
  input: z.object({ tenant: TenantName, disabled: z.boolean() }),
  output: z.object({ name: z.string() }),
};

export const accountOperations = (accounts: AccountAdministration): AdminHandler[] => [
  handlerOf(createUser, async (account) => {
    await accounts.create(account);
    return {};
  }),
  handlerOf(resetPassword, async ({ email, password }) => {
    await accounts.resetPassword(email, password);
    return {};
  }),
  handlerOf(setUserDisabled, async ({ email, disabled, withdraw }) => ({
    made: await accounts.setDisabled(email, disabled, withdraw),
  })),
  handlerOf(unlinkUser, async ({ email }) => ({ unlinked: await accounts.unlink(email) })),
  handlerOf(listUsers, async ({ tenant }) =>
    (await accounts.list(tenant)).map(({ createdAt, disabledAt, identities, ...account }) => ({
      ...account,
      identities: [...identities],
      createdAt: createdAt.toISOString(),
      disabledAt: timeOrNull(disabledAt),
    })),
  ),
  handlerOf(createTenant, ({ name, email, password }) => accounts.createTenant(name, { email, password })),
  handlerOf(listTenants, async () =>
    (await accounts.tenants()).map(({ createdAt, disabledAt, ...tenant }) => ({
      ...tenant,
      createdAt: createdAt.toISOString(),
      disabledAt: timeOrNull(disabledAt),
    })),
  ),
  handlerOf(setTenantDisabled, ({ tenant, disabled }) => accounts.setTenantDisabled(tenant, disabled)),
];
