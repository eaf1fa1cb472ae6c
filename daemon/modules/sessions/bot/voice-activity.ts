/** Tells speech from other sound, 20 ms at a time: WebRTC's detector. */
import fvad, { type FvadModule } from '@echogarden/fvad-wasm';
import { sampleRate } from '../recognisers/transcriber.js';

export const frameMs = 20;
export const frameSamples = (sampleRate * frameMs) / 1000;
/** Modes go from 0 to 3, the strictest, which cuts off the beginnings of words. */
const mode = 2;

/** One speaker's detector: it keeps state between frames. */
export interface VoiceDetector {
  /** `frame` holds `frameSamples` samples. */
  isSpeech(frame: Int16Array): boolean;
  close(): void;
}

/** Loads the detector's code once; each call of the result is a new detector. */
export async function loadVoiceActivity(): Promise<() => VoiceDetector> {
  const module = await fvad();
  const shared = module._malloc(frameSamples * 2); // filled and read within one call
  return () => detectorOf(module, shared);
}

function detectorOf(module: FvadModule, shared: number): VoiceDetector {
  const handle = module._fvad_new();
  module._fvad_set_mode(handle, mode);
  module._fvad_set_sample_rate(handle, sampleRate);
  return {
    isSpeech: (frame) => {
      module.HEAP16.set(frame, shared / 2);
      return module._fvad_process(handle, shared, frameSamples) === 1;
    },
    close: () => module._fvad_free(handle),
  };
}
