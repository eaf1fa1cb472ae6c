/**
 * The forked process with a sherpa-onnx model: decoding blocks its thread, and a damaged model ends its process,
 * neither of which may happen to the daemon. Sends `ready` once the model is loaded, then one answer per segment. Ends
 * with the daemon.
 */
import sherpa from 'sherpa-onnx-node';
import { z } from 'zod';
import { sampleRate } from './transcriber.js';

const Settings = z.object({
  model: z.record(z.string(), z.union([z.string(), z.record(z.string(), z.string())])),
  threads: z.int(),
});
const Request = z.object({ pcm: z.instanceof(Int16Array) });

const { model, threads } = Settings.parse(JSON.parse(process.argv[2] ?? ''));
const recogniser = new sherpa.OfflineRecognizer({ modelConfig: { ...model, numThreads: threads, provider: 'cpu' } });

process.on('message', (message) => {
  const { pcm } = Request.parse(message);
  const stream = recogniser.createStream();
  stream.acceptWaveform({ samples: Float32Array.from(pcm, (sample) => sample / 32_768), sampleRate });
  recogniser.decode(stream);
  const { text, lang, tokens, timestamps, ys_log_probs } = recogniser.getResult(stream);
  process.send?.({ text, language: lang, tokens, timestamps, logProbabilities: ys_log_probs }, undefined, {}, () => {}); // a daemon that has died shows itself as `disconnect`
});
process.on('disconnect', () => process.exit());
process.send?.('ready');
