/** A person's place in a room: their microphone out, everybody else in. Comes back by itself when the room was lost. */
import type { MediaUnreachable } from '../client/room/errors.js';
import type { RoomAccess } from '../client/room/room-access.js';
import { RoomEvents } from '../client/room/room-events.js';
import { Seat } from '../client/room/seat.js';
import { BrowserPeer } from './browser-peer.js';
import type { FrameSealer } from './frame-sealer.js';

/** Receiving lines in the offer: as many as the daemon gives one listener. */
const listeningLines = 8;

export interface RoomCallOptions {
  /** Track that is spoken into the room; left out: nothing. */
  readonly microphone?: MediaStreamTrack | undefined;
  /**
   * Takes the sound of a line, from 0; left out: nothing is heard. `room.slot` events tell who speaks on which line, and a
   * line's sound comes anew whenever the call was taken up again.
   */
  readonly onSound?: ((sound: MediaStream, line: number) => void) | undefined;
  /** Called when the call has joined the room, and when it begins to rejoin. */
  readonly onChange?: (state: 'joined' | 'rejoining') => void;
  /** Called after each attempt in which sound could not get through, while the call goes on trying. */
  readonly onUnreachable?: (error: MediaUnreachable) => void;
  /** Encrypts sound in an encrypted room. */
  readonly sealer?: FrameSealer | null;
}

export class RoomCall {
  private readonly seats: Seat<BrowserPeer>[] = [];
  private readonly ownEvents: RoomEvents | null;
  /** Resolves when we have left; rejects when we are out without having asked for it. */
  readonly ended: Promise<void>;

  /** @param events of the same room and token, where somebody follows them already */
  constructor(
    access: RoomAccess,
    private readonly options: RoomCallOptions,
    events?: RoomEvents,
  ) {
    const { microphone, onSound } = options;
    const followed = events ?? new RoomEvents(access);
    this.ownEvents = events === undefined ? followed : null;
    const seat = (kind: 'whip' | 'whep', fill: (connection: RTCPeerConnection) => void) =>
      new Seat(access, followed, {
        kind,
        patient: true,
        newPeer: (ended) => {
          const peer = new BrowserPeer(ended);
          fill(peer.connection);
          return peer;
        },
        onChange: (taken) => this.changed(taken),
        onUnreachable: options.onUnreachable,
      });
    if (microphone !== undefined) this.seats.push(seat('whip', (connection) => this.speak(connection, microphone)));
    if (onSound !== undefined) this.seats.push(seat('whep', (connection) => this.listen(connection, onSound)));
    this.ended = Promise.all(this.seats.map(({ ended }) => ended)).then(() => {});
    this.ended.catch(() => this.leave());
  }

  /** Resolves once we are in the room. Throws ApiError when it is refused. */
  async join(): Promise<void> {
    for (const seat of this.seats) await seat.enter();
  }

  get isJoined(): boolean {
    return this.seats.every(({ peer }) => peer !== null);
  }

  /** True if the resource is one that this call holds, and not one of another window. */
  holds = (resourceId: string): boolean => this.seats.some((seat) => seat.resourceId === resourceId);

  /** Leaves the room and notifies the daemon. */
  async leave(): Promise<void> {
    this.ownEvents?.close();
    await Promise.all(this.seats.map((seat) => seat.leave()));
  }

  private changed(taken: boolean): void {
    if (!taken) this.options.onChange?.('rejoining');
    else if (this.isJoined) this.options.onChange?.('joined');
  }

  /** Sealed in the same task: a transform that is set later lets first frames leave in clear. */
  private speak(connection: RTCPeerConnection, microphone: MediaStreamTrack): void {
    const { sender } = connection.addTransceiver(microphone, { direction: 'sendonly' });
    this.options.sealer?.seal(sender);
  }

  private listen(connection: RTCPeerConnection, onSound: (sound: MediaStream, line: number) => void): void {
    for (let line = 0; line < listeningLines; line += 1) {
      const { receiver } = connection.addTransceiver('audio', { direction: 'recvonly' });
      this.options.sealer?.open(receiver);
      onSound(new MediaStream([receiver.track]), line);
    }
  }
}
