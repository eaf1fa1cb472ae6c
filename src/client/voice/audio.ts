/** The shape of sound in rooms: mono, 48 kHz, one Opus frame a packet. */
export const sampleRate = 48_000;
export const frameMs = 20;
export const frameSamples = (sampleRate / 1_000) * frameMs;

/** Loudness as RFC 6464 tells it: -dBov, 0 loudest to 127 silent. */
export function audioLevel(pcm: Int16Array): number {
  let energy = 0;
  for (const sample of pcm) energy += sample * sample;
  if (energy === 0) return 127;
  const dbov = 10 * Math.log10(energy / pcm.length / 32_768 ** 2);
  return Math.min(127, Math.max(0, Math.round(-dbov)));
}
