/**
 * Places for connections of one kind, with a limit in all and per network. A connection that waits for its client is
 * idle, and is closed for a new one when places run out: a client that hoards connections displaces its own, and
 * everybody else still gets in. A new connection is refused only where all places are busy.
 */
import type { Logger } from '../observability/logger.js';

export interface PlaceLimits {
  readonly max: number;
  /** Of one network; 0: no limit. */
  readonly perNetworkMax: number;
}

export interface Place {
  /** Whether the connection waits for its client, and may be closed for a new one. */
  setIdle(idle: boolean): void;
  /** Frees the place; calling it again does nothing. */
  leave(): void;
}

/** Why there is no place: the network has used up its own, or all are taken. */
type NoPlace = 'network' | 'all';

interface Occupant {
  readonly network: Network | null;
  readonly cut: () => void;
}

interface Network {
  taken: number;
  /** The longest idle first. */
  readonly idle: Set<Occupant>;
}

const warningEveryMs = 60_000;

export class ConnectionPlaces {
  private readonly networks = new Map<string, Network>();
  private readonly idle = new Set<Occupant>();
  private readonly leaving = new WeakMap<Occupant, () => void>();
  private takenInAll = 0;
  private refusedInAll = 0;
  private warnedAtMs = Number.NEGATIVE_INFINITY;

  constructor(
    private readonly kind: string,
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

  /**
   * `network`: as `networkOf` writes it; null counts for no network. `cut` ends the connection while it is idle; the
   * place begins busy.
   */
  take(network: string | null, cut: () => void = () => {}): Place | NoPlace {
    const { max, perNetworkMax } = this.limits;
    const own = network === null ? null : (this.networks.get(network) ?? { taken: 0, idle: new Set() });
    const crowded = own !== null && perNetworkMax > 0 && own.taken >= perNetworkMax;
    if (crowded && !this.displace(own.idle)) return 'network';
    if (this.takenInAll >= max && !this.displace(this.idle)) return 'all';
    if (own !== null && network !== null) this.networks.set(network, own);
    return this.seat({ network: own, cut }, network);
  }

  private seat(occupant: Occupant, name: string | null): Place {
    const { network } = occupant;
    this.takenInAll += 1;
    if (network !== null) network.taken += 1;
    let held = true;
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
      if (network === null || name === null) return;
      network.taken -= 1;
      if (network.taken === 0 && this.networks.get(name) === network) this.networks.delete(name);
    };
    this.leaving.set(occupant, leave);
    return { setIdle, leave };
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

  private count(): void {
    this.refusedInAll += 1;
    const nowMs = performance.now();
    if (nowMs - this.warnedAtMs < warningEveryMs) return;
    this.warnedAtMs = nowMs;
    const { kind, takenInAll: taken, refusedInAll: refused } = this;
    this.log.warn({ kind, taken, refused, ...this.limits }, 'connections were refused or cut: their places are taken');
  }
}
