/**
 * Queues runs: reads the log on from the place of each enabled instance. Runs are stored in the transaction that moves
 * the place, so no event is left out and none is queued twice, whichever daemon reads.
 */
import { uuidv7 } from 'uuidv7';
import type { Clock } from '../../../platform/clock.js';
import type { Database, Transaction } from '../../../platform/database/database.js';
import type { EventLog } from '../../../platform/events/log.js';
import {
  type HeardPage,
  type LogReader,
  LogReaders,
  readerAt,
  type Taken,
} from '../../../platform/events/log-readers.js';
import type { ReadEvent } from '../../../platform/events/record.js';
import type { Logger } from '../../../platform/observability/logger.js';
import type { ActionStore, QueuedAction } from '../actions/action-store.js';
import { hears, type Manifest } from '../catalogue/manifest.js';
import type { InstanceStore } from '../instances/instance-store.js';
import { sessionOf } from './event-subject.js';
import { queuedPerInstanceMax } from './limits.js';

/** An instance that is enabled; `version` is that of its plugin. */
interface Listening extends LogReader {
  readonly version: string;
}

export class PluginFeeder extends LogReaders<Listening> {
  constructor(
    database: Database,
    log: EventLog,
    private readonly instances: InstanceStore,
    private readonly actions: ActionStore,
    private readonly plugins: { manifest(slug: string): Promise<Manifest | null> },
    /** Called when runs were queued. */
    private readonly onQueued: () => void,
    logger: Logger,
    private readonly now: Clock,
  ) {
    super(database, log, logger, { readers: 'plugins', id: 'instanceId' });
  }

  protected async load(known: (id: string) => Listening | undefined): Promise<Listening[]> {
    const found: Listening[] = [];
    const manifests = new Map<string, Manifest | null>();
    let after = '';
    for (;;) {
      const page = await this.instances.listening(after);
      for (const { id, tenantId, projectId, pluginSlug: slug, position } of page) {
        const manifest = manifests.get(slug) ?? (await this.plugins.manifest(slug));
        manifests.set(slug, manifest);
        if (manifest === null) continue;
        const { version } = manifest;
        const before = known(id);
        const isSame = before !== undefined && before.stored === position && before.version === version;
        const anew = { ...{ id, tenantId, projectId, version }, hears: (type: string) => hears(manifest, type) };
        found.push(isSame ? before : { ...anew, ...readerAt(position) });
      }
      const last = page.at(-1);
      if (last === undefined) return found;
      after = last.id;
    }
  }

  protected async take(one: Listening, { events, end, request }: HeardPage): Promise<Taken> {
    if ((await this.actions.open(one.id)) + events.length > queuedPerInstanceMax) return 'later';
    const isMoved = await this.database.transaction(async (tx) => {
      if (!(await this.move(tx, one, end))) return false;
      // Read again under a lock: somebody may have been erased.
      const { events: kept } = await this.log.pages.readLocked(tx, { ...request, to: end });
      await this.actions.queue(
        tx,
        kept.map((read) => queuedRun(one, read, this.now())),
      );
      return true;
    });
    if (!isMoved) return 'changed';
    one.stored = end;
    this.onQueued();
    return 'taken';
  }

  protected move(tx: Transaction, { id, stored }: Listening, end: bigint): Promise<boolean> {
    return this.instances.move(tx, id, { from: stored, to: end, at: this.now() });
  }
}

function queuedRun(
  { id: instanceId, tenantId, projectId, version }: Listening,
  { event, subjectUserId }: ReadEvent,
  now: Date,
): QueuedAction {
  return {
    id: uuidv7(),
    ...{ tenantId, projectId, instanceId, eventId: event.id, eventType: event.type, version },
    ...{ sessionId: sessionOf(event), subjectUserId, status: 'queued', attempts: 0, dueAt: now, createdAt: now },
  };
}
