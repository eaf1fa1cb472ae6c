// npm run bench -- loss [--draws 3] [--write]: words that pocketsphinx gets wrong in Debian's clips when packets are lost, and as many are
// overtaken by others; and how many it would get wrong if the bot recovered nothing. --write puts the table into docs/voice.md.
import { Encoder } from '@evan/opus';
import { chanceOf } from '#dist/daemon/commands/simulator/chance.js';
import { OpusDecoder } from '#dist/daemon/modules/sessions/bot/opus.js';
import { SpeakerStream } from '#dist/daemon/modules/sessions/bot/speaker.js';
import { frameMs, frameSamples, loadVoiceActivity } from '#dist/daemon/modules/sessions/bot/voice-activity.js';
import { PocketsphinxTranscriber } from '#dist/daemon/modules/sessions/recognisers/pocketsphinx.js';
import { sampleRate } from '#dist/daemon/modules/sessions/recognisers/transcriber.js';
import { lossy } from './lossy-packets.mjs';
import { missingClips, speechDirs, spokenClips } from './spoken-clips.mjs';
import { round } from './statistics.mjs';
import { showTable, writeTable } from './tables.mjs';
import { wordErrors } from './word-errors.mjs';

const losses = [0, 0.01, 0.02, 0.05, 0.1, 0.2];
const decoders = 2;
const silenceFrames = 50;
const ticksPerFrame = frameMs * 48;

/** As clients encode: 32 kbit/s; with error correction for 5 % of loss, or without. */
function packetsOf({ length, at }, fec) {
  const encoder = new Encoder({ channels: 1, sample_rate: sampleRate, application: 'voip' });
  encoder.bitrate = 32_000;
  encoder.inband_fec = fec;
  encoder.packet_loss = fec ? 5 : 0;
  return Array.from({ length: Math.ceil(length / frameSamples) + silenceFrames }, (_, index) => {
    const pcm = Int16Array.from({ length: frameSamples }, (_, n) => Math.round(at(index * frameSamples + n) * 32_767));
    return {
      ...{ externalUserId: 'speaker', publicationId: 'speaker', audible: true, arrivedAtMs: (index + 1) * frameMs },
      ...{ sequence: index, timestamp: index * ticksPerFrame, payload: encoder.encode(pcm).slice() },
    };
  });
}

/** Without their numbers nobody can tell a loss from a pause. */
const numberedAnew = (packets) =>
  [...packets].sort((a, b) => a.timestamp - b.timestamp).map((packet, sequence) => ({ ...packet, sequence }));

async function errorsIn(clip, packets, { newDetector, transcriber }) {
  const stream = new SpeakerStream(packets[0], newDetector(), await OpusDecoder.create(), () => null, {});
  const heard = [...packets.flatMap((packet) => stream.onPacket(packet)), ...stream.flush()];
  stream.close();
  const texts = [];
  for (const { pcm } of heard)
    texts.push((await transcriber.transcribe(pcm, { signal: AbortSignal.timeout(240_000) })).text);
  return wordErrors(clip.words, texts.join(' '));
}

/** Share of wrong words over all clips and seeds, in percent. */
async function errorRate(clips, loss, kind, draws, tools) {
  const seeds = Array.from({ length: loss === 0 ? 1 : draws }, (_, index) => index + 1);
  const waiting = seeds.flatMap((seed) => clips.map((clip, index) => ({ clip, seed: seed * 1_000 + index })));
  let [errors, words] = [0, 0];
  const lane = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const arrived = lossy(next.clip.packets[kind === 'fec' ? 'fec' : 'plain'], loss, chanceOf(next.seed));
      const counted = await errorsIn(next.clip, kind === 'nothing' ? numberedAnew(arrived) : arrived, tools);
      errors += counted.errors;
      words += counted.words;
    }
  };
  await Promise.all(Array.from({ length: decoders }, lane));
  return `${round((errors / words) * 100, 1)} %`;
}

export async function run({ write, draws: asked = '1' }) {
  const draws = Math.max(1, Number.parseInt(asked, 10) || 1);
  const transcriber = new PocketsphinxTranscriber({ speechDirs, decoders });
  const missing = missingClips() ?? ((await transcriber.probe()).ok ? null : 'earshotd speech install');
  if (missing !== null) return console.log(`This bench wants recorded speech and a recogniser: \`${missing}\`.`);
  await transcriber.start();
  try {
    const tools = { transcriber, newDetector: await loadVoiceActivity() };
    const clips = spokenClips().map(({ words, recording }) => ({
      words,
      packets: { plain: packetsOf(recording, false), fec: packetsOf(recording, true) },
    }));
    const rows = [];
    for (const loss of losses) {
      rows.push({
        'Lost, and overtaken': `${loss * 100} %`,
        'Nothing recovered': await errorRate(clips, loss, 'nothing', draws, tools),
        'Concealed (sender without FEC)': await errorRate(clips, loss, 'plain', draws, tools),
        'Recovered (sender with FEC)': await errorRate(clips, loss, 'fec', draws, tools),
      });
      console.log(Object.values(rows.at(-1)).join('  '));
    }
    showTable(rows);
    console.log(`Which packets are lost was drawn ${draws} times for each clip and share.`);
    if (write) writeTable('docs/voice.md', 'loss', rows);
  } finally {
    await transcriber.stop();
  }
}
