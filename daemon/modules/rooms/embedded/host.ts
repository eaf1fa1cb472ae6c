/**
 * All rooms of the room process: takes offers, finds rooms, opens and closes them. Knows nothing about the process that
 * it runs in; frames leave through `up`.
 */
import { randomUUID } from 'node:crypto';
import { dropWhile } from '../../../platform/collections/drop-while.js';
import { FairShare, type ShareLimits } from '../../../platform/limits/fair-share.js';
import { nameOf } from '../media/by-room.js';
import {
  type LeaveReason,
  type MediaAnswer,
  type PersonPolicy,
  type RoomAddress,
  type RoomSeal,
  roomLimits,
  type SpeakingPolicy,
  type Visitor,
} from '../media/engine.js';
import { PacketCounters } from './counters.js';
import { type AnswerLine, Connection, type MediaEndpoint, opusLine } from './native.js';
import { Refusal, type UpFrame } from './protocol.js';
import { Publication } from './publication.js';
import { type PeerResource, VoiceRoom } from './room.js';
import { RoomCiphers } from './room-ciphers.js';
import { RoomRegister } from './room-register.js';
import type { Safe } from './safe.js';
import { audioLevelLine, readListenerOffer, readSpeakerOffer, type TakenOffer } from './sdp.js';
import { SpeakingBudgets } from './speaking-budget.js';
import { Subscription } from './subscription.js';
import { TapFeed } from './tap-feed.js';

const silenceCheckMs = 500;
const tapFlushMs = 20;

interface HostOptions {
  readonly media: MediaEndpoint;
  readonly safe: Safe;
  /** Of a clock that is never set: how loud, how often and how long people speak is measured by it. */
  readonly nowMs: () => number;
  /** Sends a frame to the daemon; `sent` comes when the channel has taken it. */
  readonly up: (frame: UpFrame, sent?: () => void) => void;
  readonly limits?: HostLimits;
}

type HostLimits = Readonly<{ rooms: ShareLimits; connecting: ShareLimits; connectMs: number }>;

export class RoomHost {
  private readonly limits: HostLimits;
  private readonly rooms: RoomRegister;
  /** Seats whose peers have not connected yet. */
  private readonly connecting: FairShare;
  /** Rooms whose packets the daemon wants, even when they are empty. */
  private readonly feeds = new Map<string, TapFeed>();
  private readonly counters = new PacketCounters();
  private readonly budgets = new SpeakingBudgets();
  private readonly ciphers = new RoomCiphers();
  /** People whose client flooded the room, and until when they stay out. */
  private readonly blocked = new Map<string, number>();
  private silenceCheck: NodeJS.Timeout | undefined;
  /** Runs while the daemon wants packets of any room. */
  private tapFlush: NodeJS.Timeout | undefined;

  constructor(private readonly options: HostOptions) {
    this.limits = options.limits ?? roomLimits;
    this.rooms = new RoomRegister(this.limits.rooms);
    this.connecting = new FairShare(this.limits.connecting);
  }

  start(): void {
    this.silenceCheck = setInterval(() => this.releaseSilent(), silenceCheckMs);
  }

  stop(): void {
    clearInterval(this.silenceCheck);
    clearInterval(this.tapFlush);
    for (const room of this.rooms.all()) this.leaveRoom(room, () => room.remove(null, 'restarted'));
  }

  async publish(
    offerSdp: string,
    visitor: Visitor,
    policy: SpeakingPolicy,
    seal: RoomSeal | null = null,
  ): Promise<MediaAnswer> {
    const read = readSpeakerOffer(offerSdp);
    if (read === null) throw new Refusal('sdp_invalid');
    const { offer, line } = read;
    const cipher = seal === null ? null : await this.ciphers.cipherFor(seal);
    const present = this.rooms.find(visitor)?.publicationOf(visitor.externalUserId) ?? null;
    if (present !== null && present.visitor.tokenId !== visitor.tokenId) throw new Refusal('already_publishing');
    const { counters } = this;
    const { projectId, externalUserId } = visitor;
    const audio = opusLine(line.mid, 'RecvOnly', line.opusPayloadType);
    if (line.audioLevelId !== null) audio.parseSdpLine(audioLevelLine(line.audioLevelId));
    const room = this.roomFor(visitor);
    const publication: Publication = new Publication(randomUUID(), visitor, policy, cipher, line, counters, {
      nowMs: this.options.nowMs,
      maySpeak: (secondsPerMinute, nowMs, durationMs) =>
        this.budgets.allows(projectId, externalUserId, secondsPerMinute, nowMs, durationMs),
      heard: room.onPacket,
      missed: () => room.feed?.miss(),
      flooding: () => this.closeFlooding(room, publication),
    });
    const { connection, seat } = this.connect(room, publication);
    publication.send = (report) => connection.send(0, report);
    room.seatPublication(seat);
    const lines = [{ audio, onMessage: (data: Buffer) => publication.receive(data) }];
    return this.answer(room, seat, connection, offer, lines);
  }

