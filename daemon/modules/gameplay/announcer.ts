/** Appends `challenge.changed` to the log for each step of a challenge, in the transaction that stores the step. */

import type { Transaction } from '../../platform/database/database.js';
import type { EventLog, NewEvent } from '../../platform/events/log.js';
import type { TakenStep } from './fold.js';
import { challengeChanged } from './views.js';

const toEvent = ({ userId, definition, step }: TakenStep): NewEvent => ({
  type: 'challenge.changed',
  source: 'earshot:gameplay',
  tenantId: definition.tenantId,
  projectId: definition.challenge.projectId,
  resourceId: `challenge:${definition.challenge.id}`,
  action: 'updated',
  data: challengeChanged(definition, userId, step),
  subjectUserId: userId,
});

export const announce = async (log: EventLog, tx: Transaction, steps: readonly TakenStep[]): Promise<void> => {
  if (steps.length > 0) await log.append(tx, ...steps.map(toEvent));
};
