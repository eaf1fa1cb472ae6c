/** Sanctions: issued, changed, revoked. They hold in the rooms before the call is answered. */
import type { PartQuery } from '../../../../src/contract/common.js';
import { DomainError } from '../../../../src/contract/errors.js';
import type { Sanction } from '../../../../src/contract/moderation/sanction-record.js';
import type {
  CreateSanctionRequest,
  SanctionListQuery,
  SanctionListResponse,
  UndoActsRequest,
  UndoneActs,
  UndoneSanction,
  UpdateSanctionRequest,
} from '../../../../src/contract/moderation/sanctions.js';
import { dateOrNull } from '../../../platform/database/column-values.js';
import type { Database, Transaction } from '../../../platform/database/database.js';
import { changesBetween } from '../../../platform/events/log.js';
import type { ProjectGrant } from '../../../platform/http/caller.js';
import type { Clock } from '../../../platform/time/clock.js';
import type { BanConfirmations, SanctionOutcomes } from '../cases.js';
import type { SanctionAuthor } from './basis.js';
import { refuseAlone, type SanctionDrafts } from './drafts.js';
import type { SanctionFilter } from './filters.js';
import { preparedAnew, type SanctionIssuing } from './issuing.js';
import type { SanctionJournal, SanctionReader } from './journal.js';
import type { RoomEnforcer } from './room-enforcer.js';
import { endedBy, parametersOf, replacementBy, statusOf, termOf } from './rules.js';
import { changedBy, type SanctionRow, typeOf } from './sanction-rows.js';
import type { Revocation, SanctionStore } from './store.js';
import type { SanctionUndoing } from './undoing.js';

/** Limit for the list of a user's sanctions; far above what moderators issue by hand. */
const historyMax = 10_000;

/** For callers who are not moderators. */
const everybody: SanctionReader = { moderator: false };

interface SanctionServiceNeeds {
  readonly database: Database;
  readonly sanctions: SanctionStore;
  readonly drafts: SanctionDrafts;
  readonly journal: SanctionJournal;
  readonly enforcer: RoomEnforcer;
  readonly issuing: SanctionIssuing;
  readonly undoing: SanctionUndoing;
  readonly outcomes: SanctionOutcomes;
  readonly settings: BanConfirmations;
  readonly now: Clock;
}

const isLater = (one: Pick<SanctionRow, 'endAt'>, before: Pick<SanctionRow, 'endAt'>): boolean =>
  before.endAt !== null && (one.endAt === null || one.endAt > before.endAt);

export class SanctionService {
  constructor(private readonly needs: SanctionServiceNeeds) {}

  /**
   * Throws sanction_target_required, sanction_target_mismatch, sanction_time_invalid, sanction_parameters_invalid,
   * participant_not_found, session_not_found, sanction_template_not_found. `accountId`: the account of the team behind a
   * participant who imposes it; it does not decide the appeal either.
   */
  async create(
    grant: ProjectGrant,
    author: SanctionAuthor & { readonly id: string },
    request: CreateSanctionRequest,
    accountId: string | null = null,
  ): Promise<Sanction> {
    return this.enforced(await preparedAnew(() => this.issue(grant, author, request, accountId)));
  }

  private async issue(
    grant: ProjectGrant,
    author: SanctionAuthor & { readonly id: string },
    request: CreateSanctionRequest,
    accountId: string | null,
  ): Promise<Sanction> {
    const [drafted] = await this.needs.drafts.prepare(grant, author, [request]);
    if (drafted === undefined || drafted instanceof DomainError) throw drafted;
    const draft = accountId === null ? drafted : { ...drafted, ...changedBy(drafted, accountId) };
    await this.refuseOthers(draft, request.replaces ?? []);
    const issue = await this.needs.issuing.prepare([draft], author.id);
    const sanction = await this.answer(draft);
    return this.needs.database.transaction(async (tx) => {
      await this.needs.issuing.store(tx, issue);
      await this.replaceIn(tx, sanction, request.replaces ?? [], author.id);
      return sanction;
    });
  }

