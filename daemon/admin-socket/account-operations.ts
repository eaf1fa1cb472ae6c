/** `earshotd users …` and `earshotd tenants …`. */
import { z } from 'zod';
import { Email } from '../../src/contract/common.js';
import { Password } from '../../src/contract/identity/accounts.js';
import { tenantRoles } from '../../src/contract/route.js';
import { defineOperation } from './operation.js';

const nothing = z.object({});
const TenantName = z.string().trim().min(1).max(100);

export const createUser = defineOperation({
  name: 'users.create',
  input: z.object({
    email: Email,
    password: Password,
    role: z.enum(tenantRoles),
    tenant: TenantName.nullable(),
  }),
  output: nothing,
  run: async ({ accounts }, account) => {
    await accounts.create(account);
    return {};
  },
});

export const resetPassword = defineOperation({
  name: 'users.reset-password',
  input: z.object({ email: Email, password: Password }),
  output: nothing,
  run: async ({ accounts }, { email, password }) => {
    await accounts.resetPassword(email, password);
    return {};
  },
});

export const setUserDisabled = defineOperation({
  name: 'users.set-disabled',
  input: z.object({ email: Email, disabled: z.boolean() }),
  output: nothing,
  run: async ({ accounts }, { email, disabled }) => {
    await accounts.setDisabled(email, disabled);
    return {};
  },
});

export const createTenant = defineOperation({
  name: 'tenants.create',
  input: z.object({ name: TenantName, email: Email, password: Password }),
  output: z.object({ id: z.string() }),
  run: ({ accounts }, { name, email, password }) => accounts.createTenant(name, { email, password }),
});

export const listTenants = defineOperation({
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
  run: async ({ accounts }) =>
    (await accounts.tenants()).map(({ createdAt, disabledAt, ...tenant }) => ({
      ...tenant,
      createdAt: createdAt.toISOString(),
      disabledAt: disabledAt?.toISOString() ?? null,
    })),
});

export const setTenantDisabled = defineOperation({
  name: 'tenants.set-disabled',
  input: z.object({ tenant: TenantName, disabled: z.boolean() }),
  output: z.object({ name: z.string() }),
  run: ({ accounts }, { tenant, disabled }) => accounts.setTenantDisabled(tenant, disabled),
});
