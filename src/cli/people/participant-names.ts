/** Display names of participants, where a list has their ids. */
import type { EarshotClient } from '../../client/earshot-client.js';
import { participantRoutes } from '../../contract/people/participants.js';
import { eachInSight } from '../command/refusals.js';

/** Further ones are not asked for: each takes a call. */
const askedMax = 50;

/** Returns display names by participant id; none for deleted people, and none if the caller may not read people. */
export async function participantNames(
  { client, projectId }: { readonly client: EarshotClient; readonly projectId: string },
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const names = new Map<string, string>();
  await eachInSight(ids, askedMax, async (id) =>
    names.set(id, (await client.call(participantRoutes.get, { params: { projectId, id } })).displayName),
  );
  return names;
}
