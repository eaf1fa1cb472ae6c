/** Voice rooms: their tokens, WHIP and WHEP, the rooms' events, and what operators do with rooms. */
import { roles as everyRole } from '../../platform/config/schema.js';
import { RoleLease } from '../../platform/database/role-lease.js';
import { wakeUpsOf } from '../../platform/foundation.js';
import { type Module, modulePart } from '../../platform/module.js';
import type { Platform } from '../../platform/platform.js';
import type { Moderation } from '../moderation/module.js';
import type { PolicyReader } from '../moderation/sanctions/policy-reader.js';
import type { RoomEnforcer } from '../moderation/sanctions/room-enforcer.js';
import type { ParticipantDirectory } from '../people/directory.js';
import type { ParticipantNotes } from '../people/notes.js';
import type { ProjectDirectory } from '../projects/directory.js';
import type { Sessions } from '../sessions/module.js';
import { announcementRouter } from './announcements.js';
import type { RoomCarrier } from './carrier.js';
import { closeRooms } from './close-rooms.js';
import { RoomCallStore } from './elsewhere/call-store.js';
import { movedPeople } from './elsewhere/moved-people.js';
import { RoomCalls } from './elsewhere/room-calls.js';
import { sumsOf } from './elsewhere/room-sums.js';
import { RoomsElsewhere } from './elsewhere/rooms-elsewhere.js';
import { serveCalls } from './elsewhere/serve-calls.js';
import { bindAddressOf } from './embedded/bind-address.js';
import { EmbeddedRooms } from './embedded/engine.js';
import { RoomFleet } from './embedded/room-fleet.js';
import { admissionBy } from './media/admission.js';
import { RoomJoining } from './media/joining.js';
import { RoomOccupancy } from './media/occupancy.js';
import { roomEffects } from './media/room-effects.js';
import { RoomEventForwarder } from './media/room-event-forwarder.js';
import { RoomStreams } from './media/room-streams.js';
import { roomRouter } from './media/routes.js';
import { Seats } from './media/seats.js';
import { roomMetrics } from './metrics.js';
import { RoomModeration, roomModerationRouter } from './moderation.js';
import { roomRecords } from './person-records-store.js';
import { expireRestrictions } from './restrictions/expire-restrictions.js';
import { followRestrictions } from './restrictions/follow-restrictions.js';
import { RoomRestrictionReader, restrictedBy, unrestricted } from './restrictions/restrictions.js';
import { restrictionRouter } from './restrictions/routes.js';
import { RestrictionService } from './restrictions/service.js';
import { RestrictionStore } from './restrictions/store.js';
import { roomApiRouter } from './routes.js';
import { RoomService } from './service.js';
import { RoomTokenLedger } from './tokens/ledger-store.js';
import { RoomKeys } from './tokens/room-keys.js';
import { RoomTokens } from './tokens/room-tokens.js';
import { tokenRouter } from './tokens/routes.js';
import { TokenService } from './tokens/service.js';

/**
 * How long the room process goes on without its daemon, where another daemon can take the rooms over: less than the lease
 * of a daemon that stands still lasts.
 */
const roomsOutliveDaemonMs = 6_000;

interface CarrierNeeds {
  readonly projects: ProjectDirectory;
  readonly participants: ParticipantDirectory;
  readonly policies: PolicyReader;
}

