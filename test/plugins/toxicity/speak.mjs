/**
 * Makes the lines of source `speech` in lines.tsv and held-out.tsv: espeak-ng says what the fifth column holds in the
 * voice of the sixth, and the recogniser of the repository writes into the fourth what it hears. Needs
 * `apt-get install espeak-ng`, `earshotd speech install` and `npm run build`:
 *
 *     node test/plugins/toxicity/speak.mjs test/plugins/toxicity/lines.tsv
 *
 * The label is a person's judgement of what was heard: where something new was heard, it is judged again.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { PocketsphinxTranscriber } from '../../../dist/daemon/modules/sessions/recognisers/pocketsphinx.js';
import { Resampler } from '../../../dist/src/client/voice/resampler.js';
import { readWav } from '../../../dist/src/client/voice/wav-file.js';

/** The recogniser's rate is a third of the resampler's, which is 48 kHz. */
const third = 3;
const pause = 16_000 / 4;
const wordsPerMinute = '120';
const speechDirs = ['../../../data/speech', '../../.cache/speech/data/speech'].map((path) =>
  fileURLToPath(new URL(path, import.meta.url)),
);

const recogniser = new PocketsphinxTranscriber({ speechDirs, decoders: 1 });
await recogniser.start();
try {
  for (const file of process.argv.slice(2)) await hearFile(file);
} finally {
  await recogniser.stop();
}

async function hearFile(file) {
  const rows = readFileSync(file, 'utf8').split('\n');
  let changed = 0;
  for (const [index, row] of rows.entries()) {
    const [label, source, category, line, spoken, voice] = row.split('\t');
    if (source !== 'speech') continue;
    const { text } = await recogniser.transcribe(say(spoken, voice), { signal: AbortSignal.timeout(60_000) });
    rows[index] = [label, source, category, text, spoken, voice].join('\t');
    if (text !== line) changed += 1;
  }
  writeFileSync(file, rows.join('\n'));
  console.log(`${file}: ${changed} lines were heard differently than before.`);
}

function say(words, voice) {
  const options = ['-v', voice, '-s', wordsPerMinute, '--stdout', words];
  const resampler = new Resampler(readWav(withLengths(execFileSync('espeak-ng', options))));
  const fast = resampler.read(0, resampler.length);
  const samples = new Int16Array(Math.floor(fast.length / third) + 2 * pause);
  for (let index = 0; index < fast.length - third; index += third)
    samples[pause + index / third] = Math.round((fast[index] + fast[index + 1] + fast[index + 2]) / third);
  return samples;
}

/** espeak-ng writes to a pipe without knowing how much will follow. */
function withLengths(wav) {
  wav.writeUInt32LE(wav.length - 8, 4);
  wav.writeUInt32LE(wav.length - 44, 40);
  return wav;
}
