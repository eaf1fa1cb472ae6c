/**
 * Places for connections of one kind, with a limit in all, by network, and by owner once that is known: a tenant, a player.
 * A connection that waits for its client is idle, and is closed for a new one when places run out: a client that hoards connections displaces its own, and
 * everybody else still gets in. A new connection is refused only where all places are busy. A ConcurrencyLimit knows neither
 * who is idle nor three kinds of owners at once.
 */
import { countRefusal } from '../limits/refusals.js';
import type { Logger } from '../observability/logger.js';

export interface PlaceLimits {
  readonly max: number;
  /** Limit of one network; 0: none. */
  readonly perNetworkMax: number;
  /** Limit of one tenant; 0 or unset: none. */
  readonly perTenantMax?: number;
  /** Limit of one person of a project; 0 or unset: none. */
  readonly perPersonMax?: number;
}

/** The tenant that a connection serves, and the person of one of its projects; null: a program, or a member of the team. */
export interface PlaceOwner {
  readonly tenantId: string;
  readonly person: { readonly projectId: string; readonly externalUserId: string } | null;
}

export interface ConnectionSlot {
  /** Counts the connection as one of the owner's from now on. Returns whose share is used up; null: it was counted. */
  claim(owner: PlaceOwner): 'tenant' | 'person' | null;
  /** Marks the connection as waiting for its client, or not: an idle one may be closed for a new one. */
  setIdle(idle: boolean): void;
  /** Frees the place; calling it again does nothing. */
  leave(): void;
}

/** Why there is no place: the network has used up its own, or all are taken. */
type NoPlace = 'network' | 'all';

interface Occupant {
  /** null: it counts for none. */
  readonly network: Network | null;
  readonly cut: () => void;
}

interface Network {
  readonly name: string;
  taken: number;
  /** The longest idle first. */
  readonly idle: Set<Occupant>;
}

const warningEveryMs = 60_000;
/** Limits by kind of connection. */
const limitOf = {
  http: 'http_connections',
  health: 'health_connections',
  streams: 'stream_connections',
  mqtt: 'mqtt_connections',
  'anonymous mqtt': 'anonymous_mqtt_connections',
} as const;

export class ConnectionPlaces {
  private readonly networks = new Map<string, Network>();
  private readonly owners = new Map<string, number>();
  private readonly idle = new Set<Occupant>();
  private readonly leaving = new WeakMap<Occupant, () => void>();
  private takenInAll = 0;
  private refusedInAll = 0;
  private overShareInAll = 0;
  private warnedAtMs = Number.NEGATIVE_INFINITY;

  constructor(
    private readonly kind: keyof typeof limitOf,
    private readonly limits: PlaceLimits,
    private readonly log: Logger,
  ) {}

  get taken(): number {
    return this.takenInAll;
  }

  /** Connections that were refused or displaced since the start. */
  get refused(): number {
    return this.refusedInAll;
  }

  /** Connections that were refused since the start because their tenant or person had as many as they may. */
  get overShare(): number {
    return this.overShareInAll;
  }

  /**
   * `network`: as `networkOf` writes it; null counts for no network. `cut` ends the connection while it is idle; the
   * place begins busy.
   */
  acquire(network: string | null, cut: () => void = () => {}): ConnectionSlot | NoPlace {
    const { max, perNetworkMax } = this.limits;
    const from = network === null ? null : this.networkOf(network);
    if (from !== null && perNetworkMax > 0 && from.taken >= perNetworkMax && !this.displace(from.idle))
      return 'network';
    if (this.takenInAll >= max && !this.displace(this.idle)) return 'all';
    return this.seat({ network: from, cut });
  }

  private networkOf = (name: string): Network => this.networks.get(name) ?? { name, taken: 0, idle: new Set() };

  private seat(occupant: Occupant): ConnectionSlot {
    const { network } = occupant;
    this.takenInAll += 1;
    if (network !== null) {
      network.taken += 1;
      this.networks.set(network.name, network);
    }
    let held = true;
    let claimed: string[] = [];
    const claim = ({ tenantId, person }: PlaceOwner): 'tenant' | 'person' | null => {
      const ofPerson = person === null ? null : JSON.stringify([person.projectId, person.externalUserId]);
      if (!held || claimed.includes(tenantId)) return null;
      const { perTenantMax = 0, perPersonMax = 0 } = this.limits;
      const isPersonLacking = ofPerson !== null && this.isUsedUp(ofPerson, perPersonMax);
      const lacking = this.isUsedUp(tenantId, perTenantMax) ? 'tenant' : isPersonLacking ? 'person' : null;
      if (lacking !== null) {
        this.overShareInAll += 1;
        this.count({ lacking, tenantId });
        return lacking;
      }
      const owners = [tenantId, ofPerson ?? []].flat();
      for (const owner of owners) this.owners.set(owner, (this.owners.get(owner) ?? 0) + 1);
      claimed = [...claimed, ...owners];
      return null;
    };
    const setIdle = (idle: boolean): void => {
      for (const set of [this.idle, network?.idle]) {
        set?.delete(occupant);
        if (idle && held) set?.add(occupant);
      }
    };
    const leave = (): void => {
      if (!held) return;
      held = false;
      setIdle(false);
      this.takenInAll -= 1;
      for (const owner of claimed) {
        const left = (this.owners.get(owner) ?? 1) - 1;
        if (left === 0) this.owners.delete(owner);
        else this.owners.set(owner, left);
      }
      if (network === null) return;
      network.taken -= 1;
      if (network.taken === 0 && this.networks.get(network.name) === network) this.networks.delete(network.name);
    };
    this.leaving.set(occupant, leave);
    return { claim, setIdle, leave };
  }

  private isUsedUp(owner: string, max: number): boolean {
    return max > 0 && (this.owners.get(owner) ?? 0) >= max;
  }

  /** false: none of them is idle, so the new one is refused. Either way one connection is lost. */
  private displace(idle: ReadonlySet<Occupant>): boolean {
    this.count();
    const [longest] = idle;
    if (longest === undefined) return false;
    this.leaving.get(longest)?.();
    longest.cut();
    return true;
  }

  private count(share: { lacking?: 'tenant' | 'person'; tenantId?: string } = {}): void {
    this.refusedInAll += 1;
    countRefusal(limitOf[this.kind]);
    const nowMs = performance.now();
    if (nowMs - this.warnedAtMs < warningEveryMs) return;
    this.warnedAtMs = nowMs;
    const { kind, takenInAll: taken, refusedInAll: refused } = this;
    this.log.warn(
      { kind, taken, refused, ...share, ...this.limits },
      'connections were refused or closed: no slot is free',
    );
  }
}
