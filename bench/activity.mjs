// npm run bench -- activity [--denoiser FILE] [--write]: how much speech each detector loses, how much of what is heard in games it takes
// for speech, and what it costs. --denoiser is rnnoise.js of the npm package @shiguredo/rnnoise-wasm (`npm pack` fetches it): prints wrong
// words with and without it before the recogniser.
import { resolve } from 'node:path';
import fvad from '@echogarden/fvad-wasm';
import { Segmenter } from '#dist/daemon/modules/sessions/bot/segmenter.js';
import { frameMs, frameSamples, loadVoiceActivity } from '#dist/daemon/modules/sessions/bot/voice-activity.js';
import { sileroIn } from '#dist/daemon/modules/sessions/recognisers/sherpa-model.js';
import { SpeechSpans } from '#dist/daemon/modules/sessions/recognisers/speech-spans.js';
import { sampleRate } from '#dist/daemon/modules/sessions/recognisers/transcriber.js';
import { installedRecognisers } from '#dist/daemon/modules/sessions/speech-install/measure.js';
import { installedModels } from '#dist/daemon/modules/sessions/speech-install/places.js';
import { heardClips, measured, plain } from './heard-speech.mjs';
import { missingClips, speechDirs, spokenClips } from './spoken-clips.mjs';
import { median, round } from './statistics.mjs';
import { showTable, writeTable } from './tables.mjs';
import { besides, gameSounds } from './worse-sound.mjs';

const soundSeconds = 20;
const decibels = 10;
/** Frames of a clean clip as loud as this share of its loud ones are speech (30 dB below); softer ones may be anything. */
const speechShare = 1e-3;
const percent = (share) => `${round(share * 100, 1)} %`;

const pcmOf = ({ rate, length, at }) =>
  Int16Array.from({ length: Math.floor((length * sampleRate) / rate) }, (_, index) => {
    const sample = at(Math.floor((index * rate) / sampleRate));
    return Math.round(Math.max(-1, Math.min(1, sample)) * 32_767);
  });

const framesOf = (pcm) =>
  Array.from({ length: Math.floor(pcm.length / frameSamples) }, (_, index) =>
    pcm.subarray(index * frameSamples, (index + 1) * frameSamples),
  );
const powerOf = (frame) => frame.reduce((sum, sample) => sum + sample * sample, 0) / frame.length;

/** Frames in which somebody speaks, of a clean clip. */
function speechIn(pcm) {
  const powers = framesOf(pcm).map(powerOf);
  const loud = Float64Array.from(powers).sort()[Math.floor(powers.length * 0.95)];
  return powers.map((power) => power >= loud * speechShare);
}

/** Marks the frames by WebRTC's detector. */
function webrtc(module, mode) {
  const shared = module._malloc(frameSamples * 2);
  return (pcm) => {
    const handle = module._fvad_new();
    module._fvad_set_mode(handle, mode);
    module._fvad_set_sample_rate(handle, sampleRate);
    const marks = framesOf(pcm).map((frame) => {
      module.HEAP16.set(frame, shared / 2);
      return module._fvad_process(handle, shared, frameSamples) === 1;
    });
    module._fvad_free(handle);
    return marks;
  };
}

/** What the bot cuts out of the sound by WebRTC's detector. */
const cutting = (newDetector) => (pcm) => {
  const detector = newDetector();
  const segmenter = new Segmenter();
  const frames = framesOf(pcm);
  const marks = frames.map(() => false);
  const mark = (segment) => {
    if (segment === null) return;
    const from = Math.round(segment.audioStartMs / frameMs);
    marks.fill(true, from, from + Math.ceil(segment.pcm.length / frameSamples));
  };
  for (const [index, frame] of frames.entries())
    mark(segmenter.push({ pcm: frame, atMs: index * frameMs, latenessMs: 0, voiced: detector.isSpeech(frame) }));
  mark(segmenter.flush());
  detector.close();
  return marks;
};

/** What Silero's detector leaves for the recogniser. */
const silero = (spans) => (pcm) => {
  const marks = framesOf(pcm).map(() => false);
  const samples = Float32Array.from(pcm, (sample) => sample / 32_768);
  for (const { start, end } of spans.find(samples))
    marks.fill(true, Math.floor(start / frameSamples), Math.ceil(end / frameSamples));
  return marks;
};

/** The one after the other, as the bot has it: Silero hears what was cut out. */
const both = (cut, clean) => (pcm) => {
  const marks = cut(pcm);
  const out = marks.map(() => false);
  for (let from = marks.indexOf(true); from !== -1; ) {
    const end = marks.indexOf(false, from);
    const to = end === -1 ? marks.length : end;
    for (const [index, isSpeech] of clean(pcm.slice(from * frameSamples, to * frameSamples)).entries())
      out[from + index] = isSpeech;
    from = marks.indexOf(true, to);
  }
  return out;
};

const shareOf = (marks, isCounted, isWanted) => {
  const counted = marks.filter((_, index) => isCounted(index));
  return { all: counted.length, found: counted.filter((mark) => mark === isWanted).length };
};

