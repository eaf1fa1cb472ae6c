/** Events about participants, as the log stores them. */
import type { EventData } from '../../../src/contract/events.js';
import type { Participant } from '../../../src/contract/people/participants.js';
import type { NewEvent } from '../../platform/events/logged.js';

export const participantEvent = (
  action: 'created' | 'updated',
  participant: Participant,
  changes?: Record<string, unknown>,
): NewEvent => ({
  type: `participant.${action}`,
  tenantId: participant.tenantId,
  projectId: participant.projectId,
  resourceId: `participant:${participant.id}`,
  action,
  data: participant,
  ...(changes === undefined ? {} : { changes }),
  subjectUserId: participant.externalUserId,
});

/** Has no subject, so it stays when the person's events are redacted. */
export const deletedEvent = ({
  id,
  tenantId,
  projectId,
}: Pick<Participant, 'id' | 'tenantId' | 'projectId'>): NewEvent => ({
  type: 'participant.deleted',
  tenantId,
  projectId,
  resourceId: `participant:${id}`,
  action: 'deleted',
  data: { id },
  subjectUserId: null,
});

/** About the person under the new external user id. */
export const movedEvent = (data: EventData<'participant.moved'>): NewEvent => ({
  type: 'participant.moved',
  tenantId: data.tenantId,
  projectId: data.projectId,
  resourceId: `participant:${data.id}`,
  action: 'updated',
  data,
  changes: { externalUserId: data.movedFrom },
  subjectUserId: data.externalUserId,
});
