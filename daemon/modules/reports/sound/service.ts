/**
 * The sound of the seconds before a report, and of the transcript that is stored with it: taken from memory, and from debug audio
 * where the project keeps it, by the daemon that has the rooms when it hears of the report; encrypted, and kept until the report
 * is decided and some days longer. Without a report nothing of it is stored.
 */

import { DomainError } from '../../../../src/contract/errors.js';
import type { DomainEvent } from '../../../../src/contract/events.js';
import type { Participant } from '../../../../src/contract/people/participants.js';
import type { ReportSound } from '../../../../src/contract/reports/reports.js';
import { savedName } from '../../../../src/text/transcript-file.js';
import type { Database } from '../../../platform/database/database.js';
import { textField } from '../../../platform/events/text-field.js';
import { uuidv7 } from '../../../platform/ids/new-id.js';
import { limits } from '../../../platform/limits/catalogue.js';
import { countRefusal } from '../../../platform/limits/refusals.js';
import { WindowCounter } from '../../../platform/limits/window-counter.js';
import type { Logger } from '../../../platform/observability/logger.js';
import type { SecretBox } from '../../../platform/secrets/secret-box.js';
import type { Clock } from '../../../platform/time/clock.js';
import { dayMs, hourMs } from '../../../platform/time/spans.js';
import type { ParticipantDirectory } from '../../people/directory.js';
import type { PackedSound, SoundForReports } from '../../sessions/evidence-sound.js';
import type { CaseIntake } from '../cases/intake.js';
import type { ReportStore } from '../reports/report-store.js';
import type { ReportSoundStore } from './sound-store.js';

/** Bytes of one report. */
const reportMaxBytes = 8 * 1_024 * 1_024;

interface ReportSoundNeeds {
  readonly database: Pick<Database, 'transaction'>;
  readonly reports: Pick<ReportStore, 'find' | 'linesOf' | 'lock' | 'soundEnd'>;
  readonly sounds: Pick<ReportSoundStore, 'insert' | 'listOf' | 'soundsOf'>;
  readonly cases: Pick<CaseIntake, 'extended'>;
  readonly people: Pick<ParticipantDirectory, 'known' | 'formerly'>;
  readonly sound: SoundForReports;
  readonly box: Pick<SecretBox, 'seal' | 'open'>;
  readonly log: Pick<Logger, 'error'>;
  /** Days that the sound of an undecided report is kept. */
  readonly openDays: () => number;
  readonly now: Clock;
}

export class ReportSounds {
  private readonly ofReporter = new WindowCounter('evidence_reporter', {
    ...{ max: limits.evidence_reporter.max, windowMs: hourMs, rolling: true },
  });
  private readonly ofRoom = new WindowCounter('evidence_room', {
    max: limits.evidence_room.max,
    windowMs: hourMs,
    rolling: true,
  });

  constructor(private readonly needs: ReportSoundNeeds) {}

  /**
   * Stores what is held of the rooms that new reports name, or reports that were sent again. A report stays without sound where
   * that fails.
   */
  async follow(events: readonly DomainEvent[]): Promise<void> {
    for (const { type, projectId, payload } of events) {
      if (type === 'report.updated' && payload.changes?.['repeats'] === undefined) continue;
      const [id, roomId] = [textField(payload.data, 'id'), textField(payload.data, 'roomId')];
      if (projectId === undefined || id === null) continue;
      const held = roomId === null ? [] : this.needs.sound.held({ projectId, roomId });
      if (held.length === 0 && !(await this.needs.sound.keepsAudio(projectId))) continue;
      const reported = textField(payload.data, 'externalUserId');
      await this.storeSome(projectId, { id, roomId, reported }, held).catch((error: unknown) =>
        this.needs.log.error({ err: error, reportId: id }, 'the sound of a report could not be stored'),
      );
    }
  }

  async shown(projectId: string, reportId: string): Promise<ReportSound[]> {
    const rows = await this.needs.sounds.listOf(projectId, reportId);
    return rows.map(({ externalUserId, startedAt, durationMs }) => ({
      externalUserId,
      startedAt: startedAt.toISOString(),
      seconds: durationMs / 1_000,
    }));
  }

  /** Returns a WAV file. Throws report_not_found, report_audio_not_found. */
  async wav(
    projectId: string,
    reportId: string,
    externalUserId?: string,
  ): Promise<{ readonly wav: Buffer; readonly saveAs: string }> {
    const report = await this.needs.reports.find(projectId, reportId);
    if (report === null) throw new DomainError('report_not_found');
    const rows = await this.needs.sounds.soundsOf(projectId, reportId, externalUserId);
    if (rows.length === 0) throw new DomainError('report_audio_not_found');
    const wav = await this.needs.sound.mix(
      rows.map(({ id, startedAt, durationMs, sealed }) => ({
        ...{ startedAt, durationMs },
        packed: Buffer.from(this.needs.box.open(sealed, contextOf(id)), 'base64'),
      })),
    );
    return { wav, saveAs: savedName(report.roomId ?? 'report', report.createdAt.toISOString(), 'wav') };
  }

