/** Names of people and gatherings, where invitations have their ids. */
import type { EarshotClient } from '../client/earshot-client.js';
import { ApiError } from '../client/errors.js';
import type { Invitation } from '../contract/gatherings/gathering-invitations.js';
import { gatheringRoutes } from '../contract/gatherings/gatherings.js';
import { participantRoutes } from '../contract/people/participants.js';

/** Further ones keep their ids: each takes a call. */
const askedMax = 50;

type NameOf = (id: string) => string;

/** Whoever is not allowed to read people or gatherings sees ids. */
export async function invitedNames(
  { client, projectId }: { readonly client: EarshotClient; readonly projectId: string },
  invitations: readonly Invitation[],
): Promise<[person: NameOf, gathering: NameOf]> {
  const people = new Map<string, string>();
  const gatherings = new Map<string, string>();
  const each = async (ids: readonly string[], ask: (params: { projectId: string; id: string }) => Promise<void>) => {
    for (const id of [...new Set(ids)].slice(0, askedMax))
      await ask({ projectId, id }).catch((error: unknown) => {
        if (!(error instanceof ApiError && (error.status === 403 || error.status === 404))) throw error;
      });
  };
  await each(
    invitations.map(({ gatheringId }) => gatheringId),
    async (params) => {
      const { name, members = [] } = await client.call(gatheringRoutes.get, {
        params,
        query: { includeMembers: true },
      });
      gatherings.set(params.id, name);
      for (const { participantId, displayName } of members) people.set(participantId, displayName);
    },
  );
  // Who declined or left is no member any more.
  const missing = invitations.map(({ participantId }) => participantId).filter((id) => !people.has(id));
  await each(missing, async (params) => {
    people.set(params.id, (await client.call(participantRoutes.get, { params })).displayName);
  });
  return [(id) => people.get(id) ?? id, (id) => gatherings.get(id) ?? id];
}
