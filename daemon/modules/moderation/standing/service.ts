/** How somebody stands in a project: statements about their sanctions, and appeals of their own. */
import { DomainError } from '../../../../src/contract/errors.js';
import { type Standing, type StatementOfReasons, standingMax } from '../../../../src/contract/moderation/statements.js';
import type { PersonNotice } from '../../../../src/contract/people/person-notices.js';
import type { Misuse } from '../../../../src/contract/reports/misuse.js';
import type { ResourceCodes } from '../../../platform/secrets/resource-codes.js';
import type { Clock } from '../../../platform/time/clock.js';
import type { ParticipantDirectory } from '../../people/directory.js';
import type { NoticeStore } from '../../people/notice-store.js';
import type { ProjectStore } from '../../projects/store.js';
import type { AppealMisuse } from '../cases.js';
import type { ReviewService } from '../reviews/service.js';
import type { ReviewStore } from '../reviews/store.js';
import type { SanctionReader } from '../sanctions/journal.js';
import type { SanctionRow } from '../sanctions/sanction-rows.js';
import type { SanctionStore } from '../sanctions/store.js';
import { readableUntil, toldType } from './statement.js';
import type { StatementWriter, WantedLanguage } from './statements.js';

interface StandingNeeds {
  readonly sanctions: Pick<SanctionStore, 'find' | 'list' | 'byId'>;
  readonly reviews: Pick<ReviewService, 'appeal'>;
  readonly appeals: Pick<ReviewStore, 'appealedBy'>;
  readonly statements: StatementWriter;
  readonly codes: ResourceCodes;
  readonly misuse: Pick<AppealMisuse, 'told'>;
  readonly people: Pick<ParticipantDirectory, 'byExternalIds'>;
  readonly notices: Pick<NoticeStore, 'newest'>;
  readonly projects: Pick<ProjectStore, 'isOpen'>;
  readonly now: Clock;
}

export class StandingService {
  constructor(private readonly needs: StandingNeeds) {}

  /** With the address of the person's page for those who may impose sanctions. Throws sanction_not_found, sanction_without_statement. */
  async ofSanction(
    projectId: string,
    id: string,
    { moderator }: SanctionReader,
    language?: WantedLanguage,
  ): Promise<StatementOfReasons> {
    const row = await this.needs.sanctions.find(projectId, id);
    if (row === null) throw new DomainError('sanction_not_found');
    const [statement] = await this.needs.statements.ofPerson([row], language);
    if (statement === undefined) throw new DomainError('sanction_without_statement');
    return moderator ? statement : { ...statement, url: null };
  }

  async ofPlayer(projectId: string, externalUserId: string, language?: WantedLanguage): Promise<Standing> {
    const told = await this.needs.statements.ofPerson(await this.current(projectId, externalUserId), language);
    const current = told.filter(({ status, appeal }) => status === 'active' || appeal.state !== 'over');
    const shown = current.slice(0, standingMax).sort((a, b) => (a.sanctionId < b.sanctionId ? 1 : -1));
    const misuse = await this.misuseOf(projectId, externalUserId, language);
    const notices = await this.noticesOf(projectId, externalUserId);
    return { externalUserId, statements: shown, misuse, notices };
  }

  /** What a person may have to be told now: appeals that wait, then what is in force, then the rest, each newest first. */
  private async current(projectId: string, externalUserId: string): Promise<SanctionRow[]> {
    const { sanctions, appeals } = this.needs;
    const now = this.needs.now();
    const person = { projectId, externalUserId };
    const waiting = await appeals.appealedBy({ ...person, isWaiting: true }, standingMax);
    const appealed = [...waiting, ...(await appeals.appealedBy({ ...person, isWaiting: false }, standingMax))];
    const inStanding = { now, appealed };
    const lists = await Promise.all(
      [{ id: { in: waiting } }, { inForceAt: now }, {}].map((some) =>
        sanctions.list(projectId, { externalUserId, inStanding, ...some }, { limit: standingMax, offset: 0 }),
      ),
    );
    return [...new Map(lists.flat().map((row) => [row.id, row])).values()];
  }

  private async misuseOf(
    projectId: string,
    externalUserId: string,
    { language, others = [] }: WantedLanguage = {},
  ): Promise<Misuse[]> {
    const [person] = await this.needs.people.byExternalIds(projectId, [externalUserId]);
    return this.needs.misuse.told(projectId, externalUserId, [language, person?.language, ...others]);
  }

  /**
   * Answers without the address of the page, because the answer is kept for repeats. Throws sanction_not_found,
   * sanction_not_active, appeal_too_late, sanction_already_appealed, appeals_suspended.
   */
  async appealOfPlayer(
    { projectId, externalUserId }: { readonly projectId: string; readonly externalUserId: string },
    id: string,
    statement: string,
    language?: WantedLanguage,
  ): Promise<StatementOfReasons> {
    const row = await this.needs.sanctions.find(projectId, id);
    if (row?.externalUserId !== externalUserId || !this.isTold(row)) throw new DomainError('sanction_not_found');
    return { ...(await this.appeal(row, statement, language)), url: null };
  }

  /** Throws standing_code_invalid. */
  async byCode(code: string, language?: WantedLanguage): Promise<StatementOfReasons> {
    const row = await this.rowOf(code);
    const [statement] = await this.needs.statements.ofPerson([row], language);
    if (statement === undefined) throw new DomainError('standing_code_invalid');
    const until = readableUntil(row, statement.appeal, this.needs.now());
    if (until !== null && until < this.needs.now()) throw new DomainError('standing_code_invalid');
    return statement;
  }

  /** Throws standing_code_invalid. */
  async noticesByCode(code: string): Promise<PersonNotice[]> {
    const { projectId, externalUserId } = await this.rowOf(code);
    return externalUserId === null ? [] : this.noticesOf(projectId, externalUserId);
  }

  private noticesOf = async (projectId: string, externalUserId: string): Promise<PersonNotice[]> =>
    (await this.needs.notices.newest(projectId, externalUserId)).map(({ id, text, createdAt }) => ({
      ...{ id, text, createdAt: createdAt.toISOString() },
    }));

  /** Throws standing_code_invalid, sanction_not_active, appeal_too_late, sanction_already_appealed, appeals_suspended. */
  async appealByCode(code: string, statement: string, language?: WantedLanguage): Promise<StatementOfReasons> {
    const row = await this.rowOf(code);
    if (!this.isTold(row)) throw new DomainError('standing_code_invalid');
    return this.appeal(row, statement, language).catch((error: unknown) => {
      // The person was erased since the code was looked up.
      const isGone = error instanceof DomainError && error.code === 'sanction_not_found';
      throw isGone ? new DomainError('standing_code_invalid') : error;
    });
  }

  private async appeal(row: SanctionRow, statement: string, language?: WantedLanguage): Promise<StatementOfReasons> {
    await this.needs.reviews.appeal(row.projectId, row.id, null, statement);
    return this.ofSanction(row.projectId, row.id, { moderator: true }, language);
  }

  private isTold(row: SanctionRow): boolean {
    return toldType(row, this.needs.now()) !== null;
  }

  /** The sanction of a code, unless its project was deleted or its tenant disabled. */
  private async rowOf(code: string): Promise<SanctionRow> {
    const id = this.needs.codes.idOf(code);
    const row = id === null ? null : await this.needs.sanctions.byId(id);
    if (row === null || !(await this.needs.projects.isOpen(row.projectId)))
      throw new DomainError('standing_code_invalid');
    return row;
  }
}
