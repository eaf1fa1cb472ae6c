/**
 * The forked process with a sherpa-onnx model: decoding blocks its thread, and a damaged model ends its process,
 * neither of which may happen to the daemon. Sends `ready` once the model is loaded, then one answer per request. Ends
 * with the daemon.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sherpa from 'sherpa-onnx-node';
import { z } from 'zod';
import { bpeVocab, piecesIn } from './hotwords.js';
import { SpeechSpans } from './speech-spans.js';
import { sampleRate } from './transcriber.js';

const Settings = z.object({
  model: z.object({ tokens: z.string() }).catchall(z.union([z.string(), z.record(z.string(), z.string())])),
  threads: z.int(),
  /** Decode by beam search, which can favour hot words. */
  beam: z.boolean(),
  /** File of Silero's voice activity detector; null: each segment is decoded as it is. */
  silero: z.string().nullable(),
});
const Request = z.object({
  pcm: z.instanceof(Int16Array),
  /** Null: the model finds out, or knows one only. */
  language: z.string().nullable(),
  /** As createStream() takes them; null: none. */
  hotwords: z.string().nullable(),
  /** Number of the utterance, and whether more of it follows, which a streaming model alone can take. */
  utterance: z.int(),
  isLast: z.boolean(),
});
/** More of this utterance is not wanted. */
const Forget = z.object({ forget: z.int() });
type OnlineStream = ReturnType<InstanceType<typeof sherpa.OnlineRecognizer>['createStream']>;
type RequestDecoder = (request: z.infer<typeof Request>) => object;

const { model, threads, beam, silero } = Settings.parse(JSON.parse(process.argv[2] ?? ''));
const streams = new Map<number, OnlineStream>();
/** A streaming model looks this much ahead of its chunk, at most. */
const aheadMs = 300;

const waveOf = (pcm: Int16Array) => ({ samples: Float32Array.from(pcm, (sample) => sample / 32_768), sampleRate });

/** Decodes as much as there is; what was heard before stays in the stream. */
function streamingDecoder(files: Record<string, string>, chunkFrames: number): RequestDecoder {
  const { tokens } = model;
  const modelConfig = { tokens, transducer: files, numThreads: threads, provider: 'cpu' };
  const recogniser = new sherpa.OnlineRecognizer({ modelConfig, decodingMethod: 'greedy_search' });
  const silence = new Int16Array(((chunkFrames * 10 + aheadMs) * sampleRate) / 1_000);
  return ({ pcm, utterance, isLast }) => {
    const stream = streams.get(utterance) ?? recogniser.createStream();
    streams.set(utterance, stream);
    stream.acceptWaveform(waveOf(pcm));
    if (isLast) {
      streams.delete(utterance);
      stream.acceptWaveform(waveOf(silence)); // it decodes whole chunks only
      stream.inputFinished();
    }
    while (recogniser.isReady(stream)) recogniser.decode(stream);
    const { text, tokens: pieces, timestamps, ys_probs } = recogniser.getResult(stream);
    return isLast ? { text, tokens: pieces, timestamps, logProbabilities: ys_probs } : { soFar: text };
  };
}

function wholeDecoder(): RequestDecoder {
  const scratchDir = beam ? mkdtempSync(join(tmpdir(), 'earshot-hotwords-')) : null;
  const config = {
    modelConfig: { ...model, ...splitting(scratchDir), numThreads: threads, provider: 'cpu' },
    decodingMethod: beam ? ('modified_beam_search' as const) : ('greedy_search' as const),
  };
  const recogniser = new sherpa.OfflineRecognizer(config);
  if (scratchDir !== null) rmSync(scratchDir, { recursive: true });
  let expected: string | null = null;
  /** Models of several languages take the one that they are to expect from their configuration. */
  const expectLanguage = (language: string | null): void => {
    const family = 'whisper' in model ? 'whisper' : 'senseVoice';
    const files = model[family];
    if (language === expected || typeof files !== 'object') return;
    const modelConfig = { ...config.modelConfig, [family]: { ...files, language: language ?? '' } };
    recogniser.setConfig({ ...config, modelConfig });
    expected = language;
  };
  const decodeOnce = (samples: Float32Array, hotwords: string | null) => {
    const stream = hotwords === null ? recogniser.createStream() : recogniser.createStream(hotwords);
    stream.acceptWaveform({ samples, sampleRate });
    recogniser.decode(stream);
    return recogniser.getResult(stream);
  };
  const spans = silero === null ? null : new SpeechSpans(silero);
  return ({ pcm, language, hotwords }) => {
    expectLanguage(language);
    const { samples } = waveOf(pcm);
    const speech = spans?.find(samples) ?? [{ start: 0, end: samples.length }];
    const results = speech.map(({ start, end }) => {
      for (const cutMs of cutsMs) {
        const cut = Math.min((cutMs * sampleRate) / 1_000, (end - start) / 4);
        const result = decodeOnce(samples.subarray(start + cut, end - cut), hotwords);
        const offset = (start + cut) / sampleRate;
        if (result.text.trim() !== '') return { ...result, timestamps: result.timestamps?.map((at) => at + offset) };
      }
      return null;
    });
    return answerOf(results.filter((result) => result !== null));
  };
}

/** A model that answers speech with nothing is asked again for less of what surrounds it: so much is cut off at each end. */
const cutsMs = [0, 100, 200];

/** Joins what was recognised in the spans of one segment. */
function answerOf(results: readonly ReturnType<InstanceType<typeof sherpa.OfflineRecognizer>['getResult']>[]): object {
  return {
    text: results.map(({ text }) => text.trim()).join(' '),
    language: results[0]?.lang,
    tokens: results.flatMap(({ tokens = [] }) => tokens),
    timestamps: results.flatMap(({ timestamps = [] }) => timestamps),
    logProbabilities: results.flatMap(({ ys_log_probs = [] }) => ys_log_probs),
  };
}

/** How hot words are split into pieces. */
function splitting(folder: string | null): Record<string, string> {
  if (folder === null) return {};
  const file = join(folder, 'bpe.vocab');
  writeFileSync(file, bpeVocab(piecesIn(readFileSync(model.tokens, 'utf8'))));
  return { modelingUnit: 'bpe', bpeVocab: file };
}

const { streamingTransducer, chunkFrames } = model;
const decode =
  typeof streamingTransducer === 'object' ? streamingDecoder(streamingTransducer, Number(chunkFrames)) : wholeDecoder();

process.on('message', (message) => {
  const { data: unwanted } = Forget.safeParse(message);
  if (unwanted !== undefined) streams.delete(unwanted.forget);
  else process.send?.(decode(Request.parse(message)), undefined, {}, () => {}); // a daemon that has died shows itself as `disconnect`
});
process.on('disconnect', () => process.exit());
process.send?.('ready');
