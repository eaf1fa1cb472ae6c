/** Voice rooms: their tokens, WHIP and WHEP, the rooms' events, and what operators do with rooms. */
import { isPerson } from '../../../src/contract/rooms/room-events.js';
import { SoleRole } from '../../platform/database/sole-role.js';
import { type Module, modulePart } from '../../platform/module.js';
import type { ScrapedMetric } from '../../platform/observability/metrics.js';
import type { Platform } from '../../platform/platform.js';
import type { PolicyReader, RoomEnforcer } from '../moderation/index.js';
import type { ParticipantDirectory } from '../people/index.js';
import type { ProjectDirectory } from '../projects/index.js';
import type { Sessions } from '../sessions/index.js';
import type { RoomCarrier } from './carrier.js';
import { closeRooms } from './close-rooms.js';
import { EmbeddedRooms } from './embedded/engine.js';
import { admissionBy } from './media/admission.js';
import { RoomOccupancy } from './media/occupancy.js';
import { roomEffects } from './media/room-effects.js';
import { RoomEventForwarder } from './media/room-event-forwarder.js';
import { RoomStreams } from './media/room-streams.js';
import { type EncryptionKeyLookup, roomRouter } from './media/routes.js';
import { roomApiRouter } from './routes.js';
import { RoomService } from './service.js';
import { RoomTokenLedger } from './tokens/ledger-store.js';
import { RoomKeys } from './tokens/room-keys.js';
import { RoomTokens } from './tokens/room-tokens.js';
import { tokenRouter } from './tokens/routes.js';
import { TokenService } from './tokens/service.js';

interface CarrierNeeds {
  readonly projects: ProjectDirectory;
  readonly participants: ParticipantDirectory;
  readonly policies: PolicyReader;
}

