/**
 * The sound of the seconds before a report: taken from memory where the room is when the report is known there, encrypted, and
 * kept until the report is decided and some days longer. Without a report nothing is ever stored.
 */
import { uuidv7 } from 'uuidv7';
import { DomainError } from '../../../../src/contract/errors.js';
import type { DomainEvent } from '../../../../src/contract/events.js';
import type { ReportSound } from '../../../../src/contract/reports/reports.js';
import type { Database } from '../../../platform/database/database.js';
import { textField } from '../../../platform/events/text-field.js';
import { countRefusal } from '../../../platform/limits/refusals.js';
import type { Logger } from '../../../platform/observability/logger.js';
import type { SecretBox } from '../../../platform/secrets/secret-box.js';
import type { ParticipantDirectory } from '../../people/directory.js';
import type { PackedSound, SoundForReports } from '../../sessions/evidence-sound.js';
import type { ReportStore } from '../reports/report-store.js';
import type { ReportSoundStore } from './sound-store.js';

/** Bytes of one report. */
const reportMaxBytes = 8 * 1_024 * 1_024;

interface ReportSoundNeeds {
  readonly database: Database;
  readonly reports: Pick<ReportStore, 'find'>;
  readonly sounds: ReportSoundStore;
  readonly people: Pick<ParticipantDirectory, 'known'>;
  readonly sound: SoundForReports;
  readonly box: Pick<SecretBox, 'seal' | 'open'>;
  readonly log: Logger;
}

export class ReportSounds {
  constructor(private readonly needs: ReportSoundNeeds) {}

  /** Stores what is held of the rooms that new reports name. A report stays without sound where that fails. */
  async follow(events: readonly DomainEvent[]): Promise<void> {
    for (const { projectId, payload } of events) {
      const [id, roomId] = [textField(payload.data, 'id'), textField(payload.data, 'roomId')];
      if (projectId === undefined || id === null || roomId === null) continue;
      const reported = textField(payload.data, 'externalUserId');
      const held = this.needs.sound.held({ projectId, roomId });
      await this.store(projectId, id, withinLimit(held, reported)).catch((error: unknown) =>
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
  async wav(projectId: string, reportId: string, externalUserId?: string): Promise<Buffer> {
    if ((await this.needs.reports.find(projectId, reportId)) === null) throw new DomainError('report_not_found');
    const rows = await this.needs.sounds.soundsOf(projectId, reportId, externalUserId);
    if (rows.length === 0) throw new DomainError('report_audio_not_found');
    return this.needs.sound.mix(
      rows.map(({ id, startedAt, durationMs, sealed }) => ({
        ...{ startedAt, durationMs },
        packed: Buffer.from(this.needs.box.open(sealed, contextOf(id)), 'base64'),
      })),
    );
  }

  /** Leaves out people who were erased since they spoke. */
  private async store(projectId: string, reportId: string, sounds: readonly PackedSound[]): Promise<void> {
    const { database, reports, people, box } = this.needs;
    for (const { externalUserId, startedAt, durationMs, packed } of sounds) {
      const id = uuidv7();
      const sealed = box.seal(packed.toString('base64'), contextOf(id));
      await database.transaction(async (tx) => {
        const speaker = await people.known(tx, projectId, externalUserId);
        const report = await reports.find(projectId, reportId, tx);
        const endMs = startedAt.getTime() + durationMs;
        if (speaker === null || report === null || Date.parse(speaker.joinedAt) > endMs) return;
        const row = { id, reportId, projectId, externalUserId, startedAt, durationMs, sealed };
        await this.needs.sounds.insert(tx, { ...row, decidedAt: report.decidedAt });
      });
    }
  }
}

const contextOf = (id: string): string => `report-sound:${id}`;

/** The reported person first, then the others, as far as a report may hold them. */
function withinLimit(held: readonly PackedSound[], reported: string | null): PackedSound[] {
  const ordered = held.toSorted(
    (a, b) => Number(b.externalUserId === reported) - Number(a.externalUserId === reported),
  );
  let bytes = 0;
  return ordered.filter(({ packed }) => {
    bytes += packed.length;
    if (bytes > reportMaxBytes) countRefusal('evidence_memory');
    return packed.length > 0 && bytes <= reportMaxBytes;
  });
}
