/** Sanctions as people read them: who by the name that people know, and by whom. */
import type { EarshotClient } from '../../client/earshot-client.js';
import type { Sanction } from '../../contract/moderation/sanction-record.js';
import { named } from '../names/moderators.js';
import { personWords } from '../people/person-words.js';
import { endOf } from './sanction-end.js';

export const sanctionRows = (
  client: EarshotClient,
  projectId: string,
  sanctions: readonly Sanction[],
): Promise<readonly object[]> =>
  named(
    client,
    projectId,
    sanctions.map((one) => ({ ...one, who: whoOf(one) })),
  );

/** Returns an imposed sanction for a screen: who, what, until when and why before the id. */
export const imposedView = (sanction: Sanction, room?: string): object => ({
  who: whoOf(sanction),
  type: sanction.type,
  ...(room === undefined ? {} : { room }),
  endAt: endOf(sanction, (endAt) => endAt),
  reason: sanction.reason,
  id: sanction.id,
});

export function whoOf({ externalUserId, participant }: Sanction): string | null {
  return externalUserId === null
    ? (participant?.displayName ?? null)
    : personWords(participant?.displayName ?? externalUserId, externalUserId);
}
