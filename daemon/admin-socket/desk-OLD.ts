/** What the operator's commands work on, in the daemon or beside it. */

import { AccountAdministration } from '../modules/identity/accounts/administration.js';
import { AccountStore } from '../modules/identity/accounts/store.js';
import { composeProjects } from '../modules/projects/module.js';
import type { Clock } from '../platform/clock.js';
import type { Settings } from '../platform/config/schema.js';
import type { Foundation } from '../platform/foundation.js';
import type { Logger } from '../platform/observability/logger.js';
import type { Desk } from './operation.js';

export function composeDesk(foundation: Foundation, settings: Settings, log: Logger, now: Clock): Desk {
  const { database, box, ring } = foundation;
  const { firstProject } = composeProjects(foundation, settings, log, now);
  return { accounts: new AccountAdministration(database, new AccountStore(database), firstProject, now), box, ring };
}
