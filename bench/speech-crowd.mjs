// Delays from the end of speech to its text, and the work for it, while several people speak without a pause, through the bot's own queue.
import { setTimeout as sleep } from 'node:timers/promises';
import { chanceOf } from '#dist/daemon/commands/simulator/chance.js';
import { RecognitionQueue } from '#dist/daemon/modules/sessions/recognisers/recognition-queue.js';
import { sampleRate } from '#dist/daemon/modules/sessions/recognisers/transcriber.js';
import { usedUs } from './processor-time.mjs';
import { quantile } from './statistics.mjs';

const crowds = [1, 5, 10, 20];
const speakingMs = 30_000;
/** What is not written by then counts as lost: nobody acts on it any more. */
const patienceMs = 30_000;
/** Between two recordings of one speaker. */
const pauseMs = 500;

/** Processor time of all that this process has started: on a busy machine it says more than the clock. */
function recogniserUs() {
  const { user, system } = process.cpuUsage();
  return usedUs(process.pid) - user - system;
}

/** When each utterance of a speaker is there, from the beginning: recording after recording, each speaker in an order of their own. */
function speechOf(clips, random) {
  const found = [];
  for (let atMs = random() * 2_000; atMs < speakingMs; ) {
    const { utterances } = clips[Math.floor(random() * clips.length)];
    for (const { pcm, endMs, waitedMs } of utterances)
      found.push({ pcm, endMs: atMs + endMs, atMs: atMs + endMs + waitedMs });
    atMs += (utterances.at(-1)?.endMs ?? 0) + pauseMs;
  }
  return found.filter(({ atMs }) => atMs < speakingMs);
}

async function delaysOf(transcriber, clips, speakers, language) {
  const queue = new RecognitionQueue(transcriber);
  const random = chanceOf(speakers);
  const delays = [];
  let soundMs = 0;
  const usedBefore = recogniserUs();
  const began = performance.now();
  const said = Array.from({ length: speakers }, (_, index) =>
    speechOf(clips, random).map((utterance) => ({ ...utterance, speaker: `u${index}` })),
  ).flat();
  const inTime = said.map(async ({ pcm, endMs, atMs, speaker }) => {
    await sleep(atMs);
    const hints = async () => ({ language });
    const { status } = await queue.submit({ tenantId: 't', sessionId: 's', speaker, pcm, hints });
    if (status !== 'recognised') return;
    delays.push(performance.now() - began - endMs);
    soundMs += (pcm.length * 1_000) / sampleRate;
  });
  await Promise.race([Promise.all(inTime), sleep(speakingMs + patienceMs)]);
  const counted = [...delays];
  const realTimeFactor = (recogniserUs() - usedBefore) / 1_000 / soundMs;
  queue.abandon('s');
  await Promise.all(inTime);
  return { delays: counted, lost: 1 - counted.length / said.length, realTimeFactor };
}

const seconds = (ms) => (ms / 1_000).toFixed(1);

/**
 * `delays`: half and 99 % of what is said is written within so many seconds; and what is lost, if anything. `work`: seconds of processor time
 * for a second of the speech that is written.
 */
export async function crowdRows({ name, transcriber }, clips, language) {
  const rows = { delays: { Recogniser: name }, work: { Recogniser: name } };
  for (const speakers of crowds) {
    const { delays, lost, realTimeFactor } = await delaysOf(transcriber, clips, speakers, language);
    const times = `${seconds(quantile(delays, 0.5) ?? 0)} s; ${seconds(quantile(delays, 0.99) ?? 0)} s`;
    rows.delays[`${speakers} speaking`] = lost > 0 ? `${times}; ${Math.round(lost * 100)} % lost` : times;
    // Programs that are not this one's own children, as pocketsphinx's, are not seen.
    rows.work[`${speakers} speaking`] = realTimeFactor < 0.001 ? '–' : realTimeFactor.toFixed(3);
  }
  return rows;
}
