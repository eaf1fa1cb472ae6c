/** Participants as the API offers them: listed, made, read and changed. */
import { DomainError } from '../../../src/contract/errors.js';
import type {
  CreateParticipantRequest,
  Participant,
  ParticipantListQuery,
  ParticipantListResponse,
  UpdateParticipantRequest,
} from '../../../src/contract/people/participants.js';
import type { Database } from '../../platform/database/database.js';
import { changesBetween, type EventLog } from '../../platform/events/log.js';
import type { Member, ProjectGrant } from '../../platform/http/caller.js';
import type { Clock } from '../../platform/time/clock.js';
import type { ParticipantDirectory } from './directory.js';
import { participantEvent } from './events.js';
import type { PersonMarksReader } from './marks.js';
import { type ParticipantStore, searchKeyOf, toParticipant } from './store.js';

function idsIn(text: string): string[] {
  try {
    return text.split(',').map(decodeURIComponent);
  } catch {
    throw new DomainError('validation_failed', {
      details: [{ path: 'query.externalUserIds', message: 'is not percent-encoded' }],
    });
  }
}

const later = (one: string | undefined, other: string | undefined): string | undefined =>
  one === undefined || (other !== undefined && Date.parse(other) > Date.parse(one)) ? other : one;

export class ParticipantService {
  constructor(
    private readonly database: Database,
    private readonly log: EventLog,
    private readonly participants: ParticipantStore,
    private readonly directory: ParticipantDirectory,
    private readonly marks: PersonMarksReader,
    private readonly now: Clock,
  ) {}

  /** Throws validation_failed for ids that are not percent-encoded. */
  async list(project: ProjectGrant, caller: Member, query: ParticipantListQuery): Promise<ParticipantListResponse> {
    const { limit, offset, after, search, since, until, state, marks, externalUserIds } = query;
    const narrowed = state === undefined ? {} : await this.marks.filterOf(project, caller, state);
    const named = externalUserIds === undefined ? undefined : idsIn(externalUserIds);
    const filter = {
      ...{ search, until },
      since: later(since, narrowed.since),
      among: named?.filter((id) => narrowed.among?.includes(id) ?? true) ?? narrowed.among,
    };
    const { rows, total } = await this.participants.search(project.projectId, filter, { limit, offset, after });
    const participants = rows.map(toParticipant);
    if (marks !== true) return { participants, total, limit, offset };
    const ids = participants.map(({ externalUserId }) => externalUserId);
    const marksOf = await this.marks.of(project, caller, ids);
    const marked = participants.map((one) => ({ ...one, marks: marksOf(one.externalUserId) }));
    return { participants: marked, total, limit, offset };
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
