/** Rows of the sound that is stored with reports. */
import type { Database, Transaction } from '../../../platform/database/database.js';

export interface ReportSoundRow {
  readonly id: string;
  readonly reportId: string;
  readonly projectId: string;
  readonly externalUserId: string;
  readonly startedAt: Date;
  readonly durationMs: number;
  readonly sealed: string;
  readonly decidedAt: Date | null;
  readonly keptUntil: Date | null;
}

/** The column has 64 bits. */
const toRow = <Stored extends { readonly durationMs: bigint }>(stored: Stored) => ({
  ...stored,
  durationMs: Number(stored.durationMs),
});

export class ReportSoundStore {
  constructor(private readonly database: Database) {}

  insert = async (tx: Transaction, row: ReportSoundRow): Promise<void> =>
    void (await tx.reportSound.create({ data: row }));

  /** By time; without the sound itself. */
  async listOf(projectId: string, reportId: string): Promise<Omit<ReportSoundRow, 'sealed'>[]> {
    const rows = await this.database.read.reportSound.findMany({
      where: { projectId, reportId },
      orderBy: [{ startedAt: 'asc' }, { id: 'asc' }],
      omit: { sealed: true },
    });
    return rows.map(toRow);
  }

  /** Sounds of one person or (undefined) of all. */
  async soundsOf(projectId: string, reportId: string, externalUserId?: string): Promise<ReportSoundRow[]> {
    const rows = await this.database.read.reportSound.findMany({
      where: { projectId, reportId, ...(externalUserId === undefined ? {} : { externalUserId }) },
    });
    return rows.map(toRow);
  }
}
