/** `earshotd users …`: directly on the database, while no daemon holds the folder. */
import { text } from 'node:stream/consumers';
import { uuidv7 } from 'uuidv7';
import { Password } from '../../src/contract/accounts.js';
import { systemClock } from '../clock.js';
import { loadSettings } from '../config/load.js';
import { hashPassword } from '../features/accounts/passwords.js';
import { type Account, AccountStore } from '../features/accounts/store.js';
import { type Foundation, openFoundation } from '../foundation.js';
import type { SettingOptions } from '../main.js';
import { createLogger } from '../observability/logger.js';
import { UsageError } from './failures.js';

async function withFoundation(
  options: SettingOptions,
  work: (foundation: Foundation, accounts: AccountStore) => Promise<void>,
): Promise<void> {
  const { settings } = loadSettings({ flags: options.set, file: options.config });
  const foundation = await openFoundation(settings, systemClock, createLogger('error'));
  try {
    await work(foundation, new AccountStore(foundation.database));
  } finally {
    await foundation.close();
  }
}

async function readPassword(): Promise<string> {
  if (process.stdin.isTTY)
    throw new UsageError('Give the password on standard input: echo "$PASSWORD" | earshotd users …');
  const parsed = Password.safeParse((await text(process.stdin)).replace(/\r?\n$/, ''));
  if (!parsed.success) throw new UsageError('A password has 10 to 200 characters.');
  return hashPassword(parsed.data);
}

async function existing(accounts: AccountStore, email: string): Promise<Account> {
  const account = await accounts.byEmail(email);
  if (account === null) throw new UsageError(`There is no account for ${email}.`);
  return account;
}

export const create = (email: string, options: SettingOptions & { admin?: boolean }): Promise<void> =>
  withFoundation(options, async ({ database }, accounts) => {
    if ((await accounts.byEmail(email)) !== null) throw new UsageError(`There is an account for ${email} already.`);
    const tenant = await database.read.tenant.findFirst({ orderBy: { id: 'asc' } });
    if (tenant === null) throw new UsageError('Start the daemon once first: `earshotd run` sets the installation up.');
    const passwordHash = await readPassword();
    const createdAt = systemClock();
    const role = options.admin === true ? 'admin' : 'member';
    const row = {
      id: uuidv7(),
      tenantId: tenant.id,
      email,
      displayName: email,
      role,
      passwordHash,
      tokensValidAt: createdAt,
      createdAt,
    } as const;
    await database.transaction((tx) => accounts.insert(tx, row));
    console.log(`created ${email} (${role})`);
  });

export const resetPassword = (email: string, options: SettingOptions): Promise<void> =>
  withFoundation(options, async ({ database }, accounts) => {
    const { id } = await existing(accounts, email);
    const hash = await readPassword();
    await database.transaction((tx) => accounts.setPassword(tx, id, hash, systemClock()));
    console.log(`changed the password of ${email}`);
  });

export const disable = (email: string, options: SettingOptions): Promise<void> =>
  withFoundation(options, async ({ database }, accounts) => {
    const { id } = await existing(accounts, email);
    await database.transaction((tx) => accounts.setDisabled(tx, id, systemClock()));
    console.log(`disabled ${email}`);
  });
