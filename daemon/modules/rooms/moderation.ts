/** Moderators in a room, by their link: they mute, kick, ban and note who is there, and take back what they did. */
import { DomainError } from '../../../src/contract/errors.js';
import type { SanctionType } from '../../../src/contract/moderation/sanction-record.js';
import { isPerson } from '../../../src/contract/rooms/room-events.js';
import { type RoomAct, roomModerationRoutes } from '../../../src/contract/rooms/room-moderation.js';
import type { Database } from '../../platform/database/database.js';
import { bind } from '../../platform/http/bind.js';
import type { ModeratorCaller, PeerCaller, ProjectGrant } from '../../platform/http/caller.js';
import type { SanctionService } from '../moderation/sanctions/service.js';
import type { ParticipantDirectory } from '../people/directory.js';
import type { ParticipantNotes } from '../people/notes.js';
import type { ProjectStore } from '../projects/store.js';
import type { Admission } from './media/admission.js';
import type { RoomService } from './service.js';
import type { RoomTokens } from './tokens/room-tokens.js';

interface RoomModerationNeeds {
  readonly database: Pick<Database, 'transaction'>;
  readonly tokens: Pick<RoomTokens, 'verify'>;
  readonly admission: Pick<Admission, 'admit'>;
  readonly projects: Pick<ProjectStore, 'tenantOf'>;
  readonly rooms: Pick<RoomService, 'get' | 'kick'>;
  readonly people: Pick<ParticipantDirectory, 'byExternalIds' | 'ensure'>;
  readonly sanctions: Pick<SanctionService, 'create' | 'find' | 'undo'>;
  readonly notes: Pick<ParticipantNotes, 'list' | 'add' | 'remove'>;
}

interface RoomSanction {
  readonly externalUserId: string;
  /** Seconds; null: until revoked. */
  readonly duration: number | null;
  readonly reason?: string | undefined;
}

export class RoomModeration {
  constructor(private readonly needs: RoomModerationNeeds) {}

  /**
   * The holder of a room token that imposes sanctions. Throws room_token_invalid, room_token_forbids,
   * participant_banned.
   */
  async callerOf(token: string): Promise<ModeratorCaller> {
    const {
      sub,
      name,
      project: projectId,
      room: roomId,
      impose,
      accountId,
      jti,
      exp,
    } = await this.needs.tokens.verify(token, null);
    if (!impose)
      throw new DomainError('room_token_forbids', {
        message: 'The room token does not let its holder moderate. Ask for a link with the permission moderate.',
      });
    await this.needs.admission.admit({ projectId, roomId }, { externalUserId: sub, moderate: true });
    const tenantId = await this.needs.projects.tenantOf(projectId);
    if (tenantId === null) throw new DomainError('room_token_invalid');
    const { id } = await this.participant({ tenantId, projectId }, sub, name);
    const expiresAt = new Date(exp * 1000);
    const place = { tenantId, projectId, roomId };
    return { kind: 'moderator', id, accountId, ...place, externalUserId: sub, credentialId: jti, expiresAt };
  }

  /** The holder of any room token of a person. Throws room_token_invalid, participant_banned, room_closed. */
  async peerOf(token: string): Promise<PeerCaller> {
    const claims = await this.needs.tokens.verify(token, null);
    const { sub: id, project: projectId, room: roomId, moderate, observer, jti, exp } = claims;
    if (observer)
      throw new DomainError('room_token_invalid', {
        message: 'The room token is of an observer, who is no participant.',
      });
    await this.needs.admission.admit({ projectId, roomId }, { externalUserId: id, moderate });
    const tenantId = await this.needs.projects.tenantOf(projectId);
    if (tenantId === null) throw new DomainError('room_token_invalid');
    const expiresAt = new Date(exp * 1000);
    return { kind: 'peer', id, tenantId, projectId, roomId, externalUserId: id, credentialId: jti, expiresAt };
  }

