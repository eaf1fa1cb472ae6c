/**
 * File that names the background work under way. It has to outlive the process, not the machine, so it is not flushed
 * to the disk, and a note costs some microseconds.
 */
import { closeSync, existsSync, openSync, writeSync } from 'node:fs';
import { z } from 'zod';
import type { Logger } from '../observability/logger.js';
import { readOrdinaryFile } from '../ordinary-file.js';

/** A piece of background work. */
const JobPiece = z.object({
  job: z.string(),
  /** Id of what it is about; empty: everything that is due. */
  subject: z.string(),
  /** null: of no project, or of several. */
  projectId: z.string().nullable(),
});
export type JobPiece = z.infer<typeof JobPiece>;

const Notes = z.array(JobPiece);

export class JobNotes {
  private readonly underWay = new Set<JobPiece>();
  private file: number | null = null;

  constructor(
    private readonly path: string,
    private readonly log: Pick<Logger, 'warn'>,
  ) {}

  /** Returns the work during which the run before has ended. */
  left(): JobPiece[] {
    if (!existsSync(this.path)) return [];
    try {
      const [line = ''] = readOrdinaryFile(this.path).toString().split('\n');
      return line === '' ? [] : Notes.parse(JSON.parse(line));
    } catch (error) {
      this.log.warn({ err: error, file: this.path }, 'the notes of work under way cannot be read; none is suspected');
      return [];
    }
  }

  /** Forgets the run before, and notes from now on. */
  open(): void {
    this.file = openSync(this.path, 'w', 0o600);
  }

  add(piece: JobPiece): void {
    this.underWay.add(piece);
    this.write();
  }

  remove(piece: JobPiece): void {
    this.underWay.delete(piece);
    this.write();
  }

  /** The daemon stops by itself: nothing that is still under way is suspected. */
  close(): void {
    if (this.file === null) return;
    this.underWay.clear();
    this.write();
    closeSync(this.file);
    this.file = null;
  }

  /** Overwrites the line; what is left of a longer one is not read. */
  private write(): void {
    if (this.file === null) return;
    try {
      writeSync(this.file, `${JSON.stringify([...this.underWay])}\n`, 0);
    } catch (error) {
      this.log.warn({ err: error, file: this.path }, 'work under way could not be noted');
    }
  }
}
