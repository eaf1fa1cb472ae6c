/**
 * Somebody who is in no room and sends packets to the port of a room process. `node media-garbage.mjs PORT MODE
 * PACKETS_PER_SECOND SECONDS` prints how many it sent. Plain JavaScript, as Node.js loads it.
 */
import { randomBytes } from 'node:crypto';
import dgram from 'node:dgram';

const [port, mode, perSecond, seconds] = process.argv.slice(2);
const tickMs = 5;
/** A new socket, and so a new source, after this many packets. */
const packetsPerSource = 50;
const sourcesMax = 64;

/** A binding request (RFC 8489, 6) for a user whom nobody knows. */
const stun = () => {
  const packet = Buffer.concat([
    Buffer.from([0x00, 0x01, 0x00, 0x0c, 0x21, 0x12, 0xa4, 0x42]),
    randomBytes(12),
    Buffer.from([0x00, 0x06, 0x00, 0x08]),
    Buffer.from('abcd:efg'),
  ]);
  return packet;
};
/** A record of a handshake (RFC 6347, 4.1) with nothing in it that could be read. */
const dtls = () => Buffer.concat([Buffer.from([22, 0xfe, 0xfd, 0, 0, 0, 0, 0, 0, 0, 0, 0, 100]), randomBytes(100)]);
const rtp = () => Buffer.concat([Buffer.from([0x80, 111]), randomBytes(90)]);
const noise = () => randomBytes(120);
const packetOf = { stun, dtls, rtp, noise }[mode];

const sockets = Array.from({ length: sourcesMax }, () => dgram.createSocket('udp4').on('error', () => {}));
const began = performance.now();
let sent = 0;
while (performance.now() - began < Number(seconds) * 1_000) {
  const due = ((performance.now() - began) / 1_000) * Number(perSecond);
  for (; sent < due; sent += 1)
    sockets[Math.floor(sent / packetsPerSource) % sourcesMax].send(packetOf(), Number(port), '127.0.0.1');
  await new Promise((resolve) => setTimeout(resolve, tickMs));
}
for (const socket of sockets) socket.close();
console.log(JSON.stringify({ sent }));
