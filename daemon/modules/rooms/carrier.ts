/** The media side of rooms: the engine, the rooms' event streams, and who may enter with which token and key. */

import { isLoopback } from '../../platform/config/loopback.js';
import { roles as everyRole, type Settings } from '../../platform/config/schema.js';
import { RoleLease } from '../../platform/database/role-lease.js';
import { wakeUpsOf } from '../../platform/foundation.js';
import type { Platform } from '../../platform/platform.js';
import type { Records } from '../../records.js';
import { RoomCallStore } from './elsewhere/call-store.js';
import { RoomCalls } from './elsewhere/room-calls.js';
import { RoomsAnywhere } from './elsewhere/rooms-anywhere.js';
import { RoomsElsewhere } from './elsewhere/rooms-elsewhere.js';
import { EmbeddedRooms } from './embedded/engine.js';
import { PeerShares } from './embedded/peer-shares.js';
import { usualPingEveryMs } from './embedded/room-child.js';
import { RoomFleet } from './embedded/room-fleet.js';
import { LiveKitEars } from './livekit/ears.js';
import { LiveKitRooms } from './livekit/engine.js';
import { Hearing } from './livekit/hearing.js';
import { LiveKitServer, liveKitAccess } from './livekit/server.js';
import type { CarriedRooms } from './media/engine.js';
import { RoomEffects } from './media/room-effects.js';
import { RoomStreams } from './media/room-streams.js';
import { Seats } from './media/seats.js';
import { restrictedBy, unrestricted } from './restrictions/restrictions.js';
import type { RoomTokenLedger } from './tokens/ledger-store.js';
import { RoomKeys } from './tokens/room-keys.js';
import { type RoomClaims, RoomTokens } from './tokens/room-tokens.js';

/**
 * How long the room process goes on without its daemon, where another daemon can take the rooms over: less than the lease
 * of a daemon that stands still lasts.
 */
const roomsOutliveDaemonMs = 6_000;

export type RoomCarrier = Awaited<ReturnType<typeof roomCarrier>>;

export async function roomCarrier(
  platform: Platform,
  { projects, people, moderation, reports, rooms: records }: Records,
) {
  const { database, box, connections, settings, logger, now } = platform;
  const role = new RoleLease(database, {
    role: 'voice',
    isWanted: (settings.EARSHOT_ROLES ?? everyRole).includes('voice'),
    url: platform.publicUrl,
    logger,
  });
  const callStore = new RoomCallStore(database, now);
  const calls = new RoomCalls(role, callStore, await wakeUpsOf(database, 'earshot_rooms'), logger);
  const { restricted, ledger, tokenKey, blocks } = records;
  const liveKit = liveKitOf(platform, moderation.policies, records);
  const elsewhere = new RoomsElsewhere(role, calls, platform.publicUrl, liveKit !== null);
  const engine: CarriedRooms =
    liveKit?.rooms ??
    new RoomFleet(
      roomProcesses(platform, role),
      projects.store.tenantOf,
      new PeerShares(() => settings.EARSHOT_PEERS_TENANT),
    );
  const seats = new Seats(now);
  engine.onEvent((event) => seats.follow(event));
  const occupants = liveKit?.rooms ?? seats;
  const tokens = new RoomTokens(tokenKey, ledger, projects.store, people.directory, now);
  const keys = new RoomKeys(database, projects.settings, box, now);
  const streams = new RoomStreams(
    engine,
    {
      haveOldKey: async ({ projectId, roomId }, all) => {
        const inForce = await keys.inForce(projectId, roomId);
        const old = all.filter((claims) => !tokens.hasKey(claims, inForce));
        return liveKit === null ? old : [...old, ...(await revokedAmong(all, ledger))];
      },
      tenantOf: projects.store.tenantOf,
      reportCategories: async (projectId) => (await reports.settings.get(projectId)).categories.map(({ name }) => name),
      otherUrls: (roomId) => elsewhere.addressesOf(roomId).otherUrls,
      blocked: async (projectId, externalUserId) =>
        (await blocks.blockedBy(projectId, [externalUserId])).get(externalUserId) ?? [],
      encryption: async (projectId) => (await projects.settings.open(projectId))?.e2eEncryptionMode ?? 'disabled',
      policy: async (projectId, roomId, { externalUserId, moderate }) => {
        const isModerator = moderate || occupants.isModerator({ projectId, roomId }, externalUserId);
        const rules = isModerator ? unrestricted : await restricted.inRoom(projectId, roomId);
        return restrictedBy(rules, await moderation.policies.policy(projectId, roomId, externalUserId));
      },
    },
    connections.streams,
    logger,
    now,
  );
  role.onChange(async (isHeld) => {
    if (isHeld) return;
    if (liveKit === null) streams.closeAll('restarted');
    await engine.pause();
  });
  return {
    /** The role `voice`: rooms are open only while this daemon holds it. */
    role,
    calls,
    elsewhere,
    /** The rooms, whichever daemon has them. */
    rooms: new RoomsAnywhere(engine, streams, elsewhere),
    engine,
    /** null: the daemon carries the rooms itself. */
    liveKit,
    streams,
    seats,
    /** Who is in the rooms. */
    occupants,
    tokens,
    keys,
    /** Applies policies in the rooms. */
    effects: new RoomEffects(engine, streams, elsewhere, { restricted, seats: occupants, blocks }, platform.log),
  };
}

