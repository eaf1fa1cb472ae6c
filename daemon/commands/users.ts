/** `earshotd users …`. */
import { table } from '../../src/terminal/output.js';
import { print } from '../../src/terminal/terminal.js';
import { madeAccessLines } from '../../src/text/made-access.js';
import { shellWord } from '../../src/text/shell-word.js';
import {
  createUser,
  listUsers,
  resetPassword as resetPasswordOperation,
  setUserDisabled,
  unlinkUser,
} from '../modules/identity/admin-operations.js';
import { operate, readPassword } from './operate.js';
import type { SettingOptions } from './setting-options.js';

export interface CreateOptions extends SettingOptions {
  readonly admin?: boolean;
  readonly tenant?: string;
}

export async function create(email: string, options: CreateOptions): Promise<void> {
  const role = options.admin === true ? 'admin' : 'member';
  const password = await readPassword();
  await operate(options, createUser, { email, password, role, tenant: options.tenant ?? null });
  print(`created ${email} (${role})`);
}

export async function list(options: SettingOptions & { tenant?: string; json?: boolean }): Promise<void> {
  const accounts = await operate(options, listUsers, { tenant: options.tenant ?? null });
  if (options.json === true) {
    print(JSON.stringify(accounts, null, 2));
    return;
  }
  const columns = ['email', 'role', 'tenant', 'createdAt', 'disabledAt', 'linkedTo'];
  const { isTTY, columns: width } = process.stdout;
  const rows = accounts.map(({ identities, ...account }) => ({
    ...account,
    linkedTo: identities.map(({ issuer, subject }) => `${subject} (${issuer})`).join(', ') || null,
  }));
  print(table(rows, columns, { isTerminal: isTTY === true, now: new Date(), width }));
}

export async function resetPassword(email: string, options: SettingOptions): Promise<void> {
  await operate(options, resetPasswordOperation, { email, password: await readPassword() });
  print(`changed the password of ${email}; all logins of the account have ended`);
}

export async function disable(email: string, options: SettingOptions & { withdraw?: boolean }): Promise<void> {
  const { withdraw = false } = options;
  const { made } = await operate(options, setUserDisabled, { email, disabled: true, withdraw });
  print(`disabled ${email}; all logins of the account have ended`);
  for (const line of madeAccessLines(made)) print(line);
  if (made.some(({ kind, withdrawn }) => kind !== 'member' && !withdrawn))
    print(`To end keys and invitations together: earshotd users disable ${shellWord(email)} --withdraw`);
}

export async function enable(email: string, options: SettingOptions): Promise<void> {
  await operate(options, setUserDisabled, { email, disabled: false, withdraw: false });
  print(`enabled ${email}`);
}

export async function unlink(email: string, options: SettingOptions): Promise<void> {
  const { unlinked } = await operate(options, unlinkUser, { email });
  print(
    unlinked === 0
      ? `${email} was linked to nobody; all logins of the account have ended`
      : `unlinked ${email}; all logins of the account have ended. Who next signs in with this address gets the account`,
  );
}
