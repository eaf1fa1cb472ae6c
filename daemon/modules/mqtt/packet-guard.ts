/**
 * Keeps a client from announcing a packet larger than it may send: the parser would gather it in memory first.
 * Follows the framing alone (MQTT 3.1.1, 2.2: one byte of type, one to four of length).
 */
import type { Duplex } from 'node:stream';

const lengthBytesMax = 4;

export class PacketGuard {
  /** Bytes of the current packet still to come; null: within its length field. */
  private remaining: number | null = 0;
  private length = 0;
  private lengthBytes = 0;

  constructor(private readonly packetBytesMax: number) {}

  /** false: the chunk begins a packet that is too large, or is not MQTT. */
  accepts(chunk: Uint8Array): boolean {
    let at = 0;
    while (at < chunk.length) {
      if (this.remaining === null) {
        if (!this.readLength(chunk[at++] ?? 0)) return false;
      } else if (this.remaining > 0) {
        const skipped = Math.min(this.remaining, chunk.length - at);
        this.remaining -= skipped;
        at += skipped;
      } else {
        this.remaining = null;
        this.length = 0;
        this.lengthBytes = 0;
        at += 1;
      }
    }
    return true;
  }

  private readLength(byte: number): boolean {
    this.length += (byte & 0x7f) * 128 ** this.lengthBytes++;
    if (this.length > this.packetBytesMax) return false;
    if (byte < 0x80) this.remaining = this.length;
    return byte < 0x80 || this.lengthBytes < lengthBytesMax;
  }
}

/** Closes the connection before any reader sees a chunk that the guard refuses. */
export const guardPackets = <Connection extends Duplex>(connection: Connection, packetBytesMax: number): Connection => {
  const guard = new PacketGuard(packetBytesMax);
  const read = connection.read.bind(connection);
  connection.read = (size) => {
    const chunk: unknown = read(size);
    if (!(chunk instanceof Uint8Array) || guard.accepts(chunk)) return chunk;
    connection.destroy(new Error('packet too large'));
    return null;
  };
  return connection;
};