/** null: the daemon carries the rooms itself. */
function liveKitOf(
  { settings, logger: log, processFaults, now }: Platform,
  policies: Records['moderation']['policies'],
  { ledger, blocks }: Records['rooms'],
) {
  const access = liveKitAccess(settings);
  if (access === null) return null;
  const server = new LiveKitServer(access);
  const hearing = new Hearing(policies, blocks);
  const ears = new LiveKitEars({ server, hearing, log, onFault: processFaults.reporterFor('rooms') });
  return { server, hearing, rooms: new LiveKitRooms({ server, hearing, ears, ledger, log, now }) };
}

/** A kick at another daemon ends the streams here by this. */
async function revokedAmong(all: readonly RoomClaims[], ledger: Pick<RoomTokenLedger, 'isRevoked'>) {
  const revoked: RoomClaims[] = [];
  for (const claims of all) if (await ledger.isRevoked(claims.jti)) revoked.push(claims);
  return revoked;
}

/** The first at the port of the settings, further ones at those after it. */
function roomProcesses(
  { settings, logger, processFaults, now }: Platform,
  { isShared }: RoleLease,
): [EmbeddedRooms, ...EmbeddedRooms[]] {
  const { EARSHOT_MEDIA_PORT: first, EARSHOT_MEDIA_HOST: bindAddress = null } = settings;
  const { EARSHOT_MEDIA_ADDRESS: announcedAddress = null } = settings;
  const announcesLoopback = bindAddress === null && opensHere(settings);
  const orphanMs = isShared ? roomsOutliveDaemonMs : null;
  const processAt = (port: number) =>
    new EmbeddedRooms(
      { port, bindAddress, announcedAddress, announcesLoopback, orphanMs },
      logger,
      processFaults.reporterFor('rooms'),
      usualPingEveryMs,
      now,
    );
  const further = Array.from({ length: settings.EARSHOT_ROOM_PROCESSES - 1 }, (_, index) =>
    processAt(first === 0 ? 0 : first + 1 + index),
  );
  return [processAt(first), ...further];
}

/**
 * True if links to rooms lead to this machine by an address that no other can open. Elsewhere 127.0.0.1 would be another
 * machine, which browsers ask people about before a page may reach it.
 */
const opensHere = ({ EARSHOT_PUBLIC_URL: publicUrl, EARSHOT_HOST: host }: Settings): boolean =>
  isLoopback(publicUrl === undefined ? host : new URL(publicUrl).hostname);
