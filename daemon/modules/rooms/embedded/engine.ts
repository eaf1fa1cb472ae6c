/** The daemon's own rooms: calls go to the room process, its notices become events, taps survive its restarts. */
import { DomainError } from '../../../../src/contract/errors.js';
import type { Logger } from '../../../platform/observability/logger.js';
import { ignoreFaults, type OnFault } from '../../../platform/processes/watched-process.js';
import { type Clock, systemClock } from '../../../platform/time/clock.js';
import { machineMs } from '../../../platform/time/machine-time.js';
import { ByRoom, nameOf } from '../media/by-room.js';
import type {
  BotAppearance,
  LeaveReason,
  MediaAnswer,
  PeerView,
  PersonPolicy,
  RoomAddress,
  RoomEngine,
  RoomEngineStats,
  RoomEvent,
  RoomSeal,
  RoomTap,
  RoomView,
  SpeakingPolicy,
  StampedPacket,
  Visitor,
} from '../media/engine.js';
import { Attendance } from './attendance.js';
import { PacketCounters } from './counters.js';
import type { EmbeddedMedia } from './media-port.js';
import { offerQueue } from './offer-queue.js';
import { closeCall, policiesCall, publishCall, removeCall, statsCall, subscribeCall, tapCall } from './protocol.js';
import { type Heard, type Patience, usualPingEveryMs } from './room-child.js';
import { RoomProcess } from './room-process.js';
import { BufferedTap } from './tap.js';

/** A process that does not confirm the loss of a right in time could go on forwarding: it is killed. */
const takesAway: Patience = { timeoutMs: 5_000, endsProcess: true };
/** Nothing is lost by waiting: the caller can ask again. */
const joins: Patience = { timeoutMs: 10_000, endsProcess: false };

export class EmbeddedRooms implements RoomEngine {
  private readonly process: RoomProcess;
  private readonly offers = offerQueue();
  private readonly taps = new ByRoom<BufferedTap>();
  private readonly attendance = new Attendance(
    (event) => this.emit(event),
    (stampMs) => this.timeOf(stampMs),
  );
  /** Packets that readers of taps were too slow for. */
  private missed = 0;
  private readonly listeners = new Set<(event: RoomEvent) => void>();

  constructor(
    media: EmbeddedMedia,
    log: Logger,
    onFault: OnFault = ignoreFaults,
    pingEveryMs = usualPingEveryMs,
    private readonly now: Clock = systemClock,
  ) {
    const owner = {
      heard: (frame: Heard) =>
        frame.kind === 'packets' ? this.hand(frame.room, frame.packets, frame.missed) : this.attendance.apply(frame),
      ready: () => this.tapAgain(),
      ended: () => this.attendance.clear(this.now()),
      lost: () => this.emit({ type: 'engine.lost', concerns: () => true }),
      restarted: () => this.emit({ type: 'engine.restarted', concerns: () => true }),
      onFault,
    };
    this.process = new RoomProcess(media, owner, log, pingEveryMs);
  }

  /** The room process, for those who watch it. */
  get processId(): number | null {
    return this.process.id;
  }

  /** UDP port of all peers; 0 until a free one was chosen. */
  get port(): number {
    return this.process.mediaPort;
  }

  /** Times that the process had to be started again. */
  get restarts(): number {
    return this.process.restarts;
  }

  /** Why nobody can enter now; null when they can. */
  get problem(): string | null {
    const { running, isYetToRun } = this.process;
    return running || isYetToRun ? null : 'The room process is not running; it is being started again.';
  }

  start(): Promise<void> {
    return this.process.start();
  }

  async stop(): Promise<void> {
    const stopped = this.process.stop();
    for (const tap of this.taps.all()) tap.close();
    await stopped;
  }

  /** Ends everybody's connections; the rooms are open again when the next person enters. */
  pause(): Promise<void> {
    return this.process.pause();
  }

  publish(
    offerSdp: string,
    visitor: Visitor,
    policy: SpeakingPolicy,
    seal: RoomSeal | null = null,
  ): Promise<MediaAnswer> {
    return this.offers.run(visitor.projectId, () =>
      this.process.callToEnter(publishCall, { offerSdp, visitor, policy, seal }, joins),
    );
  }

  subscribe(offerSdp: string, visitor: Visitor, blocked: readonly string[] = []): Promise<MediaAnswer> {
    return this.offers.run(visitor.projectId, () =>
      this.process.callToEnter(subscribeCall, { offerSdp, visitor, blocked }, joins),
    );
  }

