/** RTP packets of Opus as rooms take and give them (RFC 3550; RFC 6464 for the audio level). Pure. */
const headerBytes = 12;
const version2 = 0x80;
const extensionBit = 0x10;
const paddingBit = 0x20;
const oneByteExtension = 0xbede;

export const opusPayloadType = 111;
/** Id under which the offer names the audio level. */
export const audioLevelId = 1;
export const audioLevelLine = `a=extmap:${audioLevelId} urn:ietf:params:rtp-hdrext:ssrc-audio-level`;

interface OutgoingPacket {
  readonly sequence: number;
  readonly timestamp: number;
  readonly ssrc: number;
  /** -dBov, 0 loudest to 127 silent. */
  readonly level: number;
  readonly payload: Uint8Array;
}

export function writePacket({ sequence, timestamp, ssrc, level, payload }: OutgoingPacket): Buffer {
  const packet = Buffer.alloc(headerBytes + 8 + payload.length);
  packet.writeUInt8(version2 | extensionBit, 0);
  packet.writeUInt8(opusPayloadType, 1);
  packet.writeUInt16BE(sequence & 0xffff, 2);
  packet.writeUInt32BE(timestamp >>> 0, 4);
  packet.writeUInt32BE(ssrc, 8);
  packet.writeUInt16BE(oneByteExtension, headerBytes);
  packet.writeUInt16BE(1, headerBytes + 2); // words of 32 bit: one element of one byte, padded
  packet.writeUInt8(audioLevelId << 4, headerBytes + 4);
  packet.writeUInt8(level, headerBytes + 5);
  packet.set(payload, headerBytes + 8);
  return packet;
}

export interface IncomingPacket {
  /** The first packet of a speaker in this slot. */
  readonly marker: boolean;
  readonly sequence: number;
  readonly timestamp: number;
  readonly payload: Uint8Array;
}

/** Null for RTCP, which shares the connection (RFC 5761), and for anything malformed. */
export function readPacket(data: Buffer): IncomingPacket | null {
  if (data.length <= headerBytes) return null;
  const [first, second] = [data.readUInt8(0), data.readUInt8(1)];
  if (first >> 6 !== 2 || (second >= 192 && second <= 223)) return null;
  let offset = headerBytes + (first & 0x0f) * 4;
  if (first & extensionBit) {
    if (data.length < offset + 4) return null;
    offset += 4 + data.readUInt16BE(offset + 2) * 4;
  }
  const padding = first & paddingBit ? data.readUInt8(data.length - 1) : 0; // RFC 3550, section 5.1
  if (data.length <= offset + padding) return null;
  return {
    marker: second >> 7 === 1,
    sequence: data.readUInt16BE(2),
    timestamp: data.readUInt32BE(4),
    payload: data.subarray(offset, data.length - padding),
  };
}
