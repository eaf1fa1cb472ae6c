/**
 * Reads the framing of MQTT packets before the parser does (MQTT 3.1.1, 2.2: one byte of type, one to four of length), so
 * that packets that are too large, too many or of no use close the connection, and connections take turns.
 */
import type { Duplex } from 'node:stream';
import { type PacketBudget, packetCost } from './packet-budget.js';
import { ProtocolLevel } from './protocol-level.js';
import type { ReadTurns } from './read-turns.js';

const lengthBytesMax = 4;

/** The beginning of a chunk that may be parsed now, and its cost. */
interface Slice {
  readonly bytes: number;
  readonly cost: number;
}

export class PacketGuard {
  /** Bytes of the current packet still to come; null: within its length field. */
  private remaining: number | null = 0;
  private type = 0;
  private length = 0;
  private lengthBytes = 0;

  /** @param admits asked once for each packet, before its body arrives */
  constructor(
    private readonly packetBytesMax: number,
    private readonly admits: (type: number, bodyBytes: number) => boolean = () => true,
  ) {}

  /**
   * Returns the packets at the beginning of the chunk that cost `costMax` in all or a little more; null when one of them
   * is too large, not admitted or not MQTT.
   */
  admit(chunk: Uint8Array, costMax: number): Slice | null {
    let at = 0;
    let cost = 0;
    while (at < chunk.length) {
      if (this.remaining === null) {
        if (!this.readLength(chunk[at++] ?? 0)) return null;
        if (this.remaining !== null) cost += packetCost(this.length);
      } else if (this.remaining > 0) {
        const skipped = Math.min(this.remaining, chunk.length - at);
        this.remaining -= skipped;
        at += skipped;
      } else {
        if (cost >= costMax) break;
        this.begin(chunk[at++] ?? 0);
      }
    }
    return { bytes: at, cost: Math.max(1, cost) };
  }

  private begin(byte: number): void {
    this.type = byte >> 4;
    this.remaining = null;
    this.length = 0;
    this.lengthBytes = 0;
  }

  private readLength(byte: number): boolean {
    this.length += (byte & 0x7f) * 128 ** this.lengthBytes++;
    if (this.length > this.packetBytesMax) return false;
    if (byte >= 0x80) return this.lengthBytes < lengthBytesMax;
    this.remaining = this.length;
    return this.admits(this.type, this.length);
  }
}

interface GuardOptions {
  readonly packetBytesMax: number;
  readonly budget: PacketBudget;
  readonly turns: ReadTurns;
  /** Connections of the same share have one turn together. */
  readonly share: string;
}

/**
 * Closes the connection before any reader sees a chunk that the guard refuses. A protocol level that the broker does not
 * speak is answered first.
 */
export function guardPackets<Connection extends Duplex>(
  connection: Connection,
  { packetBytesMax, budget, turns, share }: GuardOptions,
): Connection {
  const guard = new PacketGuard(packetBytesMax, (type, bodyBytes) => budget.admits(type, bodyBytes));
  const level = new ProtocolLevel();
  const read = connection.read.bind(connection);
  let isWaiting = false;
  const wait = (): void => {
    isWaiting = true;
    turns.wait(share, () => {
      isWaiting = false;
      if (!connection.destroyed) connection.emit('readable');
    });
  };
  connection.read = (size) => {
    if (size === 0) return read(size); // Node.js itself, which fills its buffer
    if (!isWaiting && turns.costLeft === 0) wait();
    if (isWaiting) return null;
    const chunk: unknown = read(size);
    if (!(chunk instanceof Uint8Array)) return chunk;
    const slice = guard.admit(chunk, turns.costLeft);
    if (slice === null) {
      connection.destroy(new Error('packet refused'));
      return null;
    }
    turns.spend(slice.cost);
    const refusal = level.refusal(chunk);
    if (refusal !== null) {
      connection.end(refusal, () => connection.destroy());
      return null;
    }
    if (slice.bytes === chunk.length) return chunk;
    connection.unshift(chunk.subarray(slice.bytes));
    wait();
    return chunk.subarray(0, slice.bytes);
  };
  return connection;
}
