/** Statements of reasons of stored sanctions, with their appeals. */
import type { ToldPerson } from '../../../../src/contract/moderation/sanction-record.js';
import type { StatementOfReasons } from '../../../../src/contract/moderation/statements.js';
import type { Participant } from '../../../../src/contract/people/participants.js';
import type { Transaction } from '../../../platform/database/database.js';
import type { Clock } from '../../../platform/time/clock.js';
import type { SettingsStore } from '../../projects/settings/store.js';
import type { Appeals, ReviewStore } from '../reviews/store.js';
import type { SanctionRow } from '../sanctions/sanction-rows.js';
import { statementOf, type WrittenStatement } from './statement.js';

const unappealed: Appeals = { own: null, inName: null };

/** The reader for whom a statement is written. */
type Addressee = Pick<Participant, 'language' | 'minor'>;

interface PeopleLanguages {
  byExternalIds(projectId: string, externalUserIds: string[]): Promise<Addressee[]>;
}

export interface WantedLanguage {
  readonly language?: string | undefined;
  readonly others?: readonly string[];
}

export class StatementWriter {
  constructor(
    private readonly appeals: Pick<ReviewStore, 'appealsAgainst'>,
    private readonly people: PeopleLanguages,
    private readonly standingUrl: (sanctionId: string) => string,
    private readonly projects: Pick<SettingsStore, 'serviceOf'>,
    private readonly now: Clock,
  ) {}

  /**
   * Of rows of one person, without those that they are not told about.
   *
   * In the language asked for, else the person's own, else the first of the others that there is.
   */
  async ofPerson(
    rows: readonly SanctionRow[],
    { language, others = [] }: WantedLanguage = {},
  ): Promise<StatementOfReasons[]> {
    const [first] = rows;
    if (first === undefined) return [];
    const { projectId, externalUserId } = first;
    const [person] = externalUserId === null ? [] : await this.people.byExternalIds(projectId, [externalUserId]);
    const appeals = await this.appeals.appealsAgainst(rows.map(({ id }) => id));
    const languages = [language, person?.language, ...others];
    const minor = person?.minor === true;
    const service = await this.projects.serviceOf(projectId);
    return rows.flatMap((row) => {
      const written = this.statement(row, appeals.get(row.id) ?? unappealed, { languages, minor });
      return written === null ? [] : [{ ...written, ...service }];
    });
  }

  /** What events say of rows: in the language of the person, without their appeals where they are new. */
  async announced(
    rows: readonly SanctionRow[],
    personOf: (row: SanctionRow) => Addressee | null,
    appeals: { readonly areNone: true } | { readonly reader: Transaction | undefined },
  ): Promise<(row: SanctionRow) => ToldPerson | null> {
    const ids = rows.map(({ id }) => id);
    const made =
      'areNone' in appeals ? new Map<string, Appeals>() : await this.appeals.appealsAgainst(ids, appeals.reader);
    return (row) => {
      const person = personOf(row);
      const reader = { languages: [person?.language], minor: person?.minor === true };
      const told = this.statement(row, made.get(row.id) ?? unappealed, reader);
      if (told === null) return null;
      const { language, title, text } = told;
      return { language, title, text };
    };
  }

  /** What the person was told when the sanction was imposed, from what is stored of it; null: nothing. */
  async sent(row: SanctionRow): Promise<ToldPerson | null> {
    const { projectId, externalUserId, createdAt } = row;
    const [person] = externalUserId === null ? [] : await this.people.byExternalIds(projectId, [externalUserId]);
    const reader = { languages: [person?.language], minor: person?.minor === true };
    const told = this.statement({ ...row, revokedAt: null }, unappealed, reader, createdAt);
    return told === null ? null : { language: told.language, title: told.title, text: told.text };
  }

  private statement(
    row: SanctionRow,
    appeals: Appeals,
    { languages, minor }: { readonly languages: readonly (string | null | undefined)[]; readonly minor: boolean },
    now = this.now(),
  ): WrittenStatement | null {
    const url = this.standingUrl(row.id);
    return statementOf(row, { appeals, languages, minor, url, now });
  }
}