  private async storeSome(projectId: string, report: NewReport, held: readonly PackedSound[]): Promise<void> {
    const stored = await this.needs.reports.find(projectId, report.id);
    if (stored === null) return;
    // What is held in memory is stored only where the reporter attached the last seconds of the room.
    const fresh = await this.notStored(projectId, report.id, stored.lastSeconds === null ? [] : held);
    const sounds = withinLimit(fresh, report.reported);
    const recorded = await this.recorded(projectId, report, sounds);
    if (sounds.length + recorded.length === 0) return;
    const { reporterUserId } = stored;
    const reporter = `${projectId} ${reporterUserId}`;
    if (reporterUserId !== null && this.ofReporter.tryConsume(reporter).isRefused) return;
    const place = report.roomId === null ? `person ${report.reported ?? ''}` : `room ${report.roomId}`;
    if (this.ofRoom.tryConsume(`${projectId} ${place}`).isRefused) {
      if (reporterUserId !== null) this.ofReporter.giveBack(reporter, 1);
      return;
    }
    await this.store(projectId, report, [...sounds, ...recorded]);
  }

  /** What was said after the sound that is stored of a report: somebody may send it again while they speak. */
  private async notStored(projectId: string, reportId: string, held: readonly PackedSound[]): Promise<PackedSound[]> {
    const ends = new Map<string, number>();
    for (const { externalUserId, startedAt, durationMs } of await this.needs.sounds.listOf(projectId, reportId))
      ends.set(externalUserId, Math.max(ends.get(externalUserId) ?? 0, startedAt.getTime() + durationMs));
    return held.flatMap((sound) => this.needs.sound.after(sound, new Date(ends.get(sound.externalUserId) ?? 0)) ?? []);
  }

  /** Debug audio of the transcript that is stored with the report, as far as there is room beside what was held of it. */
  private async recorded(projectId: string, { id, reported }: NewReport, held: readonly PackedSound[]) {
    if (!(await this.needs.sound.keepsAudio(projectId))) return [];
    const lines = reportedFirst(await this.needs.reports.linesOf(id), reported);
    const found: PackedSound[] = [];
    let bytes = held.reduce((sum, { packed }) => sum + packed.length, 0);
    const ids = lines.map(({ messageId }) => messageId);
    for await (const one of this.needs.sound.recorded(projectId, ids)) {
      if (held.some((other) => isSame(one, other))) continue;
      bytes += one.packed.length;
      if (bytes > reportMaxBytes) {
        countRefusal('evidence_memory');
        break;
      }
      found.push(one);
    }
    return found;
  }

  /** Leaves out people who were erased since they spoke, and all where the reported person was. */
  private async store(projectId: string, { id: reportId, reported }: NewReport, sounds: readonly PackedSound[]) {
    const { database, reports, people, box, openDays } = this.needs;
    for (const { externalUserId, startedAt, durationMs, packed } of sounds) {
      const id = uuidv7();
      const sealed = box.seal(packed.toString('base64'), contextOf(id));
      await database.transaction(async (tx) => {
        const endMs = startedAt.getTime() + durationMs;
        const isSpeaker = (one: Participant | null) => one !== null && Date.parse(one.joinedAt) <= endMs;
        const known = await people.known(tx, projectId, externalUserId);
        // Bots know the id that somebody had when they came.
        const speaker = isSpeaker(known) ? known : await people.formerly(projectId, externalUserId, tx);
        // Whoever decides it or erases its person at this moment waits for this row, or is waited for.
        const report = await reports.lock(tx, projectId, reportId);
        if (speaker === null || report === null || !isSpeaker(speaker)) return;
        if (reported !== null && report.externalUserId === null) return;
        const row = { id, reportId, projectId, externalUserId: speaker.externalUserId, startedAt, durationMs, sealed };
        const { decidedAt, outcome } = report;
        const openEnd = new Date(this.needs.now().getTime() + openDays() * dayMs);
        const keptUntil = decidedAt === null ? openEnd : reports.soundEnd(decidedAt, outcome);
        await this.needs.sounds.insert(tx, { ...row, decidedAt, keptUntil });
        await this.needs.cases.extended(tx, projectId, [report]);
      });
    }
  }
}

interface NewReport {
  readonly id: string;
  /** null: it names messages only. */
  readonly roomId: string | null;
  /** null: it is about the room. */
  readonly reported: string | null;
}

const contextOf = (id: string): string => `report-sound:${id}`;

const reportedFirst = <T extends { readonly externalUserId: string | null }>(
  all: readonly T[],
  reported: string | null,
) => all.toSorted((a, b) => Number(b.externalUserId === reported) - Number(a.externalUserId === reported));

/** True if an utterance is in what was held of its speaker already. */
const isSame = (one: PackedSound, held: PackedSound): boolean =>
  one.externalUserId === held.externalUserId &&
  one.startedAt.getTime() < held.startedAt.getTime() + held.durationMs &&
  one.startedAt.getTime() + one.durationMs > held.startedAt.getTime();

/** The reported person first, then the others, as far as a report may hold them. */
function withinLimit(held: readonly PackedSound[], reported: string | null): PackedSound[] {
  const ordered = reportedFirst(held, reported);
  let bytes = 0;
  return ordered.filter(({ packed }) => {
    bytes += packed.length;
    if (bytes > reportMaxBytes) countRefusal('evidence_memory');
    return packed.length > 0 && bytes <= reportMaxBytes;
  });
}
