/**
 * Queues runs: reads the log on from the place of each enabled instance. Runs are stored in the transaction that moves
 * the place, so no event is left out and none is queued twice, whichever daemon reads.
 */
import { uuidv7 } from 'uuidv7';
import type { Clock } from '../../../platform/clock.js';
import type { Database } from '../../../platform/database/database.js';
import { FairTurns } from '../../../platform/events/fair-turns.js';
import type { EventListener } from '../../../platform/events/follower.js';
import type { EventLog } from '../../../platform/events/log.js';
import type { PageRequest } from '../../../platform/events/pages.js';
import type { ReadEvent } from '../../../platform/events/record.js';
import type { Logger } from '../../../platform/observability/logger.js';
import type { ActionStore, QueuedAction } from '../actions/action-store.js';
import { hears, type Manifest } from '../catalogue/manifest.js';
import type { InstanceStore, ListeningInstance } from '../instances/instance-store.js';
import { sessionOf } from './event-subject.js';
import { pollMs, queuedPerInstanceMax, sweepMs } from './limits.js';

interface Listening {
  readonly instance: ListeningInstance;
  readonly manifest: Manifest;
  /** Where the stored place is. */
  stored: bigint;
  /** Up to here nothing is left to queue; what lies between is read again after a restart. */
  read: bigint;
  /** The stored place follows to the end of the log, even where nothing is queued. */
  follows: boolean;
}

export class PluginFeeder {
  private listening = new Map<string, Listening>();
  private ofProject = new Map<string, Listening[]>();
  private readonly dirty = new Set<string>();
  /** Their queues were full. */
  private readonly stalled = new Set<string>();
  private readonly turns = new FairTurns();
  private work: Promise<void> = Promise.resolve();
  private busy = false;
  private isRefreshQueued = false;
  private readonly timers: NodeJS.Timeout[] = [];
  private unsubscribe: (() => void) | null = null;

  constructor(
    private readonly database: Database,
    private readonly log: EventLog,
    private readonly instances: InstanceStore,
    private readonly actions: ActionStore,
    private readonly plugins: { manifest(slug: string): Promise<Manifest | null> },
    /** Called when runs were queued. */
    private readonly onQueued: () => void,
    private readonly logger: Logger,
    private readonly now: Clock,
  ) {}

  async start(follower: { onEvents(listener: EventListener): () => void }): Promise<void> {
    this.unsubscribe = follower.onEvents((events) => {
      for (const { event } of events)
        for (const { instance, manifest } of this.ofProject.get(event.projectId ?? '') ?? [])
          if (hears(manifest, event.type)) this.dirty.add(instance.id);
      this.wake();
    });
    this.timers.push(
      setInterval(() => this.poll(), pollMs),
      setInterval(() => this.sweep(), sweepMs),
    );
    await this.refresh();
    this.sweep();
  }

  async stop(): Promise<void> {
    this.unsubscribe?.();
    this.unsubscribe = null;
    for (const timer of this.timers) clearInterval(timer);
    await this.work;
  }

  /** Instances that read. */
  get size(): number {
    return this.listening.size;
  }

  /** An instance has changed. */
  changed(): void {
    if (this.isRefreshQueued) return;
    this.isRefreshQueued = true;
    this.queue(() => {
      this.isRefreshQueued = false;
      return this.refresh();
    });
  }

  private poll(): void {
    for (const id of this.stalled) this.dirty.add(id);
    this.stalled.clear();
    // Another daemon may have changed instances.
    if (this.database.dialect === 'postgresql') this.changed();
    this.wake();
  }

  /** Every place moves on, so that it does not hold back the deletion of old events. */
  private sweep(): void {
    this.changed();
    this.queue(async () => {
      for (const one of this.listening.values()) {
        this.dirty.add(one.instance.id);
        one.follows = true;
      }
      await this.drain();
    });
  }

  private wake(): void {
    if (this.busy || this.dirty.size === 0) return;
    this.busy = true;
    this.queue(async () => {
      this.busy = false;
      await this.drain();
    });
  }

