/** One room: who is in it, and the path of every packet from its speaker to the tap and the listeners. */
import {
  type LeaveReason,
  type RoomAddress,
  roomLimits,
  type SpeakingPolicy,
  type StampedPacket,
  type Visitor,
} from '../media/engine.js';
import { isVoiced } from './loudness.js';
import type { Notice } from './protocol.js';
import type { Publication } from './publication.js';
import { packetFor, type RtpPacket } from './rtp.js';
import type { Subscription } from './subscription.js';
import type { TapFeed } from './tap-feed.js';
import { Voices } from './voices.js';

/** A publication or subscription together with what closes it. */
export interface PeerResource<Resource extends Publication | Subscription = Publication | Subscription> {
  readonly resource: Resource;
  connected: boolean;
  readonly close: () => void;
}

interface Peer {
  visitor: Visitor;
  publication: PeerResource<Publication> | null;
  subscription: PeerResource<Subscription> | null;
  /** Has been announced: at least one resource was connected. */
  joined: boolean;
}

export class VoiceRoom {
  private readonly peers = new Map<string, Peer>();
  private readonly voices = new Voices((externalUserId, speaking) =>
    this.notify({ kind: 'voice.changed', room: this.key, externalUserId, speaking }),
  );
  feed: TapFeed | null = null;

  constructor(
    readonly key: RoomAddress,
    private readonly notify: (notice: Notice) => void,
    private readonly nowMs: () => number,
  ) {}

  get empty(): boolean {
    return this.peers.size === 0;
  }

  /** External ids of all people who hold a resource here, connected or not. */
  get present(): string[] {
    return [...this.peers.keys()];
  }

  hasSeatFor({ externalUserId, observer }: Visitor): boolean {
    const { peersPerRoom, observersPerRoom } = roomLimits;
    const alike = [...this.peers.values()].filter(({ visitor }) => visitor.observer === observer).length;
    return this.peers.has(externalUserId) || alike < (observer ? observersPerRoom : peersPerRoom);
  }

  publicationOf(externalUserId: string): Publication | null {
    return this.peers.get(externalUserId)?.publication?.resource ?? null;
  }

  /** Adds the resource; one of the same kind that the participant has already is replaced. */
  seatPublication(seat: PeerResource<Publication>): void {
    const peer = this.peerFor(seat.resource.visitor);
    const replaced = peer.publication;
    peer.publication = seat;
    if (replaced !== null) this.end(peer, replaced, 'replaced');
  }

  seatSubscription(seat: PeerResource<Subscription>): void {
    const peer = this.peerFor(seat.resource.visitor);
    const replaced = peer.subscription;
    peer.subscription = seat;
    if (replaced !== null) this.end(peer, replaced, 'replaced');
  }

  connected(seat: PeerResource): void {
    const peer = this.peers.get(seat.resource.visitor.externalUserId);
    if (peer === undefined || seat.connected) return;
    seat.connected = true;
    const kind = peer.joined ? 'peer.changed' : 'peer.joined';
    peer.joined = true;
    this.emit(kind, peer);
  }

  /** Closes one resource. False when this participant has none with that id. */
  close(externalUserId: string, resourceId: string, reason: LeaveReason): boolean {
    const peer = this.peers.get(externalUserId);
    if (peer === undefined) return false;
    const seat = [peer.publication, peer.subscription].find((candidate) => candidate?.resource.id === resourceId);
    if (!seat) return false;
    if (peer.publication === seat) peer.publication = null;
    if (peer.subscription === seat) peer.subscription = null;
    this.end(peer, seat, reason);
    if (peer.publication === null && peer.subscription === null) this.forget(peer, reason);
    else if (peer.joined) this.emit('peer.changed', peer);
    return true;
  }

  /** Ends all resources of one participant, or of everybody. Returns the tokens that they came with. */
  remove(externalUserId: string | null, reason: LeaveReason): string[] {
    const leaving = [...this.peers.values()].filter(
      ({ visitor }) => externalUserId === null || visitor.externalUserId === externalUserId,
    );
    const tokenIds = new Set<string>();
    for (const { visitor, publication, subscription } of leaving) {
      for (const seat of [publication, subscription]) {
        if (seat === null) continue;
        tokenIds.add(seat.resource.visitor.tokenId);
        this.close(visitor.externalUserId, seat.resource.id, reason);
      }
    }
    return [...tokenIds];
  }

