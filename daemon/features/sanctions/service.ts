/** Sanctions: issued, changed, revoked, expired; in force in the rooms before the answer goes out (contract, 4 to 6). */
import { uuidv7 } from 'uuidv7';
import { DomainError } from '../../../src/contract/errors.js';
import type { Participant } from '../../../src/contract/participants.js';
import type {
  CreateSanctionRequest,
  Sanction,
  SanctionListResponse,
  SanctionType,
  UpdateSanctionRequest,
} from '../../../src/contract/sanctions.js';
import type { Clock } from '../../clock.js';
import type { Database, Transaction } from '../../database/database.js';
import { changesBetween, type EventLog } from '../../events/log.js';
import type { ProjectGrant } from '../../http/caller.js';
import { isInForce, policyOf, type RoomPolicy, statusOf, termOf, toldOf } from './rules.js';
import { type SanctionFilter, type SanctionRow, type SanctionStore, toSanction, typeOf } from './store.js';

export interface PeopleLookup {
  byId(projectId: string, id: string): Promise<Participant | null>;
  byExternalId(projectId: string, externalUserId: string): Promise<Participant | null>;
}

/** Where sanctions take effect. Resolves once the policy holds. */
export interface SanctionEffects {
  apply(projectId: string, externalUserId: string, policy: RoomPolicy): Promise<void>;
}

/** All sanctions of a user; a limit that nobody reaches by hand. */
const historyMax = 10_000;
const json = (value: unknown): string | null => (value === undefined || value === null ? null : JSON.stringify(value));
const date = (text: string | null | undefined): Date | null =>
  text === undefined || text === null ? null : new Date(text);

export class SanctionService {
  /** The last enforcement asked for, by person: one after the other, so that the newest policy is what stays. */
  private readonly enforcing = new Map<string, Promise<void>>();
  /** Sanctions that begin later are still to be put into force; rooms ask for the policy of whoever enters. */
  private begunUpTo: Date;

  constructor(
    private readonly database: Database,
    private readonly log: EventLog,
    private readonly sanctions: SanctionStore,
    private readonly people: PeopleLookup,
    private readonly sessionExists: (projectId: string, sessionId: string) => Promise<boolean>,
    private readonly effects: SanctionEffects,
    private readonly now: Clock,
  ) {
    this.begunUpTo = now();
  }

  /** Throws sanction_target_required, sanction_target_mismatch, sanction_time_invalid, participant_not_found, session_not_found. */
  async create(
    { tenantId, projectId }: ProjectGrant,
    createdByUserId: string,
    request: CreateSanctionRequest,
  ): Promise<Sanction> {
    const target = await this.targetOf(projectId, request);
    if (request.sessionId !== undefined && !(await this.sessionExists(projectId, request.sessionId)))
      throw new DomainError('session_not_found');
    const createdAt = this.now();
    const wished = {
      startAt: date(request.startAt) ?? createdAt,
      durationSeconds: request.duration ?? null,
      endAt: date(request.endAt),
    };
    const row: SanctionRow = {
      id: uuidv7(),
      tenantId,
      projectId,
      ...target,
      sessionId: request.sessionId ?? null,
      type: request.type,
      scope: request.scope ?? null,
      metadata: json(request.metadata),
      parameters: json(request.parameters),
      evidence: json(request.evidence),
      reason: request.reason ?? null,
      note: request.note ?? null,
      ...termOf(request.type, wished),
      expiredAt: null,
      createdByUserId,
      createdAt,
      updatedAt: createdAt,
      revokedAt: null,
      revokedByUserId: null,
      revokeReason: null,
    };
    return this.changing(async (tx) => {
      const sanction = await this.complete(await this.sanctions.insert(tx, row));
      await this.announce(tx, 'sanction.created', 'created', sanction);
      return sanction;
    });
  }

