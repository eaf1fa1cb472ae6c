/**
 * The daemon's own rooms, spread over several room processes by tenant: whatever a tenant does to the process of its rooms
 * costs the few tenants that share it, and nobody else. A tenant is placed where the fewest people are when it needs its
 * first room, and stays there until its rooms are empty.
 */
import type {
  BotAppearance,
  CarriedRooms,
  LeaveReason,
  MediaAnswer,
  PersonPolicy,
  RoomAddress,
  RoomEngineStats,
  RoomEvent,
  RoomSeal,
  RoomTap,
  RoomView,
  SpeakingPolicy,
  Visitor,
} from '../media/engine.js';
import { PacketCounters } from './counters.js';
import type { EmbeddedRooms } from './engine.js';
import type { PeerShares } from './peer-shares.js';

/** A project without a room keeps its place this long: people may be on their way into one. */
const placeKeptMs = 60_000;

interface ProjectPlacement {
  readonly tenantId: string;
  readonly engine: EmbeddedRooms;
  usedAtMs: number;
}

/** Tenant of a project; null: there is no such project. */
type TenantOf = (projectId: string) => Promise<string | null>;

export class RoomFleet implements CarriedRooms {
  /** By project. */
  private readonly places = new Map<string, ProjectPlacement>();

  constructor(
    private readonly engines: readonly [EmbeddedRooms, ...EmbeddedRooms[]],
    private readonly tenantOf: TenantOf,
    private readonly shares: PeerShares,
  ) {
    this.onEvent(shares.follow);
  }

  /** Offers that were refused because their tenant had as many peers as it may. */
  get overShare(): number {
    return this.shares.refused;
  }

  /** UDP port of the first process; the others have those after it, or any free ones where it was chosen freely. */
  get port(): number {
    return this.engines[0].port;
  }

  /** Times that a process had to be started again. */
  get restarts(): number {
    return this.engines.reduce((sum, { restarts }) => sum + restarts, 0);
  }

  /** Why some people cannot enter now; null when all can. */
  get problem(): string | null {
    return this.engines.find(({ problem }) => problem !== null)?.problem ?? null;
  }

  /** Why nobody can enter rooms of this project now; null when they can. */
  problemOf = (projectId: string): string | null => this.places.get(projectId)?.engine.problem ?? null;

  async start(): Promise<void> {
    for (const engine of this.engines) await engine.start();
  }

  async stop(): Promise<void> {
    await Promise.all(this.engines.map((engine) => engine.stop()));
  }

  /** Ends everybody's connections; the rooms are open again when the next person enters. */
  async pause(): Promise<void> {
    await Promise.all(this.engines.map((engine) => engine.pause()));
  }

  async publish(
    offerSdp: string,
    visitor: Visitor,
    policy: SpeakingPolicy,
    seal: RoomSeal | null = null,
  ): Promise<MediaAnswer> {
    return this.counted(visitor, (engine) => engine.publish(offerSdp, visitor, policy, seal));
  }

  async subscribe(offerSdp: string, visitor: Visitor, blocked: readonly string[] = []): Promise<MediaAnswer> {
    return this.counted(visitor, (engine) => engine.subscribe(offerSdp, visitor, blocked));
  }

  async close(room: RoomAddress, externalUserId: string, resourceId: string): Promise<boolean> {
    return (await this.places.get(room.projectId)?.engine.close(room, externalUserId, resourceId)) ?? false;
  }

  async remove(
    projectId: string,
    roomId: string | null,
    externalUserId: string | null,
    reason: LeaveReason,
  ): Promise<string[]> {
    return (await this.places.get(projectId)?.engine.remove(projectId, roomId, externalUserId, reason)) ?? [];
  }

  async setPolicies(projectId: string, people: ReadonlyMap<string, PersonPolicy>): Promise<void> {
    await this.places.get(projectId)?.engine.setPolicies(projectId, people);
  }

