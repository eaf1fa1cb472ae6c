/** Sanctions on a database of a test's own, with a clock and rooms that the test holds in its hands. */
import { uuidv7 } from 'uuidv7';
import { composeModeration, type Moderation } from '../../daemon/modules/moderation/module.js';
import type { Standing } from '../../daemon/modules/moderation/sanctions/rules.js';
import { ParticipantStore } from '../../daemon/modules/people/store.js';
import type { Database } from '../../daemon/platform/database/database.js';
import { EventLog } from '../../daemon/platform/events/log.js';
import { LocalWakeUps } from '../../daemon/platform/events/wake-ups.js';

export interface ModerationBench extends Moderation {
  readonly log: EventLog;
  readonly grant: { readonly tenantId: string; readonly projectId: string; readonly role: 'admin' };
  now: Date;
  /** What the rooms were told last, by person. */
  readonly inRooms: Map<string, Standing>;
  /** Waited for before the rooms take a policy. */
  slow: () => Promise<void>;
  /** A second daemon on the same database and in the same rooms. */
  another(): Moderation;
}

/** A project of its own; the clock stands at `now`. */
export async function openModeration(database: Database, start: Date): Promise<ModerationBench> {
  const grant = { tenantId: uuidv7(), projectId: uuidv7(), role: 'admin' as const };
  const { tenantId: id, projectId } = grant;
  await database.transaction(async (tx) => {
    await tx.tenant.create({ data: { id, name: 't', createdAt: start } });
    await tx.project.create({
      data: { id: projectId, tenantId: id, name: 'p', billingProjectId: projectId, createdAt: start },
    });
  });
  const log = new EventLog(database, new LocalWakeUps(), () => bench.now);
  await log.start();
  const inRooms = new Map<string, Standing>();
  const compose = () =>
    composeModeration({
      database,
      log,
      participants: new ParticipantStore(database),
      sessions: { known: async (_, ids) => new Set(ids), roomsOf: async () => new Map() },
      effects: {
        apply: async (_, standings) => {
          await bench.slow();
          for (const [person, standing] of standings) inRooms.set(person, standing);
        },
      },
      evidence: { of: async () => ({ messages: [], transcript: [] }), known: async (_, ids) => new Set(ids) },
      erasureKey: Buffer.alloc(32, 7),
      now: () => bench.now,
    });
  const bench: ModerationBench = {
    ...compose(),
    log,
    grant,
    now: start,
    inRooms,
    slow: async () => {},
    another: compose,
  };
  return bench;
}
