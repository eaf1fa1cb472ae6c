/** Recorded speech as a room's tap hands it to the bot: Opus frames of 20 ms with sequence, timestamp and arrival. */
import { Encoder } from '@evan/opus';
import type { BotPacket, PacketSource } from '../../daemon/modules/sessions/bot/speaker-packet.js';
import { frameMs, frameSamples } from '../../daemon/modules/sessions/bot/voice-activity.js';
import { sampleRate } from '../../daemon/modules/sessions/recognisers/transcriber.js';

const ticksPerFrame = frameMs * 48;

export interface SpokenPacketOptions {
  externalUserId: string;
  startedAtMs: number;
  publicationId?: string;
  /** First sequence and timestamp; near their ends by default, so that both run over. */
  sequence?: number;
  timestamp?: number;
  audible?: boolean;
}

export function spokenPackets(pcm: Int16Array, speaking: SpokenPacketOptions): BotPacket[] {
  const { externalUserId, publicationId = externalUserId, startedAtMs, audible = true } = speaking;
  const { sequence = 0xffff - 20, timestamp = 0xffff_ffff - 40 * ticksPerFrame } = speaking;
  const encoder = new Encoder({ channels: 1, sample_rate: sampleRate, application: 'voip' });
  encoder.bitrate = 32_000;
  encoder.inband_fec = true; // as the client encodes
  encoder.packet_loss = 5;
  return Array.from({ length: Math.floor(pcm.length / frameSamples) }, (_, index) => ({
    externalUserId,
    publicationId,
    audible,
    sequence: (sequence + index) & 0xffff,
    timestamp: (timestamp + index * ticksPerFrame) >>> 0,
    arrivedAtMs: startedAtMs + (index + 1) * frameMs,
    payload: Buffer.from(encoder.encode(pcm.slice(index * frameSamples, (index + 1) * frameSamples))),
  }));
}

/** Several speakers' packets as they arrive. */
export const interleaved = (...streams: BotPacket[][]): BotPacket[] =>
  streams.flat().sort((a, b) => a.arrivedAtMs - b.arrivedAtMs);

/** A tap that a test speaks into. */
export class OpenTap implements PacketSource {
  keptSeconds = 0;
  readonly dropped = 0;
  private waiting: BotPacket[] = [];
  private wake = () => {};
  private closed = false;

  say(packets: readonly BotPacket[]): void {
    this.waiting.push(...packets);
    this.wake();
  }

  keeps(seconds: number): void {
    this.keptSeconds = seconds;
  }

  close(): void {
    this.closed = true;
    this.wake();
  }

  async *[Symbol.asyncIterator](): AsyncIterator<BotPacket> {
    while (this.waiting.length > 0 || !this.closed) {
      const packet = this.waiting.shift();
      if (packet !== undefined) yield packet;
      else await new Promise<void>((resolve) => (this.wake = resolve));
    }
  }
}
