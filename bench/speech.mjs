// npm run bench -- speech [--clips FOLDER] [--language de] [--picture FILE] [--write]: each installed recogniser on Debian's clips, or
// on the recordings of a folder, as the bot hears them: Opus, cut into utterances, one after the other. --write puts the table and
// the picture into docs.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { OpusDecoder } from '#dist/daemon/modules/sessions/bot/opus.js';
import { SpeakerStream } from '#dist/daemon/modules/sessions/bot/speaker.js';
import { frameMs, loadVoiceActivity } from '#dist/daemon/modules/sessions/bot/voice-activity.js';
import { sampleRate } from '#dist/daemon/modules/sessions/recognisers/transcriber.js';
import { installedRecognisers } from '#dist/daemon/modules/sessions/speech-install/measure.js';
import { speechDirsOf } from '#dist/daemon/modules/sessions/speech-settings.js';
import { loadSettings } from '#dist/daemon/platform/config/load.js';
import { speechFrames } from '#dist/src/voice.js';
import { ownClips } from './own-clips.mjs';
import { barsOf } from './picture.mjs';
import { clipSources, missingClips, spokenClips, speechDirs as testDirs } from './spoken-clips.mjs';
import { quantile, round } from './statistics.mjs';
import { writeTable } from './tables.mjs';
import { wordErrors } from './word-errors.mjs';

/** Lets the bot notice that somebody has finished. */
const silenceMs = 1_000;
const ticksPerFrame = frameMs * 48;
const patienceMs = 240_000;

/** Utterances of a recording, each with how much later than its end the bot has all of it. */
async function utterancesOf({ recording }, newDetector) {
  const packets = [...speechFrames(recording, silenceMs)].map(({ opus }, index) => ({
    ...{ externalUserId: 'speaker', publicationId: 'speaker', audible: true, arrivedAtMs: (index + 1) * frameMs },
    ...{ sequence: index & 0xffff, timestamp: (index * ticksPerFrame) >>> 0, payload: opus },
  }));
  const stream = new SpeakerStream(packets[0], newDetector(), await OpusDecoder.create(), () => null, {});
  const heard = packets.flatMap((packet) =>
    stream.onPacket(packet).map(({ pcm, endMs }) => ({ pcm, waitedMs: packet.arrivedAtMs - endMs })),
  );
  const rest = stream.flush().map(({ pcm, endMs }) => ({ pcm, waitedMs: packets.at(-1).arrivedAtMs - endMs }));
  stream.close();
  return [...heard, ...rest];
}

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

async function measured(transcriber, clips, language) {
  let [errors, words, workMs, soundMs] = [0, 0, 0, 0];
  const delays = [];
  for (const clip of clips) {
    const texts = [];
    for (const { pcm, waitedMs } of clip.utterances) {
      const began = performance.now();
      const { text } = await transcriber.transcribe(pcm, { signal: AbortSignal.timeout(patienceMs), language });
      const tookMs = performance.now() - began;
      texts.push(text);
      workMs += tookMs;
      soundMs += (pcm.length / sampleRate) * 1_000;
      delays.push(waitedMs + tookMs);
    }
    const counted = wordErrors(clip.words, texts.join(' '));
    errors += counted.errors;
    words += counted.words;
  }
  return {
    ...{ words, errorRate: errors / words, realTimeFactor: soundMs === 0 ? null : workMs / soundMs },
    ...{ p50: quantile(delays, 0.5) ?? null, p99: quantile(delays, 0.99) ?? null, memory: memoryMb() },
  };
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

export async function run({ clips: folder, language, picture, write }) {
  const missing = folder === undefined ? missingClips() : null;
  if (missing !== null) return console.log(`This bench wants recorded speech: \`${missing}\`, or --clips FOLDER.`);
  const newDetector = await loadVoiceActivity();
  const clips = folder === undefined ? spokenClips() : await ownClips(folder);
  for (const clip of clips) clip.utterances = await utterancesOf(clip, newDetector);
  const rows = [];
  for (const { name, transcriber } of await installedRecognisers(speechDirs())) {
    try {
      await transcriber.start();
      rows.push({ name, ...(await measured(transcriber, clips, language)) });
      console.log(`${name}: measured`);
    } catch (error) {
      console.log(`${name} does not work: ${error.message}`);
    } finally {
      await transcriber.stop();
    }
  }
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
}