  async close(room: RoomAddress, externalUserId: string, resourceId: string): Promise<boolean> {
    if (this.process.isYetToRun) return false;
    return (await this.process.call(closeCall, { room, externalUserId, resourceId })).closed;
  }

  async remove(
    projectId: string,
    roomId: string | null,
    externalUserId: string | null,
    reason: LeaveReason,
  ): Promise<string[]> {
    if (!this.process.running) return [];
    const whom = { projectId, roomId, externalUserId, reason };
    return (await this.process.call(removeCall, whom, takesAway)).tokenIds;
  }

  /**
   * Resolves when the policy holds. Without a process nobody is heard, and policies are read again when people rejoin.
   */
  async setPolicies(projectId: string, people: ReadonlyMap<string, PersonPolicy>): Promise<void> {
    if (!this.process.running) return;
    await this.process.call(policiesCall, { projectId, people }, takesAway).catch((error: unknown) => {
      if (!(error instanceof DomainError && error.code === 'room_unavailable')) throw error;
    });
  }

  tap(room: RoomAddress, appearance: BotAppearance): RoomTap {
    const tap: BufferedTap = new BufferedTap(
      room,
      appearance,
      () => {
        this.taps.delete(tap);
        this.emit({ type: 'peer.left', room, peer: botPeer(tap), reason: 'left', at: this.now() });
        if (this.taps.in(room).length === 0) this.forward(room, false);
      },
      () => this.emit({ type: 'peer.changed', room, peer: botPeer(tap) }),
    );
    this.taps.add(tap);
    this.emit({ type: 'peer.joined', room, peer: botPeer(tap), at: this.now() });
    this.forward(room, true);
    return tap;
  }

  rooms(projectId?: string): RoomView[] {
    return [...this.keys().values()]
      .filter((key) => projectId === undefined || key.projectId === projectId)
      .map((key) => this.viewOf(key));
  }

  /** Projects with people or bots in a room. */
  projects(): Set<string> {
    return new Set([...this.keys().values()].map(({ projectId }) => projectId));
  }

  room(key: RoomAddress): RoomView | null {
    const view = this.viewOf(key);
    return view.peers.length === 0 ? null : view;
  }

  async stats(): Promise<RoomEngineStats> {
    const counted = this.process.isYetToRun ? nothingYet : await this.process.call(statsCall, {});
    const tap = counted.packetsDropped.tap + this.missed;
    return { ...counted, packetsDropped: { ...counted.packetsDropped, tap }, rooms: this.rooms().length };
  }

  onEvent(listener: (event: RoomEvent) => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /** Returns the keys of rooms with people or bots, by name. */
  private keys = (): Map<string, RoomAddress> => new Map([...this.attendance.rooms(), ...this.taps.rooms()]);

  private viewOf({ projectId, roomId }: RoomAddress): RoomView {
    const name = nameOf({ projectId, roomId });
    const bots = this.taps.in({ projectId, roomId }).map(botPeer);
    const peers = [...this.attendance.peersIn(name), ...bots];
    const speaking = this.attendance.speakingIn(name);
    return { projectId, roomId, peers, speaking, slots: this.attendance.slotsIn(name) };
  }

  /**
   * Sets whether the process sends the room's packets to the daemon. A process that starts later gets this when it is
   * ready.
   */
  private forward(room: RoomAddress, on: boolean): void {
    if (this.process.running) this.process.call(tapCall, { room, on }).catch(() => {});
  }

  private async tapAgain(): Promise<void> {
    for (const room of this.taps.rooms().values()) await this.process.call(tapCall, { room, on: true });
  }

  private hand(room: RoomAddress, stamped: readonly StampedPacket[], missed: number): void {
    const packets = stamped.map(({ stampMs, ...packet }) => ({
      ...packet,
      arrivedAtMs: this.timeOf(stampMs).getTime(),
    }));
    for (const tap of this.taps.in(room)) this.missed += tap.push(packets, missed);
  }

  /** Time of a stamp that the room process took from the clock of the machine. */
  private timeOf(stampMs: number): Date {
    return new Date(Math.round(stampMs + this.now().getTime() - machineMs()));
  }

  private emit(event: RoomEvent): void {
    for (const listener of this.listeners) listener(event);
  }
}

const nothingYet = { publications: 0, subscriptions: 0, ...new PacketCounters() };

const botPeer = ({
  appearance: { externalUserId, name, userData },
  keptSeconds,
}: Pick<BufferedTap, 'appearance' | 'keptSeconds'>): PeerView => ({
  externalUserId,
  name,
  userData,
  publishing: false,
  muted: false,
  bot: true,
  observer: false,
  ...(keptSeconds === 0 ? {} : { keepsSeconds: keptSeconds }),
});
