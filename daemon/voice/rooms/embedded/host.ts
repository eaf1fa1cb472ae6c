/**
 * All rooms of the room process: takes offers, finds rooms, opens and forgets them. Knows nothing of the process it
 * runs in; frames leave through `up`.
 */
import { randomUUID } from 'node:crypto';
import {
  type LeaveReason,
  type MediaAnswer,
  type PersonPolicy,
  type RoomKey,
  type RoomSeal,
  roomLimits,
  type SpeakingPolicy,
  type Visitor,
} from '../engine.js';
import { PacketCounters } from './counters.js';
import { type AnswerLine, Connection, type MediaEndpoint, opusLine } from './native.js';
import type { RefusalCode, UpFrame } from './protocol.js';
import { Publication } from './publication.js';
import { Room, type Seat } from './room.js';
import { RoomCiphers } from './room-ciphers.js';
import type { Safe } from './safe.js';
import { audioLevelLine, readListenerOffer, readSpeakerOffer } from './sdp.js';
import { SpeakingBudgets } from './speaking-budget.js';
import { Subscription } from './subscription.js';
import { TapFeed } from './tap-feed.js';

const joinTimeoutMs = 15_000;
const silenceCheckMs = 500;
const tapFlushMs = 20;

/** A refusal the caller can act on; crosses the process border by its code. */
export class Refusal extends Error {
  constructor(readonly code: RefusalCode) {
    super(code);
  }
}

export interface HostOptions {
  readonly media: MediaEndpoint;
  readonly safe: Safe;
  readonly nowMs: () => number;
  /** Sends a frame to the daemon; `sent` comes when the channel has taken it. */
  readonly up: (frame: UpFrame, sent?: () => void) => void;
}

export class RoomHost {
  private readonly rooms = new Map<string, Room>();
  private readonly counters = new PacketCounters();
  private readonly budgets = new SpeakingBudgets();
  private readonly ciphers = new RoomCiphers();
  private timers: NodeJS.Timeout[] = [];

  constructor(private readonly options: HostOptions) {}

  start(): void {
    this.timers = [
      setInterval(() => this.releaseSilent(), silenceCheckMs),
      setInterval(() => this.flushTaps(), tapFlushMs),
    ];
  }

  stop(): void {
    for (const timer of this.timers) clearInterval(timer);
    for (const room of [...this.rooms.values()]) room.remove(null, 'restarted');
    this.rooms.clear();
  }

  async publish(
    offerSdp: string,
    visitor: Visitor,
    policy: SpeakingPolicy,
    seal: RoomSeal | null = null,
  ): Promise<MediaAnswer> {
    const line = readSpeakerOffer(offerSdp);
    if (line === null) throw new Refusal('sdp_invalid');
    const cipher = seal === null ? null : await this.ciphers.of(seal);
    const room = this.roomFor(visitor);
    const present = room.publicationOf(visitor.externalUserId);
    if (present !== null && present.visitor.tokenId !== visitor.tokenId) throw new Refusal('already_publishing');
    const { counters } = this;
    const { projectId, externalUserId } = visitor;
    const publication = new Publication(randomUUID(), visitor, policy, cipher, line, counters, {
      nowMs: this.options.nowMs,
      maySpeak: (secondsPerMinute, nowMs) => this.budgets.allows(projectId, externalUserId, secondsPerMinute, nowMs),
      heard: (...packet) => room.hear(...packet),
    });
    const audio = opusLine(line.mid, 'RecvOnly', line.opusPayloadType);
    if (line.audioLevelId !== null) audio.parseSdpLine(audioLevelLine(line.audioLevelId));
    const { connection, seat } = this.connect(room, publication);
    room.seatPublication(seat);
    const lines = [{ audio, receives: true, onMessage: (data: Buffer) => publication.receive(data) }];
    return this.answer(room, seat, connection, offerSdp, lines);
  }

  async subscribe(offerSdp: string, visitor: Visitor): Promise<MediaAnswer> {
    const offered = readListenerOffer(offerSdp);
    if (offered === null) throw new Refusal('sdp_invalid');
    const room = this.roomFor(visitor);
    const subscription = new Subscription(randomUUID(), visitor, offered, this.counters, (slot) =>
      this.options.up({ kind: 'slot.changed', room: room.key, slot }),
    );
    const { connection, seat } = this.connect(room, subscription, () => {
      subscription.send = (line, packet) => connection.send(line, packet);
    });
    room.seatSubscription(seat);
    const lines = subscription.lines.map(({ offered: { mid, opusPayloadType }, ssrc }, slot) => {
      const audio = opusLine(mid, 'SendOnly', opusPayloadType);
      audio.addSSRC(ssrc, subscription.id, `slot-${slot}`, `slot-${slot}`);
      return { audio, receives: false, onMessage: () => undefined };
    });
    return this.answer(room, seat, connection, offerSdp, lines);
  }

