/** What the operator's commands work on, in the daemon or beside it. */
import type { Clock } from '../clock.js';
import type { Settings } from '../config/schema.js';
import type { Desk } from '../control/operation.js';
import { AccountAdministration } from '../features/accounts/administration.js';
import { AccountStore } from '../features/accounts/store.js';
import type { Foundation } from '../foundation.js';
import type { Logger } from '../observability/logger.js';
import { composeProjects } from './projects.js';

export function composeDesk(foundation: Foundation, settings: Settings, log: Logger, now: Clock): Desk {
  const { database, box, ring } = foundation;
  const { firstProject } = composeProjects(foundation, settings, log, now);
  return { accounts: new AccountAdministration(database, new AccountStore(database), firstProject, now), box, ring };
}