  /** Throws peer_not_found, room_token_forbids. */
  async impose(by: ModeratorCaller, project: ProjectGrant, type: SanctionType, asked: RoomSanction): Promise<RoomAct> {
    const { externalUserId, duration, reason } = asked;
    await this.requireOther(by, externalUserId);
    const request = { type, externalUserId, reason, ...(duration === null ? {} : { duration }) };
    const { id } = await this.needs.sanctions.create(project, { id: by.id, isPerson: true }, request, by.accountId);
    return { sanctionId: id, noteId: null };
  }

  /** Throws peer_not_found, room_token_forbids. */
  async kick(by: ModeratorCaller, externalUserId: string): Promise<void> {
    await this.requireOther(by, externalUserId);
    await this.needs.rooms.kick(by.projectId, by.roomId, externalUserId);
  }

  /** Throws peer_not_found, room_token_forbids, participant_note_limit. */
  async note(by: ModeratorCaller, externalUserId: string, text: string): Promise<RoomAct> {
    await this.requireOther(by, externalUserId);
    const { id } = await this.participant(by, externalUserId);
    return { sanctionId: null, noteId: (await this.needs.notes.add(by.projectId, id, by.id, text)).id };
  }

  /** Throws sanction_not_found, sanction_not_active, participant_note_not_found. */
  async undo({ id, projectId }: ModeratorCaller, externalUserId: string, { sanctionId, noteId }: RoomAct) {
    if (noteId !== null) return this.removeNote(projectId, externalUserId, noteId, id);
    const sanction = sanctionId === null ? null : await this.needs.sanctions.find(projectId, sanctionId, everybody);
    if (sanction?.createdByUserId !== id) throw new DomainError('sanction_not_found');
    await this.needs.sanctions.undo(projectId, sanction.id, id, null);
  }

  private async removeNote(projectId: string, externalUserId: string, noteId: string, by: string): Promise<void> {
    const [person] = await this.needs.people.byExternalIds(projectId, [externalUserId]);
    const notes = person === undefined ? [] : await this.needs.notes.list(projectId, person.id);
    if (person === undefined || !notes.some((note) => note.id === noteId && note.createdByUserId === by))
      throw new DomainError('participant_note_not_found');
    await this.needs.notes.remove(projectId, person.id, noteId);
  }

  /** Somebody else, in the room of the moderator. */
  private async requireOther(by: ModeratorCaller, externalUserId: string): Promise<void> {
    if (externalUserId === by.externalUserId)
      throw new DomainError('room_token_forbids', { message: 'You cannot moderate yourself. Name somebody else.' });
    const { peers } = await this.needs.rooms.get(by.projectId, by.roomId);
    if (!peers.some((peer) => isPerson(peer) && peer.externalUserId === externalUserId))
      throw new DomainError('peer_not_found');
  }

  private async participant(
    { tenantId, projectId }: Pick<ModeratorCaller, 'tenantId' | 'projectId'>,
    externalUserId: string,
    displayName?: string,
  ): Promise<{ readonly id: string }> {
    const [known] = await this.needs.people.byExternalIds(projectId, [externalUserId]);
    const person = { tenantId, projectId, externalUserId, displayName };
    return known ?? this.needs.database.transaction((tx) => this.needs.people.ensure(tx, person));
  }
}

const everybody = { moderator: false };

export const roomModerationRouter = (moderation: RoomModeration) =>
  bind(roomModerationRoutes, {
    mute: ({ caller, project, body }) => moderation.impose(caller, project, 'mute', body),
    kick: ({ caller, body }) => moderation.kick(caller, body.externalUserId),
    ban: ({ caller, project, body }) =>
      moderation.impose(caller, project, body.duration === null ? 'perm_ban' : 'temp_ban', body),
    note: ({ caller, body }) => moderation.note(caller, body.externalUserId, body.text),
    undo: ({ caller, body }) => moderation.undo(caller, body.externalUserId, body),
  });
