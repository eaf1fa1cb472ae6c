/** What a typed act does to the people, rooms and cases that it may mean. */
import { banTypes, silencingTypes } from '../../../src/contract/moderation/sanction-kinds.js';
import { sanctionRoutes } from '../../../src/contract/moderation/sanctions.js';
import type { ListedParticipant } from '../../../src/contract/people/participants.js';
import { type Case, caseRoutes } from '../../../src/contract/reports/cases.js';
import { roomRestrictionRoutes } from '../../../src/contract/rooms/room-restrictions.js';
import { type Room, roomRoutes } from '../../../src/contract/rooms/rooms.js';
import { spanOf } from '../../../src/text/span.js';
import type { Undoable } from '../parts/undo.js';
import { restrictionOf } from '../people/person-link.js';
import { undoOfRevocations, undoOfSanction } from '../sanctions/taken-back.js';
import { client } from '../session/session.js';
import type { FirstWords } from '../words/en.js';
import type { TypedAct } from './verbs.js';

export interface OrderedAct {
  readonly label: string;
  /** Returns what takes it back; null: nothing does. */
  readonly run: () => Promise<Undoable | null>;
}

interface Ordering {
  readonly params: { readonly projectId: string };
  readonly words: FirstWords;
  readonly order: TypedAct;
}

const muteSeconds = 600;
const banSeconds = 86_400;

/** null: the act is none on people, or this person is not under what it takes back. */
export function actOnPerson(person: ListedParticipant, { params, words, order }: Ordering): OrderedAct | null {
  const { displayName: name, externalUserId, marks } = person;
  const { verb } = order;
  const impose = (type: 'mute' | 'temp_ban' | 'warn', duration: number | null): OrderedAct => {
    const label = words.palette.acts[verb](name, duration === null ? '' : spanOf(duration, ' '));
    const body = { type, externalUserId, ...(duration === null ? {} : { duration }) };
    return {
      label,
      run: async () => undoOfSanction(params, await client.call(sanctionRoutes.create, { params, body }), label),
    };
  };
  const revoke = (types: readonly string[]): OrderedAct | null => {
    const inForce = restrictionOf(marks, types);
    if (inForce === null) return null;
    const label = words.palette.acts[verb](name, '');
    const one = (id: string) => client.call(sanctionRoutes.revoke, { params: { ...params, id }, body: {} });
    return { label, run: async () => undoOfRevocations(params, await Promise.all(inForce.ids.map(one)), label) };
  };
  const kick = (): OrderedAct | null => {
    const rooms = marks?.rooms ?? [];
    if (rooms.length === 0) return null;
    const from = ({ roomId }: { readonly roomId: string }) =>
      client.call(roomRoutes.kick, { params: { ...params, roomId, externalUserId } });
    return {
      label: words.palette.acts.kick(name, rooms.map(({ roomId }) => roomId).join(', ')),
      run: () => Promise.all(rooms.map(from)).then(() => null),
    };
  };
  if (verb === 'mute') return impose('mute', order.seconds ?? muteSeconds);
  if (verb === 'ban') return impose('temp_ban', order.seconds ?? banSeconds);
  if (verb === 'warn') return impose('warn', null);
  if (verb === 'unmute') return revoke(silencingTypes);
  if (verb === 'unban') return revoke(banTypes);
  return verb === 'kick' ? kick() : null;
}

/** null: the act is none on rooms, or the room is so already. */
export function actOnRoom({ roomId, muted, closed }: Room, { params, words, order }: Ordering): OrderedAct | null {
  const at = { ...params, roomId };
  const change = {
    mute: () => client.call(roomRestrictionRoutes.mute, { params: at, body: {} }),
    unmute: () => client.call(roomRestrictionRoutes.unmute, { params: at }),
    close: () => client.call(roomRestrictionRoutes.close, { params: at, body: {} }),
    reopen: () => client.call(roomRestrictionRoutes.reopen, { params: at }),
  };
  const back = { mute: 'unmute', unmute: 'mute', close: 'reopen', reopen: 'close' } as const;
  const isPossible = { mute: muted === null, unmute: muted !== null, close: closed === null, reopen: closed !== null };
  const { verb } = order;
  if (verb !== 'mute' && verb !== 'unmute' && verb !== 'close' && verb !== 'reopen') return null;
  if (!isPossible[verb]) return null;
  const label = words.palette.acts[verb](`${words.room} ${roomId}`, '');
  return { label, run: () => change[verb]().then(() => ({ label, run: change[back[verb]] })) };
}

/** null: the act is none on cases. */
export function actOnCase(found: Case, { params, words, order }: Ordering): OrderedAct | null {
  if (order.verb !== 'claim' || found.status !== 'open') return null;
  const item = { params: { ...params, id: found.id } };
  const label = words.palette.acts.claim(`${found.category} ${found.externalUserId ?? found.roomId ?? ''}`, '');
  const release = () => client.call(caseRoutes.release, item);
  return { label, run: () => client.call(caseRoutes.claim, item).then(() => ({ label, run: release })) };
}
