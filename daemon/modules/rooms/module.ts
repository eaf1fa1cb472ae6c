/** Part of the composition root: the rooms of this daemon, who is let in, and with what key. */
import type { Clock } from '../../platform/clock.js';
import type { Settings } from '../../platform/config/schema.js';
import type { Foundation } from '../../platform/foundation.js';
import type { BoundRoute } from '../../platform/http/bind.js';
import type { StreamPlaces } from '../../platform/http/stream-places.js';
import type { Logger } from '../../platform/observability/logger.js';
import type { Metrics } from '../../platform/observability/metrics.js';
import type { Outbound } from '../../platform/outbound/outbound.js';
import type { Enforcement } from '../moderation/sanctions/enforcement.js';
import type { SettingsService } from '../projects/settings/service.js';
import type { ProjectStore } from '../projects/store.js';
import { EmbeddedRooms } from './embedded/engine.js';
import { RoomStreams } from './media/room-streams.js';
import { RoomTokenLedger } from './tokens/ledger.js';
import { RoomKeys } from './tokens/room-keys.js';
import { RoomTokens } from './tokens/room-tokens.js';
import { tokenRouter } from './tokens/routes.js';
import { TokenService } from './tokens/service.js';

interface RoomNeeds {
  readonly foundation: Pick<Foundation, 'database' | 'box'>;
  readonly projects: ProjectStore;
  readonly projectSettings: SettingsService;
  /** Asked once the daemon runs: what holds against people is enforced in these very rooms. */
  readonly policies: Pick<Enforcement, 'policy'>;
  /** Signs the tokens of the rooms. */
  readonly tokenKey: Uint8Array;
  readonly outbound: Outbound;
  readonly publicUrl: () => string;
  readonly streamPlaces: StreamPlaces;
  readonly metrics: Metrics;
  readonly settings: Settings;
  readonly logger: Logger;
  readonly now: Clock;
}

export interface ComposedRooms {
  readonly engine: EmbeddedRooms;
  readonly streams: RoomStreams;
  readonly keys: RoomKeys;
  readonly tokens: RoomTokens;
  readonly ledger: RoomTokenLedger;
  /** Puts somebody out of a room (null: of all), told so first. Returns the ids of their tokens. */
  evict(projectId: string, roomId: string | null, userId: string, reason: 'kicked'): Promise<string[]>;
  /** Puts everybody out of every room of the project. */
  close(projectId: string): Promise<void>;
  /** Projects that anybody, or a bot, is in a room of. */
  projects(): Set<string>;
  readonly routes: BoundRoute[];
}

export function composeRooms(needs: RoomNeeds): ComposedRooms {
  const { projects, projectSettings, policies, tokenKey, outbound, publicUrl, metrics, settings, logger, now } = needs;
  const { database, box } = needs.foundation;
  const { EARSHOT_HOST: host, EARSHOT_MEDIA_PORT: port, EARSHOT_MEDIA_ADDRESS: announcedAddress = null } = settings;
  const bindAddress = isLoopback(host) ? '127.0.0.1' : null;
  const engine = new EmbeddedRooms({ port, bindAddress, announcedAddress }, logger);
  const streams = new RoomStreams(
    engine,
    {
      encryption: async (projectId) => (await projectSettings.open(projectId))?.e2eEncryptionMode ?? 'disabled',
      told: (...where) => policies.policy(...where),
    },
    needs.streamPlaces,
    logger,
    now,
  );
  watch(metrics, engine, streams);
  const ledger = new RoomTokenLedger(database, now);
  const tokens = new RoomTokens(tokenKey, ledger, async (id) => (await projects.tenantOf(id)) !== null, now);
  const keys = new RoomKeys(database, projectSettings, box, now);
  const post = (url: string, headers: Record<string, string>, body: string) => outbound.post(url, headers, body);
  const issuing = new TokenService(projectSettings, policies, keys, tokens, post, publicUrl, now);
  return {
    engine,
    streams,
    keys,
    tokens,
    ledger,
    // Told first: a browser notices a closed connection only after seconds.
    evict: async (...whom) => [...(await streams.remove(...whom)), ...(await engine.remove(...whom))],
    close: async (projectId) => {
      streams.closeAll(projectId);
      await engine.remove(projectId, null, null, 'room_closed');
    },
    projects: () => new Set([...engine.projects(), ...streams.projects()]),
    routes: tokenRouter(issuing),
  };
}

function watch(metrics: Metrics, engine: EmbeddedRooms, streams: RoomStreams): void {
  const people = () => engine.rooms().flatMap(({ peers }) => peers.filter(({ bot }) => !bot));
  metrics.gauge('rooms', 'Rooms that somebody is in', () => engine.rooms().length);
  metrics.gauges('room_people', 'People in rooms, bots left out', 'publishing', () => {
    const publishing = people().filter((one) => one.publishing).length;
    return { true: publishing, false: people().length - publishing };
  });
  metrics.counters('room_packets', 'Packets since the room process started', 'fate', async () => {
    const { packetsIn, packetsForwarded, packetsDropped } = await engine.stats();
    return { in: packetsIn, forwarded: packetsForwarded, ...packetsDropped };
  });
  metrics.counter('room_process_restarts', 'Times that the room process had to be started again', async () => {
    return (await engine.stats()).restarts;
  });
  metrics.gauge('room_streams', 'Event streams of people in rooms', () => streams.size);
}

const isLoopback = (host: string): boolean => ['127.0.0.1', '::1', 'localhost'].includes(host);
