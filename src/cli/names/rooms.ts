/** Sessions, gatherings, and the rooms of both, by the names that people use for them. */
import type { EarshotClient } from '../../client/earshot-client.js';
import { type Gathering, gatheringRoutes } from '../../contract/gatherings/gatherings.js';
import { roomRoutes } from '../../contract/rooms/rooms.js';
import { type Session, sessionRoutes } from '../../contract/sessions/sessions.js';
import { looksLikeId } from '../../names/id-shape.js';
import { isClosed, noneWhere } from '../command/refusals.js';
import { type Candidate, everyRow, ifThere, namedBy } from './candidates.js';
import type { Lookup } from './lookup.js';

/** The active session of the room, else the newest. */
export async function sessionOfRoom(
  client: EarshotClient,
  params: { readonly projectId: string },
  externalRoomId: string,
): Promise<Session | null> {
  const newest = { externalRoomId, limit: 1 };
  const [active] = await client.call(sessionRoutes.list, { params, query: { ...newest, status: 'active' } });
  if (active !== undefined) return active;
  return (await client.call(sessionRoutes.list, { params, query: newest }))[0] ?? null;
}

export async function sessions({ client, projectId }: Lookup, typed: string): Promise<Candidate[]> {
  const params = { projectId: await projectId() };
  const session = await sessionOfRoom(client, params, typed);
  if (session !== null) return [{ ...sessionNamed(session), names: [typed] }];
  return (await client.call(sessionRoutes.list, { params })).map(sessionNamed);
}
const sessionNamed = ({ id, title, externalRoomId, status, createdAt }: Session): Candidate => ({
  id,
  names: [externalRoomId, title],
  says: `${title}, room ${externalRoomId}, ${status}, since ${createdAt}`,
});

export const gatherings = async (lookup: Lookup, typed: string): Promise<Candidate[]> =>
  (await gatheringsNamed(lookup, typed)).map(({ gathering: { id, name, joinCode, status }, names }) => ({
    id,
    names,
    says: `${name}, ${joinCode}, ${status}`,
  }));

interface NamedGathering {
  readonly gathering: Gathering;
  readonly names: readonly string[];
}
const looksLikeJoinCode = /^[a-z2-9]{4}[-\s]?[a-z2-9]{4}$/i;

async function gatheringsNamed({ client, projectId }: Lookup, typed: string): Promise<NamedGathering[]> {
  const params = { projectId: await projectId() };
  const found = await everyRow(
    client,
    (query) => client.call(gatheringRoutes.list, { params, query }),
    ({ gatherings }) => gatherings,
  );
  const all = found.map((gathering) => ({ gathering, names: [gathering.name], id: gathering.id, says: '' }));
  // Names first, because the daemon counts wrong codes and refuses callers that try too many.
  if (namedBy(typed, all).length > 0 || !looksLikeJoinCode.test(typed)) return all;
  const coded = await ifThere(client.call(gatheringRoutes.lookup, { params: { ...params, joinCode: typed } }));
  return coded === null ? all : [{ gathering: coded, names: [typed] }];
}

/** The room of that id if it is open or restricted; else the rooms of gatherings and sessions. */
export async function roomsNamed(lookup: Lookup, typed: string): Promise<Candidate[]> {
  const { client, projectId } = lookup;
  const params = { projectId: await projectId() };
  const open = await client.call(roomRoutes.list, { params });
  if (open.some(({ roomId }) => roomId === typed)) return [{ id: typed, names: [], says: typed }];
  if ((await sessionOfRoom(client, params, typed)) !== null) return [{ id: typed, names: [], says: typed }];
  return [
    ...byRoom([
      ...open.map(({ roomId }) => ({ roomId, names: [roomId], says: roomId })),
      ...(await ofGatherings(lookup, typed).catch(noneWhere(isClosed))),
      ...(await ofSessions(lookup, typed)),
    ]).values(),
  ];
}

interface RoomName {
  readonly roomId: string;
  readonly names: readonly string[];
  readonly says: string;
}

async function ofGatherings(lookup: Lookup, typed: string): Promise<RoomName[]> {
  const params = { projectId: await lookup.projectId(), id: typed };
  const byId = looksLikeId.test(typed) ? await ifThere(lookup.client.call(gatheringRoutes.get, { params })) : null;
  const found = byId === null ? await gatheringsNamed(lookup, typed) : [{ gathering: byId, names: [typed] }];
  return found.map(({ gathering: { roomId, name, status }, names }) => ({
    roomId,
    names: [roomId, ...names],
    says: `of the gathering ${name}, ${status}`,
  }));
}

async function ofSessions({ client, projectId }: Lookup, typed: string): Promise<RoomName[]> {
  const params = { projectId: await projectId() };
  const byId = looksLikeId.test(typed)
    ? await ifThere(client.call(sessionRoutes.get, { params: { ...params, id: typed } }))
    : null;
  const found = byId === null ? await client.call(sessionRoutes.list, { params }) : [byId];
  return found.map(({ id, externalRoomId, title, status }) => ({
    roomId: externalRoomId,
    names: [externalRoomId, title, ...(byId === null ? [] : [id])],
    says: `of the session ${title}, ${status}`,
  }));
}

/** A room that belongs to several is one candidate with all their names. */
function byRoom(rooms: readonly RoomName[]): Map<string, Candidate> {
  const found = new Map<string, Candidate>();
  for (const { roomId, names, says } of rooms) {
    const before = found.get(roomId);
    found.set(roomId, { id: roomId, names: [...(before?.names ?? []), ...names], says: before?.says ?? says });
  }
  return found;
}