  async subscribe(offerSdp: string, visitor: Visitor, blocked: readonly string[] = []): Promise<MediaAnswer> {
    const offer = readListenerOffer(offerSdp);
    if (offer === null) throw new Refusal('sdp_invalid');
    const room = this.roomFor(visitor);
    const { nowMs } = this.options;
    const subscription = new Subscription(
      randomUUID(),
      visitor,
      offer.lines,
      this.counters,
      (slot) => this.options.up({ kind: 'slot.changed', room: room.key, slot }),
      nowMs(),
    );
    subscription.blocked = new Set(blocked);
    const onMessage = (data: Buffer) => {
      if (!subscription.mayReceive(data, nowMs())) this.closeFlooding(room, subscription);
    };
    const { connection, seat } = this.connect(room, subscription, () => {
      subscription.send = (line, packet) => connection.send(line, packet);
    });
    room.seatSubscription(seat);
    const lines = subscription.lines.map(({ offered: { mid, opusPayloadType }, ssrc }, slot) => {
      // A line that only sends would keep what the listener sends from being counted; the answer says `sendonly`.
      const audio = opusLine(mid, 'SendRecv', opusPayloadType);
      audio.addSSRC(ssrc, subscription.id, `slot-${slot}`, `slot-${slot}`);
      return { audio, onMessage };
    });
    return this.answer(room, seat, connection, offer, lines);
  }

  close(key: RoomAddress, externalUserId: string, resourceId: string): boolean {
    const room = this.rooms.find(key);
    return room !== null && this.leaveRoom(room, () => room.close(externalUserId, resourceId, 'left'));
  }

  /** One participant or (null) everybody, in one room or (null) in all of the project. */
  remove(projectId: string, roomId: string | null, externalUserId: string | null, reason: LeaveReason): string[] {
    return this.rooms
      .roomsOf(projectId)
      .filter(({ key }) => roomId === null || key.roomId === roomId)
      .flatMap((room) => this.leaveRoom(room, () => room.remove(externalUserId, reason)));
  }

  setPolicies(projectId: string, people: ReadonlyMap<string, PersonPolicy>): void {
    for (const room of this.rooms.roomsOf(projectId)) {
      for (const externalUserId of room.present) {
        const policy = people.get(externalUserId);
        if (policy === undefined) continue;
        const here = policy.inRooms.get(room.key.roomId);
        room.setPolicy(externalUserId, here === undefined ? policy.everywhere : here);
        room.setBlocked(externalUserId, policy.blocked);
      }
      this.forgetIfEmpty(room);
    }
  }

  tap(key: RoomAddress, on: boolean): void {
    const name = nameOf(key);
    const { up } = this.options;
    const newFeed = () =>
      new TapFeed((batch, sent) => up({ kind: 'packets', room: key, ...batch }, sent), this.counters);
    if (on) this.feeds.set(name, this.feeds.get(name) ?? newFeed());
    else this.feeds.delete(name);
    if (this.feeds.size === 0) {
      clearInterval(this.tapFlush);
      this.tapFlush = undefined;
    } else this.tapFlush ??= setInterval(() => this.flushTaps(), tapFlushMs);
    const room = this.rooms.find(key);
    if (room !== null) room.feed = this.feeds.get(name) ?? null;
  }

  stats() {
    const counts = this.rooms.all().map((room) => room.counts());
    const { packetsIn, packetsForwarded, packetsDropped } = this.counters;
    return {
      publications: counts.reduce((sum, { publications }) => sum + publications, 0),
      subscriptions: counts.reduce((sum, { subscriptions }) => sum + subscriptions, 0),
      packetsIn,
      packetsForwarded,
      packetsDropped,
    };
  }

