/**
 * Listens to a room: the Opus frames of each speaker, separate and with their name, decrypted where the room is
 * encrypted.
 */
import type { RoomStreamEvent } from '../../contract/rooms/room-events.js';
import type { FrameCipher } from '../../media/frame-cipher.js';
import type { RoomAccess } from '../room/room-access.js';
import { RoomEvents } from '../room/room-events.js';
import { Seat } from '../room/seat.js';
import { cipherFor } from './cipher-for.js';
import { MediaPeer, opusLine } from './media-peer.js';
import { type IncomingPacket, readPacket } from './rtp.js';
import { SlotNames } from './slot-names.js';

/** Number of slots that a room gives a listener. */
const slotsDefault = 8;

export interface HeardFrame {
  /** The project's own id of the person. */
  readonly speaker: string;
  /** Decrypted frame. */
  readonly opus: Uint8Array;
  /** Numbers of the slot's stream, 16 and 32 bits (at 48 kHz); a new `stream` numbers anew. */
  readonly sequence: number;
  readonly timestamp: number;
  /** Changes whenever the speaker has taken another slot. */
  readonly stream: string;
  /** Milliseconds since the epoch. */
  readonly atMs: number;
}

export interface ListenerOptions {
  readonly onFrame: (frame: HeardFrame) => void;
  readonly onEvent?: (event: RoomStreamEvent) => void;
  /** Called with a sentence when the connection is lost, and when it is back. */
  readonly report?: (line: string) => void;
  readonly slots?: number;
}

interface Arrived extends IncomingPacket {
  readonly stream: string;
  readonly atMs: number;
}

export class RoomListener {
  private readonly seat: Seat<MediaPeer>;
  private readonly slots: SlotNames<Arrived>[];
  private readonly streams: number[];
  private cipher: FrameCipher | null = null;
  /** Packets that arrived, of all speakers. */
  packets = 0;
  /** Frames that did not verify and were dropped. */
  refused = 0;

  constructor(
    private readonly access: RoomAccess,
    private readonly options: ListenerOptions,
  ) {
    const { slots: count = slotsDefault } = options;
    this.slots = Array.from(
      { length: count },
      () => new SlotNames((speaker, packet) => this.onPacket(speaker, packet)),
    );
    this.streams = this.slots.map(() => 0);
    const events = new RoomEvents(access);
    this.seat = new Seat(access, events, {
      kind: 'whep',
      newPeer: (onEnded) => {
        for (const slot of this.slots) slot.forget();
        const lines = this.slots.map((_, index) => opusLine(String(index), 'RecvOnly'));
        return new MediaPeer(lines, { onPacket: (line, data) => this.receive(line, data), onEnded });
      },
      onEvent: (event) => {
        const taken = event.type === 'room.slot' ? [event] : event.type === 'room.state' ? event.slots : [];
        for (const { slot, speaker } of taken) this.slots[slot]?.announce(speaker, Date.now());
        options.onEvent?.(event);
      },
      ...(options.report === undefined ? {} : { report: options.report }),
    });
    this.seat.ended.catch(() => {}).finally(() => events.close());
  }

  /** Packets whose speaker the room has not named. */
  get unnamed(): number {
    return this.slots.reduce((sum, { unnamed }) => sum + unnamed, 0);
  }

  /** Resolves when we have left; rejects when the room has removed us. */
  get ended(): Promise<void> {
    return this.seat.ended;
  }

  /** Throws ApiError, DaemonUnreachable, MediaUnreachable. */
  async join(): Promise<void> {
    this.cipher = await cipherFor(this.access);
    await this.seat.enter();
  }

  leave = (): Promise<void> => this.seat.leave();

  private receive(line: number, data: Buffer): void {
    const packet = readPacket(data);
    if (packet === null) return;
    this.packets += 1;
    if (packet.marker) this.streams[line] = (this.streams[line] ?? 0) + 1;
    const atMs = Date.now();
    this.slots[line]?.packet({ ...packet, stream: `${line}.${this.streams[line]}`, atMs }, packet.marker, atMs);
  }

  private onPacket(speaker: string, { payload, sequence, timestamp, stream, atMs }: Arrived): void {
    const opus = this.cipher === null ? payload : this.cipher.open(payload);
    if (opus === null) this.refused += 1;
    else this.options.onFrame({ speaker, opus, sequence, timestamp, stream, atMs });
  }
}
