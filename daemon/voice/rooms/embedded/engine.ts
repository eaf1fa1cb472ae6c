/**
 * The daemon's own rooms: a forked room process, watched and started anew when it dies or hangs. Mirrors who is where
 * from the notices of the process, so that nobody has to ask it.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { createRequire } from 'node:module';
import type { z } from 'zod';
import { DomainError } from '../../../../src/contract/errors.js';
import type { Logger } from '../../../observability/logger.js';
import {
  type LeaveReason,
  type MediaAnswer,
  type Observer,
  type PersonPolicy,
  type RoomEvent,
  type RoomKey,
  type RoomPeer,
  type RoomSeal,
  type RoomTap,
  type RoomView,
  roomLimits,
  type SlotState,
  type SpeakerPacket,
  type SpeakingPolicy,
  type Visitor,
} from '../engine.js';
import { PacketRings } from './packet-rings.js';
import {
  type Call,
  closeCall,
  policiesCall,
  publishCall,
  type RefusalCode,
  removeCall,
  stopCall,
  subscribeCall,
  tapCall,
  UpFrame,
} from './protocol.js';

export interface EmbeddedMedia {
  /** UDP port of all peers; 0 picks a free one, kept across restarts. */
  readonly port: number;
  readonly bindAddress: string | null;
  readonly announcedAddress: string | null;
}

const callTimeoutMs = 5_000;
const startTimeoutMs = 10_000;
const stopTimeoutMs = 2_000;
/** Waiting time before each further start of a process that dies; the last one repeats. */
const restartMs = [100, 500, 2_000, 10_000];
const healthyMs = 30_000;

interface Pending {
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: Error) => void;
  readonly timer: NodeJS.Timeout;
}
type Upward = z.infer<typeof UpFrame>;
type Person = Omit<RoomPeer, 'externalUserId' | 'bot'>;
const nameOf = ({ projectId, roomId }: RoomKey): string => JSON.stringify([projectId, roomId]);

/** All that is said in a room, for one reader. */
class Tap implements RoomTap {
  private readonly rings = new PacketRings<SpeakerPacket>(roomLimits.tapRingPackets);
  private wake: () => void = () => {};
  private closed = false;

  constructor(
    readonly room: RoomKey,
    readonly observer: Observer,
    private readonly onClose: () => void,
  ) {}

  get dropped(): number {
    return this.rings.dropped;
  }

  push(packets: readonly SpeakerPacket[]): void {
    for (const packet of packets) this.rings.push(packet);
    this.wake();
  }

  close(): void {
    if (this.closed) return;
    this.closed = true;
    this.onClose();
    this.wake();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<SpeakerPacket, void> {
    for (;;) {
      const packet = this.rings.shift();
      if (packet !== null) yield packet;
      else if (this.closed) return;
      else
        await new Promise<void>((resolve) => {
          this.wake = resolve;
        });
    }
  }
}

export class EmbeddedRooms {
  private child: ChildProcess | null = null;
  private ready = false;
  private stopping = false;
  private port: number;
  private startedAt = 0;
  private deaths = 0;
  private nextId = 1;
  private timer: NodeJS.Timeout | null = null;
  private readonly pending = new Map<number, Pending>();
  private readonly taps = new Set<Tap>();
  private readonly people = new Map<string, { key: RoomKey; peers: Map<string, Person> }>();
  /** Slots that are taken, by the listener's resource and the slot's number. */
  private readonly slots = new Map<string, { room: string; state: SlotState }>();
  private readonly listeners = new Set<(event: RoomEvent) => void>();

  constructor(
    private readonly media: EmbeddedMedia,
    private readonly log: Logger,
  ) {
    this.port = media.port;
  }

  get mediaPort(): number {
    return this.port;
  }

  /** The room process, for those who watch it. */
  get processId(): number | null {
    return this.child?.pid ?? null;
  }

  /** Throws when the process cannot run here: its port is taken, or the media library does not load. */
  async start(): Promise<void> {
    if (this.port === 0) this.port = await freePort();
    await this.launch();
  }

  /** Why nobody can come in now; null when they can. */
  get problem(): string | null {
    return this.ready ? null : 'The room process is not running; it is being started again.';
  }

  async stop(): Promise<void> {
    this.stopping = true;
    if (this.timer !== null) clearTimeout(this.timer);
    for (const tap of this.taps) tap.close();
    const { child } = this;
    if (child === null || child.exitCode !== null) return;
    const ended = new Promise((resolve) => child.once('exit', resolve));
    this.call(stopCall, {}).catch(() => child.kill('SIGKILL'));
    const late = setTimeout(() => child.kill('SIGKILL'), stopTimeoutMs);
    await ended;
    clearTimeout(late);
  }

