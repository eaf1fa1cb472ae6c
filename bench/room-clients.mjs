// Everybody in the rooms of the rooms bench, in a process of their own: speakers stamp each packet with the time, listeners of the same
// process read the stamps. Messages: `join` with the rooms' accesses, `speak` with the number of speakers and of seconds.
import { setPriority } from 'node:os';
import { createResource } from '#dist/src/client/room/resource.js';
import { MediaPeer, opusLine } from '#dist/src/client/voice/media-peer.js';
import { audioLevelLine, writePacket } from '#dist/src/client/voice/rtp.js';
import { askLiveKit } from './livekit.mjs';

const frameMs = 20;
const frameSamples = 960;
/** As large as speech at 32 kbit/s. The first byte states one frame of 20 ms (RFC 6716). */
const payloadBytes = 80;
const opusHeader = 0x78;
const stampBytes = 8;
const loud = 20;
const afterMs = 300;

/** By side: its speakers, room by room. */
const speakers = new Map();
let delays = [];
let lateMs = [];

async function enter(access, kind, lines, onPacket = () => {}) {
  const peer = new MediaPeer(lines, {
    onPacket,
    onEnded: (how) => console.error(`A client was disconnected: ${how}.`),
  });
  const offer = await peer.offer();
  await peer.accept(
    access.liveKit === undefined
      ? (await createResource(access, kind, offer)).answerSdp
      : await askLiveKit(access, offer),
  );
  return peer;
}

function heard(_line, data) {
  if (data.length < payloadBytes) return; // RTCP
  delays.push(performance.now() - data.readDoubleBE(data.length - stampBytes));
}

async function newSpeaker(access, ssrc) {
  const line = opusLine('0', 'SendOnly');
  line.parseSdpLine(audioLevelLine);
  line.addSSRC(ssrc, 'bench', 'speech', 'speech');
  const peer = await enter(access, 'whip', [line]);
  const payload = Buffer.alloc(payloadBytes);
  payload[0] = opusHeader;
  let [sequence, timestamp] = [0, 0];
  return () => {
    sequence = (sequence + 1) & 0xffff;
    timestamp = (timestamp + frameSamples) >>> 0;
    payload.writeDoubleBE(performance.now(), payloadBytes - stampBytes);
    peer.send(writePacket({ sequence, timestamp, ssrc, level: loud, payload }));
  };
}

async function join({ side, rooms }) {
  const talking = [];
  for (const [room, { speak, listen }] of rooms.entries()) {
    const lines = () => speak.map((_, index) => opusLine(String(index), 'RecvOnly'));
    for (const [index, access] of speak.entries()) talking.push(await newSpeaker(access, 1_000 * (room + 1) + index));
    // LiveKit knows a track by its first packets.
    const speaking = setInterval(() => {
      for (const send of talking) send();
    }, frameMs);
    for (const access of listen) await enter(access, 'whep', lines(), heard);
    clearInterval(speaking);
  }
  speakers.set(side, talking);
  return {};
}

/** Sends a packet each 20 ms; the speakers are spread over these. */
async function speakOn(send, phase, endAt) {
  for (let at = performance.now() + phase; at < endAt; at += frameMs) {
    await new Promise((resolve) => setTimeout(resolve, at - performance.now()));
    lateMs.push(Math.max(0, performance.now() - at));
    send();
  }
}

async function speak({ side, seconds }) {
  [delays, lateMs] = [[], []];
  const endAt = performance.now() + seconds * 1_000;
  const talking = speakers.get(side);
  await Promise.all(talking.map((send, index) => speakOn(send, (index / talking.length) * frameMs, endAt)));
  await new Promise((resolve) => setTimeout(resolve, afterMs));
  return { sent: lateMs.length, delays, lateMs };
}

try {
  setPriority(-15); // on a busy machine the wait of the servers is measured, and not that of the clients
} catch {
  console.log('Without the right to a higher priority (CAP_SYS_NICE), the clients wait for their turn as well.');
}
const calls = { join, speak };
process.on('message', async (message) => process.send(await calls[message.call](message)));
process.once('disconnect', () => process.kill(process.pid, 'SIGKILL')); // the media library would keep it alive
