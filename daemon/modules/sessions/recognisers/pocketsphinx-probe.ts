/** Tries the engines that are installed: one that has decoded something works. */
import { PocketsphinxDecoder } from './pocketsphinx-decoder.js';
import { findPocketsphinx, type PocketsphinxEngine } from './pocketsphinx-engine.js';
import { makeScratchDir } from './scratch.js';
import { sampleRate } from './transcriber.js';

const probeTimeoutMs = 20_000;
const probeSeconds = 0.5;

/** The first engine that works here, or a sentence that says why none does. */
export async function workingPocketsphinx(
  speechDirs: readonly string[],
  path?: string,
): Promise<{ engine: PocketsphinxEngine } | { engine: null; failure: string }> {
  let failure = 'pocketsphinx and its English model are not installed.';
  for (const engine of await findPocketsphinx(speechDirs, path)) {
    const reason = await failureOf(engine);
    if (reason === null) return { engine };
    failure = `${engine.program} does not work: ${reason}`;
  }
  return { engine: null, failure };
}

/** Returns what is wrong with this engine; null: it has just decoded half a second of silence. */
export async function failureOf(engine: PocketsphinxEngine): Promise<string | null> {
  const scratch = await makeScratchDir();
  const decoder = new PocketsphinxDecoder(engine, scratch.path, 'probe');
  try {
    await decoder.transcribe(new Int16Array(sampleRate * probeSeconds), AbortSignal.timeout(probeTimeoutMs));
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  } finally {
    decoder.close();
    await scratch.remove();
  }
}
