/**
 * Voices that a test can tell apart: recorded speech with a tone of its own beneath, as loud as the speech is at the time.
 */
import { sampleRate } from '../../daemon/modules/sessions/recognisers/transcriber.js';

const lowestHz = 3_200;
const stepHz = 170;
const envelopeSamples = sampleRate / 50;
/** Part of the strongest tone that the next may have: more is the sound of two people. */
const otherMax = 0.5;
export const voicesMax = 20;

const frequency = (voice: number): number => lowestHz + voice * stepHz;

/** The recording as this voice says it. */
export function markedVoice(pcm: Int16Array, voice: number): Int16Array {
  const turn = (2 * Math.PI * frequency(voice)) / sampleRate;
  let envelope = 0;
  return pcm.map((sample, index) => {
    envelope += (Math.abs(sample) - envelope) / envelopeSamples;
    return Math.max(-32_768, Math.min(32_767, Math.round(sample * 0.7 + envelope * 0.7 * Math.sin(turn * index))));
  });
}

/** Number of the voice in this sound; null: of none, or of several. */
export function voiceIn(pcm: Int16Array): number | null {
  const [first, second] = Array.from({ length: voicesMax }, (_, voice) => ({ voice, power: powerAt(pcm, voice) })).sort(
    (a, b) => b.power - a.power,
  );
  if (first === undefined || second === undefined || second.power > first.power * otherMax) return null;
  return first.voice;
}

/** Goertzel in pieces of 20 ms, so that gaps in the sound do no harm. */
function powerAt(pcm: Int16Array, voice: number): number {
  const coefficient = 2 * Math.cos((2 * Math.PI * frequency(voice)) / sampleRate);
  let sum = 0;
  for (let offset = 0; offset + envelopeSamples <= pcm.length; offset += envelopeSamples) {
    let [before, last] = [0, 0];
    for (let index = offset; index < offset + envelopeSamples; index++)
      [before, last] = [last, (pcm[index] ?? 0) + coefficient * last - before];
    sum += before * before + last * last - coefficient * before * last;
  }
  return sum;
}
