/**
 * How much MQTT clients may send, by connection and by address. A packet costs 1, and 1 more for each 256 bytes; a topic
 * name costs 1. What a client needs after it has connected may come at once, and little afterwards, because topics are
 * read-only. Acknowledging a message costs nothing. Buckets, because a WindowCounter would let no burst through.
 */
import { LRUCache } from 'lru-cache';
import { atMost } from '../../platform/collections/at-most.js';
import { countRefusal } from '../../platform/limits/refusals.js';

const bytesPerUnit = 256;
/** Clients write a packet as several WebSocket messages. A ping is answered at once, before any turn. */
const frameCosts = { message: 0.25, ping: 4, pong: 4 } as const;
const messagesPerAcknowledgement = 4;
const maxRememberedNetworks = 10_000;

/** Packet types of MQTT 3.1.1, 2.2.1. */
const puback = 4;
/** PUBREC, PUBREL and PUBCOMP belong to quality of service 2, which neither side may use here. */
const qos2Types: ReadonlySet<number> = new Set([5, 6, 7]);

/** Read anew for each packet. */
interface BudgetLimits {
  /** 0: no limit. */
  readonly perSecond: number;
  readonly burst: number;
}

export const packetCost = (bodyBytes: number): number => 1 + Math.floor(bodyBytes / bytesPerUnit);

class TokenBucket {
  private tokens: number;
  private filledAtMs: number;

  constructor(
    private readonly limits: BudgetLimits,
    private readonly monotonicMs: () => number,
  ) {
    this.tokens = limits.burst;
    this.filledAtMs = monotonicMs();
  }

  has(cost: number): boolean {
    if (this.limits.perSecond === 0) return true;
    const nowMs = this.monotonicMs();
    const gained = ((nowMs - this.filledAtMs) / 1_000) * this.limits.perSecond;
    this.tokens = Math.min(this.limits.burst, this.tokens + gained);
    this.filledAtMs = nowMs;
    return this.tokens >= cost;
  }

  consume(cost: number): void {
    if (this.limits.perSecond !== 0) this.tokens -= cost;
  }
}

/** The budget of one connection. */
export class PacketBudget {
  private unacknowledged = 0;
  private freeMessages = 0;

  constructor(
    private readonly buckets: readonly TokenBucket[],
    private readonly onSpent: () => void,
  ) {}

  /** The client was sent a message that it has to acknowledge. */
  expectAcknowledgement(): void {
    this.unacknowledged += 1;
    this.freeMessages += messagesPerAcknowledgement;
  }

  /** As `admits`, for a frame of WebSocket, whatever it carries. */
  admitsFrame(kind: keyof typeof frameCosts): boolean {
    if (kind !== 'message' || this.freeMessages === 0) return this.spend(frameCosts[kind]);
    this.freeMessages -= 1;
    return true;
  }

  /** Returns false when the client may not send the packet; its connection is then to be closed. */
  admits(type: number, bodyBytes: number): boolean {
    if (qos2Types.has(type)) return false;
    if (type === puback && this.unacknowledged > 0) {
      this.unacknowledged -= 1;
      return true;
    }
    return this.spend(packetCost(bodyBytes));
  }

  /** Returns false, and takes nothing, when the connection or its address has not that much left. */
  spend(cost: number): boolean {
    const isEnough = this.buckets.every((bucket) => bucket.has(cost));
    if (isEnough) for (const bucket of this.buckets) bucket.consume(cost);
    else this.onSpent();
    return isEnough;
  }
}

export class PacketBudgets {
  private readonly networks = new LRUCache<string, TokenBucket>(atMost(maxRememberedNetworks));
  private refusedInAll = 0;

  constructor(
    private readonly ofConnection: BudgetLimits,
    private readonly ofNetwork: BudgetLimits,
    private readonly monotonicMs: () => number = () => performance.now(),
  ) {}

  /** Connections that were closed, or not taken, because they or their address had sent too much. */
  get refused(): number {
    return this.refusedInAll;
  }

  /** Returns the budget of a new connection; null: its address has none left. `network`: null has no limit of its own. */
  open(network: string | null): PacketBudget | null {
    const shared = network === null ? [] : [this.bucketOf(network, this.ofNetwork)];
    const count = (): void => {
      this.refusedInAll += 1;
      countRefusal('mqtt_packet_budget');
    };
    if (shared.every((bucket) => bucket.has(1)))
      return new PacketBudget([new TokenBucket(this.ofConnection, this.monotonicMs), ...shared], count);
    count();
    return null;
  }

  private bucketOf(network: string, limits: BudgetLimits): TokenBucket {
    const bucket = this.networks.get(network) ?? new TokenBucket(limits, this.monotonicMs);
    this.networks.set(network, bucket);
    return bucket;
  }
}