  /** A sanction replaces those of its own person. Throws sanction_not_found, sanction_target_mismatch. */
  private async refuseOthers({ projectId, externalUserId }: SanctionRow, replaces: readonly string[]): Promise<void> {
    const rows = replaces.length === 0 ? [] : await this.needs.sanctions.byIds(projectId, replaces);
    const missing = replaces.find((id) => !rows.some((row) => row.id === id));
    if (missing !== undefined)
      throw new DomainError('sanction_not_found', { message: `The project has no sanction ${missing} to replace.` });
    if (rows.some((row) => row.externalUserId !== externalUserId))
      throw new DomainError('sanction_target_mismatch', {
        message: 'A sanction replaces those of the same person. Revoke others by their id.',
      });
  }

  async list(
    projectId: string,
    reader: SanctionReader,
    { limit, offset, after, activeOnly, endsBefore, status, ...fields }: SanctionListQuery,
  ): Promise<SanctionListResponse> {
    const now = this.needs.now();
    const inForce = activeOnly === true || endsBefore !== undefined;
    const filter: SanctionFilter = {
      ...fields,
      inForceAt: inForce ? now : undefined,
      endsBefore: endsBefore === undefined ? undefined : new Date(endsBefore),
      inStatus: status === undefined ? undefined : { status, now },
    };
    const [rows, total] = await Promise.all([
      this.needs.sanctions.list(projectId, filter, { limit, offset, after }),
      this.needs.sanctions.count(projectId, filter),
    ]);
    return { sanctions: await this.needs.journal.completeFor(reader, rows), total, limit, offset };
  }

  /** Throws sanction_not_found. */
  async get(projectId: string, id: string, reader: SanctionReader): Promise<Sanction> {
    const sanction = await this.find(projectId, id, reader);
    if (sanction === null) throw new DomainError('sanction_not_found');
    return sanction;
  }

  /** True if there is such a sanction, and it is about this person. */
  async isAbout(tx: Transaction, projectId: string, id: string, externalUserId: string | null): Promise<boolean> {
    const row = await this.needs.sanctions.find(projectId, id, tx);
    return row !== null && row.externalUserId === externalUserId;
  }

  /** Returns the users, keys and participants who imposed or changed it; nobody where only a rule did. */
  async authorsOf(tx: Transaction, projectId: string, id: string): Promise<string[]> {
    const row = await this.needs.sanctions.find(projectId, id, tx);
    return row === null
      ? []
      : [...(row.createdByUserId === null ? [] : [row.createdByUserId]), ...(row.changedByUserIds ?? [])];
  }

  async find(projectId: string, id: string, reader: SanctionReader = everybody): Promise<Sanction | null> {
    const row = await this.needs.sanctions.find(projectId, id);
    return row === null ? null : ((await this.needs.journal.completeFor(reader, [row]))[0] ?? null);
  }

  /** What sanctions rest on, by their ids. */
  async evidenceOf(projectId: string, ids: readonly string[]): Promise<Map<string, Sanction['evidence']>> {
    const rows = await this.needs.sanctions.byIds(projectId, ids);
    return new Map(rows.map(({ id, evidence }) => [id, evidence]));
  }

  /** Throws sanction_not_found, sanction_not_active, sanction_time_invalid, sanction_parameters_invalid. */
  async update(projectId: string, id: string, actorId: string, request: UpdateSanctionRequest): Promise<Sanction> {
    const setsEnd = request.duration !== undefined || request.endAt !== undefined;
    const settings = setsEnd ? await this.needs.settings.get(projectId) : null;
    return this.enforced(
      await this.needs.database.transaction(async (tx) => {
        const row = await this.active(tx, projectId, id);
        const fields = { ...fieldsOf(row, request, this.needs.now()), ...changedBy(row, actorId) };
        const after = { ...row, ...fields };
        if (settings !== null && isLater(after, row)) refuseAlone(settings, after);
        return this.answer((await this.store(tx, row, 'sanction.updated', fields)).row);
      }),
    );
  }

  /** Throws sanction_not_found, sanction_not_active. */
  async revoke(projectId: string, id: string, revokedByUserId: string, reason: string | null): Promise<Sanction> {
    return this.enforced(
      await this.needs.database.transaction(async (tx) => {
        const before = await this.active(tx, projectId, id);
        const revoke = () => this.revokeRow(tx, before, revokedByUserId, reason);
        return this.answer((await this.needs.outcomes.during(tx, [before], revoke)).row);
      }),
    );
  }

