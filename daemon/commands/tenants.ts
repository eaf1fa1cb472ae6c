/** `earshotd tenants …`. */
import { print } from '../../src/terminal/terminal.js';
import { createTenant, listTenants, setTenantDisabled } from '../modules/identity/admin-operations.js';
import { operate, readPassword } from './operate.js';
import type { SettingOptions } from './setting-options.js';

export async function create(name: string, options: SettingOptions & { adminEmail: string }): Promise<void> {
  const password = await readPassword();
  const { id } = await operate(options, createTenant, { name, email: options.adminEmail, password });
  print(`created the tenant ${name} (${id}) with its administrator ${options.adminEmail}`);
}

export async function list(options: SettingOptions & { json?: boolean }): Promise<void> {
  const tenants = await operate(options, listTenants, {});
  if (options.json === true) print(JSON.stringify(tenants, null, 2));
  else
    for (const { id, name, users, projects, disabledAt } of tenants) {
      const state = disabledAt === null ? '' : `  disabled since ${disabledAt}`;
      print(`${id}  ${name}  ${users} users  ${projects} projects${state}`);
    }
}

export async function disable(tenant: string, options: SettingOptions): Promise<void> {
  const { name } = await operate(options, setTenantDisabled, { tenant, disabled: true });
  print(`disabled the tenant ${name}: its accounts, keys and projects no longer work`);
}

export async function enable(tenant: string, options: SettingOptions): Promise<void> {
  const { name } = await operate(options, setTenantDisabled, { tenant, disabled: false });
  print(`enabled the tenant ${name}`);
}
