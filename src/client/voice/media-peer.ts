/**
 * One WebRTC connection into a room. Our side makes the offer. The only file of the client that touches
 * node-datachannel: an exception in one of its callbacks would end the process, so each is wrapped.
 */
import { Audio, cleanup, PeerConnection, type Track } from 'node-datachannel';
import { addTrack, sendPacket } from '../../media/media-tracks.js';
import { MediaUnreachable } from '../room/errors.js';
import type { PeerEnded, RoomPeer } from '../room/peer.js';
import { opusPayloadType } from './rtp.js';

const gatheringTimeoutMs = 5_000;
const connectTimeoutMs = 15_000;
const opusProfile = 'minptime=10;useinbandfec=1;maxaveragebitrate=32000';

export interface MediaHooks {
  /** A packet on a line, RTCP included. */
  readonly onPacket: (line: number, data: Buffer) => void;
  readonly onEnded: PeerEnded;
}

export function opusLine(mid: string, direction: 'SendOnly' | 'RecvOnly'): Audio {
  const audio = new Audio(mid, direction);
  audio.addOpusCodec(opusPayloadType, opusProfile);
  return audio;
}

export class MediaPeer implements RoomPeer {
  private readonly connection: PeerConnection;
  private readonly tracks: Track[];
  private connected: () => void = () => {};
  private ended = false;
  private isClosed = false;
  private stopWaiting: (error: Error) => void = () => {};
  private readonly closed = new Promise<never>((_, reject) => {
    this.stopWaiting = reject;
  });

  constructor(
    lines: readonly Audio[],
    private readonly hooks: MediaHooks,
  ) {
    this.connection = new PeerConnection('earshot', {
      iceServers: [],
      disableAutoNegotiation: true,
      forceMediaTransport: true,
    });
    this.closed.catch(() => {}); // mostly nobody waits
    this.connection.onStateChange(harmless((state) => this.follow(state)));
    this.tracks = lines.map((line, index) => {
      const track = addTrack(this.connection, line);
      track.onMessage(harmless((data) => this.hooks.onPacket(index, data)));
      return track;
    });
  }

  /** Without candidates: the room learns our address from our own checks, which begin when we have its answer. */
  async offer(): Promise<string> {
    const gathered = new Promise<void>((resolve) => {
      this.connection.onGatheringStateChange(
        harmless((state) => {
          if (state === 'complete') resolve();
        }),
      );
    });
    this.connection.setLocalDescription('offer');
    await inTime([gathered, this.closed], gatheringTimeoutMs, 'This machine has no network addresses.');
    const lines = (this.connection.localDescription()?.sdp ?? '').split('\r\n');
    return lines.filter((line) => !/^a=(candidate|end-of-candidates)/.test(line)).join('\r\n');
  }

  /** Resolves when sound can flow. Throws MediaUnreachable. */
  async accept(answerSdp: string): Promise<void> {
    const connected = new Promise<void>((resolve) => {
      this.connected = resolve;
    });
    this.connection.setRemoteDescription(answerSdp, 'answer');
    await inTime(
      [connected, this.closed],
      connectTimeoutMs,
      'The room does not answer on its media port. Is its UDP port (EARSHOT_MEDIA_PORT) reachable from here?',
    );
  }

  /** False when it was not sent. Sound is never queued. */
  send(packet: Buffer): boolean {
    return !this.ended && sendPacket(this.tracks[0], packet);
  }

  close(): void {
    if (this.isClosed) return;
    [this.isClosed, this.ended] = [true, true];
    this.release();
    this.stopWaiting(new MediaUnreachable('The connection attempt was cancelled.'));
  }

  /** Closes the tracks too: the library keeps their callbacks, and what these refer to, until then. */
  private release(): void {
    for (const track of this.tracks.splice(0)) track.close();
    this.connection.close();
  }

  private follow(state: string): void {
    if (state === 'connected') this.connected();
    if (this.ended || (state !== 'closed' && state !== 'failed')) return;
    this.ended = true;
    this.release();
    this.hooks.onEnded(state === 'closed' ? 'closed' : 'lost');
  }
}

/** Ends the library's threads, which would keep the process alive. Nothing of the library works afterwards. */
export const endMedia = (): void => cleanup();

const harmless =
  <Args extends unknown[]>(callback: (...args: Args) => void) =>
  (...args: Args): void => {
    try {
      callback(...args);
    } catch (error) {
      // Thrown again where Node.js can report it.
      setImmediate(() => {
        throw error;
      });
    }
  };

async function inTime(either: readonly Promise<void>[], timeoutMs: number, sentence: string): Promise<void> {
  let late: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_, reject) => {
    late = setTimeout(() => reject(new MediaUnreachable(sentence)), timeoutMs);
  });
  try {
    await Promise.race([...either, timeout]);
  } finally {
    clearTimeout(late);
  }
}
