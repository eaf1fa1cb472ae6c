/** Participants as the API offers them: listed, made, read and changed. */
import type { PageQuery } from '../../../src/contract/common.js';
import { DomainError } from '../../../src/contract/errors.js';
import type {
  CreateParticipantRequest,
  Participant,
  ParticipantListResponse,
  UpdateParticipantRequest,
} from '../../../src/contract/people/participants.js';
import type { Database } from '../../platform/database/database.js';
import { changesBetween, type EventLog } from '../../platform/events/log.js';
import type { ProjectGrant } from '../../platform/http/caller.js';
import type { Clock } from '../../platform/time/clock.js';
import type { ParticipantDirectory } from './directory.js';
import { participantEvent } from './events.js';
import { type ParticipantFilter, type ParticipantStore, searchKeyOf, toParticipant } from './store.js';

export class ParticipantService {
  constructor(
    private readonly database: Database,
    private readonly log: EventLog,
    private readonly participants: ParticipantStore,
    private readonly directory: ParticipantDirectory,
    private readonly now: Clock,
  ) {}

  async list(projectId: string, query: ParticipantFilter & PageQuery): Promise<ParticipantListResponse> {
    const { limit, offset } = query;
    const { rows, total } = await this.participants.search(projectId, query, query);
    return { participants: rows.map(toParticipant), total, limit, offset };
  }

  /** Creates the participant, or returns the existing one unchanged. */
  async create({ tenantId, projectId }: ProjectGrant, request: CreateParticipantRequest): Promise<Participant> {
    return this.database.transaction((tx) => this.directory.ensure(tx, { tenantId, projectId, ...request }));
  }

  /** Throws participant_not_found. */
  async get(projectId: string, id: string): Promise<Participant> {
    const row = await this.participants.find(projectId, id);
    if (row === null) throw new DomainError('participant_not_found');
    return toParticipant(row);
  }

  /** Throws participant_not_found. */
  async update(projectId: string, id: string, request: UpdateParticipantRequest): Promise<Participant> {
    return this.database.transaction(async (tx) => {
      const row = await this.participants.lock(tx, projectId, id);
      if (row === null) throw new DomainError('participant_not_found');
      const before = toParticipant(row);
      const displayName =
        request.displayName === undefined ? before.displayName : (request.displayName ?? before.externalUserId);
      const userData = request.userData === undefined ? before.userData : (request.userData ?? {});
      const after = toParticipant(
        await this.participants.update(tx, id, {
          displayName,
          searchKey: searchKeyOf(displayName, before.externalUserId),
          userData,
          language: request.language === undefined ? before.language : request.language,
          isMinor: request.minor === undefined ? before.minor : request.minor,
          updatedAt: this.now(),
        }),
      );
      await this.log.append(tx, participantEvent('updated', after, changesBetween(before, after)));
      return after;
    });
  }
}
