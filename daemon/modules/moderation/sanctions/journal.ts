/** Rows of sanctions in the form of the API, and their events. */
import type { AnnouncedSanction, Sanction } from '../../../../src/contract/moderation/sanction-record.js';
import type { Participant } from '../../../../src/contract/people/participants.js';
import type { Transaction } from '../../../platform/database/database.js';
import { mapWithPauses } from '../../../platform/database/slices.js';
import { changesBetween, type EventLog } from '../../../platform/events/log.js';
import type { NewEvent, PreparedEvents } from '../../../platform/events/logged.js';
import type { Clock } from '../../../platform/time/clock.js';
import type { StatementWriter } from '../standing/statements.js';
import { type AuthorNames, authorsOf } from './authors.js';
import type { LiftedBan } from './erased-ban-store.js';
import { type SanctionRow, toSanction } from './sanction-rows.js';

export interface PeopleLookup {
  /** In a transaction nobody erases or moves them until its end. */
  byIds(projectId: string, ids: string[], tx?: Transaction): Promise<Participant[]>;
  byExternalIds(projectId: string, externalUserIds: string[]): Promise<Participant[]>;
}

/** Reader of sanctions. */
export interface SanctionReader {
  readonly moderator: boolean;
  /** True if e-mail addresses of colleagues and names of API keys are open to them. */
  readonly accounts?: boolean;
}

export class SanctionJournal {
  constructor(
    private readonly log: EventLog,
    private readonly people: PeopleLookup,
    private readonly authors: AuthorNames,
    private readonly statements: Pick<StatementWriter, 'announced'>,
    private readonly now: Clock,
  ) {}

  /** In the order of the rows, as events show them. All of one project. */
  async complete(rows: readonly SanctionRow[]): Promise<Sanction[]> {
    const [first] = rows;
    if (first === undefined) return [];
    const ids = [...new Set(rows.flatMap(({ participantId }) => participantId ?? []))];
    const people = new Map((await this.people.byIds(first.projectId, ids)).map((one) => [one.id, one]));
    const now = this.now();
    return mapWithPauses(rows, (row) => toSanction(row, people.get(row.participantId ?? '') ?? null, now));
  }

  /**
   * True if the people of these new rows are still who they were when the rows were prepared: neither erased nor moved.
   */
  async isUpToDate(tx: Transaction, rows: readonly SanctionRow[]): Promise<boolean> {
    const [first] = rows;
    const ids = [...new Set(rows.flatMap(({ participantId }) => participantId ?? []))];
    if (first === undefined || ids.length === 0) return true;
    const people = await this.people.byIds(first.projectId, ids, tx);
    const names = new Map(people.map(({ id, externalUserId }) => [id, externalUserId]));
    return rows.every(
      ({ participantId, externalUserId }) => participantId === null || names.get(participantId) === externalUserId,
    );
  }

  /** As readers with rights see them: with the name of who imposed each, and for moderators with the notes. */
  async completeFor(
    { moderator, accounts = false }: SanctionReader,
    rows: readonly SanctionRow[],
  ): Promise<Sanction[]> {
    const authorOf = await authorsOf(this.authors, rows, { accounts });
    const byId = new Map(rows.map((row) => [row.id, row]));
    return (await this.complete(rows)).map((sanction) => {
      const row = byId.get(sanction.id);
      if (row === undefined) return sanction;
      return { ...sanction, createdBy: authorOf(row), ...(moderator ? { note: row.note } : {}) };
    });
  }

  /** New rows in the form of events, with their events. */
  async created(rows: readonly SanctionRow[]): Promise<{ sanctions: Sanction[]; events: NewEvent[] }> {
    const sanctions = await this.complete(rows);
    const announced = await this.announced(rows, sanctions, { areNone: true });
    return { sanctions, events: await mapWithPauses(announced, (one) => eventOf('sanction.created', one)) };
  }

  /** The events of rows that are about to be revoked, to be stored with `appendPrepared`. What had ended ends no more. */
  async revoked(rows: readonly SanctionRow[], revocation: Partial<SanctionRow>): Promise<PreparedEvents> {
    const before = new Map((await this.complete(rows)).map((one) => [one.id, one]));
    const revoked = await mapWithPauses(rows, (row) => ({ ...row, ...revocation }));
    const announced = await this.announced(revoked, await this.complete(revoked), { reader: undefined });
    return this.log.prepare(
      await mapWithPauses(announced, (one) =>
        eventOf('sanction.revoked', one, changesBetween(before.get(one.id) ?? one, one)),
      ),
    );
  }

  store = (tx: Transaction, events: PreparedEvents) => this.log.appendPrepared(tx, events);

  /**
   * Announces the rows as they are now, with the previous values of `previous`. When only a note changed, the event
   * says just that something changed.
   */
  async changed(
    tx: Transaction,
    type: 'sanction.updated' | 'sanction.revoked',
    rows: readonly SanctionRow[],
    previous: (after: Sanction) => Record<string, unknown> | undefined,
  ): Promise<Sanction[]> {
    const sanctions = await this.complete(rows);
    const announced = await this.announced(rows, sanctions, { reader: tx });
    await this.log.append(tx, ...announced.map((one) => eventOf(type, one, previous(one) ?? {})));
    return sanctions;
  }

  /** Announces that bans of erased people were lifted: their kind, and nothing about the people. */
  async lifted(tx: Transaction, bans: readonly LiftedBan[]): Promise<void> {
    const events = bans.map(({ id, type, tenantId, projectId }) => ({
      ...{ type: 'sanction.revoked', tenantId, projectId, resourceId: `sanction:${id}`, action: 'updated' as const },
      data: { id, redacted: true, type },
    }));
    await this.log.append(tx, ...events);
  }

  /** With what the person is told. */
  private async announced(
    rows: readonly SanctionRow[],
    sanctions: readonly Sanction[],
    appeals: Parameters<StatementWriter['announced']>[2],
  ): Promise<AnnouncedSanction[]> {
    const byId = new Map(rows.map((row) => [row.id, row]));
    const readers = new Map(sanctions.map(({ id, participant }) => [id, participant]));
    const tell = await this.statements.announced(rows, ({ id }) => readers.get(id) ?? null, appeals);
    return mapWithPauses(sanctions, (sanction) => {
      const row = byId.get(sanction.id);
      return row === undefined ? sanction : { ...sanction, statement: tell(row) };
    });
  }
}

const eventOf = (
  type: 'sanction.created' | 'sanction.updated' | 'sanction.revoked',
  sanction: AnnouncedSanction,
  changes?: Record<string, unknown>,
): NewEvent => ({
  type,
  tenantId: sanction.tenantId,
  projectId: sanction.projectId,
  resourceId: `sanction:${sanction.id}`,
  action: type === 'sanction.created' ? 'created' : 'updated',
  data: sanction,
  ...(changes === undefined ? {} : { changes }),
  subjectUserId: sanction.externalUserId,
});
