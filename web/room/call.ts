/** Your place in the room: the microphone out, everybody else in. Comes back by itself, with the same token, when the room was lost. */
import type { FrameSealer } from './frame-sealer.js';
import { MediaLink } from './media.js';
import { pause } from './pause.js';
import { Refusal } from './refusal.js';

/** As many as the daemon gives one listener; the loudest speakers take them. */
const listeningLines = 8;

export interface CallEvents {
  /** Sound of one of the lines, from 0. */
  heard(line: number, stream: MediaStream): void;
  /** In the room, or on the way back to it. */
  changed(state: 'joined' | 'rejoining'): void;
  /** It is over: the daemon refuses to let you (back) in. */
  refused(refusal: Refusal): void;
}

export interface Places {
  readonly roomUrl: string;
  readonly token: string;
  readonly publish: boolean;
  readonly subscribe: boolean;
}

export class Call {
  private links: MediaLink[] = [];
  private over = false;
  private seeking = false;

  constructor(
    private readonly places: Places,
    private readonly microphone: MediaStream | null,
    private readonly sealer: FrameSealer | null,
    private readonly events: CallEvents,
  ) {}

  /** Resolves once you are in the room, or it was refused. */
  async join(): Promise<void> {
    if (this.seeking || this.over) return;
    this.seeking = true;
    for (let attempt = 0; !this.over; attempt += 1) {
      this.drop(); // what the daemon still holds is replaced by the same token
      try {
        await this.open();
        break;
      } catch (error) {
        if (error instanceof Refusal && !error.isPassing) {
          this.leave();
          this.events.refused(error);
        } else await pause(attempt);
      }
    }
    this.seeking = false;
    if (this.over) this.leave();
    else this.events.changed('joined');
  }

  /** The room was lost: everything is set up anew. */
  rejoin(): void {
    if (this.seeking || this.over) return;
    this.events.changed('rejoining');
    void this.join();
  }

  /** Whether the resource is one that this page holds now, and not one of another window. */
  holds = (resourceId: string | null): boolean =>
    resourceId !== null && this.links.some((link) => link.resourceId === resourceId);

  get isConnected(): boolean {
    return this.links.length > 0 && this.links.every(({ connection }) => connection.connectionState === 'connected');
  }

  /** Out of the room, and tells it so. */
  leave(): void {
    this.over = true;
    for (const link of this.links) link.release();
    this.drop();
  }

  /** Forgets the connections, which the room has forgotten already. */
  drop(): void {
    for (const { connection } of this.links) connection.close();
    this.links = [];
  }

  private async open(): Promise<void> {
    const { publish, subscribe } = this.places;
    const link = (kind: 'whip' | 'whep') =>
      new MediaLink(this.places.roomUrl, kind, this.places.token, () => this.rejoin());
    const [track] = this.microphone?.getAudioTracks() ?? [];
    if (publish && track !== undefined) {
      const speaking = link('whip');
      this.links.push(speaking);
      // Sealed in the same task: a transform that is set later lets first frames leave in clear.
      const { sender } = speaking.connection.addTransceiver(track, { direction: 'sendonly' });
      this.sealer?.seal(sender);
      await speaking.open();
    }
    if (subscribe) {
      const listening = link('whep');
      this.links.push(listening);
      for (let line = 0; line < listeningLines; line += 1) {
        const { receiver } = listening.connection.addTransceiver('audio', { direction: 'recvonly' });
        this.sealer?.open(receiver);
        this.events.heard(line, new MediaStream([receiver.track]));
      }
      await listening.open();
    }
  }
}
