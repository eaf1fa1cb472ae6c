/** Voice rooms: their tokens, WHIP and WHEP, the rooms' events, and what operators do with rooms. */
import { type Module, modulePart } from '../../platform/module.js';
import type { Platform } from '../../platform/platform.js';
import type { Records } from '../../records.js';
import type { Moderation } from '../moderation/module.js';
import type { Sessions } from '../sessions/module.js';
import { announcementRouter } from './announcements.js';
import { BlockEnforcement, followBlocks } from './blocks/enforcement.js';
import { blockRouter } from './blocks/routes.js';
import { BlockService } from './blocks/service.js';
import type { RoomCarrier } from './carrier.js';
import { closeRooms } from './close-rooms.js';
import { movedPeople } from './elsewhere/moved-people.js';
import { serveCalls } from './elsewhere/serve-calls.js';
import { LiveKitDoor } from './livekit/door.js';
import { Admission } from './media/admission.js';
import { RoomJoining } from './media/joining.js';
import { RoomOccupancy } from './media/occupancy.js';
import { RoomEventForwarder } from './media/room-event-forwarder.js';
import { roomPartials } from './media/room-partials.js';
import { roomRouter } from './media/routes.js';
import { roomMetrics } from './metrics.js';
import { RoomModeration, roomModerationRouter } from './moderation.js';
import { roomPersonRecords } from './person-records-store.js';
import { RestrictionEnforcement } from './restrictions/enforcement.js';
import { expireRestrictions } from './restrictions/expire-restrictions.js';
import { followRestrictions } from './restrictions/follow-restrictions.js';
import { restrictionRouter } from './restrictions/routes.js';
import { RestrictionService } from './restrictions/service.js';
import { roomApiRouter } from './routes.js';
import { RoomService } from './service.js';
import { tokenRouter } from './tokens/routes.js';
import { TokenService } from './tokens/service.js';
import { RoomVisits, visitRouter } from './visits.js';

interface RoomNeeds {
  readonly carrier: RoomCarrier;
  readonly moderation: Moderation;
  readonly sessions: Sessions;
}

interface RoomsModule extends Module {
  readonly service: Pick<RoomService, 'list'>;
}