  async list(
    projectId: string,
    query: { type?: SanctionType | undefined; activeOnly?: boolean | undefined; limit: number; offset: number },
  ): Promise<SanctionListResponse> {
    const { limit, offset, type } = query;
    const filter: SanctionFilter = { type, inForceAt: query.activeOnly === true ? this.now() : undefined };
    const [rows, total] = await Promise.all([
      this.sanctions.list(projectId, filter, { take: limit, skip: offset }),
      this.sanctions.count(projectId, filter),
    ]);
    return { sanctions: await this.completeAll(rows), total, limit, offset };
  }

  /** Throws sanction_not_found. */
  async get(projectId: string, id: string): Promise<Sanction> {
    const row = await this.sanctions.find(projectId, id);
    if (row === null) throw new DomainError('sanction_not_found');
    return this.complete(row);
  }

  /** Throws sanction_not_found, sanction_not_active, sanction_time_invalid. */
  async update(projectId: string, id: string, request: UpdateSanctionRequest): Promise<Sanction> {
    return this.change(projectId, id, 'sanction.updated', (row) => {
      const timeSent = request.duration !== undefined || request.endAt !== undefined;
      const wished = { startAt: row.startAt, durationSeconds: request.duration ?? null, endAt: date(request.endAt) };
      return {
        ...(request.reason === undefined ? {} : { reason: request.reason }),
        ...(request.note === undefined ? {} : { note: request.note }),
        ...(request.scope === undefined ? {} : { scope: request.scope }),
        ...(request.metadata === undefined ? {} : { metadata: json(request.metadata) }),
        ...(request.parameters === undefined ? {} : { parameters: json(request.parameters) }),
        ...(timeSent ? termOf(typeOf(row), wished) : {}),
      };
    });
  }

  /** Throws sanction_not_found, sanction_not_active. */
  async revoke(projectId: string, id: string, revokedByUserId: string, reason: string | null): Promise<Sanction> {
    return this.change(projectId, id, 'sanction.revoked', () => ({
      revokedAt: this.now(),
      revokedByUserId,
      revokeReason: reason,
    }));
  }

  async ofUser(projectId: string, externalUserId: string): Promise<Sanction[]> {
    return this.completeAll(await this.sanctions.list(projectId, { externalUserId }, { take: historyMax, skip: 0 }));
  }

  async ofParticipant(projectId: string, participantId: string): Promise<Sanction[]> {
    return this.completeAll(await this.sanctions.list(projectId, { participantId }, { take: historyMax, skip: 0 }));
  }

  async activeOfUser(projectId: string, externalUserId: string, type?: SanctionType): Promise<Sanction[]> {
    const filter = { externalUserId, type, inForceAt: this.now() };
    return this.completeAll(await this.sanctions.list(projectId, filter, { take: historyMax, skip: 0 }));
  }

  /** What the user may do in the rooms of the project now. */
  async policy(projectId: string, externalUserId: string): Promise<RoomPolicy> {
    return policyOf(await this.inForce(projectId, externalUserId));
  }

  /** What the user is told of being silenced or banned now. */
  async told(projectId: string, externalUserId: string): Promise<ReturnType<typeof toldOf>> {
    return toldOf(await this.inForce(projectId, externalUserId));
  }

  private async inForce(projectId: string, externalUserId: string) {
    const now = this.now();
    const filter = { externalUserId, inForceAt: now };
    const rows = await this.sanctions.list(projectId, filter, { take: historyMax, skip: 0 });
    return rows
      .filter((row) => isInForce(row, now))
      .map((row) => ({ type: typeOf(row), endAt: row.endAt, reason: row.reason }));
  }

  /** Puts into force what was issued ahead of its time, once that has come. */
  async beginDue(): Promise<void> {
    const upTo = this.now();
    const begun = await this.sanctions.begun(this.begunUpTo, upTo);
    for (const { projectId, externalUserId } of begun) await this.enforce({ projectId, externalUserId });
    this.begunUpTo = upTo;
  }

