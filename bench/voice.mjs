// npm run bench -- voice: a room of 8 who speak and 40 who listen, with what its process takes of a core; then clips of
// recorded speech, one after the other, from the end of speech to the message that everybody gets, and the words in it.
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { EventStream } from '#dist/src/client/event-stream.js';
import { requestAccess } from '#dist/src/client/room/request-access.js';
import { settingsRoutes } from '#dist/src/contract/projects/settings.js';
import { sessionRoutes } from '#dist/src/contract/sessions/sessions.js';
import { endMedia, RoomListener, RoomPublisher, speechFrames } from '#dist/src/voice.js';
import { startDaemon } from './daemon.mjs';
import { missingSpeech, spokenClips } from './spoken-clips.mjs';
import { quantile, round } from './statistics.mjs';
import { showTable } from './tables.mjs';
import { wordErrors } from './word-errors.mjs';

const speakers = 8;
const listeners = 40;
const roomSeconds = 20;
const packetsPerSecond = 50;
/** Frames of clips that are louder count as speech; RFC 6464, 0 is the loudest. */
const speechLevel = 55;
const silenceMs = 1_500;
/** Without a further message for this long, nothing more of a clip is to come. */
const settledMs = 4_000;
/** And without any message at all, it was not heard. */
const unheardMs = 15_000;
const patienceMs = 30_000;

/** Returns the CPU time of the one child that the daemon has by then. */
function childCpuSeconds(pid) {
  const [child] = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ');
  const [, user, system] = /\) (?:\S+ ){11}(\d+) (\d+)/.exec(readFileSync(`/proc/${child}/stat`, 'utf8'));
  return (Number(user) + Number(system)) / 100;
}

async function packetsOf({ baseUrl }) {
  const text = await (await fetch(`${baseUrl}/metrics`)).text();
  const fate = (name) =>
    Number(new RegExp(`^earshot_room_packets_total\\{fate="${name}"[^}]*\\} (\\d+)`, 'm').exec(text)?.[1] ?? 0);
  return { in: fate('in'), forwarded: fate('forwarded'), unsent: fate('unsent') };
}

/** Speaks the clip again and again until the signal to stop. */
async function talkOn(publisher, frames, signal) {
  while (!signal.aborted) await publisher.play(frames, { signal });
}

async function fullRoom(daemon) {
  const { admin, projectId } = daemon;
  const enter = (userId) => requestAccess(admin, projectId, { roomId: 'full', userId });
  const clips = spokenClips().slice(-speakers); // long ones
  const stop = new AbortController();
  const talking = [];
  const seats = [];
  for (let index = 0; index < listeners; index += 1) {
    const seat = new RoomListener(await enter(`listener-${index}`), { onFrame: () => {} });
    await seat.join();
    seats.push(seat);
  }
  for (let index = 0; index < speakers; index += 1) {
    const seat = new RoomPublisher(await enter(`speaker-${index}`));
    await seat.join();
    seats.push(seat);
    const frames = [...speechFrames(clips[index % clips.length].recording, 0)];
    talking.push(talkOn(seat, frames, stop.signal));
  }
  await sleep(2_000);
  const [before, cpuBefore, began] = [await packetsOf(daemon), childCpuSeconds(daemon.pid), performance.now()];
  await sleep(roomSeconds * 1_000);
  const [after, cpuAfter] = [await packetsOf(daemon), childCpuSeconds(daemon.pid)];
  const seconds = (performance.now() - began) / 1_000;
  stop.abort();
  await Promise.all(talking);
  await Promise.all(seats.map((seat) => seat.leave()));
  const streams = (name) => round((after[name] - before[name]) / seconds / packetsPerSecond);
  return {
    'who speaks, who listens': `${speakers}, ${listeners}`,
    'streams in': streams('in'),
    'streams forwarded': streams('forwarded'),
    'packets not sent': after.unsent - before.unsent,
    '% of a core': round(((cpuAfter - cpuBefore) / seconds) * 100),
  };
}

/** A room with a bot that listens. `say` speaks a clip and returns what was written down, and when. */
export async function transcribedRoom({ admin, projectId }) {
  const params = { projectId };
  await admin.call(settingsRoutes.put, { params, body: { tokenProvider: 'embedded' } });
  const { id } = await admin.call(sessionRoutes.create, { params, body: { title: 'bench', externalRoomId: 'heard' } });
  for (let waitedMs = 0; ; waitedMs += 100) {
    const { bot } = await admin.call(sessionRoutes.get, { params: { ...params, id } });
    if (bot.state === 'listening' && bot.cause !== 'recogniser_unavailable') break;
    if (waitedMs > patienceMs) throw new Error(`The bot does not listen: ${bot.cause}.`);
    await sleep(100);
  }
  const messages = [];
  const stream = new EventStream(admin, { ...params, types: 'message.created' });
  const following = (async () => {
    for await (const { kind, event } of stream)
      if (kind === 'event' && event.payload.data.origin === 'speech')
        messages.push({ text: event.payload.data.content, at: performance.now() });
  })();
  const publisher = new RoomPublisher(await requestAccess(admin, projectId, { roomId: 'heard', userId: 'reader' }));
  await publisher.join();
  return {
    async say({ recording }) {
      messages.length = 0;
      const frames = [...speechFrames(recording, silenceMs)];
      const lastSpoken = frames.findLastIndex(({ level }) => level < speechLevel);
      let endedAt = 0;
      let frame = 0;
      await publisher.play(frames, {
        onProgress: () => {
          if (frame++ === lastSpoken) endedAt = performance.now();
        },
      });
      const latest = () => messages.at(-1)?.at ?? 0;
      const patientMs = () => (messages.length === 0 ? unheardMs : settledMs);
      while (performance.now() - Math.max(latest(), endedAt) < patientMs()) await sleep(100);
      const text = messages.map((message) => message.text).join(' ');
      return { text, delayMs: messages.length === 0 ? null : latest() - endedAt };
    },
    async leave() {
      await publisher.leave();
      stream.close();
      await following;
    },
  };
}

async function dictation(daemon) {
  const room = await transcribedRoom(daemon);
  const delays = [];
  let [errors, words, unheard] = [0, 0, 0];
  const clips = spokenClips();
  for (const clip of clips) {
    const { text, delayMs } = await room.say(clip);
    const counted = wordErrors(clip.words, text);
    errors += counted.errors;
    words += counted.words;
    if (delayMs === null) unheard += 1;
    else delays.push(delayMs);
  }
  await room.leave();
  return {
    clips: clips.length,
    'not heard at all': unheard,
    'p50 ms': round(quantile(delays, 0.5)),
    'p99 ms': round(quantile(delays, 0.99)),
    words,
    'word error rate': `${round((errors / words) * 100, 1)} %`,
  };
}

export async function run() {
  const missing = missingSpeech();
  if (missing !== null) {
    console.log(`This bench wants recorded speech and a recogniser: \`${missing}\`.`);
    return;
  }
  const daemon = await startDaemon({ EARSHOT_TRANSCRIBER: 'pocketsphinx', EARSHOT_RATE_LIMIT_CREDENTIAL: '0' });
  try {
    showTable([await fullRoom(daemon)]);
    showTable([await dictation(daemon)]);
    console.log(
      'Delays: from the last frame of speech that was sent to the last message of the clip on an event stream.',
    );
  } finally {
    await daemon.stop();
    endMedia(); // the media library would keep this process alive
  }
}
