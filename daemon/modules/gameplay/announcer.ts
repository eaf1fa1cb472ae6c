/** The event that announces a step of a challenge. */
import type { NewEvent } from '../../platform/events/logged.js';
import { levelChallengeChanged } from './battle-passes/views.js';
import type { TakenStep } from './progress-changes.js';
import { challengeChanged } from './views.js';

export const stepEvent = ({ userId, definition, step }: TakenStep): NewEvent => {
  const { tenantId, projectId, challenge } = definition;
  const about = {
    source: 'earshot:gameplay',
    tenantId,
    projectId,
    resourceId: `challenge:${challenge.id}`,
    action: 'updated',
    subjectUserId: userId,
  } as const;
  return definition.kind === 'challenge'
    ? { ...about, type: 'challenge.changed', data: challengeChanged(definition, userId, step) }
    : { ...about, type: 'battlepass.challenge.changed', data: levelChallengeChanged(definition, userId, step) };
};
