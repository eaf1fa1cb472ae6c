/**
 * The only file of the daemon that uses node-datachannel's peer connections. Answers one offer and wraps every callback
 * from native code. Keeps references to connection and tracks, because the library frees what is not referenced.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { Audio, PeerConnection, type Track } from 'node-datachannel';
import { addTrack, sendPacket } from '../../../../src/media/media-tracks.js';
import type { Safe } from './safe.js';
import { type AnnouncedAddresses, finishAnswer, withoutCandidates } from './sdp.js';

export interface MediaEndpoint extends AnnouncedAddresses {
  /** Local address to bind; null: every address of the host. */
  readonly bindAddress: string | null;
}

export interface AnswerLine {
  readonly audio: Audio;
  /** Packets that arrive on this line, including RTCP. */
  readonly onMessage: (data: Buffer) => void;
}

interface ConnectionHooks {
  readonly onConnected: () => void;
  /** Called once, whichever side ended it. `lost`: the network did. */
  readonly onEnded: (reason: 'left' | 'lost') => void;
}

const gatheringTimeoutMs = 3_000;
/** Accepts only mono speech with error correction: one payload stays one Opus frame for bot and encryption. */
const opusProfile = 'minptime=10;useinbandfec=1;maxaveragebitrate=32000';

export function opusLine(mid: string, direction: 'SendRecv' | 'RecvOnly', payloadType: number): Audio {
  const audio = new Audio(mid, direction);
  audio.addOpusCodec(payloadType, opusProfile);
  return audio;
}

export class Connection {
  private readonly peer: PeerConnection;
  private readonly tracks: Track[] = [];
  private ended = false;

  constructor(
    name: string,
    media: MediaEndpoint,
    private readonly safe: Safe,
    private readonly hooks: ConnectionHooks,
  ) {
    this.peer = new PeerConnection(name, {
      iceServers: [],
      disableAutoNegotiation: true,
      forceMediaTransport: true,
      enableIceUdpMux: true,
      portRangeBegin: media.port,
      portRangeEnd: media.port,
      ...(media.bindAddress === null ? {} : { bindAddress: media.bindAddress }),
    });
    this.peer.onStateChange(safe((state) => this.follow(state)));
  }

  /** Takes the offer, returns the complete answer. Throws whatever the native parser throws. */
  async answer(offerSdp: string, lines: readonly AnswerLine[], media: MediaEndpoint): Promise<string> {
    for (const line of lines) this.addLine(line);
    const gathered = this.gathered();
    this.peer.setRemoteDescription(withoutCandidates(offerSdp), 'offer');
    this.peer.setLocalDescription('answer');
    if (!(await within(gathered, gatheringTimeoutMs))) throw new Error('gathering took too long');
    const answer = this.peer.localDescription();
    if (answer === null) throw new Error('no local description after gathering');
    return finishAnswer(answer.sdp, media);
  }

  /** False when it was not sent: not open yet, or closed. Audio is never queued. */
  send(line: number, packet: Buffer): boolean {
    return sendPacket(this.tracks[line], packet);
  }

  close(): void {
    this.ended = true;
    this.release();
  }

  private addLine({ audio, onMessage }: AnswerLine): void {
    const track = addTrack(this.peer, audio);
    this.tracks.push(track);
    track.onMessage(this.safe(onMessage));
  }

  /** Closes the tracks too: the library keeps their callbacks, and what these refer to, until then. */
  private release(): void {
    for (const track of this.tracks.splice(0)) track.close();
    this.peer.close();
  }

  private gathered(): Promise<true> {
    return new Promise((resolve) => {
      this.peer.onGatheringStateChange(
        this.safe((state) => {
          if (state === 'complete') resolve(true);
        }),
      );
    });
  }

  private follow(state: string): void {
    if (this.ended) return;
    if (state === 'connected') this.hooks.onConnected();
    if (state !== 'closed' && state !== 'failed') return;
    this.ended = true;
    this.release();
    this.hooks.onEnded(state === 'failed' ? 'lost' : 'left');
  }
}

/** The promise's value, or null when the time is up first. */
async function within<Value>(promise: Promise<Value>, timeoutMs: number): Promise<Value | null> {
  const up = new AbortController();
  const timeout = delay(timeoutMs, null, { signal: up.signal }).catch(() => null);
  try {
    return await Promise.race([promise, timeout]);
  } finally {
    up.abort();
  }
}
