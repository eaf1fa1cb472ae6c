/** Names of people and gatherings, where invitations have their ids. */
import type { EarshotClient } from '../../client/earshot-client.js';
import type { Invitation } from '../../contract/gatherings/gathering-invitations.js';
import { gatheringRoutes } from '../../contract/gatherings/gatherings.js';
import { eachInSight } from '../command/refusals.js';
import { participantNames } from '../people/participant-names.js';

/** Further ones keep their ids: each takes a call. */
const askedMax = 50;

type NameOf = (id: string) => string;

/** A caller who may not read people or gatherings sees ids. */
export async function invitedNames(
  { client, projectId }: { readonly client: EarshotClient; readonly projectId: string },
  invitations: readonly Invitation[],
): Promise<[person: NameOf, gathering: NameOf]> {
  const seated = new Map<string, string>();
  const gatherings = new Map<string, string>();
  const gatheringIds = invitations.map(({ gatheringId }) => gatheringId);
  await eachInSight(gatheringIds, askedMax, async (id) => {
    const { name, members = [] } = await client.call(gatheringRoutes.get, {
      params: { projectId, id },
      query: { includeMembers: true },
    });
    gatherings.set(id, name);
    for (const { participantId, displayName } of members) seated.set(participantId, displayName);
  });
  // People who declined or left are no members any more.
  const missing = invitations.map(({ participantId }) => participantId).filter((id) => !seated.has(id));
  const others = await participantNames({ client, projectId }, missing);
  return [(id) => seated.get(id) ?? others.get(id) ?? id, (id) => gatherings.get(id) ?? id];
}
