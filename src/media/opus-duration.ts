/** How long the sound of an Opus packet lasts, without decoding it (RFC 6716, section 3). Pure. */

export const longestPacketMs = 120;

/** Frame sizes by the upper five bits of the first byte: SILK, hybrid, CELT. */
const frameMs = (config: number): number => {
  if (config < 12) return [10, 20, 40, 60][config & 3] ?? 60;
  if (config < 16) return [10, 20][config & 1] ?? 20;
  return [2.5, 5, 10, 20][config & 3] ?? 20;
};

/**
 * Milliseconds of a packet; more than `longestPacketMs` where it breaks the format.
 * @param open the packet in clear, for the few whose second byte counts the frames; null: it cannot be read
 */
export function opusDurationMs(payload: Uint8Array, open: () => Uint8Array | null = () => payload): number {
  const first = payload[0] ?? 0;
  const code = first & 3;
  if (code < 3) return frameMs(first >> 3) * (code === 0 ? 1 : 2);
  const count = open()?.[1];
  return count === undefined ? longestPacketMs : frameMs(first >> 3) * (count & 0x3f);
}