  /** Throws sdp_invalid, room_full, already_publishing, room_unavailable. */
  publish = (
    offerSdp: string,
    visitor: Visitor,
    policy: SpeakingPolicy,
    seal: RoomSeal | null = null,
  ): Promise<MediaAnswer> => this.call(publishCall, { offerSdp, visitor, policy, seal });

  /** Throws sdp_invalid, room_full, room_unavailable. */
  subscribe = (offerSdp: string, visitor: Visitor): Promise<MediaAnswer> =>
    this.call(subscribeCall, { offerSdp, visitor });

  async close(room: RoomKey, externalUserId: string, resourceId: string): Promise<boolean> {
    return (await this.call(closeCall, { room, externalUserId, resourceId })).closed;
  }

  /** The tokens that the participant came with. */
  async remove(
    projectId: string,
    roomId: string | null,
    externalUserId: string,
    reason: LeaveReason,
  ): Promise<string[]> {
    if (!this.ready) return [];
    return (await this.call(removeCall, { projectId, roomId, externalUserId, reason })).tokenIds;
  }

  /** In force when it resolves. Without a process nobody is heard, and every rejoin is judged anew. */
  async setPolicies(projectId: string, people: ReadonlyMap<string, PersonPolicy>): Promise<void> {
    if (!this.ready) return;
    const { child } = this;
    await this.call(policiesCall, { projectId, people }).catch((error: unknown) => {
      if (this.child === child) throw error;
    });
  }

  tap(room: RoomKey, observer: Observer): RoomTap {
    const tap: Tap = new Tap(room, observer, () => {
      this.taps.delete(tap);
      this.tell({ type: 'peer.left', room, peer: botPeer(observer), reason: 'left' });
      const others = [...this.taps].some((other) => nameOf(other.room) === nameOf(room));
      if (!others && this.ready && !this.stopping) this.call(tapCall, { room, on: false }).catch(() => {});
    });
    this.taps.add(tap);
    this.tell({ type: 'peer.joined', room, peer: botPeer(observer) });
    if (this.ready) this.call(tapCall, { room, on: true }).catch(() => {});
    return tap;
  }

  rooms(projectId?: string): RoomView[] {
    const keys = new Map([...this.people].map(([name, { key }]) => [name, key]));
    for (const { room } of this.taps) keys.set(nameOf(room), room);
    return [...keys.values()]
      .filter((key) => projectId === undefined || key.projectId === projectId)
      .map((key) => this.viewOf(key));
  }

  room(key: RoomKey): RoomView | null {
    const view = this.viewOf(key);
    return view.peers.length === 0 ? null : view;
  }

