// Numbers that can be had of any recogniser's lines, and how well each tells lines with wrong words from those without.
import { deflateSync } from 'node:zlib';
import { sampleRate } from '#dist/daemon/modules/sessions/recognisers/transcriber.js';
import { quantile, round } from './statistics.mjs';
import { rightWords } from './word-errors.mjs';

const frameSamples = sampleRate / 50;
/** Frames that are softer than the loudest by more are pauses. */
const pauseDb = 30;

function levelsOf(pcm) {
  const levels = [];
  for (let at = 0; at + frameSamples <= pcm.length; at += frameSamples) {
    const power = pcm.subarray(at, at + frameSamples).reduce((sum, sample) => sum + sample * sample, 0) / frameSamples;
    levels.push(10 * Math.log10(power + 1));
  }
  return levels;
}

/** Each is higher where a line is likelier to be right. */
const estimates = {
  'letters a second, from the usual': ({ text, pcm, usualRate }) => -Math.abs(Math.log(rateOf(text, pcm) / usualRate)),
  'compression ratio': ({ text }) => -Buffer.byteLength(text) / deflateSync(text).length,
  'speech above its noise': ({ pcm }) => {
    const levels = levelsOf(pcm);
    return quantile(levels, 0.9) - quantile(levels, 0.1);
  },
};

function rateOf(text, pcm) {
  const levels = levelsOf(pcm);
  const loud = levels.filter((level) => level > Math.max(...levels) - pauseDb).length / 50;
  return text.replaceAll(/\P{L}/gu, '').length / loud;
}

/** Lines with words of these clips, each with how many of its words were said. */
function linesOf(clips) {
  return clips.flatMap(({ words, utterances }) => {
    const right = rightWords(words, utterances.map(({ text }) => text).join(' '));
    return utterances.flatMap(({ pcm, text }) => {
      const own = right.splice(0, rightWords('', text).length);
      return own.length === 0 ? [] : [{ text, pcm, all: own.length, right: own.filter(Boolean).length }];
    });
  });
}

const percent = (share) => (Number.isNaN(share) ? '–' : `${round(share * 100, 1)} %`);

/** Of pairs of a line without wrong words and one with some, the share in which the first has the higher number; half of those alike. */
function ordered(lines) {
  const [whole, wrong] = [true, false].map((isWhole) => lines.filter(({ all, right }) => (all === right) === isWhole));
  const points = whole.flatMap((one) => wrong.map((other) => (Math.sign(one.number - other.number) + 1) / 2));
  return points.reduce((sum, point) => sum + point, 0) / points.length;
}

/** A row for each estimate: how it orders lines, and the share of right words in the lines with its lowest, middle and highest numbers. */
export function estimateRows(clips, name) {
  const found = linesOf(clips);
  const usualRate = quantile(
    found.map(({ text, pcm }) => rateOf(text, pcm)),
    0.5,
  );
  return Object.entries(estimates).map(([estimate, numberOf]) => {
    const lines = found
      .map((line) => ({ ...line, number: numberOf({ ...line, usualRate }) }))
      .toSorted((one, other) => one.number - other.number);
    const third = (part) =>
      lines.slice(Math.round((part * lines.length) / 3), Math.round(((part + 1) * lines.length) / 3));
    const share = (some) =>
      percent(some.reduce((sum, { right }) => sum + right, 0) / some.reduce((sum, { all }) => sum + all, 0));
    return {
      ...{ Writes: name.replace('sherpa-onnx-', ''), Estimate: estimate, 'Pairs in order': percent(ordered(lines)) },
      'Right words, lowest third': share(third(0)),
      'Middle third': share(third(1)),
      'Highest third': share(third(2)),
    };
  });
}
