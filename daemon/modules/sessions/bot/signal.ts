/** How good the sound of an utterance was. Pure. */

/** Magnitude from which a sample counts as clipped: codecs round full scale down a little. */
const fullScale = 32_700;
/** Level of digital silence, dBFS. */
const silenceDbfs = -96;

export interface TimeSpan {
  readonly startMs: number;
  readonly endMs: number;
}

/** RMS level and share of clipped samples of the frames with speech. */
export function levelOf(frames: readonly Int16Array[]): { levelDbfs: number; clippedShare: number } {
  let [samples, clipped, squares] = [0, 0, 0];
  for (const frame of frames) {
    samples += frame.length;
    for (const sample of frame) {
      squares += sample * sample;
      if (Math.abs(sample) >= fullScale) clipped++;
    }
  }
  if (squares === 0) return { levelDbfs: silenceDbfs, clippedShare: 0 };
  const level = 20 * Math.log10(Math.sqrt(squares / samples) / 32_768);
  return { levelDbfs: Math.round(level * 10) / 10, clippedShare: rounded(clipped / samples) };
}

/** Share of a span that the others cover together, 0–1. */
export function overlapShare({ startMs, endMs }: TimeSpan, others: readonly TimeSpan[]): number {
  if (endMs <= startMs) return 0;
  const inside = others
    .map((other) => ({ startMs: Math.max(startMs, other.startMs), endMs: Math.min(endMs, other.endMs) }))
    .filter((other) => other.endMs > other.startMs)
    .sort((a, b) => a.startMs - b.startMs);
  let [covered, until] = [0, startMs];
  for (const other of inside) {
    covered += Math.max(0, other.endMs - Math.max(until, other.startMs));
    until = Math.max(until, other.endMs);
  }
  return rounded(covered / (endMs - startMs));
}

/** Rounds a share to three digits. */
export const rounded = (share: number): number => Math.round(share * 1_000) / 1_000;