  /** null: they must leave. */
  setPolicy(externalUserId: string, policy: SpeakingPolicy | null): void {
    if (policy === null) {
      this.remove(externalUserId, 'banned');
      return;
    }
    const peer = this.peers.get(externalUserId);
    const publication = peer?.publication?.resource ?? null;
    if (peer === undefined || publication === null) return;
    const before = publication.policy;
    publication.policy = policy;
    if (peer.joined && before.publish !== policy.publish) this.emit('peer.changed', peer);
    if (!policy.publish || !policy.audible) this.releaseSlots(publication);
  }

  /** Sets whom a listener does not hear; the slots of these are free at once. */
  setBlocked(externalUserId: string, blocked: readonly string[]): void {
    const subscription = this.peers.get(externalUserId)?.subscription?.resource;
    if (subscription === undefined) return;
    subscription.blocked = new Set(blocked);
    for (const speaker of subscription.blocked) {
      const publication = this.publicationOf(speaker);
      if (publication !== null) subscription.release(publication.id);
    }
  }

  /** Forwards a packet that passed its publication's checks: to the tap, then to every listener with a slot for it. */
  readonly onPacket = (publication: Publication, packet: RtpPacket, nowMs: number): void => {
    this.feed?.push(tapped(publication, packet, nowMs));
    const { audible } = publication.policy;
    if (audible && !publication.passesSeal(packet)) return;
    if (isVoiced(packet.audioLevel, packet.payload.length))
      this.voices.heard(publication.visitor.externalUserId, nowMs);
    if (!audible) return;
    const voice = publication.voiceOf(packet);
    const outgoing = packetFor(packet.payload);
    for (const { subscription } of this.peers.values()) {
      subscription?.resource.forward(publication.visitor, voice, packet, outgoing, nowMs);
    }
  };

  releaseSilent(nowMs: number): void {
    this.voices.check(nowMs);
    for (const { subscription, publication } of this.peers.values()) {
      subscription?.resource.releaseSilent(nowMs);
      publication?.resource.report(nowMs);
    }
  }

  counts(): { publications: number; subscriptions: number } {
    const peers = [...this.peers.values()];
    return {
      publications: peers.filter(({ publication }) => publication !== null).length,
      subscriptions: peers.filter(({ subscription }) => subscription !== null).length,
    };
  }

  private peerFor(visitor: Visitor): Peer {
    const known = this.peers.get(visitor.externalUserId);
    const peer = known ?? { visitor, publication: null, subscription: null, joined: false };
    peer.visitor = visitor;
    this.peers.set(visitor.externalUserId, peer);
    return peer;
  }

  private end({ visitor }: Peer, seat: PeerResource, reason: LeaveReason): void {
    seat.close();
    if ('policy' in seat.resource) this.releaseSlots(seat.resource);
    const { externalUserId } = visitor;
    this.notify({
      kind: 'resource.closed',
      room: this.key,
      externalUserId,
      resourceId: seat.resource.id,
      reason,
    });
  }

  private forget({ visitor, joined }: Peer, reason: LeaveReason): void {
    this.peers.delete(visitor.externalUserId);
    this.voices.ends(visitor.externalUserId);
    if (joined) {
      const { externalUserId } = visitor;
      this.notify({ kind: 'peer.left', room: this.key, externalUserId, reason, stampMs: this.nowMs() });
    }
  }

  private emit(kind: 'peer.joined' | 'peer.changed', { visitor, publication }: Peer): void {
    const { externalUserId, name, userData, observer } = visitor;
    const publishing = publication?.connected ?? false;
    const muted = publishing && publication?.resource.policy.publish === false;
    const person = { externalUserId, name, userData, publishing, muted, observer };
    this.notify({ kind, room: this.key, person, stampMs: this.nowMs() });
  }

  private releaseSlots(publication: Publication): void {
    for (const { subscription } of this.peers.values()) subscription?.resource.release(publication.id);
  }
}

const tapped = (publication: Publication, packet: RtpPacket, stampMs: number): StampedPacket => ({
  externalUserId: publication.visitor.externalUserId,
  name: publication.visitor.name,
  publicationId: publication.id,
  audible: publication.policy.audible,
  sequence: packet.sequence,
  timestamp: packet.timestamp,
  stampMs,
  payload: packet.payload,
});