export async function roomCarrier(
  platform: Platform,
  { projects, participants, policies }: CarrierNeeds,
): Promise<RoomCarrier> {
  const { database, box, connections, settings, logger, now, processFaults } = platform;
  const { EARSHOT_HOST: host, EARSHOT_MEDIA_PORT: port, EARSHOT_MEDIA_ADDRESS: announcedAddress = null } = settings;
  const role = new RoleLease(database, {
    role: 'voice',
    isWanted: (settings.EARSHOT_ROLES ?? everyRole).includes('voice'),
    url: platform.publicUrl,
    logger,
  });
  const callStore = new RoomCallStore(database, now);
  const calls = new RoomCalls(role, callStore, await wakeUpsOf(database, 'earshot_rooms'), logger);
  const elsewhere = new RoomsElsewhere(role, calls, platform.publicUrl);
  const orphanMs = role.isShared ? roomsOutliveDaemonMs : null;
  const processOn = (port: number) =>
    new EmbeddedRooms(
      { port, bindAddress: bindAddressOf(host), announcedAddress, orphanMs },
      logger,
      processFaults.of('rooms'),
    );
  const further = Array.from({ length: settings.EARSHOT_ROOM_PROCESSES - 1 }, (_, index) =>
    processOn(port === 0 ? 0 : port + 1 + index),
  );
  const engine = new RoomFleet([processOn(port), ...further], projects.tenantOf);
  const seats = new Seats();
  engine.onEvent((event) => seats.follow(event));
  const store = new RestrictionStore(database);
  const restricted = new RoomRestrictionReader(store, now);
  const streams = new RoomStreams(
    engine,
    {
      tenantOf: projects.tenantOf,
      encryption: async (projectId) => (await projects.settings.open(projectId))?.e2eEncryptionMode ?? 'disabled',
      policy: async (projectId, roomId, { externalUserId, moderate }) => {
        const isModerator = moderate || seats.isModerator({ projectId, roomId }, externalUserId);
        const rules = isModerator ? unrestricted : await restricted.of(projectId, roomId);
        return restrictedBy(rules, await policies.policy(projectId, roomId, externalUserId));
      },
    },
    connections.streams,
    logger,
    now,
  );
  const key = await platform.signingKey('room-tokens');
  const ledger = new RoomTokenLedger(database, key, now);
  const facts = {
    isOpen: (projectId: string) => projects.isOpen(projectId),
    hasMoved: (...whom: Parameters<ParticipantDirectory['hasMoved']>) => participants.hasMoved(...whom),
  };
  role.onChange(async (isHeld) => {
    if (isHeld) return;
    streams.closeAll('restarted');
    await engine.pause();
  });
  return {
    role,
    calls,
    elsewhere,
    engine,
    streams,
    seats,
    restrictions: { store, reader: restricted },
    ledger,
    tokens: new RoomTokens(key, ledger, facts, now),
    keys: new RoomKeys(database, projects.settings, box, now),
    effects: roomEffects(engine, streams, elsewhere, { restricted, seats }, platform.log),
    // Streams first: a browser notices a closed connection only after seconds.
    evict: async (projectId, roomId, externalUserId, reason) =>
      elsewhere.areHere
        ? [
            ...(await streams.remove(projectId, roomId, externalUserId, reason)),
            ...(await engine.remove(projectId, roomId, externalUserId, reason)),
          ]
        : elsewhere.evict(projectId, roomId, externalUserId),
    close: async (projectId) => {
      if (!elsewhere.areHere) return elsewhere.close(projectId);
      streams.closeProject(projectId);
      await engine.remove(projectId, null, null, 'room_closed');
    },
    sums: async (projectIds, take) =>
      elsewhere.areHere ? sumsOf(engine.rooms(), new Set(projectIds), take) : elsewhere.sums(projectIds, take),
    projects: () => new Set([...engine.projects(), ...streams.projects()]),
  };
}

interface RoomNeeds {
  readonly carrier: RoomCarrier;
  readonly projects: ProjectDirectory;
  readonly participants: ParticipantDirectory;
  readonly policies: PolicyReader;
  readonly enforcer: RoomEnforcer;
  readonly sanctions: Moderation['sanctions'];
  readonly notes: ParticipantNotes;
  readonly sessions: Sessions;
}

interface Rooms extends Module {
  readonly service: Pick<RoomService, 'list'>;
}

