/** People: by external id, participant id, or display name. */
import { ApiError } from '../../client/errors.js';
import { pageLimitMax } from '../../contract/common.js';
import { isPathPart } from '../../contract/path-part.js';
import { alikeRoutes } from '../../contract/people/alike.js';
import { type Participant, participantRoutes } from '../../contract/people/participants.js';
import { type Person, personRoutes } from '../../contract/people/person.js';
import { foldAccents } from '../../text/fold.js';
import { type Candidate, everyRow, ifThere, namedBy } from './candidates.js';
import type { Lookup } from './lookup.js';

/**
 * The person with the text as external or participant id, whether a participant or only sanctioned or playing; else
 * everybody whose name or external id contains it. Where nobody has played under the id, both: an imported list must not
 * take over the names of people. Whose name looks like the one that is meant is meant as well: `Oscar` may be a name of
 * Cyrillic letters. Returned as candidates with the wanted kind of id.
 */
export const peopleWho =
  (idOf: 'id' | 'externalUserId') =>
  async (lookup: Lookup, typed: string): Promise<Candidate[]> => {
    const person = await personOf(lookup, typed);
    const id = person === null ? undefined : idIn(person, person.participant, idOf);
    const byId: Candidate[] = id === undefined ? [] : [{ id, names: [typed], says: typed }];
    if (lookup.takesIdsAlone === true) return byId;
    if (id !== undefined && person !== null && hasPlayed(person)) return byId;
    const people = await search(lookup, typed);
    const found = people.map((one) => candidate(one, idOf));
    const [only, another] = id === undefined ? namedBy(typed, found) : [];
    const named = people.find(
      (one) => only !== undefined && another === undefined && candidate(one, idOf).id === only.id,
    );
    if (named !== undefined) found.push(...(await lookingLike(lookup, named, idOf)));
    const imported = { says: `${typed}  ${neverHere}`, isImported: true } as const;
    return found.filter(({ id: other }) => other !== id).concat(byId.map((one) => ({ ...one, ...imported })));
  };

/** Those whose display names nobody can tell from that of the person; none where the caller may not ask. */
async function lookingLike(
  { client, projectId }: Lookup,
  { id, displayName: name }: Participant,
  idOf: 'id' | 'externalUserId',
): Promise<Candidate[]> {
  const params = { projectId: await projectId(), id };
  const alike = await client.call(alikeRoutes.list, { params }).catch((error: unknown) => {
    if (error instanceof ApiError && error.status === 403) return [];
    throw error;
  });
  return alike
    .filter(({ hints }) => hints.some(({ kind }) => kind === 'look_alike_name'))
    .filter(({ displayName }) => foldAccents(displayName) !== foldAccents(name)) // these are told apart as they are spelt
    .map(({ participantId, externalUserId, displayName }) => {
      const own = { id: participantId, externalUserId, displayName };
      return {
        id: idIn(own, own, idOf) ?? participantId,
        names: [name],
        says: `${externalUserId}  ${displayName}  (looks like ${name})`,
      };
    });
}

/** Returns the participant id also where no path can carry the external one: `.` and `..` of earlier versions. */
const idIn = (
  { externalUserId }: Pick<Person, 'externalUserId'>,
  participant: Pick<Participant, 'id'> | null,
  idOf: 'id' | 'externalUserId',
): string | undefined => (idOf === 'id' || !isPathPart(externalUserId) ? participant?.id : externalUserId);

const neverHere = 'an id without a player; --id accepts it';

/** True if anybody has come under the id: some are only known because they are on an imported list. */
const hasPlayed = ({ participant, progress }: Person): boolean =>
  participant !== null ||
  (progress !== null && (progress.challenges.some(({ counter }) => counter > 0) || progress.battlePasses.length > 0));

const candidate = (one: Participant, idOf: 'id' | 'externalUserId'): Candidate => ({
  id: idIn(one, one, idOf) ?? one.id,
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
  return everyRow(
    client,
    (page) => client.call(participantRoutes.list, { params, query: { search: text, ...page } }),
    ({ participants }) => participants,
  );
}

async function personOf({ client, projectId }: Lookup, user: string): Promise<Person | null> {
  const params = { projectId: await projectId(), user };
  return ifThere(client.call(personRoutes.get, { params }));
}
