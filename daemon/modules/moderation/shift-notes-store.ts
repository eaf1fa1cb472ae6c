/** Rows of the notes that moderators write for those who come after them. */
import { uuidv7 } from 'uuidv7';
import type { PageQuery } from '../../../src/contract/common.js';
import type { ShiftNote, ShiftNotePage } from '../../../src/contract/moderation/shift-notes.js';
import type { Database } from '../../platform/database/database.js';
import type { Clock } from '../../platform/time/clock.js';

interface ShiftNoteRow {
  readonly id: string;
  readonly text: string;
  readonly createdByUserId: string;
  readonly createdAt: Date;
}

const toShiftNote = ({ id, text, createdByUserId, createdAt }: ShiftNoteRow): ShiftNote => ({
  ...{ id, text, createdByUserId },
  createdAt: createdAt.toISOString(),
});

export class ShiftNoteStore {
  constructor(
    private readonly database: Database,
    private readonly now: Clock,
  ) {}

  /** Newest first. */
  async list(projectId: string, { limit, offset }: PageQuery): Promise<ShiftNotePage> {
    const { shiftNote } = this.database.read;
    const where = { projectId };
    const rows = await shiftNote.findMany({ where, orderBy: { id: 'desc' }, take: limit, skip: offset });
    return { notes: rows.map(toShiftNote), total: await shiftNote.count({ where }), limit, offset };
  }

  async add(projectId: string, createdByUserId: string, text: string): Promise<ShiftNote> {
    const data = { id: uuidv7(), projectId, text, createdByUserId, createdAt: this.now() };
    return toShiftNote(await this.database.transaction((tx) => tx.shiftNote.create({ data })));
  }
}
