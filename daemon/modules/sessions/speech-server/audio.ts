/** Turns an uploaded WAV into what recognisers take, and cuts it where nobody speaks. */
import { Segmenter, type SpeechSegment } from '../bot/segmenter.js';
import { frameMs, frameSamples, type VoiceDetector } from '../bot/voice-activity.js';
import { sampleRate } from '../recognisers/transcriber.js';

/** A recording that was read; `at` is the sample at an index, between -1 and 1, and 0 outside. */
interface ReadRecording {
  /** Hz. */
  readonly rate: number;
  readonly length: number;
  at(index: number): number;
}

/** Reads a file of sound. Throws an error that says what is wrong with it. */
export type RecordingReader = (file: Uint8Array) => ReadRecording;

/** Longest recording of one request, in seconds. */
export const recordingSecondsMax = 1_800;

/** Mono at 16 kHz. */
export function pcmOf(recording: ReadRecording): Int16Array {
  const length = Math.floor((recording.length * sampleRate) / recording.rate);
  const step = recording.rate / sampleRate;
  return Int16Array.from({ length }, (_, index) => Math.round(sampleAt(recording, index * step, step) * 32_767));
}

/** Between two samples when there are fewer than wanted, the mean of several when there are more. */
function sampleAt(recording: ReadRecording, position: number, step: number): number {
  const first = Math.floor(position);
  if (step <= 1) {
    const part = position - first;
    return recording.at(first) * (1 - part) + recording.at(first + 1) * part;
  }
  const count = Math.ceil(step);
  let sum = 0;
  for (let index = 0; index < count; index++) sum += recording.at(first + index);
  return sum / count;
}

/** Returns the utterances with their times from the beginning of the recording. Closes the detector. */
export function utterancesIn(pcm: Int16Array, detector: VoiceDetector): SpeechSegment[] {
  const segmenter = new Segmenter();
  const found: SpeechSegment[] = [];
  for (let offset = 0; offset + frameSamples <= pcm.length; offset += frameSamples) {
    const frame = pcm.subarray(offset, offset + frameSamples);
    const atMs = (offset / frameSamples) * frameMs;
    const segment = segmenter.push({ pcm: frame, atMs, latenessMs: 0, voiced: detector.isSpeech(frame) });
    if (segment !== null) found.push(segment);
  }
  const last = segmenter.flush();
  detector.close();
  return last === null ? found : [...found, last];
}
