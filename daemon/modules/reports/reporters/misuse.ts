/**
 * Tells people of warnings and suspensions for misuse, in their language, and moderators of suspensions to decide on (Digital
 * Services Act, Article 23(2) and (3)).
 */
import { type Misuse, Misused, type MisuseProposal } from '../../../../src/contract/reports/misuse.js';
import { chosenLanguage } from '../../../../src/text/statements/languages.js';
import { liftedText, misuseText } from '../../../../src/text/statements/misuse.js';
import type { Reader, Transaction } from '../../../platform/database/database.js';
import type { EventLog } from '../../../platform/events/log.js';
import type { Clock } from '../../../platform/time/clock.js';
import type { AppealMisuse } from '../../moderation/cases.js';
import type { SanctionsTakenBack } from '../../moderation/sanctions/taken-back.js';
import type { ParticipantDirectory } from '../../people/directory.js';
import {
  type Consequence,
  consequenceAfter,
  consequenceOf,
  type DecidedShare,
  isWarned,
  misuseSince,
  noShare,
  proposedUntil,
  type ReporterRecord,
  recordOfAppeals,
  suspensionAt,
  unknownReporter,
  withConsequence,
} from './reliability.js';
import type { ReporterStore } from './reporter-store.js';

interface MisuseNeeds {
  readonly log: Pick<EventLog, 'append'>;
  readonly people: Pick<ParticipantDirectory, 'byExternalIds'>;
  readonly reporters: Pick<ReporterStore, 'find' | 'lockAll' | 'set'>;
  readonly takenBack: Pick<SanctionsTakenBack, 'decidedAppeals' | 'unfoundedAppeals'>;
  readonly now: Clock;
}

type Told = Consequence & Pick<ReporterRecord, 'warnedAt'>;
interface ChangedRecord {
  readonly externalUserId: string;
  readonly before: Told;
  readonly after: Told;
  /** What a proposal rests on. */
  readonly share?: DecidedShare | undefined;
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

export class MisuseNotices implements AppealMisuse {
  constructor(private readonly needs: MisuseNeeds) {}

  /** Announces who was warned, who was suspended or should be, and whose suspension ended before its time. */
  async announce(tx: Transaction, { tenantId, projectId }: InProject, of: Misused, changed: readonly ChangedRecord[]) {
    const now = this.needs.now();
    const told = changed.flatMap((one) => {
      const type = eventOf(one, now);
      return type === null ? [] : [{ ...one, type }];
    });
    if (told.length === 0) return;
    const ids = told.map(({ externalUserId }) => externalUserId);
    const people = await this.needs.people.byExternalIds(projectId, ids);
    const languages = new Map(people.map(({ externalUserId, language }) => [externalUserId, language]));
    const events = told.map(({ externalUserId, after, share, type }) => {
      const about = {
        ...{ tenantId, projectId, resourceId: `misuse:${of}:${externalUserId}`, subjectUserId: externalUserId },
        action: 'occurred' as const,
      };
      if (type === 'misuse.proposed') {
        const until = proposedUntil(after, now)?.toISOString() ?? '';
        const data: MisuseProposal = { externalUserId, of, proposedUntil: until, ...(share ?? noShare) };
        return { ...about, type, data };
      }
      const language = chosenLanguage(languages.get(externalUserId));
      const until = suspensionAt(after, now)?.toISOString() ?? null;
      const text = type === 'misuse.lifted' ? liftedText(language, of) : misuseText(language, of, until);
      const data: Misuse = { externalUserId, of, suspendedUntil: until, language, text };
      return { ...about, type, data };
    });
    await this.needs.log.append(tx, ...events);
  }

  /** Stores and announces what follows when an appeal was decided as manifestly unfounded, or that was taken back. */
  async appealsChanged(tx: Transaction, project: InProject, externalUserId: string, unfounded: ChangedAppeals) {
    const { projectId } = project;
    const now = this.needs.now();
    const known = await this.needs.reporters.lockAll(tx, projectId, [externalUserId], now);
    const record = known.get(externalUserId) ?? unknownReporter;
    const counts = { before: recordOfAppeals(unfounded.before), after: recordOfAppeals(unfounded.after) };
    const share = await this.shareOfAppeals(projectId, externalUserId, unfounded.after, tx);
    const was = consequenceOf(record, 'appeals');
    const is = consequenceAfter(was, counts, share, now);
    await this.needs.reporters.set(tx, projectId, externalUserId, withConsequence(record, 'appeals', is), now);
    const [before, after] = [
      { ...was, warnedAt: counts.before.warnedAt },
      { ...is, warnedAt: counts.after.warnedAt },
    ];
    await this.announce(tx, project, 'appeals', [{ externalUserId, before, after, share }]);
  }

  /** Of the last half year. */
  async shareOfAppeals(
    projectId: string,
    externalUserId: string,
    unfoundedAt: readonly Date[],
    reader?: Reader | Transaction,
  ): Promise<DecidedShare> {
    const since = misuseSince(this.needs.now());
    const decided = await this.needs.takenBack.decidedAppeals(projectId, externalUserId, since, reader);
    return { decided, unfounded: unfoundedAt.filter((at) => at > since).length };
  }

  /** Until when a person may not appeal; null: they may. */
  async appealsSuspendedUntil(projectId: string, externalUserId: string): Promise<Date | null> {
    const record = await this.needs.reporters.find(projectId, externalUserId);
    return suspensionAt(consequenceOf(record, 'appeals'), this.needs.now());
  }

  /** What holds for somebody now. */
  async told(projectId: string, externalUserId: string, languages: Languages): Promise<Misuse[]> {
    const reports = await this.needs.reporters.find(projectId, externalUserId);
    const appeals = recordOfAppeals(await this.needs.takenBack.unfoundedAppeals(projectId, externalUserId));
    const records = { reports, appeals: { ...appeals, ...consequenceOf(reports, 'appeals') } };
    return Misused.options.flatMap((of) => this.toldOf(externalUserId, of, records[of], languages) ?? []);
  }

  /** null: they are neither warned nor suspended. */
  private toldOf(externalUserId: string, of: Misused, record: ReporterRecord, languages: Languages): Misuse | null {
    const now = this.needs.now();
    const until = suspensionAt(record, now)?.toISOString() ?? null;
    if (until === null && !isWarned(record, now)) return null;
    const language = chosenLanguage(...languages);
    return { externalUserId, of, suspendedUntil: until, language, text: misuseText(language, of, until) };
  }
}

function eventOf({ before, after }: ChangedRecord, now: Date) {
  const [was, is] = [suspensionAt(before, now), suspensionAt(after, now)];
  if (is !== null && is.getTime() !== was?.getTime()) return 'misuse.suspended';
  if (is === null && was !== null) return 'misuse.lifted';
  if (after.proposedAt !== null && before.proposedAt === null) return 'misuse.proposed';
  const isNew = after.warnedAt !== null && after.warnedAt.getTime() !== before.warnedAt?.getTime();
  return isNew ? 'misuse.warned' : null;
}