  /** Revokes a sanction and puts back what it replaced. Throws sanction_not_found, sanction_not_active. */
  async undo(projectId: string, id: string, revokedByUserId: string, reason: string | null): Promise<UndoneSanction> {
    const reader = { moderator: true };
    const undone = await this.needs.database.transaction(async (tx) => {
      const before = await this.active(tx, projectId, id);
      const replaced = await this.needs.sanctions.replacedBy(tx, before);
      return this.needs.outcomes.during(tx, [before], async () => {
        const { row } = await this.revokeRow(tx, before, revokedByUserId, reason);
        const restored = await this.needs.undoing.restoreIn(tx, replaced, revokedByUserId);
        return { row, ids: restored.map((one) => one.id) };
      });
    });
    await this.needs.enforcer.applied([undone.row]);
    const restored = await this.needs.sanctions.byIds(projectId, undone.ids);
    return {
      sanction: await this.answer(undone.row),
      restored: await this.needs.journal.completeFor(reader, restored),
    };
  }

  /** Undoes what a moderator or key did in a time, or says what that would change. */
  async undoActs(projectId: string, actorId: string, request: UndoActsRequest): Promise<UndoneActs> {
    const { createdByUserId: author, dryRun, reason = null, ...made } = request;
    const { undoing } = this.needs;
    const counts = dryRun
      ? await undoing.foreseeActs(projectId, author, made)
      : await undoing.undoActs(projectId, author, made, { actorId, reason });
    return { ...counts, dryRun };
  }

  /**
   * Revokes those of the sanctions that are active, within the caller's transaction; the caller then applies it in the rooms.
   */
  async revokeIn(
    tx: Transaction,
    projectId: string,
    ids: readonly string[],
    revocation: Revocation,
  ): Promise<Sanction[]> {
    const now = this.needs.now();
    const rows = await this.needs.sanctions.lockAll(tx, projectId, ids, now);
    const active = rows.filter((row) => statusOf(row, now) === 'active');
    return this.needs.outcomes.during(tx, rows, async () => {
      const before = new Map((await this.needs.journal.complete(active)).map((one) => [one.id, one]));
      const revoked = await this.needs.sanctions.updateAll(
        tx,
        active.map(({ id }) => id),
        revocation,
      );
      const previous = (after: Sanction) => changesBetween(before.get(after.id) ?? after, after);
      return this.needs.journal.changed(tx, 'sanction.revoked', revoked, previous);
    });
  }

  /** Revokes those of the sanctions that are active, as replaced by a new one, within the transaction that stores it. */
  async replaceIn(
    tx: Transaction,
    { id, projectId, createdAt }: Pick<Sanction, 'id' | 'projectId' | 'createdAt'>,
    replaced: readonly string[],
    revokedByUserId: string,
  ): Promise<void> {
    if (replaced.length === 0) return;
    const revocation = { revokedAt: new Date(createdAt), revokedByUserId, revokeReason: replacementBy(id) };
    await this.revokeIn(tx, projectId, replaced, revocation);
  }

  /**
   * Puts a sanction into force again within the caller's transaction, if it is this revocation that ended it; otherwise
   * nothing changes. The caller then applies it in the rooms.
   */
  async restoreIn(tx: Transaction, projectId: string, id: string, revocation: Revocation): Promise<Sanction[]> {
    const row = await this.locked(tx, projectId, id);
    if (row === null) return [];
    const fields = { revokedAt: null, revokedByUserId: null, revokeReason: null };
    return this.needs.outcomes.during(tx, [row], async () =>
      isRevokedBy(row, revocation) ? (await this.store(tx, row, 'sanction.updated', fields)).sanctions : [],
    );
  }

  private revokeRow(tx: Transaction, row: SanctionRow, revokedByUserId: string, revokeReason: string | null) {
    return this.store(tx, row, 'sanction.revoked', { revokedAt: this.needs.now(), revokedByUserId, revokeReason });
  }

  ofUser(projectId: string, externalUserId: string, reader: SanctionReader = everybody): Promise<Sanction[]> {
    return this.all(projectId, { externalUserId }, reader);
  }

  activeOfUser(projectId: string, externalUserId: string, reader: SanctionReader = everybody): Promise<Sanction[]> {
    return this.all(projectId, { externalUserId, inForceAt: this.needs.now() }, reader);
  }

