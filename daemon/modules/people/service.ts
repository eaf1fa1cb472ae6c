/** Participants: one row for a project and an external user, whatever races (contract, section 4). */
import { uuidv7 } from 'uuidv7';
import { DomainError } from '../../../src/contract/errors.js';
import type {
  CreateParticipantRequest,
  Participant,
  ParticipantListResponse,
  UpdateParticipantRequest,
} from '../../../src/contract/people/participants.js';
import type { Clock } from '../../platform/clock.js';
import type { Database, Transaction } from '../../platform/database/database.js';
import { changesBetween, type EventLog } from '../../platform/events/log.js';
import type { ProjectGrant } from '../../platform/http/caller.js';
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
  person: { readonly id: string; readonly externalUserId: string; readonly displayName: string },
) => Promise<void>;

/** What it takes to forget somebody. */
export interface Erasure {
  /** Out of every room, so that nothing new is told while they are erased. */
  dismiss(projectId: string, externalUserId: string): Promise<void>;
  /** Those whose erasing is news to others, or locks rows that come before the log. */
  readonly telling: readonly Eraser[];
  readonly silent: readonly Eraser[];
  /** It is done; what held against them holds no longer, but for bans, and what deleting leaves behind goes. */
  erased(projectId: string, externalUserId: string): Promise<void>;
}

export class ParticipantService {
  constructor(
    private readonly database: Database,
    private readonly log: EventLog,
    private readonly participants: ParticipantStore,
    private readonly erasure: Erasure,
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

  /** null: nobody, or nobody any more. */
  async known(tx: Transaction, projectId: string, externalUserId: string): Promise<Participant | null> {
    const row = await this.participants.byExternalId(projectId, externalUserId, tx);
    return row === null ? null : toParticipant(row);
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

  /** Erases the person and what is known of them, once they are out of the rooms. Throws participant_not_found. */
  async remove(projectId: string, id: string): Promise<void> {
    const { externalUserId } = await this.get(projectId, id);
    await this.erasure.dismiss(projectId, externalUserId);
    await this.database.transaction(async (tx) => {
      const row = await this.participants.find(projectId, id, tx);
      if (row === null) throw new DomainError('participant_not_found');
      for (const erase of this.erasure.telling) await erase(tx, projectId, row);
      // From here on nobody else appends: what was told of the person until now is committed and in sight.
      await this.announce(tx, 'participant.deleted', 'deleted', toParticipant(row), { id });
      await this.participants.erase(tx, projectId, id, row.externalUserId);
      for (const erase of this.erasure.silent) await erase(tx, projectId, row);
    });
    await this.erasure.erased(projectId, externalUserId);
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
