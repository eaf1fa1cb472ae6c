/** Participants: one row for a project and an external user, whatever races (contract, section 4). */
import { uuidv7 } from 'uuidv7';
import { DomainError } from '../../../src/contract/errors.js';
import type {
  CreateParticipantRequest,
  Participant,
  ParticipantListResponse,
  UpdateParticipantRequest,
} from '../../../src/contract/participants.js';
import type { Clock } from '../../clock.js';
import type { Database, Transaction } from '../../database/database.js';
import { changesBetween, type EventLog } from '../../events/log.js';
import type { ProjectGrant } from '../../http/caller.js';
import { type ParticipantStore, searchKeyOf, toParticipant } from './store.js';

interface Person {
  readonly tenantId: string;
  readonly projectId: string;
  readonly externalUserId: string;
  readonly displayName?: string | undefined;
  readonly userData?: Record<string, unknown> | undefined;
}

/** Others who keep something of a person and must forget it too, in the same transaction. */
export type Eraser = (
  tx: Transaction,
  projectId: string,
  person: { readonly id: string; readonly externalUserId: string },
) => Promise<void>;

export class ParticipantService {
  constructor(
    private readonly database: Database,
    private readonly log: EventLog,
    private readonly participants: ParticipantStore,
    private readonly erasers: readonly Eraser[],
    private readonly now: Clock,
  ) {}

  async list(projectId: string, search: string, limit: number, offset: number): Promise<ParticipantListResponse> {
    const { rows, total } = await this.participants.search(projectId, search, limit, offset);
    return { participants: rows.map(toParticipant), total, limit, offset };
  }

  /** Creates, or returns the one that is there as it is. */
  async create({ tenantId, projectId }: ProjectGrant, request: CreateParticipantRequest): Promise<Participant> {
    return this.database.transaction((tx) => this.ensure(tx, { tenantId, projectId, ...request }));
  }

  /** The same within a transaction of somebody else's. */
  async ensure(
    tx: Transaction,
    { tenantId, projectId, externalUserId, displayName = externalUserId, userData = {} }: Person,
  ): Promise<Participant> {
    const existing = await this.participants.byExternalId(projectId, externalUserId, tx);
    if (existing !== null) return toParticipant(existing);
    const now = this.now();
    const participant = toParticipant(
      await this.participants.insert(tx, {
        id: uuidv7(),
        tenantId,
        projectId,
        externalUserId,
        displayName,
        searchKey: searchKeyOf(displayName, externalUserId),
        userData: JSON.stringify(userData),
        joinedAt: now,
        updatedAt: now,
      }),
    );
    await this.announce(tx, 'participant.created', 'created', participant, participant);
    return participant;
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
      const row = await this.participants.find(projectId, id, tx);
      if (row === null) throw new DomainError('participant_not_found');
      const before = toParticipant(row);
      const displayName =
        request.displayName === undefined ? before.displayName : (request.displayName ?? before.externalUserId);
      const userData = request.userData === undefined ? before.userData : (request.userData ?? {});
      const after = toParticipant(
        await this.participants.update(tx, id, {
          displayName,
          searchKey: searchKeyOf(displayName, before.externalUserId),
          userData: JSON.stringify(userData),
          updatedAt: this.now(),
        }),
      );
      await this.announce(tx, 'participant.updated', 'updated', after, after, changesBetween(before, after));
      return after;
    });
  }

  /** Erases the person and what is known of them. Throws participant_not_found. */
  async remove(projectId: string, id: string): Promise<void> {
    await this.database.transaction(async (tx) => {
      const row = await this.participants.find(projectId, id, tx);
      if (row === null) throw new DomainError('participant_not_found');
      await this.participants.erase(tx, projectId, id, row.externalUserId);
      for (const erase of this.erasers) await erase(tx, projectId, row);
      await this.announce(tx, 'participant.deleted', 'deleted', toParticipant(row), { id });
    });
  }

  private async announce(
    tx: Transaction,
    type: string,
    action: 'created' | 'updated' | 'deleted',
    { id, tenantId, projectId, externalUserId }: Participant,
    data: unknown,
    changes?: Record<string, unknown>,
  ): Promise<void> {
    await this.log.append(tx, {
      type,
      tenantId,
      projectId,
      resourceId: `participant:${id}`,
      action,
      data,
      ...(changes === undefined ? {} : { changes }),
      subjectUserId: action === 'deleted' ? null : externalUserId,
    });
  }
}