export async function roomCarrier(
  platform: Platform,
  { projects, participants, policies }: CarrierNeeds,
): Promise<RoomCarrier> {
  const { database, box, connections, settings, logger, now } = platform;
  const { EARSHOT_HOST: host, EARSHOT_MEDIA_PORT: port, EARSHOT_MEDIA_ADDRESS: announcedAddress = null } = settings;
  const bindAddress = isLoopback(host) ? '127.0.0.1' : null;
  const engine = new EmbeddedRooms({ port, bindAddress, announcedAddress }, logger);
  const streams = new RoomStreams(
    engine,
    {
      encryption: async (projectId) => (await projects.settings.open(projectId))?.e2eEncryptionMode ?? 'disabled',
      policy: (...where) => policies.policy(...where),
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
  return {
    engine,
    streams,
    ledger,
    tokens: new RoomTokens(key, ledger, facts, now),
    keys: new RoomKeys(database, projects.settings, box, now),
    effects: roomEffects(engine, streams),
    // Streams first: a browser notices a closed connection only after seconds.
    evict: async (...whom) => [...(await streams.remove(...whom)), ...(await engine.remove(...whom))],
    close: async (projectId) => {
      streams.closeAll(projectId);
      await engine.remove(projectId, null, null, 'room_closed');
    },
    projects: () => new Set([...engine.projects(), ...streams.projects()]),
  };
}

interface RoomNeeds {
  readonly carrier: RoomCarrier;
  readonly projects: ProjectDirectory;
  readonly policies: PolicyReader;
  readonly enforcer: RoomEnforcer;
  readonly sessions: Sessions;
}

export interface Rooms extends Module {
  readonly service: Pick<RoomService, 'list'>;
}

export function roomsModule(platform: Platform, needs: RoomNeeds): Rooms {
  const { database, outbound, publicUrl, limits, logger, now } = platform;
  const { projects, policies, enforcer, sessions } = needs;
  const { engine, streams, keys, tokens, ledger, evict, close } = needs.carrier;
  const post = (url: string, headers: Record<string, string>, body: string) => outbound.post(url, headers, body);
  const issuing = new TokenService(projects.settings, projects, policies, keys, tokens, post, publicUrl, now);
  const service = new RoomService(
    {
      rooms: (projectId) => engine.rooms(projectId),
      room: (projectId, roomId) => engine.room({ projectId, roomId }),
      remove: evict,
    },
    ledger,
    {
      sessionsIn: (...rooms) => sessions.directory.activeInAll(...rooms),
      muted: async (...people) => {
        const policyOf = await policies.inRooms(...people);
        return (...where) => !policyOf(...where).publish;
      },
    },
    now,
  );
  const keyForNewcomer: EncryptionKeyLookup = async (projectId, roomId) => {
    await sessions.expectBot({ projectId, roomId });
    return keys.inForce(projectId, roomId);
  };
  const forwarder = new RoomEventForwarder(streams, (...session) => sessions.directory.roomOf(...session), logger);
  const closed = closeRooms(
    {
      projects: needs.carrier.projects,
      close: async (projectId) => {
        sessions.compareBots();
        await close(projectId);
      },
    },
    projects,
    logger,
  );
  const voice = { role: 'voice' } as const;
  const soleVoice = new SoleRole(database, voice.role);
  return {
    name: 'rooms',
    service,
    routes: [...tokenRouter(issuing), ...roomApiRouter(service)],
    routers: [
      {
        ...voice,
        router: roomRouter(engine, streams, tokens, admissionBy(policies, enforcer), keyForNewcomer, limits),
      },
    ],
    parts: [
      modulePart('sole-voice', soleVoice, voice),
      modulePart('rooms', engine, voice),
      modulePart('room-occupancy', new RoomOccupancy(engine, keys, logger), voice),
      modulePart('close-rooms', closed, voice),
      modulePart('room-streams', streams, { ...voice, stage: 'connections' }),
    ],
    follows: [
      { name: 'room-events', ...voice, types: RoomEventForwarder.types, on: (events) => forwarder.take(events) },
    ],
    metrics: roomMetrics(engine, streams),
    keeps: [{ kind: 'keys of empty rooms', prune: (limit) => keys.prune(limit) }],
    probes: [{ ...voice, probe: { part: 'rooms', look: () => soleVoice.problem ?? engine.problem } }],
    person: {
      dismiss: async (projectId, externalUserId) => void (await evict(projectId, null, externalUserId, 'kicked')),
      silently: (tx, projectId, { externalUserId }) => ledger.forget(tx, projectId, externalUserId),
      // Whoever came back in the meantime, with a token that was good until then, is removed again.
      erased: async (projectId, externalUserId) => {
        await ledger.forgetAgain(projectId, externalUserId);
        await evict(projectId, null, externalUserId, 'kicked');
      },
    },
    personMove: { moved: async ({ projectId, from }) => void (await evict(projectId, null, from, 'kicked')) },
    project: { close },
  };
}

function roomMetrics(engine: RoomCarrier['engine'], streams: RoomCarrier['streams']): readonly ScrapedMetric[] {
  const people = () => engine.rooms().flatMap(({ peers }) => peers.filter(isPerson));
  return [
    { name: 'rooms', help: 'Rooms that somebody is in', read: () => engine.rooms().length },
    {
      name: 'room_people',
      help: 'People in rooms, bots and observers left out',
      label: 'publishing',
      read: () => {
        const publishing = people().filter((one) => one.publishing).length;
        return { true: publishing, false: people().length - publishing };
      },
    },
    {
      name: 'room_packets',
      help: 'Packets since the room process started',
      type: 'counter',
      label: 'fate',
      read: async () => {
        const { packetsIn, packetsForwarded, packetsDropped } = await engine.stats();
        return { in: packetsIn, forwarded: packetsForwarded, ...packetsDropped };
      },
    },
    {
      name: 'room_process_restarts',
      help: 'Times that the room process had to be started again',
      type: 'counter',
      read: () => engine.restarts,
    },
    { name: 'room_streams', help: 'Event streams of people in rooms', read: () => streams.size },
  ];
}

const isLoopback = (host: string): boolean => ['127.0.0.1', '::1', 'localhost'].includes(host);
