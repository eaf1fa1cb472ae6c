/** Counts the peers of each tenant, speakers and listeners, from the offer until what they opened is closed. */
import { DomainError } from '../../../../src/contract/errors.js';
import type { MediaAnswer, RoomEvent } from '../media/engine.js';

const retryAfterSeconds = 10;

interface CountedPeer {
  readonly tenantId: string;
  readonly projectId: string;
  /** The offer takes the place of an earlier one of the same person in the room, which is closed for it. */
  readonly replaces: boolean;
}

export class PeerShares {
  private readonly taken = new Map<string, number>();
  private readonly peers = new Map<string, CountedPeer>();
  private joining = 0;
  /** Resources that were closed while offers were under way: the answer to one of them may come later. */
  private readonly closedEarly = new Set<string>();
  private refusedInAll = 0;

  /** @param perTenantMax 0: no limit */
  constructor(private readonly perTenantMax: number) {}

  /** Offers that were refused since the start. */
  get refused(): number {
    return this.refusedInAll;
  }

  /** Counts the peer that joins. Throws rate_limited where its tenant has as many as it may, and what `join` throws. */
  async count(peer: CountedPeer, join: () => Promise<MediaAnswer>): Promise<MediaAnswer> {
    const { tenantId, replaces } = peer;
    if (!replaces && this.perTenantMax > 0 && (this.taken.get(tenantId) ?? 0) >= this.perTenantMax) {
      this.refusedInAll += 1;
      throw new DomainError('rate_limited', {
        message:
          'As many peers are in the rooms of your tenant as may be (EARSHOT_PEERS_TENANT). Close some, or wait for the seconds in Retry-After.',
        retryAfterSeconds,
      });
    }
    this.taken.set(tenantId, (this.taken.get(tenantId) ?? 0) + 1);
    this.joining += 1;
    try {
      const answer = await join();
      if (this.closedEarly.has(answer.resourceId)) this.release(tenantId);
      else this.peers.set(answer.resourceId, peer);
      return answer;
    } catch (error) {
      this.release(tenantId);
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
    if (peer !== undefined) this.release(peer.tenantId);
    else if (this.joining > 0) this.closedEarly.add(resourceId);
    this.peers.delete(resourceId);
  }

  private release(tenantId: string): void {
    const left = (this.taken.get(tenantId) ?? 1) - 1;
    if (left === 0) this.taken.delete(tenantId);
    else this.taken.set(tenantId, left);
  }
}
