/** Statements of reasons of stored sanctions, with their appeals. */
import type { AnnouncedSanction } from '../../../../src/contract/moderation/sanction-record.js';
import type { StatementOfReasons } from '../../../../src/contract/moderation/statements.js';
import type { Participant } from '../../../../src/contract/people/participants.js';
import type { Reader, Transaction } from '../../../platform/database/database.js';
import type { Clock } from '../../../platform/time/clock.js';
import type { ReviewRow } from '../reviews/store.js';
import type { SanctionRow } from '../sanctions/sanction-rows.js';
import type { StandingCodes } from './codes.js';
import { statementOf } from './statement.js';

interface Appeals {
  /** By sanction. */
  appealsAgainst(ids: readonly string[], reader?: Reader | Transaction): Promise<Map<string, ReviewRow>>;
}

/** The reader for whom a statement is written. */
type Addressee = Pick<Participant, 'language' | 'minor'>;

interface PeopleLanguages {
  byExternalIds(projectId: string, externalUserIds: string[]): Promise<Addressee[]>;
}

export interface WantedLanguage {
  readonly language?: string | undefined;
  readonly others?: readonly string[];
}

type Told = NonNullable<AnnouncedSanction['statement']>;

export class StatementWriter {
  /** @param publicUrl the address that links begin with */
  constructor(
    private readonly appeals: Appeals,
    private readonly people: PeopleLanguages,
    private readonly codes: StandingCodes,
    private readonly publicUrl: () => string,
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
    return rows.flatMap((row) => this.statement(row, appeals.get(row.id) ?? null, { languages, minor }) ?? []);
  }

  /** What events say of rows: in the language of the person, without their appeals where they are new. */
  async announced(
    rows: readonly SanctionRow[],
    personOf: (row: SanctionRow) => Addressee | null,
    appeals: { readonly areNone: true } | { readonly reader: Transaction | undefined },
  ): Promise<(row: SanctionRow) => Told | null> {
    const ids = rows.map(({ id }) => id);
    const made = 'areNone' in appeals ? new Map() : await this.appeals.appealsAgainst(ids, appeals.reader);
    return (row) => {
      const person = personOf(row);
      const reader = { languages: [person?.language], minor: person?.minor === true };
      const told = this.statement(row, made.get(row.id) ?? null, reader);
      if (told === null) return null;
      const { language, title, text } = told;
      return { language, title, text };
    };
  }

  private statement(
    row: SanctionRow,
    review: ReviewRow | null,
    { languages, minor }: { readonly languages: readonly (string | null | undefined)[]; readonly minor: boolean },
  ): StatementOfReasons | null {
    const url = `${this.publicUrl()}/standing/${this.codes.codeOf(row.id)}`;
    return statementOf(row, { review, languages, minor, url, now: this.now() });
  }
}
