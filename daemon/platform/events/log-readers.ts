/**
 * Reads the log for many readers, each from its own stored position. The effects of events are stored in the
 * transaction that moves the position, so no event is skipped or handled twice, whichever daemon reads.
 */
import { addTo } from '../collections/add-to.js';
import type { Database, Transaction } from '../database/database.js';
import { FairTurns } from '../limits/fair-turns.js';
import type { Logger } from '../observability/logger.js';
import type { JobRunner } from '../scheduler/jobs.js';
import { every } from '../time/ticks.js';
import { Rests } from '../turns/rests.js';
import { type LogFollower, noPayload } from './follower.js';
import type { EventLog } from './log.js';
import type { LogPage, PageRequest } from './pages.js';

/** Interval at which changes by other daemons, and events that could not be taken at first, are looked for. */
export const pollMs = 1_000;
/** How often the positions of readers that get no events are moved on. */
export const sweepMs = 60_000;

/** Reader of a project's events. */
export interface LogReader {
  readonly id: string;
  readonly tenantId: string;
  readonly projectId: string;
  readonly hears: (type: string) => boolean;
  /** The stored position. */
  stored: bigint;
  /** Everything up to this position is done; what lies between it and the stored one is read again after a restart. */
  read: bigint;
  /** The stored position moves to the end of the log even when the reader gets no events. */
  follows: boolean;
}

/** A reader at its stored place. */
export const readerAt = (position: bigint) => ({ stored: position, read: position, follows: false });

/** Events for a reader, and how they were asked for; `end`: up to there everything has been read. */
export type HeardPage = LogPage & { readonly request: PageRequest };

/**
 * `partly`: up to `read`, which has been moved. `later`: tried again in a moment. `changed`: the reader or its place is
 * another one now, and is loaded again.
 */
export type Taken = 'taken' | 'partly' | 'later' | 'changed';

export abstract class LogReaders<R extends LogReader> {
  private readers = new Map<string, R>();
  private ofProject = new Map<string, R[]>();
  private readonly dirty = new Set<string>();
  /** Readers that could not take what they heard at the first try. */
  private readonly waiting = new Set<string>();
  private readonly turns = new FairTurns('log_readers');
  private readonly rests = new Rests();
  /** Readers that wait for their turn, or have it. */
  private readonly running = new Map<string, Promise<void>>();
  private work: Promise<void> = Promise.resolve();
  private isRefreshQueued = false;
  /** The last attempt to load the readers has failed. */
  private isStale = false;
  /** The database's version at the last poll. */
  private seen: number | null = null;
  private readonly repeated: (() => void)[] = [];
  private unsubscribe: (() => void) | null = null;

  constructor(
    protected readonly database: Database,
    protected readonly log: EventLog,
    private readonly jobs: Pick<JobRunner, 'run'>,
    protected readonly logger: Logger,
    /** Terms of log lines for the readers, and the field that names one. */
    private readonly words: { readonly readers: string; readonly id: string },
  ) {}

  /** Everybody who reads now. One that is `known` and has not changed is returned as it is. */
  protected abstract load(known: (id: string) => R | undefined): Promise<R[]>;

  /** Handles the events and stores their effects with the new position; what is stored moves `stored` and `read`. */
  protected abstract process(reader: R, page: HeardPage): Promise<Taken>;

  /** Moves the stored position when the events have no effect. false: another daemon has moved it. */
  protected abstract advance(tx: Transaction, reader: R, end: bigint): Promise<boolean>;

  async start(follower: Pick<LogFollower, 'onEvents'>): Promise<void> {
    this.unsubscribe = follower.onEvents((events) => {
      for (const { event } of events)
        for (const { id, hears } of this.ofProject.get(event.projectId ?? '') ?? [])
          if (hears(event.type)) this.dirty.add(id);
      this.wake();
    }, noPayload);
    this.repeated.push(
      every(pollMs, () => this.poll()),
      every(sweepMs, () => this.sweep()),
    );
    await this.refresh();
    this.sweep();
  }

  async stop(): Promise<void> {
    this.unsubscribe?.();
    this.unsubscribe = null;
    for (const end of this.repeated) end();
    this.rests.end();
    await this.work;
    await Promise.all(this.running.values());
  }

