/** Background work during which daemons of the database ended. */
import type { Database } from '../database/database.js';
import { dayMs } from '../time/spans.js';
import { crashesMax } from '../turns/suspect-turns.js';
import type { JobPiece } from './job-notes.js';

export interface InterruptedJobRow extends JobPiece {
  /** How often a daemon crashed during it. */
  readonly ends: number;
  readonly endedAt: Date;
}

export class InterruptedJobStore {
  constructor(private readonly database: Database) {}

  /** Returns the jobs of a project, or of all projects. */
  list = (projectId?: string): Promise<InterruptedJobRow[]> =>
    this.database.read.interruptedJob.findMany({
      where: projectId === undefined ? {} : { projectId },
      orderBy: [{ job: 'asc' }, { subject: 'asc' }],
    });

  setAsideCount = (): Promise<number> =>
    this.database.read.interruptedJob.count({ where: { ends: { gte: crashesMax } } });

  /** Counts an end of a daemon during each piece. One that has not been begun since is forgotten after a day. */
  async count(pieces: readonly JobPiece[], endedAt: Date): Promise<void> {
    const before = new Date(endedAt.getTime() - dayMs);
    await this.database.transaction(async (tx) => {
      await tx.interruptedJob.deleteMany({ where: { ends: { lt: crashesMax }, endedAt: { lt: before } } });
      for (const { job, subject, projectId } of pieces)
        await tx.interruptedJob.upsert({
          where: { job_subject: { job, subject } },
          create: { job, subject, projectId, ends: 1, endedAt },
          update: { ends: { increment: 1 }, endedAt },
        });
    });
  }

  /** Forgets the ends during a job, or during those pieces of it. Returns how many pieces there were. */
  async forget(job: string, some: Partial<Pick<JobPiece, 'subject' | 'projectId'>>): Promise<number> {
    const where = { job, ...some };
    return this.database.transaction(async (tx) => (await tx.interruptedJob.deleteMany({ where })).count);
  }
}
