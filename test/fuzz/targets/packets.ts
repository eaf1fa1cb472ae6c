import {
  isRtcp,
  packetFor,
  parseRtp,
  StreamRewriter,
  writeHeader,
} from '../../../daemon/modules/rooms/embedded/rtp.js';
import { ReorderBuffer } from '../../../daemon/modules/sessions/bot/reorder.js';
import { audioLevelId, readPacket, writePacket } from '../../../src/client/voice/rtp.js';
import { longestPacketMs, opusDurationMs } from '../../../src/media/opus-duration.js';
import { type FuzzTarget, hold } from '../engine/target.js';

const headerBytes = 12;
const paddingBit = 0x20;

function checkReaders(input: Buffer): void {
  const packet = parseRtp(input, audioLevelId);
  const heard = readPacket(input);
  hold(
    (packet === null || isRtcp(input)) === (heard === null),
    'Room and client agree on what a packet is.',
    packet,
    heard,
  );
  if (packet === null || heard === null) return;
  hold(
    packet.sequence === heard.sequence && packet.timestamp === heard.timestamp,
    'They read the same numbers.',
    packet,
  );
  hold(Buffer.compare(packet.payload, heard.payload) === 0, 'They read the same sound.', packet, heard);
  hold(
    packet.payload.length > 0 && packet.payload.length <= input.length - headerBytes,
    'The sound is a part.',
    packet,
  );
  const level = packet.audioLevel ?? 0;
  hold(level >= 0 && level <= 127, 'Loudness has seven bits.', packet);
  const written = writePacket({ ...packet, level, ssrc: 7 });
  const again = parseRtp(written, audioLevelId);
  hold(
    again !== null &&
      again.sequence === packet.sequence &&
      again.timestamp === packet.timestamp &&
      again.audioLevel === level &&
      Buffer.compare(again.payload, packet.payload) === 0,
    'A written packet is read as it was.',
    packet,
    again,
  );
  const sent = packetFor(packet.payload);
  writeHeader(sent, { ...packet, marker: true }, packet.payloadType, 7);
  const received = parseRtp(sent, null);
  hold(
    received !== null && received.payloadType === packet.payloadType && received.sequence === packet.sequence,
    'A forwarded packet is read as it was.',
    received,
  );
  const ms = opusDurationMs(packet.payload);
  hold(
    ms >= 0 && ms <= 63 * 60 && opusDurationMs(packet.payload, () => null) >= Math.min(ms, longestPacketMs) % 1,
    'Sound lasts.',
    ms,
  );
}

/** Six bytes of the input are a packet of a stream: its number, its time and when it comes. */
function checkStreams(input: Buffer): void {
  const buffer = new ReorderBuffer();
  const rewriter = new StreamRewriter(0xfffe, 0xffff_ff00);
  const released: number[] = [];
  let nowMs = 0;
  let pushed = 0;
  for (let at = 0; at + 6 <= input.length; at += 6, pushed += 1) {
    const sequence = input.readUInt16BE(at);
    const timestamp = input.readUInt16BE(at + 2) * 960;
    nowMs += input.readUInt8(at + 4);
    const packet = { ...{ externalUserId: 'u', publicationId: 'p', audible: true }, payload: Buffer.of(1) };
    released.push(...buffer.push({ ...packet, sequence, timestamp, arrivedAtMs: nowMs }).map((one) => one.sequence));
    const sent = rewriter.next({ sequence, timestamp }, nowMs, input.readUInt8(at + 5) < 16);
    if (sent === null) continue;
    hold(
      sent.sequence >= 0 && sent.sequence <= 0xffff && sent.timestamp >= 0 && sent.timestamp <= 0xffff_ffff,
      'Numbers that are sent fit their fields.',
      sent,
    );
  }
  released.push(...buffer.flush().map((one) => one.sequence));
  hold(released.length <= pushed, 'No packet comes out twice.', released);
}

/** Packets of sound from the network, as rooms and clients read them. */
export const packets: FuzzTarget = {
  name: 'packets',
  maxBytes: 64 * 1024,
  parse: (input) => [parseRtp(input, audioLevelId), readPacket(input), checkStreams(input)],
  check(input) {
    checkReaders(input);
    checkStreams(input);
  },
  seeds: [
    writePacket({ sequence: 1, timestamp: 960, ssrc: 7, level: 30, payload: Buffer.from('78aabb', 'hex') }),
    Buffer.from('806f0001000003c00000000778aabb', 'hex'),
    Buffer.from(`${(0x80 | paddingBit).toString(16)}6f0001000003c00000000778aabb0002`, 'hex'),
    Buffer.from('816f0001000003c000000007000000017bffee', 'hex'),
    Buffer.from('80c80006000000000000000000000000', 'hex'),
  ],
  words: ['80', '90', 'a0', 'b0', 'bede', '0001', '101e', 'ffff', '0000'].map((hex) => Buffer.from(hex, 'hex')),
};