  close(key: RoomKey, externalUserId: string, resourceId: string): boolean {
    const room = this.rooms.get(nameOf(key));
    const closed = room?.close(externalUserId, resourceId, 'left') ?? false;
    this.forgetIfEmpty(room);
    return closed;
  }

  /** One participant or (null) everybody, in one room or (null) in all of the project. */
  remove(projectId: string, roomId: string | null, externalUserId: string | null, reason: LeaveReason): string[] {
    const rooms = [...this.rooms.values()].filter(
      ({ key }) => key.projectId === projectId && (roomId === null || key.roomId === roomId),
    );
    const tokenIds = rooms.flatMap((room) => room.remove(externalUserId, reason));
    for (const room of rooms) this.forgetIfEmpty(room);
    return tokenIds;
  }

  setPolicies(projectId: string, people: ReadonlyMap<string, PersonPolicy>): void {
    for (const room of [...this.rooms.values()]) {
      if (room.key.projectId !== projectId) continue;
      for (const externalUserId of room.present) {
        const policy = people.get(externalUserId);
        if (policy === undefined) continue;
        const here = policy.inRooms.get(room.key.roomId);
        room.setPolicy(externalUserId, here === undefined ? policy.everywhere : here);
      }
      this.forgetIfEmpty(room);
    }
  }

  tap(key: RoomKey, on: boolean): void {
    const room = on ? this.roomFor(key) : this.rooms.get(nameOf(key));
    if (room === undefined) return;
    const feed = () =>
      new TapFeed((packets, sent) => this.options.up({ kind: 'packets', room: key, packets }, sent), this.counters);
    room.feed = on ? (room.feed ?? feed()) : null;
    this.forgetIfEmpty(room);
  }

  stats() {
    const counts = [...this.rooms.values()].map((room) => room.counts());
    const { packetsIn, packetsForwarded, packetsDropped } = this.counters;
    return {
      publications: counts.reduce((sum, { publications }) => sum + publications, 0),
      subscriptions: counts.reduce((sum, { subscriptions }) => sum + subscriptions, 0),
      packetsIn,
      packetsForwarded,
      packetsDropped,
    };
  }

  private connect<Resource extends Publication | Subscription>(
    room: Room,
    resource: Resource,
    onConnected: () => void = () => undefined,
  ): { connection: Connection; seat: Seat<Resource> } {
    const leave = (reason: 'left' | 'lost') => {
      room.close(resource.visitor.externalUserId, resource.id, reason);
      this.forgetIfEmpty(room);
    };
    const tooLate = setTimeout(() => leave('lost'), joinTimeoutMs);
    const connection = new Connection(resource.id, this.options.media, this.options.safe, {
      onConnected: () => {
        clearTimeout(tooLate);
        onConnected();
        room.connected(seat);
      },
      onEnded: leave,
    });
    const seat: Seat<Resource> = {
      resource,
      connected: false,
      close: () => {
        clearTimeout(tooLate);
        connection.close();
      },
    };
    return { connection, seat };
  }

  private async answer(
    room: Room,
    { resource }: Seat,
    connection: Connection,
    offerSdp: string,
    lines: readonly AnswerLine[],
  ): Promise<MediaAnswer> {
    try {
      return { answerSdp: await connection.answer(offerSdp, lines, this.options.media), resourceId: resource.id };
    } catch {
      room.close(resource.visitor.externalUserId, resource.id, 'lost');
      this.forgetIfEmpty(room);
      throw new Refusal('sdp_invalid');
    }
  }

  /** The room, opened when it is new. Throws room_full when there is no seat left. */
  private roomFor(key: RoomKey | Visitor): Room {
    const name = nameOf(key);
    const known = this.rooms.get(name);
    if (known === undefined && this.rooms.size >= roomLimits.rooms) throw new Refusal('room_full');
    const { projectId, roomId } = key;
    const room = known ?? new Room({ projectId, roomId }, (notice) => this.options.up(notice));
    if ('externalUserId' in key && !room.hasSeatFor(key.externalUserId)) throw new Refusal('room_full');
    this.rooms.set(name, room);
    return room;
  }

  private forgetIfEmpty(room: Room | undefined): void {
    if (room?.empty) this.rooms.delete(nameOf(room.key));
  }

  private releaseSilent(): void {
    const nowMs = this.options.nowMs();
    for (const room of this.rooms.values()) room.releaseSilent(nowMs);
    this.budgets.forgetFull(nowMs);
  }

  private flushTaps(): void {
    for (const room of this.rooms.values()) room.feed?.flush();
  }
}

const nameOf = ({ projectId, roomId }: RoomKey): string => JSON.stringify([projectId, roomId]);
