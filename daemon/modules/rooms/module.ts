/** Voice rooms: their tokens, WHIP and WHEP, the rooms' events, and what operators do with rooms. */
import { SoleRole } from '../../platform/database/sole-role.js';
import { type Module, modulePart } from '../../platform/module.js';
import type { Platform } from '../../platform/platform.js';
import type { PolicyReader, RoomEnforcer } from '../moderation/index.js';
import type { ParticipantDirectory } from '../people/index.js';
import type { ProjectDirectory } from '../projects/index.js';
import type { Sessions } from '../sessions/index.js';
import type { RoomCarrier } from './carrier.js';
import { closeRooms } from './close-rooms.js';
import { bindAddressOf } from './embedded/bind-address.js';
import { EmbeddedRooms } from './embedded/engine.js';
import { admissionBy } from './media/admission.js';
import { RoomJoining } from './media/joining.js';
import { RoomOccupancy } from './media/occupancy.js';
import { roomEffects } from './media/room-effects.js';
import { RoomEventForwarder } from './media/room-event-forwarder.js';
import { RoomStreams } from './media/room-streams.js';
import { roomRouter } from './media/routes.js';
import { roomMetrics } from './metrics.js';
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
  const { database, box, connections, settings, logger, now, processFaults } = platform;
  const { EARSHOT_HOST: host, EARSHOT_MEDIA_PORT: port, EARSHOT_MEDIA_ADDRESS: announcedAddress = null } = settings;
  const media = { port, bindAddress: bindAddressOf(host), announcedAddress };
  const engine = new EmbeddedRooms(media, logger, processFaults.of('rooms'));
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
  readonly participants: ParticipantDirectory;
  readonly policies: PolicyReader;
  readonly enforcer: RoomEnforcer;
  readonly sessions: Sessions;
}

interface Rooms extends Module {
  readonly service: Pick<RoomService, 'list'>;
}

export function roomsModule(platform: Platform, needs: RoomNeeds): Rooms {
  const { database, outbound, publicUrl, limits, logger, now } = platform;
  const { projects, participants, policies, enforcer, sessions } = needs;
  const { engine, streams, keys, tokens, ledger, evict, close } = needs.carrier;
  const post = (url: string, headers: Record<string, string>, body: string) => outbound.post(url, headers, body);
  const issuing = new TokenService({
    settings: projects.settings,
    projects,
    people: participants,
    policies,
    keys,
    embedded: tokens,
    post,
    publicUrl,
    now,
  });
  const service = new RoomService(
    {
      rooms: (projectId) => engine.rooms(projectId),
      room: (projectId, roomId) => engine.room({ projectId, roomId }),
      remove: evict,
    },
    ledger,
    {
      sessionsIn: (...rooms) => sessions.directory.activeInAll(...rooms),
      policies: (...people) => policies.inRooms(...people),
      people: (...people) => participants.byExternalIds(...people),
    },
    now,
  );
  const admission = admissionBy(policies, enforcer);
  const joining = new RoomJoining({ media: engine, tokens, admission, keys, bots: sessions });
  const forwarder = new RoomEventForwarder(streams, (...session) => sessions.directory.roomOf(...session), logger);
  const voice = { role: 'voice' } as const;
  const soleVoice = new SoleRole(database, voice.role);
  return {
    name: 'rooms',
    service,
    routes: [...tokenRouter(issuing), ...roomApiRouter(service)],
    routers: [{ ...voice, router: roomRouter({ joining, media: engine, streams, tokens, admission, limits }) }],
    parts: [
      modulePart('sole-voice', soleVoice, voice),
      modulePart('rooms', engine, voice),
      modulePart('room-occupancy', new RoomOccupancy(engine, keys, logger), voice),
      modulePart('close-rooms', closeRooms(needs.carrier, projects, sessions, logger), voice),
      modulePart('room-streams', streams, { ...voice, stage: 'connections' }),
    ],
    follows: [
      { name: 'room-events', ...voice, types: RoomEventForwarder.types, on: (events) => forwarder.take(events) },
    ],
    metrics: roomMetrics(needs.carrier),
    keeps: [{ kind: 'keys of empty rooms', prune: (limit) => keys.prune(limit) }],
    probes: [{ ...voice, probe: { part: 'rooms', look: () => soleVoice.problem ?? engine.problem } }],
    person: {
      dismiss: async (projectId, externalUserId) => void (await evict(projectId, null, externalUserId, 'kicked')),
      silently: (tx, projectId, { externalUserId }) => ledger.erase(tx, projectId, externalUserId),
      // A person who came back in the meantime, with a token that was valid until then, is removed again.
      erased: async (projectId, externalUserId) => {
        await ledger.eraseAgain(projectId, externalUserId);
        await evict(projectId, null, externalUserId, 'kicked');
      },
    },
    personMove: { moved: async ({ projectId, from }) => void (await evict(projectId, null, from, 'kicked')) },
    project: { close },
  };
}
