/** How much of a list fits in an answer. */

/** Bytes of rows in one answer; the list goes on in the next one. */
const pageBytesMax = 2 * 1024 * 1024;

export class WithinBytes {
  private takenBytes = 0;

  constructor(private readonly bytesMax = pageBytesMax) {}

  get left(): number {
    return this.bytesMax - this.takenBytes;
  }

  /** Counts the bytes; false: they do not fit. The first ones always fit, so that a list goes on. */
  reserve(bytes: number): boolean {
    if (this.takenBytes > 0 && bytes > this.left) return false;
    this.takenBytes += bytes;
    return true;
  }
}

export const bytesOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value) ?? '');