function rowOf({ name, detect }, clips, sounds) {
  const lostIn = (sound) => {
    const found = clips.map(({ recording, speech }) =>
      shareOf(detect(pcmOf(sound(recording))), (index) => speech[index] === true, false),
    );
    const sum = (key) => found.reduce((total, one) => total + one[key], 0);
    return percent(sum('found') / sum('all'));
  };
  const passed = sounds.map((sound) => {
    const marks = detect(pcmOf(sound.recording));
    return [`${sound.name} passed`, percent(marks.filter(Boolean).length / marks.length)];
  });
  const pcm = pcmOf(clips[0].recording);
  const times = Array.from({ length: 30 }, () => {
    const began = process.cpuUsage();
    detect(pcm);
    const { user, system } = process.cpuUsage(began);
    return (user + system) / 1e6 / (pcm.length / sampleRate);
  });
  return {
    Detector: name,
    'Speech lost': lostIn((recording) => recording),
    ...Object.fromEntries(
      sounds.map((sound) => [
        `Speech lost beside ${sound.name.toLowerCase()}, ${decibels} dB`,
        lostIn((recording) => besides(recording, sound.recording, decibels)),
      ]),
    ),
    ...Object.fromEntries(passed),
    'Of a core for one speaker': `${round(median(times) * 100, 2)} %`,
  };
}

/** Figures as rows, detectors as columns. */
const turned = (rows) =>
  Object.keys(rows[0])
    .slice(1)
    .map((figure) => ({ Figure: figure, ...Object.fromEntries(rows.map((row) => [row.Detector, row[figure]])) }));

/** A recording that RNNoise has heard, which wants frames of 10 ms at 48 kHz. */
function denoised(rnnoise, { rate, length, at }) {
  const wide = 48_000;
  const state = rnnoise.createDenoiseState();
  const { frameSize } = rnnoise;
  const out = new Float32Array(Math.ceil((length * wide) / rate / frameSize) * frameSize);
  for (let from = 0; from < out.length; from += frameSize) {
    const frame = Float32Array.from({ length: frameSize }, (_, n) => {
      const place = ((from + n) * rate) / wide;
      const [before, part] = [Math.floor(place), place % 1];
      return (at(before) * (1 - part) + at(before + 1) * part) * 32_768;
    });
    state.processFrame(frame);
    out.set(frame, from);
  }
  state.destroy();
  const step = wide / rate;
  const narrow = Float32Array.from({ length }, (_, index) => {
    const [from, to] = [Math.floor(index * step), Math.floor((index + 1) * step)];
    return out.subarray(from, Math.max(to, from + 1)).reduce((sum, sample) => sum + sample, 0) / Math.max(1, to - from);
  });
  return { rate, length, at: (index) => (narrow[index] ?? 0) / 32_768 };
}

async function denoiserRows(file, sounds, newDetector) {
  globalThis.window ??= globalThis; // it refuses to run outside a browser, and needs nothing of one
  const { Rnnoise } = await import(resolve(file));
  const rnnoise = await Rnnoise.load();
  const worse = [
    { title: 'As they are', sound: (recording) => recording },
    ...sounds.map(({ name, recording: other }) => ({
      title: `${name}, ${decibels} dB`,
      sound: (recording) => besides(recording, other, decibels),
    })),
  ];
  const rows = [];
  for (const { name, transcriber } of await installedRecognisers(speechDirs)) {
    if (!name.startsWith('moonshine')) continue;
    await transcriber.start();
    for (const isDenoised of [false, true]) {
      const row = { Recogniser: isDenoised ? `${name}, RNNoise before it` : name };
      for (const { title, sound } of worse) {
        const changed = (recording) => (isDenoised ? denoised(rnnoise, sound(recording)) : sound(recording));
        const heard = await heardClips(spokenClips(), newDetector, { ...plain, sound: changed });
        row[title] = percent((await measured(transcriber, heard, 'en')).errorRate);
      }
      rows.push(row);
    }
    await transcriber.stop();
  }
  return rows;
}

export async function run({ denoiser, write }) {
  const missing = missingClips();
  if (missing !== null) return console.log(`This bench wants recorded speech: \`${missing}\`.`);
  const folders = await Promise.all((await installedModels(speechDirs)).map((folder) => sileroIn(folder)));
  const model = folders.find((file) => file !== null);
  if (model === undefined) return console.log('This bench wants Silero’s detector: `earshotd speech install`.');
  const sounds = gameSounds(soundSeconds);
  const clips = spokenClips().map(({ recording }) => ({ recording, speech: speechIn(pcmOf(recording)) }));
  const [module, newDetector, spans] = [await fvad(), await loadVoiceActivity(), new SpeechSpans(model)];
  const [cut, clean] = [cutting(newDetector), silero(spans)];
  const detectors = [
    { name: "WebRTC's, mode 2", detect: webrtc(module, 2) },
    { name: "WebRTC's, mode 3", detect: webrtc(module, 3) },
    { name: 'utterances cut by mode 2', detect: cut },
    { name: 'Silero v5', detect: clean },
    { name: 'Silero v5 within these utterances', detect: both(cut, clean) },
  ];
  const rows = detectors.map((detector) => rowOf(detector, clips, sounds));
  const table = turned(rows);
  showTable(table);
  if (write) writeTable('docs/performance.md', 'activity', table);
  if (denoiser === undefined) return;
  const compared = await denoiserRows(denoiser, sounds, newDetector);
  showTable(compared);
  if (write) writeTable('docs/performance.md', 'denoiser', compared);
}
