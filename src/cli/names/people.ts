/** People: by external id, participant id, or display name. */
import { ApiError } from '../../client/errors.js';
import { pageLimitMax } from '../../contract/common.js';
import { sanctionRoutes } from '../../contract/moderation/sanctions.js';
import { type Participant, participantRoutes } from '../../contract/people/participants.js';
import { type Candidate, everyRow, namedBy } from './candidates.js';
import { looksLikeId } from './kinds.js';
import type { Lookup } from './sources.js';

/** Everybody whose name or external id contains the text, as candidates with the id that is asked for. */
export const peopleWho =
  (idOf: 'id' | 'externalUserId') =>
  async (lookup: Lookup, typed: string): Promise<Candidate[]> => {
    const found = await search(lookup, typed);
    const exact = found.filter(({ externalUserId }) => externalUserId === typed);
    if (exact.length > 0) return exact.map((one) => ({ ...candidate(one, idOf), names: [typed] }));
    const byId = await participant(lookup, typed);
    if (byId !== null) return [{ ...candidate(byId, idOf), names: [typed] }];
    const named = found.map((one) => candidate(one, idOf));
    if (idOf === 'id' || namedBy(typed, named).length > 0 || !(await hasSanctions(lookup, typed))) return named;
    return [{ id: typed, names: [typed], says: typed }];
  };

const candidate = (one: Participant, idOf: 'id' | 'externalUserId'): Candidate => ({
  id: one[idOf],
  names: [one.displayName, one.externalUserId],
  says: `${one.externalUserId}  ${one.displayName}`,
});

/** People to suggest: one slip leaves one half of a name as it is, so each half is searched for. */
export async function peopleNear(lookup: Lookup, typed: string): Promise<Candidate[]> {
  const half = Math.ceil(typed.length / 2);
  const params = { projectId: await lookup.projectId() };
  const found = new Map<string, Candidate>();
  for (const text of [typed.slice(0, half), typed.slice(half)].filter((part) => part !== '')) {
    const query = { search: text, limit: pageLimitMax };
    const { participants } = await lookup.client.call(participantRoutes.list, { params, query });
    for (const one of participants) found.set(one.id, candidate(one, 'id'));
  }
  return [...found.values()];
}

async function search({ client, projectId }: Lookup, text: string): Promise<Participant[]> {
  const params = { projectId: await projectId() };
  return everyRow(async (offset) => {
    const query = { search: text, limit: pageLimitMax, offset };
    const { participants: rows, total } = await client.call(participantRoutes.list, { params, query });
    return { rows, total };
  });
}

async function participant({ client, projectId }: Lookup, id: string): Promise<Participant | null> {
  if (!looksLikeId.test(id)) return null;
  return client
    .call(participantRoutes.get, { params: { projectId: await projectId(), id } })
    .catch((error: unknown) => {
      if (error instanceof ApiError && error.status === 404) return null;
      throw error;
    });
}

/** Somebody may have been sanctioned before they were ever here. */
async function hasSanctions({ client, projectId }: Lookup, externalUserId: string): Promise<boolean> {
  const params = { projectId: await projectId(), externalUserId };
  return (await client.call(sanctionRoutes.ofUser, { params })).length > 0;
}