  private queue(work: () => Promise<void>): void {
    if (this.unsubscribe === null) return;
    this.work = this.work
      .then(work)
      .catch((error: unknown) => this.logger.warn({ err: error }, 'plugins could not read the log; trying again'));
  }

  private async refresh(): Promise<void> {
    const found = new Map<string, Listening>();
    const manifests = new Map<string, Manifest | null>();
    let after = '';
    for (;;) {
      const page = await this.instances.listening(after);
      for (const instance of page) {
        const { pluginSlug: slug } = instance;
        const manifest = manifests.get(slug) ?? (await this.plugins.manifest(slug));
        manifests.set(slug, manifest);
        if (manifest === null) continue;
        const { position } = instance;
        const known = this.listening.get(instance.id);
        const isKnown = known !== undefined && known.stored === position && known.manifest.version === manifest.version;
        const anew = { instance, manifest, stored: position, read: position, follows: false };
        found.set(instance.id, isKnown ? known : anew);
        if (!isKnown) this.dirty.add(instance.id);
      }
      const last = page.at(-1);
      if (last === undefined) break;
      after = last.id;
    }
    this.listening = found;
    this.ofProject = new Map();
    for (const one of found.values()) {
      const { projectId } = one.instance;
      this.ofProject.set(projectId, [...(this.ofProject.get(projectId) ?? []), one]);
    }
    this.wake();
  }

  private async drain(): Promise<void> {
    const ids = [...this.dirty];
    this.dirty.clear();
    await Promise.all(
      ids.map(async (id) => {
        const one = this.listening.get(id);
        if (one === undefined) return;
        try {
          await this.turns.run(one.instance.tenantId, () => this.advance(one));
        } catch (error) {
          this.stalled.add(id);
          this.logger.warn({ err: error, instanceId: id }, 'a plugin could not read the log; trying again');
        }
      }),
    );
    this.wake();
  }

  private async advance(one: Listening): Promise<void> {
    const { instance, manifest } = one;
    const { projectId, id } = instance;
    const to = await this.log.head();
    const request = {
      parts: [{ kind: 'project', id: projectId } as const],
      filter: { hears: (type: string) => hears(manifest, type), resources: [] },
      after: one.read,
    };
    const { events, end } = await this.log.pages.read({ ...request, to });
    if (events.length > 0 && (await this.actions.open(id)) + events.length > queuedPerInstanceMax) {
      this.stalled.add(id);
      return;
    }
    if (events.length > 0 || (one.follows && end > one.stored)) {
      const moved = await this.store(one, events.length > 0 ? { ...request, to: end } : null, end);
      if (!moved) {
        const position = await this.instances.position(id);
        if (position === null) return;
        one.stored = position;
        one.read = position;
        this.dirty.add(id);
        return;
      }
      one.stored = end;
      if (events.length > 0) this.onQueued();
    }
    one.read = end;
    if (end < to) this.dirty.add(id);
    else one.follows = false;
  }

  /** false: another daemon has moved the place. The events are read again under a lock: somebody may have been erased. */
  private store(one: Listening, found: PageRequest | null, end: bigint): Promise<boolean> {
    const now = this.now();
    return this.database.transaction(async (tx) => {
      if (!(await this.instances.move(tx, one.instance.id, { from: one.stored, to: end, at: now }))) return false;
      const events = found === null ? [] : (await this.log.pages.readLocked(tx, found)).events;
      await this.actions.queue(
        tx,
        events.map((read) => queuedRun(one, read, now)),
      );
      return true;
    });
  }
}

function queuedRun({ instance, manifest }: Listening, { event, subjectUserId }: ReadEvent, now: Date): QueuedAction {
  const { id: instanceId, tenantId, projectId } = instance;
  return {
    id: uuidv7(),
    ...{ tenantId, projectId, instanceId, eventId: event.id, eventType: event.type, version: manifest.version },
    ...{ sessionId: sessionOf(event), subjectUserId, status: 'queued', attempts: 0, dueAt: now, createdAt: now },
  };
}
