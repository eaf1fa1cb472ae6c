// The reference of the rooms bench: a WHIP and WHEP server on the daemon's own media library, which sends each packet to every listener
// of its room, and does nothing else. POST /ROOM/whip and /ROOM/whep with an offer; the n-th speaker is heard on the n-th line.
import http from 'node:http';
import { Audio, PeerConnection } from 'node-datachannel';

const opusPayloadType = 111;
/** By name: how many speak, and the tracks of each listener. */
const rooms = new Map();
const kept = [];

async function answer(offer, lines) {
  const peer = new PeerConnection('bare', {
    ...{ iceServers: [], disableAutoNegotiation: true, forceMediaTransport: true },
    ...{ enableIceUdpMux: true, portRangeBegin: port, portRangeEnd: port },
  });
  const tracks = lines.map((line) => peer.addTrack(line));
  kept.push(peer, tracks); // the library frees what is not referenced
  const gathered = new Promise((resolve) => {
    peer.onGatheringStateChange((state) => state === 'complete' && resolve());
  });
  peer.setRemoteDescription(offer, 'offer');
  peer.setLocalDescription('answer');
  await gathered;
  return { sdp: peer.localDescription().sdp, tracks };
}

function opusLine(mid, direction) {
  const audio = new Audio(mid, direction);
  audio.addOpusCodec(opusPayloadType);
  return audio;
}

async function join(path, offer) {
  const [, name, kind] = path.split('/');
  const room = rooms.get(name) ?? { speakers: 0, listeners: [] };
  rooms.set(name, room);
  const mids = [...offer.matchAll(/^a=mid:(\S+)/gm)].map(([, mid]) => mid);
  if (kind === 'whip') {
    const index = room.speakers++;
    const { sdp, tracks } = await answer(offer, [opusLine(mids[0], 'RecvOnly')]);
    tracks[0].onMessage((packet) => {
      if (packet[1] >= 192 && packet[1] <= 223) return; // RTCP
      packet.writeUInt32BE(index + 1, 8);
      for (const listener of room.listeners) if (listener[index].isOpen()) listener[index].sendMessageBinary(packet);
    });
    return sdp;
  }
  const lines = mids.map((mid, index) => {
    const line = opusLine(mid, 'SendOnly');
    line.addSSRC(index + 1, 'bare', `slot-${index}`, `slot-${index}`);
    return line;
  });
  const { sdp, tracks } = await answer(offer, lines);
  room.listeners.push(tracks);
  return sdp;
}

const port = Number(process.argv[2]);
const server = http.createServer((request, response) => {
  const chunks = [];
  request.on('data', (chunk) => chunks.push(chunk));
  request.on('end', async () => {
    const sdp = await join(request.url, Buffer.concat(chunks).toString());
    response.writeHead(201, { location: request.url, 'content-type': 'application/sdp' }).end(sdp);
  });
});
server.listen(0, '127.0.0.1', () => process.send({ url: `http://127.0.0.1:${server.address().port}` }));
process.once('disconnect', () => process.exit());
