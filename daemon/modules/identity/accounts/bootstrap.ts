/** The first start: a tenant, its administrator, and a project `default` whose rooms are the daemon's own. */

import type { Database } from '../../../platform/database/database.js';
import { uuidv7 } from '../../../platform/ids/new-id.js';
import { randomText } from '../../../platform/secrets/random.js';
import type { Clock } from '../../../platform/time/clock.js';
import type { FirstProjectMaker } from '../project-people.js';
import { hashPassword } from './passwords.js';
import type { AccountStore } from './store.js';

export interface FirstAdministrator {
  readonly email: string;
  /** The random password, printed once; null when the operator set one. */
  readonly generatedPassword: string | null;
}

interface NewAdministrator {
  readonly email: string;
  /** null: a random one. */
  readonly password: string | null;
  /**
   * Stores a random password where the operator finds it. Called before the account is created, because there is no
   * other copy.
   */
  keep(password: string): void;
}

/** null when the installation has been set up before, by another daemon of the database even in the same moment. */
export async function bootstrap(
  database: Database,
  accounts: AccountStore,
  project: FirstProjectMaker,
  now: Clock,
  administrator: NewAdministrator,
): Promise<FirstAdministrator | null> {
  if (await accounts.hasTenants()) return null;
  const { email, password } = administrator;
  const generatedPassword = password === null ? randomText(15) : null;
  const passwordHash = await hashPassword(password ?? generatedPassword ?? '');
  const createdAt = now();
  const [tenantId, userId] = [uuidv7(), uuidv7()];
  const isFirst = await database.transaction(async (tx) => {
    await database.takeTurn(tx, 'bootstrap');
    if (await accounts.hasTenants(tx)) return false;
    if (generatedPassword !== null) administrator.keep(generatedPassword);
    await accounts.insertTenant(tx, { id: tenantId, name: 'default', createdAt });
    await accounts.insert(tx, {
      id: userId,
      tenantId,
      email,
      displayName: 'Administrator',
      role: 'admin',
      passwordHash,
      tokensValidAt: createdAt,
      createdAt,
    });
    await project.create(tx, tenantId, userId);
    return true;
  });
  return isFirst ? { email: email.toLowerCase(), generatedPassword } : null;
}