  onEvent(listener: (event: RoomEvent) => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  private viewOf({ projectId, roomId }: RoomKey): RoomView {
    const name = nameOf({ projectId, roomId });
    const people = [...(this.people.get(name)?.peers ?? [])].map(([externalUserId, person]) => ({
      externalUserId,
      ...person,
      bot: false,
    }));
    const bots = [...this.taps].filter(({ room }) => nameOf(room) === name).map(({ observer }) => botPeer(observer));
    const slots = [...this.slots.values()].filter(({ room }) => room === name).map(({ state }) => state);
    return { projectId, roomId, peers: [...people, ...bots], slots };
  }

  private async launch(): Promise<void> {
    const program = createRequire(import.meta.url).resolve('#dist/daemon/voice/rooms/embedded/process.js');
    const args = [String(this.port), this.media.bindAddress ?? '', this.media.announcedAddress ?? ''];
    const child = fork(program, args, {
      serialization: 'advanced',
      env: {},
      execArgv: [],
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    this.child = child;
    this.startedAt = Date.now();
    child.once('exit', () => this.ended());
    await new Promise<void>((resolve, reject) => {
      const late = setTimeout(() => reject(new Error('The room process did not get ready.')), startTimeoutMs);
      const settle = (error: Error | null) => {
        clearTimeout(late);
        if (error === null) resolve();
        else reject(error);
      };
      child.once('exit', () => settle(new Error('The room process ended at once.')));
      child.on('message', (message) => {
        const frame = UpFrame.parse(message);
        if (frame.kind === 'ready') settle(null);
        else if (frame.kind === 'failed')
          settle(
            new Error(`The voice rooms cannot run on UDP port ${this.port}: ${frame.message}. Set EARSHOT_MEDIA_PORT.`),
          );
        else this.take(frame);
      });
    });
    this.ready = true;
    const tapped = new Map([...this.taps].map(({ room }) => [nameOf(room), room]));
    for (const room of tapped.values()) await this.call(tapCall, { room, on: true });
  }

  /** The process is gone: everybody has left, whoever waits is told, and a new one is started. */
  private ended(): void {
    const wasReady = this.ready;
    this.ready = false;
    this.child = null;
    for (const { reject, timer } of this.pending.values()) {
      clearTimeout(timer);
      reject(unavailable());
    }
    this.pending.clear();
    this.slots.clear();
    for (const { key, peers } of [...this.people.values()]) {
      for (const externalUserId of [...peers.keys()]) this.leave(key, externalUserId, 'restarted');
    }
    if (this.stopping || !wasReady) return;
    this.log.warn('the room process ended; starting it again');
    this.tell({ type: 'engine.lost' });
    this.deaths = Date.now() - this.startedAt > healthyMs ? 0 : this.deaths;
    this.restart();
  }

  private restart(): void {
    const wait = restartMs[Math.min(this.deaths, restartMs.length - 1)];
    this.deaths += 1;
    this.timer = setTimeout(() => {
      this.launch().then(
        () => this.tell({ type: 'engine.restarted' }),
        (error: unknown) => {
          this.log.error({ err: error }, 'the room process did not start; trying again');
          if (!this.stopping) this.restart();
        },
      );
    }, wait);
  }

  private call<Request, Result>({ name, result }: Call<Request, Result>, request: Request): Promise<Result> {
    const { child } = this;
    if (child === null || !this.ready) return Promise.reject(unavailable());
    const id = this.nextId++;
    return new Promise<Result>((resolve, reject) => {
      // A process that does not answer may still forward what it should not: end it.
      const timer = setTimeout(() => child.kill('SIGKILL'), callTimeoutMs);
      this.pending.set(id, { resolve: (answer) => resolve(result.parse(answer)), reject, timer });
      child.send({ id, name, request });
    });
  }

  private take(frame: Upward): void {
    if (frame.kind === 'reply') this.settle(frame.id, ({ resolve }) => resolve(frame.result));
    else if (frame.kind === 'refusal')
      this.settle(frame.id, ({ reject }) => reject(refusalOf(frame.code, frame.message)));
    else if (frame.kind === 'log') this.log[frame.level]({ detail: frame.detail }, frame.message);
    else if (frame.kind === 'packets') this.hand(frame.room, frame.packets);
    else if (frame.kind === 'peer.joined' || frame.kind === 'peer.changed') this.seat(frame);
    else if (frame.kind === 'peer.left') this.leave(frame.room, frame.externalUserId, frame.reason);
    else if (frame.kind === 'slot.changed') this.place(frame.room, frame.slot);
    else if (frame.kind === 'resource.closed') {
      const { room, externalUserId, resourceId, reason } = frame;
      for (const [key, { state }] of this.slots) if (state.resourceId === resourceId) this.slots.delete(key);
      this.tell({ type: 'resource.closed', room, externalUserId, resourceId, reason });
    }
  }

  private hand(room: RoomKey, packets: readonly SpeakerPacket[]): void {
    for (const tap of this.taps) if (nameOf(tap.room) === nameOf(room)) tap.push(packets);
  }

  private place(room: RoomKey, slot: SlotState): void {
    const key = `${slot.resourceId} ${slot.slot}`;
    if (slot.speaker === null) this.slots.delete(key);
    else this.slots.set(key, { room: nameOf(room), state: slot });
    this.tell({ type: 'slot.changed', room, slot });
  }

  private seat({ kind, room, person }: Extract<Upward, { kind: 'peer.joined' | 'peer.changed' }>): void {
    const { externalUserId, ...known } = person;
    const entry = this.people.get(nameOf(room)) ?? { key: room, peers: new Map() };
    this.people.set(nameOf(room), entry);
    entry.peers.set(externalUserId, known);
    this.tell({ type: kind, room, peer: { ...person, bot: false } });
  }

  private leave(room: RoomKey, externalUserId: string, reason: LeaveReason): void {
    const entry = this.people.get(nameOf(room));
    const person = entry?.peers.get(externalUserId);
    if (entry === undefined || person === undefined) return;
    entry.peers.delete(externalUserId);
    if (entry.peers.size === 0) this.people.delete(nameOf(room));
    this.tell({ type: 'peer.left', room, peer: { externalUserId, ...person, bot: false }, reason });
  }

  private settle(id: number, how: (pending: Pending) => void): void {
    const pending = this.pending.get(id);
    if (pending === undefined) return;
    this.pending.delete(id);
    clearTimeout(pending.timer);
    how(pending);
  }

  private tell(event: RoomEvent): void {
    for (const listener of this.listeners) listener(event);
  }
}

const botPeer = ({ externalUserId, name, userData }: Observer): RoomPeer => ({
  externalUserId,
  name,
  userData,
  publishing: false,
  muted: false,
  bot: true,
});
const refusalOf = (code: RefusalCode | null, message: string): Error =>
  code === null ? new Error(message) : new DomainError(code);
const unavailable = (): DomainError => new DomainError('room_unavailable', { retryAfterSeconds: 1 });

function freePort(): Promise<number> {
  const socket = createSocket('udp4');
  return new Promise((resolve, reject) => {
    socket.once('error', reject);
    socket.bind(0, () => {
      const { port } = socket.address();
      socket.close(() => resolve(port));
    });
  });
}
