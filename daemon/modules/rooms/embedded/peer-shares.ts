/** Counts the peers of each tenant, speakers and listeners, from the offer until what they opened is closed. */
import { ConcurrencyLimit } from '../../../platform/limits/concurrency-limit.js';
import { refusalsOf } from '../../../platform/limits/refusals.js';
import type { MediaAnswer, RoomEvent } from '../media/engine.js';

interface CountedPeer {
  readonly tenantId: string;
  readonly projectId: string;
  /** The offer takes the place of an earlier one of the same person in the room, which is closed for it. */
  readonly replaces: boolean;
}

export class PeerShares {
  private readonly limit: ConcurrencyLimit;
  /** Peers whose offer was answered, by resource. */
  private readonly peers = new Map<string, { readonly projectId: string; readonly leave: () => void }>();
  private joining = 0;
  /** Resources that were closed while offers were under way: the answer to one of them may come later. */
  private readonly closedEarly = new Set<string>();

  /** @param perTenantMax asked for each peer; 0: no limit */
  constructor(perTenantMax: () => number) {
    this.limit = new ConcurrencyLimit('room_peers', {
      get perOwner() {
        return perTenantMax() || Number.POSITIVE_INFINITY;
      },
      code: 'rate_limited',
      message:
        'Your tenant has reached its limit of peers in rooms (EARSHOT_PEERS_TENANT). Close some, or wait for the seconds in Retry-After.',
      retryAfterSeconds: 10,
    });
  }

  /** Offers that were refused since the start. */
  get refused(): number {
    return refusalsOf('room_peers');
  }

  /** Counts the peer that joins. Throws rate_limited where its tenant has as many as it may, and what `join` throws. */
  async count(peer: CountedPeer, join: () => Promise<MediaAnswer>): Promise<MediaAnswer> {
    const { tenantId, projectId, replaces } = peer;
    const leave = replaces ? this.limit.enterAnyway(tenantId) : this.limit.enter(tenantId);
    this.joining += 1;
    try {
      const answer = await join();
      if (this.closedEarly.has(answer.resourceId)) leave();
      else this.peers.set(answer.resourceId, { projectId, leave });
      return answer;
    } catch (error) {
      leave();
      throw error;
    } finally {
      this.joining -= 1;
      if (this.joining === 0) this.closedEarly.clear();
    }
  }

  follow = (event: RoomEvent): void => {
    if (event.type === 'resource.closed') this.close(event.resourceId);
    else if (event.type === 'engine.lost')
      for (const [id, { projectId }] of this.peers) if (event.concerns(projectId)) this.close(id);
  };

  private close(resourceId: string): void {
    const peer = this.peers.get(resourceId);
    if (peer !== undefined) peer.leave();
    else if (this.joining > 0) this.closedEarly.add(resourceId);
    this.peers.delete(resourceId);
  }
}
