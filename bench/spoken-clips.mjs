// Recorded speech with its words, from Debian's pocketsphinx-testdata and, where the suites have fetched it, moonshine-voice.
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { readWav } from '#dist/src/voice.js';

const packaged = '/usr/share/pocketsphinx/test/data';
/** `npm test` unpacks them there. */
const unpacked = fileURLToPath(new URL(`../test/.cache/speech/clips${packaged}`, import.meta.url));
/** Folders of recognisers: those that `npm test` and `npm run test:peers` make; the system's own is found without. */
export const speechDirs = [
  ...['.cache/speech/data/speech', '.cache/moonshine-base', '.cache/moonshine-tiny', 'peers/whisper/.installed'],
].map((name) => fileURLToPath(new URL(`../test/${name}`, import.meta.url)));
const folder = existsSync(packaged) ? packaged : unpacked;

/** The command that brings the clips; null: they are there. */
export const missingClips = () =>
  existsSync(`${folder}/goforward.raw`) ? null : 'apt-get install pocketsphinx-testdata';

/** Everything the voice bench wants of the machine; what is missing, with the command that brings it. */
export function missingSpeech() {
  const wanted = {
    'pocketsphinx-testdata': `${folder}/goforward.raw`,
    'pocketsphinx-en-us': '/usr/share/pocketsphinx/model/en-us/en-us',
    pocketsphinx: '/usr/bin/pocketsphinx_batch',
  };
  const missing = Object.keys(wanted).filter((name) => !existsSync(wanted[name]));
  return missing.length === 0 ? null : `apt-get install ${missing.join(' ')}`;
}

/** Lines such as `<s> ten of clubs  </s> (001)`. */
const transcribed = (place, file) =>
  [...readFileSync(`${folder}/${file}`, 'utf8').matchAll(/^<s> (.*?)\s*<\/s> \((.*)\)$/gm)].map(([, words, name]) => ({
    words,
    recording: readWav(readFileSync(`${folder}/${place}/${name}.wav`)),
  }));

/** Samples of 16 bits at 16 kHz without a header. */
function raw(name) {
  const bytes = readFileSync(`${folder}/${name}.raw`);
  const at = (index) => (index >= 0 && index * 2 < bytes.length ? bytes.readInt16LE(index * 2) / 32_768 : 0);
  return { rate: 16_000, length: bytes.length >> 1, at };
}

/** Recordings of the Python package moonshine-voice; none, where no suite has fetched them. */
function moonshineClips() {
  const at = (name) => new URL(`../test/.cache/moonshine-voice/${name}.wav`, import.meta.url);
  const texts = JSON.parse(readFileSync(new URL('../test/support/moonshine-clips.json', import.meta.url), 'utf8'));
  return Object.entries(texts)
    .filter(([name]) => existsSync(at(name)))
    .map(([name, words]) => ({ words, recording: readWav(readFileSync(at(name))) }));
}

/** Where the clips are from. */
export const clipSources = () =>
  ["Debian's pocketsphinx-testdata", ...(moonshineClips().length > 0 ? ['moonshine-voice'] : [])].join(' and ');

export const spokenClips = () => [
  { words: 'go forward ten meters', recording: raw('goforward') },
  ...transcribed('cards', 'cards/cards.transcription'),
  ...transcribed('librivox', 'librivox/transcription'),
  ...moonshineClips(),
];
