// Recorded speech with its words, from Debian's pocketsphinx-testdata, and how many words a recogniser got wrong.
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { readWav } from '#dist/src/voice.js';

const packaged = '/usr/share/pocketsphinx/test/data';
/** `npm test` unpacks them there. */
const unpacked = fileURLToPath(new URL(`../test/.cache/speech/clips${packaged}`, import.meta.url));
/** Folders of recognisers: those that `npm test` unpacks; the system's own is found without. */
export const speechDirs = [fileURLToPath(new URL('../test/.cache/speech/data/speech', import.meta.url))];
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

export const spokenClips = () => [
  { words: 'go forward ten meters', recording: raw('goforward') },
  ...transcribed('cards', 'cards/cards.transcription'),
  ...transcribed('librivox', 'librivox/transcription'),
];

/** Writing without spaces between words: each sign counts as one. */
const signs = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]\p{M}*/gu;
const wordsOf = (text) =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll('’', "'")
    .replace(signs, ' $& ')
    .split(/[^\p{L}\p{M}\p{N}']+/u)
    .filter(Boolean);

/** Words replaced, left out or put in (Levenshtein), and how many there are. */
export function wordErrors(spoken, heard) {
  const [reference, found] = [wordsOf(spoken), wordsOf(heard)];
  let above = Array.from({ length: found.length + 1 }, (_, index) => index);
  for (const [row, word] of reference.entries()) {
    const here = [row + 1];
    for (const [column, other] of found.entries())
      here.push(Math.min(above[column] + (word === other ? 0 : 1), above[column + 1] + 1, here[column] + 1));
    above = here;
  }
  return { errors: above.at(-1), words: reference.length };
}
