/** Sanctions on a database of a test's own, with a clock and rooms that the test holds in its hands. */
import { uuidv7 } from 'uuidv7';
import { ClaimHolders } from '../../daemon/modules/moderation/claim-holders.js';
import { moderationRecords } from '../../daemon/modules/moderation/records.js';
import type { PolicyReader } from '../../daemon/modules/moderation/sanctions/policy-reader.js';
import { RoomEnforcer } from '../../daemon/modules/moderation/sanctions/room-enforcer.js';
import type { RoomPolicies } from '../../daemon/modules/moderation/sanctions/rules.js';
import { moderationServices } from '../../daemon/modules/moderation/services.js';
import { ParticipantDirectory } from '../../daemon/modules/people/directory.js';
import { FormerIdStore } from '../../daemon/modules/people/former-id-store.js';
import { ParticipantStore } from '../../daemon/modules/people/store.js';
import { SessionDirectory } from '../../daemon/modules/sessions/directory.js';
import { SessionStore } from '../../daemon/modules/sessions/store.js';
import type { Database } from '../../daemon/platform/database/database.js';
import { EventLog } from '../../daemon/platform/events/log.js';
import { LocalWakeUps } from '../../daemon/platform/events/wake-ups.js';
import type { DomainEvent } from '../../src/contract/events.js';

type Moderation = ReturnType<typeof moderationServices>;

/** Who imposes. */
export const moderator = { id: 'mod', isPerson: true };

export interface ModerationBench extends Moderation {
  readonly policies: PolicyReader;
  readonly log: EventLog;
  readonly people: ParticipantDirectory;
  readonly grant: { readonly tenantId: string; readonly projectId: string; readonly role: 'admin' };
  now: Date;
  /** Policies that the rooms were told last, by person. */
  readonly inRooms: Map<string, RoomPolicies>;
  /** People about whom the rooms were told, once for each time. */
  readonly told: string[];
  /** Waited for before the rooms take a policy. */
  slow: () => Promise<void>;
  /** Passes on what comes round in the log. */
  follow(events: readonly DomainEvent[]): Promise<void>;
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
  const inRooms = new Map<string, RoomPolicies>();
  const now = () => bench.now;
  const sessions = new SessionDirectory(new SessionStore(database));
  const records = await moderationRecords(
    { database, signingKey: async () => Buffer.alloc(32, 7), publicUrl: () => 'http://localhost:8787', now },
    { sessions: { directory: sessions } },
  );
  const { policies } = records;
  const enforcer = new RoomEnforcer(
    policies,
    records.store,
    {
      areHere: true,
      followElsewhere: async () => {},
      apply: async (_, people) => {
        bench.told.push(...people.keys());
        await bench.slow();
        for (const [person, one] of people) inRooms.set(person, one);
      },
    },
    now,
  );
  // As the follower of the log does with what its own process stores.
  log.onStored((stored) => void enforcer.follow(stored.map(({ event }) => event)).catch(() => {}));
  const people = new ParticipantDirectory(new ParticipantStore(database), new FormerIdStore(database), log, now);
  const all = { known: async (_: string, ids: string[]) => new Set(ids) };
  const services = () =>
    moderationServices(
      { database, log, now },
      {
        ...{ records, enforcer, people },
        authors: { accounts: { names: async () => new Map() }, people, rules: { names: async () => new Map() } },
        ...{ sessions: all, rules: all },
        accounts: { behind: async (_, ids) => new Set(ids), names: async () => new Map() },
        decided: { of: async () => null },
        settings: {
          get: async () => ({ categories: [], confirmPermanentBans: false, confirmBansOver: null, evidenceSeconds: 0 }),
        },
        holders: new ClaimHolders({ member: async () => null }, { grant: async () => null }),
        cases: { addReviews: async () => {}, reviewsDecided: async () => {}, proposerOf: async () => null },
        misuse: { appealsChanged: async () => {}, appealsSuspendedUntil: async () => null, told: async () => [] },
        outcomes: { during: (_, __, change) => change() },
        notices: { newest: async () => [] },
        projects: { isOpen: async () => true },
        services: { serviceOf: async () => ({ game: 'p', operator: null }) },
        evidence: { messagesAround: async () => ({ messages: [], transcript: [] }), facts: async () => new Map() },
      },
    );
  const bench: ModerationBench = {
    ...services(),
    policies,
    log,
    people,
    grant,
    now: start,
    inRooms,
    told: [],
    follow: (events) => enforcer.follow(events),
    slow: async () => {},
    another: services,
  };
  return bench;
}
