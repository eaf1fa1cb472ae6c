/**
 * The forked process with a sherpa-onnx model: decoding blocks its thread, and a damaged model ends its process,
 * neither of which may happen to the daemon. Sends `ready` once the model is loaded, then one answer per segment. Ends
 * with the daemon.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sherpa from 'sherpa-onnx-node';
import { z } from 'zod';
import { bpeVocab, piecesIn } from './hotwords.js';
import { sampleRate } from './transcriber.js';

const Settings = z.object({
  model: z.object({ tokens: z.string() }).catchall(z.record(z.string(), z.string())),
  threads: z.int(),
  /** Decode by beam search, which can favour hot words. */
  beam: z.boolean(),
});
const Request = z.object({
  pcm: z.instanceof(Int16Array),
  /** Null: the model finds out, or knows one only. */
  language: z.string().nullable(),
  /** As createStream() takes them; null: none. */
  hotwords: z.string().nullable(),
});

const { model, threads, beam } = Settings.parse(JSON.parse(process.argv[2] ?? ''));
const scratchDir = beam ? mkdtempSync(join(tmpdir(), 'earshot-hotwords-')) : null;
const config = {
  modelConfig: { ...model, ...splitting(scratchDir), numThreads: threads, provider: 'cpu' },
  decodingMethod: beam ? ('modified_beam_search' as const) : ('greedy_search' as const),
};
const recogniser = new sherpa.OfflineRecognizer(config);
if (scratchDir !== null) rmSync(scratchDir, { recursive: true });
let expected: string | null = null;

/** How hot words are split into pieces. */
function splitting(folder: string | null): Record<string, string> {
  if (folder === null) return {};
  const file = join(folder, 'bpe.vocab');
  writeFileSync(file, bpeVocab(piecesIn(readFileSync(model.tokens, 'utf8'))));
  return { modelingUnit: 'bpe', bpeVocab: file };
}

/** Models of several languages take the one that they are to expect from their configuration. */
function expectLanguage(language: string | null): void {
  const family = 'whisper' in model ? 'whisper' : 'senseVoice';
  const files = model[family];
  if (language === expected || typeof files !== 'object') return;
  const modelConfig = { ...config.modelConfig, [family]: { ...files, language: language ?? '' } };
  recogniser.setConfig({ ...config, modelConfig });
  expected = language;
}

process.on('message', (message) => {
  const { pcm, language, hotwords } = Request.parse(message);
  expectLanguage(language);
  const stream = hotwords === null ? recogniser.createStream() : recogniser.createStream(hotwords);
  stream.acceptWaveform({ samples: Float32Array.from(pcm, (sample) => sample / 32_768), sampleRate });
  recogniser.decode(stream);
  const { text, lang, tokens, timestamps, ys_log_probs } = recogniser.getResult(stream);
  process.send?.({ text, language: lang, tokens, timestamps, logProbabilities: ys_log_probs }, undefined, {}, () => {}); // a daemon that has died shows itself as `disconnect`
});
process.on('disconnect', () => process.exit());
process.send?.('ready');
