/** Sanctions in tables: who by the name that people know, and by whom. */
import type { EarshotClient } from '../../client/earshot-client.js';
import type { Sanction } from '../../contract/moderation/sanction-record.js';
import { named } from '../names/moderators.js';

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

function whoOf({ externalUserId, participant }: Sanction): string | null {
  const name = participant?.displayName ?? externalUserId;
  return name === externalUserId || externalUserId === null ? name : `${name} (${externalUserId})`;
}
