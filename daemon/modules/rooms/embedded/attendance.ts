/** People in the rooms, and speakers in their slots: a mirror built from the notices of the room process. */
import { nameOf } from '../media/by-room.js';
import type { LeaveReason, PeerView, RoomAddress, RoomEvent, SlotState } from '../media/engine.js';
import type { Notice } from './protocol.js';

type PersonState = Omit<PeerView, 'externalUserId' | 'bot'>;

export class Attendance {
  private readonly people = new Map<
    string,
    { key: RoomAddress; peers: Map<string, PersonState>; speaking: Set<string> }
  >();
  /** Occupied slots, by the listener's resource and the slot's number. */
  private readonly slots = new Map<string, { room: string; state: SlotState }>();

  constructor(
    private readonly emit: (event: RoomEvent) => void,
    /** Time of a stamp of the room process. */
    private readonly timeOf: (stampMs: number) => Date,
  ) {}

  /** Rooms with somebody in them, by name. */
  rooms(): Map<string, RoomAddress> {
    return new Map([...this.people].map(([name, { key }]) => [name, key]));
  }

  peersIn(name: string): PeerView[] {
    const peers = [...(this.people.get(name)?.peers ?? [])];
    return peers.map(([externalUserId, person]) => ({ externalUserId, ...person, bot: false }));
  }

  /** External ids of those who speak at this moment. */
  speakingIn(name: string): string[] {
    return [...(this.people.get(name)?.speaking ?? [])];
  }

  slotsIn(name: string): SlotState[] {
    return [...this.slots.values()].filter(({ room }) => room === name).map(({ state }) => state);
  }

  apply(notice: Notice): void {
    if (notice.kind === 'peer.left')
      this.leave(notice.room, notice.externalUserId, notice.reason, this.timeOf(notice.stampMs));
    else if (notice.kind === 'slot.changed') this.place(notice.room, notice.slot);
    else if (notice.kind === 'voice.changed') this.voice(notice);
    else if (notice.kind === 'resource.closed') {
      const { room, externalUserId, resourceId, reason } = notice;
      for (const [key, { state }] of this.slots) if (state.resourceId === resourceId) this.slots.delete(key);
      this.emit({ type: 'resource.closed', room, externalUserId, resourceId, reason });
    } else this.seat(notice);
  }

  /** The process has ended, and everybody has left with it. */
  clear(at: Date): void {
    this.slots.clear();
    for (const { key, peers } of [...this.people.values()])
      for (const externalUserId of [...peers.keys()]) this.leave(key, externalUserId, 'restarted', at);
  }

  private seat({ kind, room, person, stampMs }: Extract<Notice, { kind: 'peer.joined' | 'peer.changed' }>): void {
    const { externalUserId, ...known } = person;
    const entry = this.people.get(nameOf(room)) ?? { key: room, peers: new Map(), speaking: new Set() };
    this.people.set(nameOf(room), entry);
    entry.peers.set(externalUserId, known);
    const peer = { ...person, bot: false };
    this.emit(
      kind === 'peer.changed' ? { type: kind, room, peer } : { type: kind, room, peer, at: this.timeOf(stampMs) },
    );
  }

  private voice({ room, externalUserId, speaking }: Extract<Notice, { kind: 'voice.changed' }>): void {
    const entry = this.people.get(nameOf(room));
    if (speaking && entry?.peers.has(externalUserId)) entry.speaking.add(externalUserId);
    else entry?.speaking.delete(externalUserId);
  }

  private place(room: RoomAddress, slot: SlotState): void {
    const key = `${slot.resourceId} ${slot.slot}`;
    if (slot.speaker === null) this.slots.delete(key);
    else this.slots.set(key, { room: nameOf(room), state: slot });
    this.emit({ type: 'slot.changed', room, slot });
  }

  private leave(room: RoomAddress, externalUserId: string, reason: LeaveReason, at: Date): void {
    const entry = this.people.get(nameOf(room));
    const person = entry?.peers.get(externalUserId);
    if (entry === undefined || person === undefined) return;
    entry.peers.delete(externalUserId);
    entry.speaking.delete(externalUserId);
    if (entry.peers.size === 0) this.people.delete(nameOf(room));
    this.emit({ type: 'peer.left', room, peer: { externalUserId, ...person, bot: false }, reason, at });
  }
}
