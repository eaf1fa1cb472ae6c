/** Tells people of warnings and suspensions for misuse, in their language (Digital Services Act, Article 23(2)). */
import { type Misuse, Misused } from '../../../../src/contract/reports/misuse.js';
import { chosenLanguage } from '../../../../src/text/statements/languages.js';
import { liftedText, misuseText } from '../../../../src/text/statements/misuse.js';
import type { Transaction } from '../../../platform/database/database.js';
import type { EventLog } from '../../../platform/events/log.js';
import type { Clock } from '../../../platform/time/clock.js';
import type { ParticipantDirectory } from '../../people/directory.js';
import { isWarned, type ReporterRecord, recordOfAppeals, suspensionAt } from './reliability.js';

interface ChangedRecord {
  readonly externalUserId: string;
  readonly before: ReporterRecord;
  readonly after: ReporterRecord;
}

/** When manifestly unfounded appeals of a person were decided. */
interface ChangedAppeals {
  readonly before: readonly Date[];
  readonly after: readonly Date[];
}

export interface InProject {
  readonly tenantId: string;
  readonly projectId: string;
}

type Languages = readonly (string | null | undefined)[];

export class MisuseNotices {
  constructor(
    private readonly log: Pick<EventLog, 'append'>,
    private readonly people: Pick<ParticipantDirectory, 'byExternalIds'>,
    private readonly now: Clock,
  ) {}

  /** Announces who was warned, who was suspended, and whose suspension ended before its time. */
  async announce(tx: Transaction, { tenantId, projectId }: InProject, of: Misused, changed: readonly ChangedRecord[]) {
    const now = this.now();
    const told = changed.flatMap((one) => {
      const type = eventOf(one, now);
      return type === null ? [] : [{ ...one, type }];
    });
    if (told.length === 0) return;
    const ids = told.map(({ externalUserId }) => externalUserId);
    const people = await this.people.byExternalIds(projectId, ids);
    const languages = new Map(people.map(({ externalUserId, language }) => [externalUserId, language]));
    const events = told.map(({ externalUserId, after, type }) => {
      const language = chosenLanguage(languages.get(externalUserId));
      const until = suspensionAt(after, now)?.toISOString() ?? null;
      const text = type === 'misuse.lifted' ? liftedText(language, of) : misuseText(language, of, until);
      const data: Misuse = { externalUserId, of, suspendedUntil: until, language, text };
      const resourceId = `misuse:${of}:${externalUserId}`;
      return {
        type,
        tenantId,
        projectId,
        resourceId,
        action: 'occurred' as const,
        data,
        subjectUserId: externalUserId,
      };
    });
    await this.log.append(tx, ...events);
  }

  /** Announces what follows when an appeal of a person was decided as manifestly unfounded, or that was taken back. */
  announceAppeals(tx: Transaction, project: InProject, externalUserId: string, { before, after }: ChangedAppeals) {
    const changed = { externalUserId, before: recordOfAppeals(before), after: recordOfAppeals(after) };
    return this.announce(tx, project, 'appeals', [changed]);
  }

  /** Until when a person with these manifestly unfounded appeals may not appeal; null: they may. */
  appealsSuspendedUntil = (unfoundedAt: readonly Date[]): Date | null =>
    suspensionAt(recordOfAppeals(unfoundedAt), this.now());

  /** What holds for somebody now. */
  told(
    externalUserId: string,
    reports: ReporterRecord,
    unfoundedAppeals: readonly Date[],
    languages: Languages,
  ): Misuse[] {
    const records = { reports, appeals: recordOfAppeals(unfoundedAppeals) };
    return Misused.options.flatMap((of) => this.toldOf(externalUserId, of, records[of], languages) ?? []);
  }

  /** null: they are neither warned nor suspended. */
  private toldOf(externalUserId: string, of: Misused, record: ReporterRecord, languages: Languages): Misuse | null {
    const now = this.now();
    const until = suspensionAt(record, now)?.toISOString() ?? null;
    if (until === null && !isWarned(record, now)) return null;
    const language = chosenLanguage(...languages);
    return { externalUserId, of, suspendedUntil: until, language, text: misuseText(language, of, until) };
  }
}

function eventOf({ before, after }: ChangedRecord, now: Date) {
  const [was, is] = [suspensionAt(before, now), suspensionAt(after, now)];
  if (is !== null) return is.getTime() === was?.getTime() ? null : 'misuse.suspended';
  if (was !== null) return 'misuse.lifted';
  const isNew = after.warnedAt !== null && after.warnedAt.getTime() !== before.warnedAt?.getTime();
  return isNew ? 'misuse.warned' : null;
}
