/** The UDP port of the rooms, held by the daemon until the room process needs it. */
import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { Refused } from '../../../platform/refused.js';

export interface EmbeddedMedia {
  /** UDP port of all peers; 0 picks a free one, kept across restarts. */
  readonly port: number;
  readonly bindAddress: string | null;
  readonly announcedAddress: string | null;
  readonly announcesLoopback: boolean;
  /** Without a word from the daemon for this long the room process ends by itself; null: only with the daemon. */
  readonly orphanMs: number | null;
}

export class MediaPort {
  private socket: Socket | null = null;
  private chosen: number;

  constructor(private readonly media: EmbeddedMedia) {
    this.chosen = media.port;
  }

  /** 0 until a free one was chosen. */
  get number(): number {
    return this.chosen;
  }

  /** Throws Refused when it is taken. */
  async reserve(): Promise<void> {
    const { bindAddress, port } = this.media;
    const socket = createSocket(bindAddress?.includes(':') ? 'udp6' : 'udp4');
    const listening = once(socket, 'listening');
    try {
      socket.bind(port, bindAddress ?? undefined); // throws where there is no such port
      await listening;
    } catch (error) {
      listening.catch(() => {});
      throw new Refused(cannotRun(port, error instanceof Error ? error.message : String(error)));
    }
    this.chosen = socket.address().port;
    this.socket = socket;
  }

  async release(): Promise<void> {
    const { socket } = this;
    this.socket = null;
    if (socket !== null) await new Promise<void>((resolve) => socket.close(resolve));
  }
}

export const cannotRun = (port: number, why: string): string =>
  `The voice rooms cannot run on UDP port ${port}: ${why}. Set EARSHOT_MEDIA_PORT, or EARSHOT_ROOM_PROCESSES to the number of free ports from there on.`;
