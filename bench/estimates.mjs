// npm run bench -- estimates [--write]: what the length of a line beside its sound, how well its text compresses, and how far the speech stands
// above the noise tell of whether it is right. --write puts the table into docs/decisions.md.
import { loadVoiceActivity } from '#dist/daemon/modules/sessions/bot/voice-activity.js';
import { installedRecognisers } from '#dist/daemon/modules/sessions/speech-install/measure.js';
import { conditions, heardClips, written } from './heard-speech.mjs';
import { estimateRows } from './line-estimates.mjs';
import { missingClips, speechDirs, spokenClips } from './spoken-clips.mjs';
import { showTable, writeTable } from './tables.mjs';

/** Clean, and where the most words are wrong. */
const measuredIn = ['As they are', 'White noise, 10 dB', 'Another voice, 10 dB'];

async function rowsOf({ name, transcriber }, heard) {
  await transcriber.start();
  try {
    for (const { utterances } of heard)
      for (const one of utterances) one.text = (await written(transcriber, one.pcm, 'en')).text;
  } finally {
    await transcriber.stop();
  }
  console.log(`${name}: measured`);
  return estimateRows(heard, name);
}

export async function run({ write }) {
  const missing = missingClips();
  if (missing !== null) return console.log(`This bench wants recorded speech: \`${missing}\`.`);
  const newDetector = await loadVoiceActivity();
  const heard = [];
  for (const condition of conditions.filter(({ title }) => measuredIn.includes(title)))
    heard.push(...(await heardClips(spokenClips(), newDetector, condition)));
  const rows = [];
  for (const one of (await installedRecognisers(speechDirs)).filter(({ name }) => name !== 'pocketsphinx'))
    rows.push(...(await rowsOf(one, heard)));
  showTable(rows);
  if (write) writeTable('docs/decisions.md', 'estimates', rows);
}
