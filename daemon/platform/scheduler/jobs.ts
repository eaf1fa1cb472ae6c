/**
 * Background work that is taken up again at each start. A piece during which a daemon crashed rests and is then retried
 * alone. After the second crash it is set aside, because it may be the cause. Crashes of all daemons of a database count.
 */
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '../database/database.js';
import type { Logger } from '../observability/logger.js';
import { type Clock, systemClock } from '../time/clock.js';
import { crashesMax, restAfterCrashMs, type SuspectTurns } from '../turns/suspect-turns.js';
import { atOnce, DueWork, type NextDue, nothingByTime } from './due-work.js';
import { type InterruptedJobRow, InterruptedJobStore } from './interrupted-job-store.js';
import { JobNotes, type JobPiece } from './job-notes.js';
import { type JobFailures, Repeat } from './repeat.js';

interface JobNeeds {
  readonly dataDir: string;
  readonly database: Database;
  readonly suspects: SuspectTurns;
  readonly logger: Logger;
  readonly now: Clock;
}

/** Crashes of other daemons, and work that was resumed there, are known this soon. */
const refreshMs = 2_000;
/** A piece is trusted again once it completes this long after the crash: parts of large work may be harmless. */
const suspicionMs = 5 * 60_000;

/** Suspected work waits up to a second for its turn. */
const turnWaitMs = 50;
const turnWaitsMax = 20;

const keyOf = ({ job, subject }: JobPiece): string => `${job} ${subject}`;

/** Runs background work of a module. */
export type JobRunner = Pick<Jobs, 'repeat' | 'run' | 'due'>;

/** For programs that end when their work is done. */
export const unnotedJobs = (log: Logger): JobRunner => ({
  repeat: (job, everyMs, work) => new Repeat(job, everyMs, work, log),
  due: (nextDue) => new DueWork({ version: () => null }, systemClock, nextDue),
  run: async (_, work) => {
    await work();
    return true;
  },
});

export class Jobs {
  private readonly interrupted: InterruptedJobStore;
  private readonly notes: JobNotes;
  private readonly refreshing: Repeat;
  private readonly repeats: Repeat[] = [];
  private suspected: ReadonlyMap<string, InterruptedJobRow> = new Map();

  constructor(private readonly needs: JobNeeds) {
    const { database, dataDir, logger } = needs;
    this.interrupted = new InterruptedJobStore(database);
    this.notes = new JobNotes(join(dataDir, 'under-way.json'), logger);
    const changes = new DueWork(database, needs.now, nothingByTime);
    this.refreshing = new Repeat('refresh-jobs', refreshMs, () => changes.run(() => this.refresh()), logger);
  }

  async start(): Promise<void> {
    const left = this.notes.left();
    if (left.length > 0) {
      this.needs.logger.warn(
        { work: left.map(keyOf) },
        'the daemon crashed during this work; it is retried, one piece at a time',
      );
      await this.interrupted.count(left, this.needs.now());
    }
    this.notes.open();
    await this.refresh();
    this.refreshing.start();
  }

  async stop(): Promise<void> {
    await this.refreshing.stop();
    this.notes.close();
  }

  /** Work on everything that is due, again and again; with `nextDue` only when something may be due. */
  repeat(job: string, everyMs: number, work: () => Promise<void>, nextDue?: NextDue): Repeat {
    const piece = { job, subject: '', projectId: null };
    const due = this.due(nextDue ?? (async () => atOnce));
    const { logger, now } = this.needs;
    const repeat = new Repeat(job, everyMs, () => due.run(() => this.run(piece, work)), logger, now);
    this.repeats.push(repeat);
    return repeat;
  }

  /** Work that is suspected may begin later although nothing changes. */
  due(nextDue: NextDue): DueWork {
    const { database, now } = this.needs;
    const version = () => (this.suspected.size > 0 ? null : database.version());
    return new DueWork({ version }, now, nextDue);
  }

  /** Carries out a piece of work; false: not now, because a daemon crashed during it. */
  async run(piece: JobPiece, work: () => Promise<void>): Promise<boolean> {
    const key = keyOf(piece);
    const suspected = this.suspected.get(key);
    if (suspected !== undefined && !(await this.mayBegin(key, suspected))) return false;
    this.notes.add(piece);
    try {
      await work();
    } finally {
      this.notes.remove(piece);
      if (suspected !== undefined) this.needs.suspects.end(key);
    }
    if (suspected !== undefined && this.ageOf(suspected) > suspicionMs)
      await this.resume(piece.job, { subject: piece.subject });
    return true;
  }

  /** Resumes a job, or those pieces of it, as if no daemon had crashed. Returns how many pieces were suspected. */
  async resume(job: string, some: Parameters<InterruptedJobStore['forget']>[1] = {}): Promise<number> {
    const count = await this.interrupted.forget(job, some);
    await this.refresh();
    return count;
  }

  /** Returns how often each job has failed since it completed last. */
  failures = (): { job: string; failures: JobFailures | null }[] =>
    this.repeats.map(({ name, failures }) => ({ job: name, failures }));

  setAsideCount = (): Promise<number> => this.interrupted.setAsideCount();

  /** Returns the work during which daemons crashed, of a project or of all. */
  async list(projectId?: string) {
    return (await this.interrupted.list(projectId)).map(({ endedAt, ...one }) => ({
      ...one,
      endedAt: endedAt.toISOString(),
      setAside: one.ends >= crashesMax,
    }));
  }

  /** Waits a moment for its turn among suspected work, because what repeats on the same tick would always come too late. */
  private async mayBegin(id: string, suspected: InterruptedJobRow): Promise<boolean> {
    if (suspected.ends >= crashesMax || this.ageOf(suspected) < restAfterCrashMs) return false;
    for (let waits = 0; waits < turnWaitsMax; waits += 1) {
      if (this.needs.suspects.admit([{ id, suspect: true }]).length > 0) return true;
      await sleep(turnWaitMs);
    }
    return false;
  }

  private ageOf = ({ endedAt }: InterruptedJobRow): number => this.needs.now().getTime() - endedAt.getTime();

  private async refresh(): Promise<void> {
    const all = await this.interrupted.list();
    this.suspected = new Map(all.map((one) => [keyOf(one), one]));
  }
}