  /** Announces sanctions whose end has come and lifts their effect; returns how many. */
  async expireDue(batchSize: number): Promise<number> {
    const due = await this.sanctions.due(this.now(), batchSize);
    for (const row of due) {
      const expired = await this.database.transaction(async (tx) => {
        if (!(await this.sanctions.markExpired(tx, row.id, this.now()))) return null;
        const sanction = await this.complete(row);
        await this.announce(tx, 'sanction.updated', 'updated', sanction, { status: 'active', isActive: true });
        return sanction;
      });
      if (expired !== null) await this.enforce(expired);
    }
    return due.length;
  }

  private async change(
    projectId: string,
    id: string,
    type: 'sanction.updated' | 'sanction.revoked',
    fields: (row: SanctionRow) => Partial<SanctionRow>,
  ): Promise<Sanction> {
    return this.changing(async (tx) => {
      const row = await this.sanctions.find(projectId, id, tx);
      if (row === null) throw new DomainError('sanction_not_found');
      if (statusOf(row, this.now()) !== 'active') throw new DomainError('sanction_not_active');
      const before = await this.complete(row);
      const after = await this.complete(await this.sanctions.update(tx, id, { ...fields(row), updatedAt: this.now() }));
      await this.announce(tx, type, 'updated', after, changesBetween(before, after));
      return after;
    });
  }

  /** Stores and announces, then puts into force before anybody is told that it is done. */
  private async changing(work: (tx: Transaction) => Promise<Sanction>): Promise<Sanction> {
    const sanction = await this.database.transaction(work);
    await this.enforce(sanction);
    return sanction;
  }

  private async enforce({ projectId, externalUserId }: Pick<Sanction, 'projectId' | 'externalUserId'>): Promise<void> {
    if (externalUserId === null) return;
    const key = JSON.stringify([projectId, externalUserId]);
    const apply = async () =>
      this.effects.apply(projectId, externalUserId, await this.policy(projectId, externalUserId));
    const turn = (this.enforcing.get(key) ?? Promise.resolve()).catch(() => {}).then(apply);
    this.enforcing.set(key, turn);
    try {
      await turn;
    } finally {
      if (this.enforcing.get(key) === turn) this.enforcing.delete(key);
    }
  }

  /** A participant brings its external id, so that the sanction outlives the participant's row. */
  private async targetOf(projectId: string, { participantId, externalUserId }: CreateSanctionRequest) {
    if (participantId === undefined) {
      if (externalUserId === undefined) throw new DomainError('sanction_target_required');
      const known = await this.people.byExternalId(projectId, externalUserId);
      return { participantId: known?.id ?? null, externalUserId };
    }
    const participant = await this.people.byId(projectId, participantId);
    if (participant === null) throw new DomainError('participant_not_found');
    if (externalUserId !== undefined && externalUserId !== participant.externalUserId)
      throw new DomainError('sanction_target_mismatch');
    return { participantId, externalUserId: participant.externalUserId };
  }

  private async complete(row: SanctionRow): Promise<Sanction> {
    const participant = row.participantId === null ? null : await this.people.byId(row.projectId, row.participantId);
    return toSanction(row, participant, this.now());
  }

  private completeAll(rows: readonly SanctionRow[]): Promise<Sanction[]> {
    return Promise.all(rows.map((row) => this.complete(row)));
  }

  private async announce(
    tx: Transaction,
    type: string,
    action: 'created' | 'updated',
    sanction: Sanction,
    changes?: Record<string, unknown>,
  ): Promise<void> {
    const { id, tenantId, projectId, externalUserId } = sanction;
    await this.log.append(tx, {
      type,
      tenantId,
      projectId,
      resourceId: `sanction:${id}`,
      action,
      data: sanction,
      ...(changes === undefined ? {} : { changes }),
      subjectUserId: externalUserId,
    });
  }
}
