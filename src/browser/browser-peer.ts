/** One WebRTC connection with the room, as browsers make it: what `../client/voice/media-peer.ts` is for Node.js. */
import { MediaUnreachable } from '../client/room/errors.js';
import type { PeerEnded, RoomPeer } from '../client/room/peer.js';

/** The room gives up a seat whose peer has not connected by then. */
const connectTimeoutMs = 10_000;
/** A connection may recover from `disconnected` by itself; after this it counts as lost. */
const disconnectedMs = 6_000;

export class BrowserPeer implements RoomPeer {
  readonly connection = new RTCPeerConnection();
  private timer: ReturnType<typeof setTimeout> | undefined;
  private ended = false;
  private stopWaiting: () => void = () => {};

  constructor(private readonly onEnded: PeerEnded) {}

  /** Offers what was added to the connection. */
  async offer(): Promise<string> {
    await this.connection.setLocalDescription();
    return this.connection.localDescription?.sdp ?? '';
  }

  /** Resolves when sound can flow. Throws MediaUnreachable. */
  async accept(answerSdp: string): Promise<void> {
    await this.connection.setRemoteDescription({ type: 'answer', sdp: answerSdp });
    await new Promise<void>((resolve, reject) => {
      const fail = () => reject(unreachable(answerSdp));
      this.stopWaiting = fail;
      this.timer = setTimeout(fail, connectTimeoutMs);
      const watch = () => {
        const { connectionState: state } = this.connection;
        if (state === 'connected') resolve();
        else if (state === 'failed' || this.ended) fail();
      };
      this.connection.addEventListener('connectionstatechange', watch);
      watch();
    });
    clearTimeout(this.timer);
    this.connection.addEventListener('connectionstatechange', () => this.watch());
    this.watch();
  }

  close(): void {
    this.ended = true;
    clearTimeout(this.timer);
    this.connection.close();
    this.stopWaiting();
  }

  private watch(): void {
    clearTimeout(this.timer);
    const { connectionState: state } = this.connection;
    if (state === 'failed') this.lose();
    else if (state === 'disconnected') this.timer = setTimeout(() => this.lose(), disconnectedMs);
  }

  private lose(): void {
    if (this.ended) return;
    this.ended = true;
    this.onEnded('lost');
  }
}

function unreachable(answerSdp: string): MediaUnreachable {
  const candidates = [...answerSdp.matchAll(/^a=candidate:\S+ 1 udp \d+ (\S+) (\d+) /gim)];
  const addresses = [...new Set(candidates.map(([, address = '']) => address))];
  const port = candidates[0]?.[2];
  const message = 'The room does not answer on its media port.';
  return new MediaUnreachable(message, addresses, port === undefined ? null : Number(port));
}
