/** The event that announces a step of a challenge. */
import type { NewEvent } from '../../platform/events/logged.js';
import { levelChallengeChanged } from './battle-passes/views.js';
import type { TakenStep } from './progress-changes.js';
import { challengeChanged } from './views.js';

export const stepEvent = ({ userId, definition, step, reason }: TakenStep): NewEvent => {
  const { tenantId, projectId, challenge } = definition;
  const isLevel = definition.kind === 'level';
  return {
    type: isLevel ? 'battlepass.challenge.changed' : 'challenge.changed',
    source: 'earshot:gameplay',
    tenantId,
    projectId,
    resourceId: `challenge:${challenge.id}`,
    action: 'updated',
    data: {
      ...(isLevel ? levelChallengeChanged(definition, userId, step) : challengeChanged(definition, userId, step)),
      ...(reason === undefined ? {} : { reason }),
    },
    subjectUserId: userId,
  };
};