  /** A seat and its connection, which counts as connecting (`roomFor`) until it is connected. */
  private connect<Resource extends Publication | Subscription>(
    room: VoiceRoom,
    resource: Resource,
    onConnected: () => void = () => undefined,
  ): { connection: Connection; seat: PeerResource<Resource> } {
    const { projectId, externalUserId } = resource.visitor;
    const leave = (reason: 'left' | 'lost') =>
      this.leaveRoom(room, () => room.close(externalUserId, resource.id, reason));
    const tooLate = setTimeout(() => leave('lost'), this.limits.connectMs);
    let isConnecting = true;
    const settle = () => {
      if (isConnecting) this.connecting.release(projectId);
      isConnecting = false;
      clearTimeout(tooLate);
    };
    try {
      const connection = new Connection(resource.id, this.options.media, this.options.safe, {
        onConnected: () => {
          settle();
          onConnected();
          room.connected(seat);
        },
        onEnded: leave,
      });
      const close = () => {
        settle();
        connection.close();
      };
      const seat: PeerResource<Resource> = { resource, connected: false, close };
      return { connection, seat };
    } catch (error) {
      settle();
      this.forgetIfEmpty(room);
      throw error;
    }
  }

  private async answer(
    room: VoiceRoom,
    { resource }: PeerResource,
    connection: Connection,
    offer: TakenOffer,
    lines: readonly AnswerLine[],
  ): Promise<MediaAnswer> {
    try {
      const answerSdp = offer.complete(await connection.answer(offer.sdp, lines, this.options.media));
      return { answerSdp, resourceId: resource.id };
    } catch {
      this.leaveRoom(room, () => room.close(resource.visitor.externalUserId, resource.id, 'lost'));
      throw new Refusal('sdp_invalid');
    }
  }

  /**
   * The room, created when it is new, with a place for one more connecting peer. Throws overloaded when there is no
   * such place, room_full and room_limit_reached when there is no seat or no room.
   */
  private roomFor(visitor: Visitor): VoiceRoom {
    const { projectId, roomId } = visitor;
    const key = { projectId, roomId };
    if (this.isBlocked(visitor)) throw new Refusal('rate_limited');
    const known = this.rooms.find(key);
    if (known?.hasSeatFor(visitor) === false) throw new Refusal('room_full');
    if (!this.connecting.acquire(projectId)) throw new Refusal('overloaded');
    if (known !== null) return known;
    const room = new VoiceRoom(key, (notice) => this.options.up(notice), this.options.nowMs);
    if (!this.rooms.add(room)) {
      this.connecting.release(projectId);
      throw new Refusal('room_limit_reached');
    }
    room.feed = this.feeds.get(nameOf(key)) ?? null;
    return room;
  }

  /** Every further packet would cost others of this process; what is still queued changes nothing. */
  private closeFlooding(room: VoiceRoom, { id, visitor }: Publication | Subscription): void {
    const { projectId, externalUserId } = visitor;
    if (!this.leaveRoom(room, () => room.close(externalUserId, id, 'flooding'))) return;
    this.blocked.set(JSON.stringify([projectId, externalUserId]), this.options.nowMs() + roomLimits.floodBlockMs);
    this.options.up({
      kind: 'log',
      level: 'warn',
      message: 'a peer was disconnected: it sent a flood of packets',
      detail: `project ${projectId}, room ${room.key.roomId}`,
    });
  }

  private isBlocked({ projectId, externalUserId }: Visitor): boolean {
    dropWhile(this.blocked, (untilMs) => untilMs <= this.options.nowMs());
    return this.blocked.has(JSON.stringify([projectId, externalUserId]));
  }

  /** Runs work that removes people from the room, and deletes the room when it is empty. */
  private leaveRoom<Result>(room: VoiceRoom, leaving: () => Result): Result {
    const result = leaving();
    this.forgetIfEmpty(room);
    return result;
  }

  private forgetIfEmpty(room: VoiceRoom): void {
    if (room.empty) this.rooms.forget(room);
  }

  private releaseSilent(): void {
    const nowMs = this.options.nowMs();
    for (const room of this.rooms.all()) room.releaseSilent(nowMs);
    this.budgets.forgetFull(nowMs);
  }

  private flushTaps(): void {
    for (const feed of this.feeds.values()) feed.flush();
  }
}