export function roomsModule(platform: Platform, records: Records, needs: RoomNeeds): RoomsModule {
  const { database, log, outbound, publicUrl, basePath, limits, bodies, jobs, logger, now, follower } = platform;
  const { carrier, sessions } = needs;
  const { enforcer, sanctions } = needs.moderation;
  const { role, calls, elsewhere, rooms, engine, liveKit, streams, keys, tokens, seats, occupants } = carrier;
  const { restricted, restrictions, ledger, blocks } = records.rooms;
  const { settings, store: projects } = records.projects;
  const { directory: people, notes } = records.people;
  const { policies } = records.moderation;
  const issuing = new TokenService({
    ...{
      database,
      settings,
      projects,
      people,
      policies,
      keys,
      embedded: tokens,
      outbound,
      waits: platform.outsideWaits,
      byLiveKit: liveKit !== null,
      now,
    },
    elsewhere,
  });
  const facts = { sessions: records.sessions.directory, policies, people, restrictions: restricted };
  const service = new RoomService(rooms, ledger, facts, now);
  const admission = new Admission(policies, restricted, enforcer);
  const moderation = new RoomModeration({
    ...{ database, tokens, admission, projects, people, sanctions, notes },
    rooms: service,
  });
  const joining = new RoomJoining({ media: engine, tokens, admission, keys, seats, blocks, bots: sessions.bots });
  const enforcement = new RestrictionEnforcement(streams, occupants, engine, elsewhere, enforcer);
  const restricting = new RestrictionService({
    ...{ database, log, store: restrictions, settings, projects, enforcement, now },
  });
  const blocking = new BlockEnforcement(blocks, occupants, streams, elsewhere, enforcer);
  const blockService = new BlockService({
    ...{ database, log, blocks, people, enforcement: blocking, now },
    cases: records.reports.intake,
  });
  const door =
    liveKit === null
      ? null
      : new LiveKitDoor({
          ...{ ...liveKit, tokens, admission, keys, bots: sessions.bots, log: logger },
          upgrades: platform.listener.upgrades,
          count: (token, request) =>
            limits.countAs(token, platform.connections.addresses.addressOf(request), { setHeader: () => {} }),
        });
  const forwarder = new RoomEventForwarder(streams, records.sessions.directory, logger);
  const voice = { role: 'voice' } as const;
  serveCalls(calls, { engine, rooms, follower, enforcer });
  return {
    name: 'rooms',
    service,
    routes: [
      ...tokenRouter(issuing),
      ...roomApiRouter(service),
      ...roomModerationRouter(moderation),
      ...restrictionRouter(restricting),
      ...blockRouter(blockService),
      ...visitRouter(new RoomVisits({ log, rooms, people, now })),
      ...announcementRouter({
        ...{ database, log, settings, now },
        ...{ rooms: service, transcripts: sessions.transcripts },
      }),
    ],
    verifiers: {
      roomToken: (token) => moderation.callerOf(token),
      peerToken: (token) => moderation.peerOf(token),
    },
    routers: [
      {
        router: roomRouter({
          ...{
            joining,
            media: engine,
            seats,
            streams,
            tokens,
            admission,
            limits,
            bodies,
            elsewhere,
            publicUrl,
            basePath,
            now,
          },
        }),
      },
    ],
    parts: [
      modulePart('voice-role', role),
      modulePart('room-calls', calls),
      // Whatever its roles, a daemon reads who is in rooms of LiveKit, which none of them has.
      modulePart('rooms', engine, liveKit === null ? voice : {}),
      modulePart('room-occupancy', new RoomOccupancy(engine, keys, role, logger), voice),
      modulePart('close-rooms', closeRooms(rooms, projects, sessions.bots, logger), voice),
      modulePart('room-restrictions', expireRestrictions(restricting, jobs)),
      modulePart('room-partials', roomPartials(streams, sessions.partials), voice),
      ...(door === null ? [] : [modulePart('livekit-door', door, { ...voice, stage: 'connections' })]),
      modulePart('room-streams', streams, { ...voice, stage: 'connections' }),
    ],
    follows: [
      { name: 'room-events', ...voice, types: RoomEventForwarder.types, on: (events) => forwarder.forward(events) },
      followRestrictions(elsewhere, enforcement),
      followBlocks(blocking),
      movedPeople(elsewhere, rooms),
    ],
    metrics: roomMetrics(carrier),
    probes: [
      { ...voice, probe: { part: 'rooms', check: () => engine.problem } },
      { probe: { part: 'voice', isWarning: true, check: () => role.problem } },
    ],
    person: {
      disconnect: async (projectId, externalUserId) => void (await rooms.evict(projectId, null, externalUserId)),
      beforeLog: (tx, projectId, { externalUserId }) => blocks.erase(tx, projectId, externalUserId),
      afterLog: async (tx, projectId, { externalUserId }) => {
        await ledger.erase(tx, projectId, externalUserId);
        await blocks.erase(tx, projectId, externalUserId);
      },
      // A person who came back in the meantime, with a token that was valid until then, is removed again.
      afterCommit: async (projectId, externalUserId) => {
        await ledger.eraseAgain(projectId, externalUserId);
        await rooms.evict(projectId, null, externalUserId);
      },
    },
    personRecords: roomPersonRecords(database),
    personMove: {
      isPresent: async (projectId, externalUserId) =>
        (await rooms.list(projectId)).some(({ peers }) => peers.some((peer) => peer.externalUserId === externalUserId)),
      merge: async (tx, { projectId, from, to }) => {
        await ledger.endGeneration(tx, projectId, from);
        await blocks.rename(tx, projectId, from, to);
      },
      afterCommit: async ({ projectId, from }) => void (await rooms.evict(projectId, null, from)),
    },
    project: { close: (projectId) => rooms.close(projectId) },
  };
}
