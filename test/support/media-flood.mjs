/**
 * A hostile client of a room, in a process of its own: connects as a speaker or a listener and sends what it should not.
 * `node media-flood.mjs URL whip|whep TOKEN MODE PACKETS_PER_SECOND SECONDS`; goes on after the room has disconnected it, which
 * it learns late, and prints how many packets it sent. Plain JavaScript, as Node.js loads it.
 */
import { Audio, cleanup, PeerConnection } from 'node-datachannel';

const [url, kind, token, mode, perSecond, seconds] = process.argv.slice(2);
const payloadType = 111;
const tickMs = 5;

const line = new Audio('0', kind === 'whip' ? 'SendOnly' : 'SendRecv');
line.addOpusCodec(payloadType, 'minptime=10');
line.addSSRC(4242, 'flood', 'stream', 'track');
const connection = new PeerConnection('flood', {
  iceServers: [],
  disableAutoNegotiation: true,
  forceMediaTransport: true,
});
const track = connection.addTrack(line);
track.onMessage(() => undefined);
const connected = new Promise((resolve) =>
  connection.onStateChange((state) => {
    if (state === 'connected') resolve();
  }),
);
const gathered = new Promise((resolve) =>
  connection.onGatheringStateChange((state) => {
    if (state === 'complete') resolve();
  }),
);
connection.setLocalDescription('offer');
await gathered;
const offer = connection.localDescription().sdp.replaceAll(/a=(candidate|end-of-candidates).*\r\n/g, '');
const answer = await fetch(`${url}/${kind}`, {
  method: 'POST',
  headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/sdp' },
  body: offer,
});
const sdp = await answer.text();
if (answer.status !== 201) throw new Error(`${answer.status} ${sdp}`);
// The answer says that the line only receives from us; a hostile client does not care.
connection.setRemoteDescription(kind === 'whep' ? sdp.replaceAll('a=sendonly', 'a=sendrecv') : sdp, 'answer');
await connected;

let sequence = 0;
const rtp = (ssrc, payload) => {
  const packet = Buffer.alloc(12 + payload.length);
  packet[0] = 0x80;
  packet[1] = payloadType;
  packet.writeUInt16BE(sequence & 0xffff, 2);
  packet.writeUInt32BE((sequence * 960) >>> 0, 4);
  packet.writeUInt32BE(ssrc, 8);
  payload.copy(packet, 12);
  return packet;
};
const rtcp = () => {
  const packet = Buffer.alloc(28);
  packet[0] = 0x80;
  packet[1] = 200;
  packet.writeUInt16BE(6, 2);
  packet.writeUInt32BE(4242, 4);
  return packet;
};
const speech = Buffer.alloc(60, 0x08);
/** 48 frames of 2.5 ms in one packet. */
const long = Buffer.concat([Buffer.from([0x83, 48]), Buffer.alloc(48, 1)]);
const next = {
  rtcp,
  rtp: () => rtp(4242, speech),
  sources: () => rtp(10_000 + sequence, speech),
  long: () => rtp(4242, long),
}[mode];

const began = performance.now();
let sent = 0;
while (performance.now() - began < Number(seconds) * 1_000) {
  const due = ((performance.now() - began) / 1_000) * Number(perSecond);
  for (; sequence < due; sequence += 1) {
    try {
      if (track.isOpen() && track.sendMessageBinary(next())) sent += 1;
    } catch {
      break;
    }
  }
  await new Promise((resolve) => setTimeout(resolve, tickMs));
}
console.log(JSON.stringify({ sent }));
track.close();
connection.close();
setTimeout(() => {
  cleanup();
  process.exit(0);
}, 100);
