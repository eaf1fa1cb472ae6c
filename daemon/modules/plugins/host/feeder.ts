/**
 * Queues runs: reads the log from the stored position of each enabled instance. Runs are stored in the transaction that
 * moves the position, so no event is skipped or queued twice, whichever daemon reads. The instances of a project share
 * one reader; an instance whose queue is full gets a reader of its own until it has caught up, so that it does not
 * delay the others.
 */

import type { Database, Transaction } from '../../../platform/database/database.js';
import type { EventLog } from '../../../platform/events/log.js';
import { type HeardPage, LogReaders, type Taken } from '../../../platform/events/log-readers.js';
import type { ReadEvent } from '../../../platform/events/record.js';
import { uuidv7 } from '../../../platform/ids/new-id.js';
import type { Logger } from '../../../platform/observability/logger.js';
import type { JobRunner } from '../../../platform/scheduler/jobs.js';
import type { Clock } from '../../../platform/time/clock.js';
import type { ActionStore, QueuedAction } from '../actions/action-store.js';
import { hears, type Manifest } from '../catalogue/manifest.js';
import type { InstanceStore, ListeningInstance } from '../instances/instance-store.js';
import { sessionOf } from './event-subject.js';
import { queuedPerInstanceMax } from './limits.js';
import { type Listening, ProjectReader } from './project-reader.js';

/** Another daemon has moved a position: the transaction is rolled back. */
class PlaceMoved extends Error {
  override name = 'PlaceMoved';
}

interface FeederNeeds {
  readonly instances: InstanceStore;
  readonly actions: ActionStore;
  readonly plugins: { manifest(slug: string): Promise<Manifest | null> };
  /** Called when runs were queued. */
  onQueued(): void;
  readonly now: Clock;
}

export class PluginFeeder extends LogReaders<ProjectReader> {
  /** Instances whose queue was full, until they have caught up. */
  private readonly apart = new Set<string>();
  private listening = 0;

  constructor(
    database: Database,
    log: EventLog,
    private readonly needs: FeederNeeds,
    jobs: Pick<JobRunner, 'run'>,
    logger: Logger,
  ) {
    super(database, log, jobs, logger, { readers: 'plugins', id: 'reader' });
  }

  /** Instances that read. */
  override get size(): number {
    return this.listening;
  }

  protected async load(known: (id: string) => ProjectReader | undefined): Promise<ProjectReader[]> {
    const readers = new Map<string, { first: ListeningInstance; members: Listening[] }>();
    const manifests = new Map<string, Manifest | null>();
    const seen = new Set<string>();
    for (let after = ''; ; ) {
      const page = await this.needs.instances.listening(after);
      for (const instance of page) {
        const { id, projectId, pluginSlug: slug, position: stored } = instance;
        const manifest = manifests.get(slug) ?? (await this.needs.plugins.manifest(slug));
        manifests.set(slug, manifest);
        if (manifest === null) continue;
        seen.add(id);
        const readerId = this.apart.has(id) ? id : projectId;
        const reader = readers.get(readerId) ?? { first: instance, members: [] };
        reader.members.push({ id, version: manifest.version, hears: (type) => hears(manifest, type), stored });
        readers.set(readerId, reader);
      }
      const last = page.at(-1);
      if (last === undefined) break;
      after = last.id;
    }
    this.listening = seen.size;
    for (const id of this.apart) if (!seen.has(id)) this.apart.delete(id);
    return [...readers].map(([id, { first, members }]) => {
      const before = known(id);
      return before?.isOf(members) === true ? before : new ProjectReader(id, first, members);
    });
  }

  protected async process(one: ProjectReader, { events, end, request }: HeardPage): Promise<Taken> {
    const open = await this.needs.actions.open(one.members.map(({ id }) => id));
    const full = one.members.filter(
      (member) => heardBy(member, events).length > queuedPerInstanceMax - (open.get(member.id) ?? 0),
    );
    if (full.length > 0) {
      if (this.apart.has(one.id)) return 'later';
      for (const { id } of full) this.apart.add(id);
      return 'changed';
    }
    try {
      await this.database.transaction(async (tx) => {
        if (!(await this.advance(tx, one, end))) throw new PlaceMoved();
        // Read again under a lock: somebody may have been erased.
        const { events: kept } = await this.log.pages.readLocked(tx, { ...request, to: end });
        const now = this.needs.now();
        const runs = one.members.flatMap((member) =>
          heardBy(member, kept).map((read) => queuedRun(one, member, read, now)),
        );
        await this.needs.actions.queue(tx, runs);
      });
    } catch (error) {
      if (error instanceof PlaceMoved) return 'changed';
      throw error;
    }
    one.stored = end;
    this.needs.onQueued();
    return end >= request.to && this.apart.delete(one.id) ? 'changed' : 'taken';
  }

  protected async advance(tx: Transaction, one: ProjectReader, end: bigint): Promise<boolean> {
    for (const [from, ids] of one.behind(end))
      if (!(await this.needs.instances.advance(tx, ids, { from, to: end, at: this.needs.now() }))) return false;
    return true;
  }
}

const heardBy = (member: Listening, events: readonly ReadEvent[]): ReadEvent[] =>
  events.filter(({ event, position }) => position > member.stored && member.hears(event.type));

function queuedRun(
  { tenantId, projectId }: ProjectReader,
  { id: instanceId, version }: Listening,
  { event, subjectUserId }: ReadEvent,
  now: Date,
): QueuedAction {
  return {
    id: uuidv7(),
    tenantId,
    projectId,
    instanceId,
    eventId: event.id,
    eventType: event.type,
    version,
    sessionId: sessionOf(event),
    subjectUserId,
    status: 'queued',
    attempts: 0,
    dueAt: now,
    createdAt: now,
  };
}
