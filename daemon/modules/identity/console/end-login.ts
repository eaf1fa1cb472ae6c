/** Ends the login of a caller. */
import type { Transaction } from '../../../platform/database/database.js';
import type { UserCaller } from '../../../platform/http/caller.js';
import type { AccountStore } from '../accounts/store.js';
import { type ConsoleSessionStore, consoleTokenSeconds } from './store.js';

interface LoginStores {
  readonly accounts: Pick<AccountStore, 'revoke'>;
  readonly sessions: Pick<ConsoleSessionStore, 'delete'>;
}

/** All tokens of a console session have its id, and some end later than the caller's: they are revoked for as long. */
export async function endLogin(
  tx: Transaction,
  { accounts, sessions }: LoginStores,
  { id, credentialId, expiresAt }: UserCaller,
  now: Date,
): Promise<void> {
  const lastEnd = Math.max(expiresAt.getTime(), now.getTime() + consoleTokenSeconds * 1_000);
  await accounts.revoke(tx, credentialId, new Date(lastEnd));
  await sessions.delete(tx, credentialId, id);
}
