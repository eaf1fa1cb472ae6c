/** Rooms for operators: who is in which room, and removing somebody. */
import { DomainError } from '../../../src/contract/errors.js';
import type { Room, RoomListQuery } from '../../../src/contract/rooms/rooms.js';
import { isPartOf } from '../../../src/text/fold.js';
import { mapWithPauses } from '../../platform/database/slices.js';
import type { Clock } from '../../platform/time/clock.js';
import { hourMs } from '../../platform/time/spans.js';
import type { PolicyReader } from '../moderation/sanctions/policy-reader.js';
import type { ParticipantDirectory } from '../people/directory.js';
import type { SessionDirectory } from '../sessions/directory.js';
import type { RoomsAnywhere } from './elsewhere/rooms-anywhere.js';
import type { OpenRoom } from './elsewhere/rooms-elsewhere.js';
import type { RoomRestrictionReader } from './restrictions/restrictions.js';
import type { RoomTokenLedger } from './tokens/ledger-store.js';

/** Facts about many rooms and people at once: one answer shows up to a thousand full rooms. */
interface RoomListNeeds {
  readonly sessions: Pick<SessionDirectory, 'activeInAll'>;
  readonly policies: Pick<PolicyReader, 'inRooms'>;
  readonly restrictions: Pick<RoomRestrictionReader, 'views'>;
  readonly people: Pick<ParticipantDirectory, 'byExternalIds'>;
}

/** Longest life of a room token. */
const tokenLifetimeMs = 12 * hourMs;

const emptyRoom = (roomId: string): OpenRoom => ({ roomId, peers: [], speaking: [] });

export class RoomService {
  constructor(
    private readonly rooms: Pick<RoomsAnywhere, 'list' | 'find' | 'evict'>,
    private readonly ledger: Pick<RoomTokenLedger, 'revoke'>,
    private readonly facts: RoomListNeeds,
    private readonly now: Clock,
  ) {}

  async list(projectId: string, { search, externalUserId }: RoomListQuery): Promise<Room[]> {
    const open = await this.rooms.list(projectId);
    const shown = new Set(open.map(({ roomId }) => roomId));
    const empty = [...(await this.facts.restrictions.views(projectId)).keys()].filter((roomId) => !shown.has(roomId));
    const wanted = [...open, ...empty.map(emptyRoom)]
      .filter(
        ({ roomId, peers }) =>
          isPartOf(search, roomId) ||
          peers.some(({ externalUserId: id, name, bot }) => !bot && (isPartOf(search, id) || isPartOf(search, name))),
      )
      .filter(
        ({ peers }) =>
          externalUserId === undefined || peers.some((peer) => !peer.bot && peer.externalUserId === externalUserId),
      );
    return this.views(projectId, wanted);
  }

  async get(projectId: string, roomId: string): Promise<Room> {
    const room = (await this.rooms.find(projectId, roomId)) ?? emptyRoom(roomId);
    const [view] = await this.views(projectId, [room]);
    if (view === undefined) throw new Error('A room has one view.');
    return view;
  }

  private async views(projectId: string, rooms: readonly OpenRoom[]): Promise<Room[]> {
    const roomIds = rooms.map(({ roomId }) => roomId);
    const people = new Set(rooms.flatMap(({ peers }) => peers.map(({ externalUserId }) => externalUserId)));
    const sessions = await this.facts.sessions.activeInAll(projectId, roomIds);
    const policyOf = await this.facts.policies.inRooms(projectId, [...people]);
    const restrictions = await this.facts.restrictions.views(projectId);
    const nameOf = await this.names(projectId, rooms);
    return mapWithPauses(rooms, ({ roomId, peers, speaking }) => ({
      roomId,
      sessionId: sessions.get(roomId) ?? null,
      peers: peers.map(({ externalUserId, name, publishing, muted, bot, observer }) => ({
        externalUserId,
        displayName: nameOf(externalUserId, name),
        publishing,
        bot,
        observer,
        speaking: speaking.includes(externalUserId),
        muted: muted || !policyOf(roomId, externalUserId).publish,
      })),
      muted: restrictions.get(roomId)?.muted ?? null,
      closed: restrictions.get(roomId)?.closed ?? null,
    }));
  }

  /** Falls back to the participant's display name when the token carries none. */
  private async names(projectId: string, rooms: readonly OpenRoom[]) {
    const peers = rooms.flatMap((room) => room.peers.filter(({ externalUserId, name }) => externalUserId === name));
    const ids = [...new Set(peers.map(({ externalUserId }) => externalUserId))];
    const known = ids.length === 0 ? [] : await this.facts.people.byExternalIds(projectId, ids);
    const names = new Map(known.map(({ externalUserId, displayName }) => [externalUserId, displayName]));
    return (externalUserId: string, name: string): string =>
      name === externalUserId ? (names.get(externalUserId) ?? name) : name;
  }

  /** Removed at once, and the token does not open the room again. Throws peer_not_found. */
  async kick(projectId: string, roomId: string, externalUserId: string): Promise<void> {
    const tokenIds = await this.rooms.evict(projectId, roomId, externalUserId);
    if (tokenIds.length === 0) throw new DomainError('peer_not_found');
    const expiresAt = new Date(this.now().getTime() + tokenLifetimeMs);
    for (const jti of new Set(tokenIds))
      await this.ledger.revoke({ jti, projectId, roomId, externalUserId, expiresAt });
    // A person who came back between the two steps is removed again, and now stays out.
    await this.rooms.evict(projectId, roomId, externalUserId);
  }
}
