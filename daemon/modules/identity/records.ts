import type { Platform } from '../../platform/platform.js';
import { AccountStore } from './accounts/store.js';
import { ApiKeyStore } from './api-keys/store.js';
import { AccountDirectory } from './directory.js';

export function identityRecords({ database, now }: Pick<Platform, 'database' | 'now'>) {
  const [accounts, apiKeys] = [new AccountStore(database), new ApiKeyStore(database)];
  return { accounts, apiKeys, directory: new AccountDirectory(accounts, apiKeys, now) };
}
