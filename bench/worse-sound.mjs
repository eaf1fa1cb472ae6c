// Recordings as they sound with noise, with somebody else beside the microphone, or from a quiet one.
import { chanceOf } from '#dist/daemon/commands/simulator/chance.js';

/** Root of the mean square of what is louder than silence. */
function loudnessOf({ length, at }) {
  const squares = Array.from({ length }, (_, index) => at(index) ** 2).filter((square) => square > 1e-6);
  return Math.sqrt(squares.reduce((sum, square) => sum + square, 0) / Math.max(1, squares.length));
}

const factorOf = (decibels) => 10 ** (decibels / 20);

/** With white noise this much softer than the speech. */
export function noisy(recording, decibels) {
  // The mean square of numbers between -1 and 1 is a third.
  const peak = loudnessOf(recording) * factorOf(-decibels) * Math.sqrt(3);
  const random = chanceOf(recording.length);
  const noise = Array.from({ length: recording.length }, () => peak * (2 * random() - 1));
  return { ...recording, at: (index) => recording.at(index) + (noise[index] ?? 0) };
}

/** With speech of this loudness, in dBFS. */
export function quiet(recording, decibels) {
  const factor = factorOf(decibels) / loudnessOf(recording);
  return { ...recording, at: (index) => recording.at(index) * factor };
}

/** With another recording, again and again, this much softer, as one microphone hears both. */
export function besides(recording, other, decibels) {
  const factor = (loudnessOf(recording) / loudnessOf(other)) * factorOf(-decibels);
  const otherAt = (index) => other.at(Math.floor((index * other.rate) / recording.rate) % other.length);
  return {
    ...recording,
    at: (index) => recording.at(index) + (index < recording.length ? factor * otherAt(index) : 0),
  };
}

const rate = 16_000;
const burst = (seconds, lasting) => (seconds < 0 ? 0 : Math.exp(-seconds / lasting));

/** Loudness between -1 and 1 of what is heard in games besides people, by name; each from a beginning of its own. */
const sounds = {
  'White noise': () => {
    const random = chanceOf(1);
    return () => 2 * random() - 1;
  },
  Music: () => (seconds) => {
    const step = 1 + (Math.floor(seconds * 2) % 4) / 6;
    return [220, 277, 330].reduce((sum, hz) => sum + Math.sin(2 * Math.PI * hz * step * seconds) / 3, 0);
  },
  Keyboard: () => {
    const random = chanceOf(2);
    let pressedAt = 0;
    return (seconds) => {
      if (seconds - pressedAt > 0.1 && random() < 1 / 1_600) pressedAt = seconds;
      return burst(seconds - pressedAt, 0.008) * (2 * random() - 1);
    };
  },
  'Game sounds': () => {
    const random = chanceOf(3);
    let shotAt = 0;
    let low = 0;
    return (seconds) => {
      if (seconds - shotAt > 0.3 && random() < 1 / 8_000) shotAt = seconds;
      const white = 2 * random() - 1;
      low += (white - low) / 40; // a rumble below 100 Hz or so
      const whistle = 0.2 * Math.sin(2 * Math.PI * (700 + 500 * Math.sin(2 * Math.PI * 1.5 * seconds)) * seconds);
      return 0.8 * burst(seconds - shotAt, 0.15) * white + low + whistle;
    };
  },
};

/** The sounds, each for so many seconds. */
export const gameSounds = (seconds) =>
  Object.entries(sounds).map(([name, begin]) => {
    const next = begin();
    const samples = Float32Array.from({ length: seconds * rate }, (_, index) => 0.3 * next(index / rate));
    return { name, recording: { rate, length: samples.length, at: (index) => samples[index] ?? 0 } };
  });
