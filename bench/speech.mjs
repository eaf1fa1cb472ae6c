// npm run bench -- speech [--clips FOLDER] [--language de] [--conditions] [--crowd] [--picture FILE] [--write]: each installed
// recogniser on Debian's clips, or on the recordings of a folder, as the bot hears them: Opus, cut into utterances, one after the other.
// --conditions measures wrong words with noise, from a quiet microphone, beside another voice and over a bad network; --crowd delays
// while 1 to 20 people speak without a pause. --write puts the tables and the picture into docs.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { loadVoiceActivity } from '#dist/daemon/modules/sessions/bot/voice-activity.js';
import { installedRecognisers } from '#dist/daemon/modules/sessions/speech-install/measure.js';
import { speechDirsOf } from '#dist/daemon/modules/sessions/speech-settings.js';
import { loadSettings } from '#dist/daemon/platform/config/load.js';
import { conditions, heardClips, measured } from './heard-speech.mjs';
import { ownClips } from './own-clips.mjs';
import { barsOf } from './picture.mjs';
import { crowdRows } from './speech-crowd.mjs';
import { clipSources, missingClips, spokenClips, speechDirs as testDirs } from './spoken-clips.mjs';
import { round } from './statistics.mjs';
import { writeTable } from './tables.mjs';

/** The most memory that the processes below this one have had, in MB; null: this system does not say. */
function memoryMb(pid = process.pid) {
  try {
    const below = readdirSync(`/proc/${pid}/task`).flatMap((thread) =>
      readFileSync(`/proc/${pid}/task/${thread}/children`, 'utf8').split(' ').filter(Boolean),
    );
    const own = (child) =>
      Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${child}/status`, 'utf8'))?.[1] ?? 0) / 1_000;
    return below.reduce((sum, child) => sum + own(child) + (memoryMb(child) ?? 0), 0);
  } catch {
    return null;
  }
}

const shown = (value, show) => (value === null ? '–' : show(value));
const figures = [
  { key: 'errorRate', title: 'Wrong words', show: (value) => `${round(value * 100, 1)} %` },
  { key: 'realTimeFactor', title: 'Real-time factor', show: (value) => value.toFixed(3) },
  { key: 'p50', title: 'Delay p50', show: (value) => `${round(value)} ms` },
  { key: 'p99', title: 'Delay p99', show: (value) => `${round(value)} ms` },
  { key: 'memory', title: 'Memory', show: (value) => `${round(value)} MB` },
];

/** Folders of `earshotd speech install`, and what `npm test` unpacks. */
function speechDirs() {
  const { settings } = loadSettings({ flags: undefined, file: undefined });
  return [...speechDirsOf(settings, resolve(settings.EARSHOT_DATA_DIR)), ...testDirs];
}

/** Shares of wrong words by condition, of a started recogniser. */
async function conditionRow({ name, transcriber }, clips, newDetector, language) {
  const row = { Recogniser: name };
  for (const condition of conditions) {
    const heard = await heardClips(clips, newDetector, condition);
    row[condition.title] = figures[0].show((await measured(transcriber, heard, language)).errorRate);
  }
  return row;
}

/** Has each recogniser of these work, and returns its row. */
async function rowsOf(recognisers, measure) {
  const rows = [];
  for (const recogniser of recognisers) {
    try {
      await recogniser.transcriber.start();
      rows.push(await measure(recogniser));
      console.log(`${recogniser.name}: measured`);
    } catch (error) {
      console.log(`${recogniser.name} does not work: ${error.message}`);
    } finally {
      await recogniser.transcriber.stop();
    }
  }
  return rows;
}

export async function run({ clips: folder, language, picture, write, conditions: isWorse, crowd: isCrowded }) {
  const missing = folder === undefined ? missingClips() : null;
  if (missing !== null) return console.log(`This bench wants recorded speech: \`${missing}\`, or --clips FOLDER.`);
  const newDetector = await loadVoiceActivity();
  const clips = folder === undefined ? spokenClips() : await ownClips(folder);
  const heard = await heardClips(clips, newDetector);
  const recognisers = await installedRecognisers(speechDirs());
  const rows = await rowsOf(recognisers, async ({ name, transcriber }) => ({
    ...{ name, ...(await measured(transcriber, heard, language)) },
    memory: memoryMb(),
  }));
  if (rows.length === 0) return console.log('No recogniser works here: `earshotd speech install`.');
  const source = folder === undefined ? clipSources() : basename(resolve(folder));
  const table = rows.map((row) => ({
    Recogniser: row.name,
    ...Object.fromEntries(figures.map(({ key, title, show }) => [title, shown(row[key], show)])),
  }));
  console.log(`${clips.length} recordings, ${rows[0].words} words (${source})`);
  console.table(table);
  const file = picture ?? (write ? 'docs/images/bench-speech.svg' : join(tmpdir(), 'earshot-bench-speech.svg'));
  writeFileSync(
    file,
    barsOf(`Recognisers on ${clips.length} recordings, ${rows[0].words} words (${source})`, rows, figures),
  );
  console.log(`The picture is in ${file}.`);
  if (write) writeTable('docs/voice.md', 'speech', table);
  const working = recognisers.filter(({ name }) => rows.some((row) => row.name === name));
  const show = (mark, found) => {
    console.table(found);
    if (write) writeTable('docs/performance.md', mark, found);
  };
  if (isWorse)
    show('speech-conditions', await rowsOf(working, (one) => conditionRow(one, clips, newDetector, language)));
  if (isCrowded) {
    const found = await rowsOf(working, (one) => crowdRows(one, heard, language));
    for (const part of ['delays', 'work'])
      show(
        `speech-crowd-${part}`,
        found.map((row) => row[part]),
      );
  }
}
