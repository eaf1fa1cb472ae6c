/** Why somebody cannot join, be heard or play, and why a gathering takes nobody in. */
import { type Gathering, gatheringRoutes } from '../../contract/gatherings/gatherings.js';
import { kindOf } from '../../contract/moderation/sanction-kinds.js';
import { type Person, type PersonRoom, personRoutes } from '../../contract/people/person.js';
import { type Room, roomRoutes } from '../../contract/rooms/rooms.js';
import { endOf } from '../moderation/sanction-end.js';
import { type RoomWords, roomWords } from '../moderation/sanction-rooms.js';
import { namedBy } from '../names/candidates.js';
import type { Lookup } from '../names/lookup.js';
import { authorOf } from '../names/moderators.js';
import { sourceOf } from '../names/sources.js';
import { personWords } from '../people/person-words.js';
import { restrictionFindings } from '../rooms/restrict.js';
import { bad, type Examined, type Finding, good } from './finding.js';

const closedShown = 5;

export async function examinePeople(lookup: Lookup, typed: string): Promise<Examined[]> {
  const { find } = await sourceOf('person');
  const projectId = await lookup.projectId();
  return Promise.all(
    namedBy(typed, await find(lookup, typed)).map(async ({ id: user }) => {
      const person = await lookup.client.call(personRoutes.get, { params: { projectId, user } });
      const roomOf = await roomWords(lookup.client, projectId, person.active ?? []);
      return {
        subject: `person ${personWords(person.participant?.displayName ?? user, user)}`,
        findings: ofPerson(person, roomOf, person.rooms === null ? [] : await closedRooms(lookup, projectId)),
      };
    }),
  );
}

const closedRooms = async ({ client }: Lookup, projectId: string): Promise<Room[]> =>
  (await client.call(roomRoutes.list, { params: { projectId } })).filter((room) => room.closed !== null);

/** Rooms that only moderators may enter, and where the person is not. */
function keptOutOf(closed: readonly Room[], rooms: readonly PersonRoom[]): Finding[] {
  const others = closed.filter(({ roomId }) => rooms.every((room) => room.roomId !== roomId));
  const shown = others
    .slice(0, closedShown)
    .flatMap(({ roomId, closed: until }) =>
      restrictionFindings({ roomId, muted: null, closed: until }, `room ${roomId}`).map(({ says, remedy }) =>
        bad(says, remedy),
      ),
    );
  const more = others.length - shown.length;
  return more === 0 ? shown : [...shown, bad(`${more} more rooms are closed.`, 'earshot rooms list')];
}

function placeIn({ roomId, muted, publishing, restrictions }: PersonRoom): Finding[] {
  const sends = muted || publishing;
  const place = sends
    ? good(`Is in room ${roomId}${muted ? ', muted' : ' and sends voice'}.`)
    : bad(`Is in room ${roomId} and sends no voice.`, 'Their microphone is off, or their browser does not allow it.');
  return [
    place,
    // Moderators alone are in a closed room, and heard in a muted one.
    ...restrictionFindings({ roomId, ...restrictions }, `room ${roomId}`).map(({ kind, says, remedy }) =>
      kind === 'mute' && muted ? bad(says, remedy) : good(says),
    ),
  ];
}

function ofPerson({ active, rooms, gatherings }: Person, roomOf: RoomWords, closed: readonly Room[]): Finding[] {
  const held = (active ?? []).flatMap((sanction) => {
    const { id, type, reason, imposedBy } = sanction;
    const { effect } = kindOf(type);
    if (effect === null) return [];
    const where = sanction.sessionId === null ? '' : ` ${roomOf(sanction)}`;
    const end = endOf(sanction, (endAt) => `until ${endAt}`);
    const because = reason === null || reason === '' ? '' : ` ("${reason}")`;
    return [
      bad(
        `${type}${where}: ${effect}, ${end}${because}, by ${imposedBy ?? authorOf(sanction)}.`,
        `earshot sanctions revoke ${id}`,
      ),
    ];
  });
  const places = [
    ...(rooms ?? []).flatMap(placeIn),
    ...(gatherings ?? []).map(({ name, memberStatus }) => good(`Has a seat in ${name} (${memberStatus}).`)),
  ];
  if (active === null)
    return [bad('Your credential has no access to sanctions.', 'A key needs the scope sanctions:read.'), ...places];
  const kept = keptOutOf(closed, rooms ?? []);
  const isMutedWithRoom = (rooms ?? []).some(({ muted, restrictions }) => muted && restrictions.muted !== null);
  const isFree = held.length === 0 && kept.length === 0 && !isMutedWithRoom;
  return [
    ...(isFree ? [good('Nothing keeps them from joining or speaking.')] : held),
    ...(places.length === 0 ? [good('Is in no room and no gathering now.')] : places),
    ...kept,
  ];
}

export async function examineGatherings(lookup: Lookup, typed: string): Promise<Examined[]> {
  const { find } = await sourceOf('gathering');
  const projectId = await lookup.projectId();
  const meant = namedBy(typed, await find(lookup, typed));
  return Promise.all(
    meant.map(async ({ id }) => {
      const gathering = await lookup.client.call(gatheringRoutes.get, { params: { projectId, id } });
      return { subject: `gathering ${gathering.name} (${gathering.joinCode})`, findings: ofGathering(gathering) };
    }),
  );
}

function ofGathering({
  id,
  status,
  memberCount,
  maxMembers,
  accessPolicy,
  startsAt,
  expiresAt,
  ownerId,
}: Gathering): Finding[] {
  const findings: Finding[] = [];
  if (status !== 'CREATED' && status !== 'STARTED')
    findings.push(bad(`It is ${status.toLowerCase()}: nobody can join any more.`, 'earshot gatherings create'));
  if (memberCount >= maxMembers)
    findings.push(
      bad(
        `It is full: ${memberCount} of ${maxMembers} seats.`,
        `earshot gatherings update ${id} --max-members ${Math.min(100, maxMembers + 1)}`,
      ),
    );
  if (accessPolicy === 'invite-only')
    findings.push(
      bad('The join code alone is not enough: it is by invitation only.', `earshot gatherings invite ${id} WHO`),
    );
  if (ownerId === null && memberCount > 0) findings.push(bad('Nobody owns it.'));
  if (status === 'CREATED' && startsAt !== null) findings.push(good(`It starts by itself at ${startsAt}.`));
  if (expiresAt !== null) findings.push(good(`It expires at ${expiresAt}, unless somebody joins.`));
  return findings.some(({ ok }) => !ok)
    ? findings
    : [...findings, good(`It accepts people: ${memberCount} of ${maxMembers} seats are taken.`)];
}