export function roomsModule(platform: Platform, needs: RoomNeeds): Rooms {
  const { outbound, publicUrl, limits, bodies, logger, now, follower } = platform;
  const { projects, participants, policies, enforcer, sessions } = needs;
  const { role, calls, elsewhere, engine, streams, keys, tokens, ledger, seats, evict, close } = needs.carrier;
  const post = (url: string, headers: Record<string, string>, body: string) => outbound.post(url, headers, body);
  const { store, reader: restricted } = needs.carrier.restrictions;
  const issuing = new TokenService({
    settings: projects.settings,
    projects,
    people: participants,
    policies,
    keys,
    embedded: tokens,
    post,
    waits: platform.outsideWaits,
    roomsUrl: () => elsewhere.url ?? publicUrl(),
    now,
  });
  const service = new RoomService(
    {
      rooms: async (projectId) => (elsewhere.areHere ? engine.rooms(projectId) : elsewhere.rooms(projectId)),
      room: async (projectId, roomId) =>
        elsewhere.areHere
          ? engine.room({ projectId, roomId })
          : ((await elsewhere.rooms(projectId, roomId))[0] ?? null),
      remove: evict,
    },
    ledger,
    {
      sessionsIn: (...rooms) => sessions.directory.activeInAll(...rooms),
      policies: (...people) => policies.inRooms(...people),
      people: (...people) => participants.byExternalIds(...people),
      restrictions: (projectId) => restricted.views(projectId),
    },
    now,
  );
  const admission = admissionBy(policies, restricted, enforcer);
  const moderation = new RoomModeration({
    database: platform.database,
    tokens,
    admission,
    projects,
    rooms: service,
    people: participants,
    sanctions: needs.sanctions,
    notes: needs.notes,
  });
  const joining = new RoomJoining({ media: engine, tokens, admission, keys, seats, bots: sessions });
  /** For everybody who is in the room or reads its events. */
  const enforceIn = (projectId: string, roomId: string): Promise<void> => {
    const readers = streams.readersOf(projectId).filter((reader) => reader.roomId === roomId);
    const people = [...seats.in({ projectId, roomId }), ...readers.map(({ externalUserId }) => externalUserId)];
    return enforcer.enforce(projectId, people);
  };
  const restricting = new RestrictionService({
    database: platform.database,
    log: platform.log,
    store,
    settings: projects.settings,
    tenantOf: projects.tenantOf,
    enforce: async (projectId, roomId) => {
      if (elsewhere.areHere) enforceIn(projectId, roomId).catch(() => {}); // is tried again until it holds
      await enforcer.holds([{ projectId }]);
    },
    now,
  });
  const forwarder = new RoomEventForwarder(streams, (...session) => sessions.directory.roomOf(...session), logger);
  const voice = { role: 'voice' } as const;
  serveCalls(calls, { engine, evict, close, follower, enforcer });
  return {
    name: 'rooms',
    service,
    routes: [
      ...tokenRouter(issuing),
      ...roomApiRouter(service),
      ...roomModerationRouter(moderation),
      ...restrictionRouter(restricting),
      ...announcementRouter({
        ...{ database: platform.database, log: platform.log, settings: projects.settings, now },
        ...{ rooms: service, transcripts: sessions.transcripts },
      }),
    ],
    verifiers: { roomToken: (token) => moderation.callerOf(token) },
    routers: [
      { router: roomRouter({ joining, media: engine, streams, tokens, admission, limits, bodies, elsewhere }) },
    ],
    parts: [
      modulePart('voice-role', role),
      modulePart('room-calls', calls),
      modulePart('rooms', engine, voice),
      modulePart('room-occupancy', new RoomOccupancy(engine, keys, role, logger), voice),
      modulePart('close-rooms', closeRooms(needs.carrier, projects, sessions, logger), voice),
      modulePart('room-restrictions', expireRestrictions(restricting, logger)),
      modulePart('room-streams', streams, { ...voice, stage: 'connections' }),
    ],
    follows: [
      { name: 'room-events', ...voice, types: RoomEventForwarder.types, on: (events) => forwarder.take(events) },
      followRestrictions(role, enforceIn),
      movedPeople(role, evict),
    ],
    metrics: roomMetrics(needs.carrier),
    probes: [
      { ...voice, probe: { part: 'rooms', look: () => engine.problem } },
      { probe: { part: 'voice', isWarning: true, look: () => role.problem } },
    ],
    person: {
      disconnect: async (projectId, externalUserId) => void (await evict(projectId, null, externalUserId, 'kicked')),
      afterLog: (tx, projectId, { externalUserId }) => ledger.erase(tx, projectId, externalUserId),
      // A person who came back in the meantime, with a token that was valid until then, is removed again.
      afterCommit: async (projectId, externalUserId) => {
        await ledger.eraseAgain(projectId, externalUserId);
        await evict(projectId, null, externalUserId, 'kicked');
      },
    },
    personRecords: roomRecords(platform.database),
    personMove: { afterCommit: async ({ projectId, from }) => void (await evict(projectId, null, from, 'kicked')) },
    project: { close },
  };
}
