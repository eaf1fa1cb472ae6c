/**
 * Finds speech within a segment by Silero's voice activity detector, so that the recogniser gets neither noise, music nor
 * long pauses: models write words where there are none, or nothing where there are some.
 */
import sherpa from 'sherpa-onnx-node';
import { sampleRate } from './transcriber.js';

/** Samples of one step of the detector. */
const step = 512;
const bufferSeconds = 30;
/** From here on it is speech; by the usual 0.5, words beside the sounds of a game are left out. */
const threshold = 0.3;
/** Speech before the detector notices it, and behind it. Models answer short pieces with more silence behind with nothing. */
const beforeMs = 300;
const behindMs = 100;
/** Speech with a shorter pause within it is one span. */
const pauseMs = 500;

/** A part of a segment, in samples. */
export interface SpeechSpan {
  readonly start: number;
  readonly end: number;
}

export class SpeechSpans {
  private readonly detector: InstanceType<typeof sherpa.Vad>;

  constructor(model: string) {
    const sileroVad = {
      ...{ model, threshold, windowSize: step },
      ...{ minSpeechDuration: 0.06, minSilenceDuration: 0.3, maxSpeechDuration: 20 },
    };
    this.detector = new sherpa.Vad({ sileroVad, sampleRate, numThreads: 1 }, bufferSeconds);
  }

  /** Returns the spans in which somebody speaks, with a little sound around each; none: nobody does. */
  find(samples: Float32Array): SpeechSpan[] {
    const { detector } = this;
    const found: SpeechSpan[] = [];
    const collect = () => {
      for (; !detector.isEmpty(); detector.pop()) {
        const { start, samples: speech } = detector.front(false);
        found.push({ start, end: start + speech.length });
      }
    };
    detector.reset();
    for (let at = 0; at < samples.length; at += step) {
      const window = new Float32Array(step);
      window.set(samples.subarray(at, at + step));
      detector.acceptWaveform(window);
      collect();
    }
    detector.flush();
    collect();
    return widened(found, samples.length);
  }
}

const inSamples = (ms: number): number => (ms * sampleRate) / 1_000;

/** Joins spans with short pauses between them, and adds what surrounds the speech. Pure. */
function widened(found: readonly SpeechSpan[], length: number): SpeechSpan[] {
  const joined: SpeechSpan[] = [];
  for (const span of found) {
    const last = joined.at(-1);
    if (last !== undefined && span.start - last.end < inSamples(pauseMs))
      joined[joined.length - 1] = { start: last.start, end: span.end };
    else joined.push(span);
  }
  return joined.map(({ start, end }) => ({
    start: Math.max(0, start - inSamples(beforeMs)),
    end: Math.min(length, end + inSamples(behindMs)),
  }));
}
