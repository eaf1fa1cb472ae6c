/** What the operator's commands work on, in the daemon or beside it. */
import type { Clock } from './clock.js';
import { composeProjects } from './compose-projects.js';
import type { Desk } from './control/operation.js';
import { AccountAdministration } from './features/accounts/administration.js';
import { AccountStore } from './features/accounts/store.js';
import type { Foundation } from './foundation.js';

export function composeDesk(foundation: Foundation, now: Clock): Desk {
  const { database, box, ring } = foundation;
  const { firstProject } = composeProjects(foundation, now);
  return { accounts: new AccountAdministration(database, new AccountStore(database), firstProject, now), box, ring };
}