  get size(): number {
    return this.readers.size;
  }

  /** Readers have changed. */
  changed(): void {
    if (this.isRefreshQueued) return;
    this.isRefreshQueued = true;
    this.queue(() => {
      this.isRefreshQueued = false;
      return this.refresh();
    });
  }

  protected get isStopped(): boolean {
    return this.unsubscribe === null;
  }

  private poll(): void {
    for (const id of this.waiting) this.dirty.add(id);
    this.waiting.clear();
    if (this.isStale || this.mayBeChangedElsewhere()) this.changed();
    this.wake();
  }

  /** Another daemon may have changed them; SQLite has none. */
  private mayBeChangedElsewhere(): boolean {
    if (this.database.dialect === 'sqlite') return false;
    const before = this.seen;
    this.seen = this.database.version();
    return this.seen === null || this.seen !== before;
  }

  /** Every position is moved on, so that it does not delay the deletion of old events. */
  private sweep(): void {
    this.changed();
    this.queue(async () => {
      for (const reader of this.readers.values()) {
        this.dirty.add(reader.id);
        reader.follows = true;
      }
      this.wake();
    });
  }

  private wake(): void {
    for (const id of this.dirty) this.begin(id);
  }

  /** Queues a reader that has something to read; `turns` decides when its turn comes. */
  private begin(id: string): void {
    if (this.isStopped || this.running.has(id)) return;
    this.dirty.delete(id);
    const reader = this.readers.get(id);
    if (reader !== undefined) this.running.set(id, this.turnOf(reader));
  }

  private queue(work: () => Promise<void>): void {
    if (this.isStopped) return;
    this.work = this.work
      .then(work)
      .catch((error: unknown) =>
        this.logger.warn({ err: error }, `${this.words.readers} could not read the log; trying again`),
      );
  }

  private async refresh(): Promise<void> {
    const before = this.readers;
    this.isStale = true;
    const all = await this.load((id) => before.get(id));
    this.isStale = false;
    this.readers = new Map(all.map((reader) => [reader.id, reader]));
    this.ofProject = new Map();
    for (const reader of all) {
      addTo(this.ofProject, reader.projectId, reader);
      if (before.get(reader.id) !== reader) this.dirty.add(reader.id);
    }
    this.wake();
  }

  private async turnOf(reader: R): Promise<void> {
    const { id, tenantId, projectId } = reader;
    const piece = { job: this.words.readers, subject: id, projectId };
    try {
      await this.rests.over(tenantId);
      await this.turns.run(tenantId, async () => {
        if (this.isStopped) return;
        const isBegun = await this.jobs.run(piece, () => this.rests.after(tenantId, () => this.continueAt(reader)));
        if (!isBegun) this.waiting.add(id);
      });
    } catch (error) {
      this.waiting.add(id);
      const { readers, id: field } = this.words;
      this.logger.warn({ err: error, [field]: id }, `${readers} could not process what they read; trying again`);
    }
    this.running.delete(id);
    if (this.dirty.has(id)) this.begin(id);
  }

  private async continueAt(reader: R): Promise<void> {
    const to = await this.log.head();
    const { id, projectId, hears, follows } = reader;
    const filter = { hears, resources: [] };
    const request = { parts: [{ kind: 'project', id: projectId } as const], filter, after: reader.read, to };
    const page = await this.log.pages.read(request);
    const { end } = page;
    const taken = page.events.length === 0 ? 'taken' : await this.process(reader, { ...page, request });
    if (taken === 'partly') {
      this.dirty.add(id);
      return;
    }
    if (taken === 'later') {
      this.waiting.add(id);
      return;
    }
    if (taken === 'changed' || !(await this.followed(reader, end))) {
      if (this.readers.get(id) === reader) this.readers.delete(id);
      this.changed();
      return;
    }
    reader.read = end;
    if (end < to) this.dirty.add(id);
    else if (follows) reader.follows = false; // set since: the next turn follows
  }

  private async followed(reader: R, end: bigint): Promise<boolean> {
    if (!reader.follows || end <= reader.stored) return true;
    if (!(await this.database.transaction((tx) => this.advance(tx, reader, end)))) return false;
    reader.stored = end;
    return true;
  }
}
