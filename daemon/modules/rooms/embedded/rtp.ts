/**
 * The part of RTP that forwarding needs (RFC 3550 section 5.1, RFC 6464 for the audio level). Pure: bytes in, numbers
 * out. A malformed packet is `null`, never an exception: it comes from the network.
 */
const headerBytes = 12;
const opusClockPerMs = 48;
const frameTicks = 960;
const oneByteExtension = 0xbede;
/** A source that jumps further than this has restarted; its numbers are mapped again from there. */
const jumpPackets = 3_000;
const jumpTicks = 10_000 * opusClockPerMs;

export interface RtpPacket {
  readonly payloadType: number;
  readonly sequence: number;
  readonly timestamp: number;
  /** Loudness as -dBov, 0 loudest to 127 silent; null when the sender does not state it. */
  readonly audioLevel: number | null;
  /** View into the received buffer. */
  readonly payload: Buffer;
}

interface StreamNumbers {
  readonly sequence: number;
  readonly timestamp: number;
  readonly marker: boolean;
}

/** RTCP shares the port; its packet types are 192–223 in the second byte (RFC 5761). */
export function isRtcp(data: Buffer): boolean {
  const type = data[1] ?? 0;
  return type >= 192 && type <= 223;
}

export function parseRtp(data: Buffer, audioLevelId: number | null): RtpPacket | null {
  if (data.length <= headerBytes) return null;
  const first = data.readUInt8(0);
  if (first >> 6 !== 2) return null;
  let offset = headerBytes + (first & 0x0f) * 4;
  let audioLevel: number | null = null;
  if (first & 0x10) {
    if (data.length < offset + 4) return null;
    const profile = data.readUInt16BE(offset);
    const end = offset + 4 + data.readUInt16BE(offset + 2) * 4;
    if (data.length < end) return null;
    if (profile === oneByteExtension && audioLevelId !== null) {
      audioLevel = readAudioLevel(data.subarray(offset + 4, end), audioLevelId);
    }
    offset = end;
  }
  const padding = first & 0x20 ? data.readUInt8(data.length - 1) : 0;
  if (offset + padding >= data.length) return null;
  return {
    payloadType: data.readUInt8(1) & 0x7f,
    sequence: data.readUInt16BE(2),
    timestamp: data.readUInt32BE(4),
    audioLevel,
    payload: data.subarray(offset, data.length - padding),
  };
}

function readAudioLevel(elements: Buffer, wantedId: number): number | null {
  for (let at = 0; at < elements.length; ) {
    const head = elements.readUInt8(at);
    const id = head >> 4;
    if (head === 0) at += 1;
    else if (id === 15) return null;
    else if (id === wantedId) return at + 1 < elements.length ? elements.readUInt8(at + 1) & 0x7f : null;
    else at += 2 + (head & 0x0f);
  }
  return null;
}

/** A packet to send: 12 bytes of room for the header, then the payload. Fill in the header for each listener. */
export function packetFor(payload: Uint8Array): Buffer {
  const packet = Buffer.allocUnsafe(headerBytes + payload.length);
  packet.set(payload, headerBytes);
  return packet;
}

export function writeHeader(packet: Buffer, numbers: StreamNumbers, payloadType: number, ssrc: number): void {
  packet.writeUInt8(0x80, 0);
  packet.writeUInt8((numbers.marker ? 0x80 : 0) | payloadType, 1);
  packet.writeUInt16BE(numbers.sequence, 2);
  packet.writeUInt32BE(numbers.timestamp, 4);
  packet.writeUInt32BE(ssrc, 8);
}

interface SourcePosition {
  readonly sequence: number;
  readonly timestamp: number;
}

/**
 * Makes one continuous stream out of a slot's changing speakers: sequence numbers continue by one at every change, time
 * stamps by the time that has passed; within one speaker, real losses stay visible to the listener's decoder.
 */
export class StreamRewriter {
  private sequenceOffset = 0;
  private timestampOffset = 0;
  private newest: SourcePosition | null = null;
  private sinceAnchor = 0;
  private sentAtMs: number | null = null;

  /** `sequence` and `timestamp` are those of an imagined packet before the first. */
  constructor(
    private sequence: number,
    private timestamp: number,
  ) {}

  /**
   * Numbers to send; `fresh` when the slot has just been taken. null: a late packet from before that, to be dropped.
   */
  next(source: SourcePosition, nowMs: number, fresh: boolean): StreamNumbers | null {
    const newest = this.newest;
    const ahead = newest === null ? 0 : signed16(source.sequence - newest.sequence);
    const drift = newest === null ? 0 : (source.timestamp - newest.timestamp) | 0;
    if (fresh || newest === null || Math.abs(ahead) > jumpPackets || Math.abs(drift) > jumpTicks) {
      return this.anchor(source, nowMs);
    }
    if (this.sinceAnchor + ahead < 0) return null;
    const sequence = (source.sequence + this.sequenceOffset) & 0xffff;
    const timestamp = (source.timestamp + this.timestampOffset) >>> 0;
    if (ahead > 0) {
      this.sinceAnchor += ahead;
      this.remember(source, sequence, timestamp, nowMs);
    }
    return { sequence, timestamp, marker: false };
  }

  private anchor(source: SourcePosition, nowMs: number) {
    const passedMs = this.sentAtMs === null ? 0 : nowMs - this.sentAtMs;
    const sequence = (this.sequence + 1) & 0xffff;
    const timestamp = (this.timestamp + Math.max(frameTicks, Math.round(passedMs * opusClockPerMs))) >>> 0;
    this.sequenceOffset = sequence - source.sequence;
    this.timestampOffset = timestamp - source.timestamp;
    this.sinceAnchor = 0;
    this.remember(source, sequence, timestamp, nowMs);
    return { sequence, timestamp, marker: true };
  }

  private remember(source: SourcePosition, sequence: number, timestamp: number, nowMs: number): void {
    this.newest = { sequence: source.sequence, timestamp: source.timestamp };
    this.sequence = sequence;
    this.timestamp = timestamp;
    this.sentAtMs = nowMs;
  }
}

const signed16 = (value: number): number => (value << 16) >> 16;
