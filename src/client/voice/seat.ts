/**
 * A place in a room, as speaker or as listener, that is kept: when the network breaks or the room starts anew it is
 * taken again by the same token. It ends when we leave, when the room removes us, or when it will not have us back.
 */
import type { RoomStreamEvent } from '../../contract/rooms/room-events.js';
import { ApiError } from '../earshot-client.js';
import { RemovedFromRoom } from './errors.js';
import type { MediaPeer } from './media-peer.js';
import { createResource, deleteResource } from './resource.js';
import type { RoomAccess } from './room-access.js';
import { RoomEvents } from './room-events.js';

/** Waiting time before each further attempt to come back; the last one repeats. */
const backOffMs = [0, 250, 500, 1_000, 2_000];
const comeBackMaxMs = 120_000;
/** The room closes our connection first and says why a moment later. */
const reasonWaitMs = 1_500;

export interface SeatOptions {
  readonly kind: 'whip' | 'whep';
  /** A fresh connection; `ended` is to be told when it ends without us. */
  readonly newPeer: (ended: (how: 'closed' | 'lost') => void) => MediaPeer;
  /** What the room tells us, without what is meant for another connection of ours. */
  readonly onEvent?: (event: RoomStreamEvent) => void;
  /** Told of losses and returns, in words. */
  readonly tell?: (line: string) => void;
}

export class Seat {
  private peer: MediaPeer | null = null;
  private location: URL | null = null;
  private events: RoomEvents | null = null;
  private over = false;
  private comingBack = false;
  private finish: (error: Error | null) => void = () => {};
  /** Resolves when we have left; rejects when we are out without having asked for it. */
  readonly ended: Promise<void>;

  constructor(
    private readonly access: RoomAccess,
    private readonly options: SeatOptions,
  ) {
    this.ended = new Promise((resolve, reject) => {
      this.finish = (error) => (error === null ? resolve() : reject(error));
    });
    this.ended.catch(() => {}); // whoever asks is told
  }

  /** False while we are out and coming back. */
  get taken(): boolean {
    return this.peer !== null;
  }

  /** Throws ApiError, DaemonUnreachable, MediaUnreachable. */
  async take(): Promise<void> {
    try {
      await this.connect();
    } catch (error) {
      this.close();
      throw error;
    }
  }

  /** False when it was not sent. */
  send = (packet: Buffer): boolean => this.peer?.send(packet) ?? false;

  /** Gives the seat up; the room knows at once. */
  async leave(): Promise<void> {
    if (this.over) return;
    const { location } = this;
    this.close();
    if (location !== null) await deleteResource(this.access, location).catch(() => {}); // the room notices by itself
    this.finish(null);
  }

  private async connect(): Promise<void> {
    if (this.events === null || this.events.refused) {
      this.events?.close();
      this.events = new RoomEvents(this.access, (event) => this.follow(event));
      await this.events.opened; // what follows is told
    }
    const peer: MediaPeer = this.options.newPeer((how) => {
      if (this.peer === peer) void this.lost(how);
    });
    this.location = null;
    try {
      const { answerSdp, location } = await createResource(this.access, this.options.kind, await peer.offer());
      this.location = location;
      await peer.accept(answerSdp);
    } catch (error) {
      peer.close();
      throw error;
    }
    if (this.over) peer.close();
    else this.peer = peer;
  }

  private follow(event: RoomStreamEvent): void {
    if (this.over || this.isOfAnother(event)) return;
    this.options.onEvent?.(event);
    if (event.type === 'room.state') {
      if (this.peer !== null && !this.isSeated(event)) void this.comeBack('The room does not know this connection');
    } else if (event.type === 'room.removed') {
      if (event.reason === 'lost') void this.comeBack('The connection to the room is lost');
      else this.end(new RemovedFromRoom(event.message));
    } else if (event.type === 'room.closed') {
      if (event.rejoin) void this.comeBack('The room starts anew');
      else this.end(new RemovedFromRoom('The room was closed.'));
    }
  }

  /** Whoever speaks and listens has two connections, and each hears of both. */
  private isOfAnother(event: RoomStreamEvent): boolean {
    if (!('resourceId' in event) || event.resourceId === null) return false;
    const own = this.location?.pathname.split('/').at(-1);
    return own === undefined ? event.type === 'room.removed' : event.resourceId !== own;
  }

  private isSeated({ you, people }: Extract<RoomStreamEvent, { type: 'room.state' }>): boolean {
    if (!you.subscribe) return true; // such a token is not told
    const self = people.find(({ externalUserId }) => externalUserId === you.externalUserId);
    return self !== undefined && (self.publishing || this.options.kind === 'whep');
  }

  private async lost(how: 'closed' | 'lost'): Promise<void> {
    if (how === 'closed' && this.events?.connected === true) {
      // A reason that is to come decides; without one the room wanted us out.
      await new Promise((resolve) => setTimeout(resolve, reasonWaitMs));
      if (this.over || this.comingBack) return;
      if (this.events.connected) return this.end(new RemovedFromRoom('The room ended the connection.'));
    }
    await this.comeBack('The connection to the room is lost');
  }

  private async comeBack(reason: string): Promise<void> {
    if (this.over || this.comingBack) return;
    this.comingBack = true;
    this.peer?.close();
    this.peer = null;
    this.options.tell?.(`${reason}; coming back.`);
    const until = Date.now() + comeBackMaxMs;
    for (let attempt = 0; !this.over; attempt += 1) {
      await new Promise((resolve) => setTimeout(resolve, backOffMs[Math.min(attempt, backOffMs.length - 1)]));
      if (this.over) break;
      try {
        await this.connect();
        this.options.tell?.('In the room again.');
        break;
      } catch (error) {
        const final = error instanceof ApiError && error.status < 500 && error.status !== 429;
        if (final || Date.now() > until) this.end(error instanceof Error ? error : new Error(String(error)));
      }
    }
    this.comingBack = false;
  }

  private end(error: Error): void {
    if (this.over) return;
    this.close();
    this.finish(error);
  }

  private close(): void {
    this.over = true;
    this.peer?.close();
    this.peer = null;
    this.events?.close();
  }
}
