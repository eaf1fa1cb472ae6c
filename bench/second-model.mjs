// npm run bench -- second-model [--write]: whether a second recogniser helps Moonshine base where that answers an utterance with nothing; and how
// much surer a word is that is written again: by another model, or by the same one that hears the utterance five per cent faster.
import { loadVoiceActivity } from '#dist/daemon/modules/sessions/bot/voice-activity.js';
import { sampleRate } from '#dist/daemon/modules/sessions/recognisers/transcriber.js';
import { installedRecognisers } from '#dist/daemon/modules/sessions/speech-install/measure.js';
import { conditions, heardClips, written } from './heard-speech.mjs';
import { missingClips, speechDirs, spokenClips } from './spoken-clips.mjs';
import { round } from './statistics.mjs';
import { showTable, writeTable } from './tables.mjs';
import { rightWords, wordErrors } from './word-errors.mjs';

const firstName = 'moonshine-base';
const speed = 1.05;
const lossMeasured = [0, 0.2];
const percent = (share) => (Number.isNaN(share) ? '–' : `${round(share * 100, 1)} %`);
const shortName = (name) => name.replace('sherpa-onnx-', '');

function faster(pcm) {
  return Int16Array.from({ length: Math.floor(pcm.length / speed) }, (_, index) => {
    const place = index * speed;
    const [before, part] = [Math.floor(place), place % 1];
    return Math.round((pcm[before] ?? 0) * (1 - part) + (pcm[before + 1] ?? 0) * part);
  });
}

/** Adds to each utterance what a recogniser writes of it, as it is and faster, and how long it takes. */
async function writeAll({ name, transcriber }, heard) {
  await transcriber.start();
  let [workMs, soundMs] = [0, 0];
  try {
    for (const { clips } of heard)
      for (const { utterances } of clips)
        for (const one of utterances) {
          const began = performance.now();
          const { text } = await written(transcriber, one.pcm, 'en');
          workMs += performance.now() - began;
          soundMs += (one.pcm.length * 1_000) / sampleRate;
          const again = (await written(transcriber, faster(one.pcm), 'en')).text;
          one.texts = { ...one.texts, [name]: text, [`${name}, faster`]: again };
        }
  } finally {
    await transcriber.stop();
  }
  console.log(`${name}: ${round(workMs / soundMs, 3)} seconds for one of speech`);
}

/** Share of wrong words of clips, of whose utterances each has this text. */
function wrongShare(clips, textOf) {
  const counted = clips.map(({ words, utterances }) => wordErrors(words, utterances.map(textOf).join(' ')));
  const sum = (key) => counted.reduce((total, one) => total + one[key], 0);
  return sum('errors') / sum('words');
}

/** Words of the first that the second wrote, too, and the others: how many, and how many of them were said. */
function agreementOf(clips, first, second) {
  const counts = { same: { all: 0, right: 0 }, other: { all: 0, right: 0 } };
  for (const { words, utterances } of clips) {
    const textBy = (name) => utterances.map(({ texts }) => texts[name]).join(' ');
    const right = rightWords(words, textBy(first));
    const same = rightWords(textBy(second), textBy(first));
    for (const [place, isRight] of right.entries()) {
      const count = counts[same[place] ? 'same' : 'other'];
      count.all += 1;
      if (isRight) count.right += 1;
    }
  }
  return counts;
}

function agreementRow(clips, first, second) {
  const { same, other } = agreementOf(clips, first, second);
  const [wrongSame, wrongOther] = [same.all - same.right, other.all - other.right];
  return {
    Writes: shortName(first),
    'Writes again': second.startsWith(first) ? 'the same, 5 % faster' : shortName(second),
    'Written twice: words, of these said': `${same.all}, ${percent(same.right / same.all)}`,
    'Once: words, of these said': `${other.all}, ${percent(other.right / other.all)}`,
    'Wrong words found': percent(wrongOther / (wrongSame + wrongOther)),
  };
}

export async function run({ write }) {
  const missing = missingClips();
  if (missing !== null) return console.log(`This bench wants recorded speech: \`${missing}\`.`);
  const recognisers = (await installedRecognisers(speechDirs)).filter(({ name }) => name !== 'pocketsphinx');
  if (!recognisers.some(({ name }) => name === firstName)) return console.log(`This bench wants ${firstName}.`);
  const newDetector = await loadVoiceActivity();
  const heard = [];
  for (const condition of conditions.filter(({ loss }) => lossMeasured.includes(loss)))
    heard.push({ title: condition.title, clips: await heardClips(spokenClips(), newDetector, condition) });
  for (const recogniser of recognisers) await writeAll(recogniser, heard);
  const names = recognisers.map(({ name }) => name);
  const others = names.filter((name) => name !== firstName);
  const rows = heard.map(({ title, clips }) => {
    const utterances = clips.flatMap((clip) => clip.utterances);
    const empty = utterances.filter(({ texts }) => texts[firstName] === '');
    const helped = others.map((name) => [
      `${shortName(name)} where it is empty`,
      percent(wrongShare(clips, ({ texts }) => texts[firstName] || texts[name])),
    ]);
    return {
      Condition: title,
      'Empty answers': `${empty.length} of ${utterances.length}`,
      [`Wrong words of ${firstName}`]: percent(wrongShare(clips, ({ texts }) => texts[firstName])),
      ...Object.fromEntries(helped),
    };
  });
  showTable(rows);
  const all = heard.flatMap(({ clips }) => clips);
  const pairs = [...others.map((name) => [firstName, name]), ...names.map((name) => [name, `${name}, faster`])];
  const agreements = pairs.map(([first, second]) => agreementRow(all, first, second));
  showTable(agreements);
  if (!write) return;
  writeTable('docs/decisions.md', 'second-model', rows);
  writeTable('docs/decisions.md', 'second-model-agreement', agreements);
}