  tap(room: RoomAddress & { readonly tenantId: string }, appearance: BotAppearance): RoomTap {
    const { projectId, roomId, tenantId } = room;
    return this.place(projectId, tenantId).tap({ projectId, roomId }, appearance);
  }

  rooms = (projectId?: string): RoomView[] => this.engines.flatMap((engine) => engine.rooms(projectId));

  /** Projects with people or bots in a room. */
  projects = (): Set<string> => new Set(this.engines.flatMap((engine) => [...engine.projects()]));

  room = (key: RoomAddress): RoomView | null => this.places.get(key.projectId)?.engine.room(key) ?? null;

  async stats(): Promise<RoomEngineStats> {
    // A process that is being started again has counted nothing yet.
    const asked = await Promise.allSettled(this.engines.map((engine) => engine.stats()));
    const all = asked.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
    const sum = (of: (one: RoomEngineStats) => number) => all.reduce((total, one) => total + of(one), 0);
    const packetsDropped = { ...new PacketCounters().packetsDropped };
    for (const cause of Object.keys(packetsDropped) as (keyof typeof packetsDropped)[])
      packetsDropped[cause] = sum((one) => one.packetsDropped[cause]);
    return {
      rooms: sum(({ rooms }) => rooms),
      publications: sum(({ publications }) => publications),
      subscriptions: sum(({ subscriptions }) => subscriptions),
      packetsIn: sum(({ packetsIn }) => packetsIn),
      packetsForwarded: sum(({ packetsForwarded }) => packetsForwarded),
      packetsDropped,
    };
  }

  onEvent(listener: (event: RoomEvent) => void): () => void {
    const ends = this.engines.map((engine) =>
      engine.onEvent((event) => {
        const concerns = (projectId: string) => this.places.get(projectId)?.engine === engine;
        listener(event.type === 'engine.lost' || event.type === 'engine.restarted' ? { ...event, concerns } : event);
      }),
    );
    return () => {
      for (const end of ends) end();
    };
  }

  /** Nobody else lets people into these rooms. */
  async lookInto(): Promise<void> {}

  private async counted(
    { projectId, roomId, externalUserId }: Visitor,
    join: (engine: EmbeddedRooms) => Promise<MediaAnswer>,
  ): Promise<MediaAnswer> {
    const tenantId = this.places.get(projectId)?.tenantId ?? (await this.tenantOf(projectId)) ?? projectId;
    const replaces = this.room({ projectId, roomId })?.peers.some((peer) => peer.externalUserId === externalUserId);
    return this.shares.count({ projectId, tenantId, replaces: replaces === true }, () =>
      join(this.place(projectId, tenantId)),
    );
  }

  private place(projectId: string, tenantId: string): EmbeddedRooms {
    const known = this.places.get(projectId);
    if (known !== undefined) {
      known.usedAtMs = performance.now();
      return known.engine;
    }
    this.forgetEmpty();
    const engine = [...this.places.values()].find((place) => place.tenantId === tenantId)?.engine ?? this.leastLoaded();
    this.places.set(projectId, { tenantId, engine, usedAtMs: performance.now() });
    return engine;
  }

  private forgetEmpty(): void {
    const occupied = this.projects();
    const before = performance.now() - placeKeptMs;
    for (const [projectId, { usedAtMs }] of this.places)
      if (usedAtMs < before && !occupied.has(projectId)) this.places.delete(projectId);
  }

  /** A tenant counts as one person: one that has just been placed has nobody in its rooms yet. */
  private leastLoaded(): EmbeddedRooms {
    let [best] = this.engines;
    let least = Number.POSITIVE_INFINITY;
    for (const engine of this.engines) {
      const tenants = [...this.places.values()].filter((place) => place.engine === engine);
      const people = engine.rooms().reduce((sum, { peers }) => sum + peers.length, 0);
      const load = people + new Set(tenants.map(({ tenantId }) => tenantId)).size;
      if (load < least) [best, least] = [engine, load];
    }
    return best;
  }
}