  /** Some of the sanctions of a user or a participant, the newest first, and how many there are. */
  async part(
    projectId: string,
    { isInForce, ...fields }: SanctionFilter & { readonly isInForce?: boolean },
    reader: SanctionReader,
    { limit = historyMax, offset, after }: PartQuery,
  ): Promise<{ sanctions: Sanction[]; total: number }> {
    const now = this.needs.now();
    const inForce = isInForce === undefined ? {} : isInForce ? { inForceAt: now } : { notInForceAt: now };
    const filter = { ...fields, ...inForce };
    const rows = await this.needs.sanctions.list(projectId, filter, { limit, offset, after });
    const total = await this.needs.sanctions.count(projectId, filter);
    return { sanctions: await this.needs.journal.completeFor(reader, rows), total };
  }

  /** Sanctions that name this review as their evidence. */
  async naming(projectId: string, reviewId: string, reader: SanctionReader): Promise<Sanction[]> {
    return this.needs.journal.completeFor(reader, await this.needs.sanctions.naming(projectId, reviewId));
  }

  private async all(projectId: string, filter: SanctionFilter, reader: SanctionReader): Promise<Sanction[]> {
    return this.needs.journal.completeFor(
      reader,
      await this.needs.sanctions.list(projectId, filter, { limit: historyMax, offset: 0 }),
    );
  }

  /** The active sanction, locked. Throws sanction_not_found, sanction_not_active. */
  private async active(tx: Transaction, projectId: string, id: string): Promise<SanctionRow> {
    const row = await this.locked(tx, projectId, id);
    if (row === null) throw new DomainError('sanction_not_found');
    if (statusOf(row, this.needs.now()) !== 'active') throw new DomainError('sanction_not_active');
    return row;
  }

  /** The row, which nobody else changes until the transaction has ended; null: there is none. */
  private async locked(tx: Transaction, projectId: string, id: string): Promise<SanctionRow | null> {
    const isThere = await this.needs.sanctions.lock(tx, projectId, id, this.needs.now());
    return isThere ? this.needs.sanctions.find(projectId, id, tx) : null;
  }

  private async store(
    tx: Transaction,
    row: SanctionRow,
    type: 'sanction.updated' | 'sanction.revoked',
    fields: Partial<SanctionRow>,
  ): Promise<{ row: SanctionRow; sanctions: Sanction[] }> {
    const [before] = await this.needs.journal.complete([row]);
    const changed = await this.needs.sanctions.update(tx, row.id, fields);
    const previous = (after: Sanction) => changesBetween(before ?? after, after);
    return { row: changed, sanctions: await this.needs.journal.changed(tx, type, [changed], previous) };
  }

  /** The call is answered only after the sanction holds in the rooms. */
  private async enforced(sanction: Sanction): Promise<Sanction> {
    await this.needs.enforcer.applied([sanction]);
    return sanction;
  }

  /** For callers who may change sanctions. */
  private async answer(row: SanctionRow): Promise<Sanction> {
    const [sanction] = await this.needs.journal.completeFor({ moderator: true }, [row]);
    if (sanction === undefined) throw new DomainError('sanction_not_found');
    return sanction;
  }
}

const isRevokedBy = (row: SanctionRow, { revokedAt, revokedByUserId, revokeReason }: Revocation): boolean =>
  row.revokedAt?.getTime() === revokedAt.getTime() &&
  row.revokedByUserId === revokedByUserId &&
  row.revokeReason === revokeReason;

/** Fields in the request change; null clears. Throws sanction_time_invalid, sanction_parameters_invalid. */
function fieldsOf(row: SanctionRow, request: UpdateSanctionRequest, now: Date): Partial<SanctionRow> {
  const { reason, note, scope, metadata, parameters, duration, endAt } = request;
  const timeSent = duration !== undefined || endAt !== undefined;
  const requested = { startAt: row.startAt, durationSeconds: duration ?? null, endAt: dateOrNull(endAt) };
  const term = timeSent ? termOf(typeOf(row), requested) : null;
  return {
    // A new reason is in one language: those of a template no longer say what it says.
    ...(reason === undefined ? {} : { reason, basis: { ...row.basis, reasons: {} } }),
    ...(note === undefined ? {} : { note }),
    ...(scope === undefined ? {} : { scope }),
    ...(metadata === undefined ? {} : { metadata }),
    ...(parameters === undefined ? {} : { parameters: parametersOf(typeOf(row), parameters ?? undefined) }),
    ...(term === null ? {} : { ...term, ...endedBy(term, now) }),
  };
}
