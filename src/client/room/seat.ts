/**
 * A seat in a room, as speaker or as listener. After a loss of the network, or a restart of the room, it is taken again
 * with the same token. It ends when we leave, when the room removes us, or when it refuses us. The peer makes the
 * connection: WebRTC of a browser, or a library of Node.js.
 */
import type { RoomStreamEvent } from '../../contract/rooms/room-events.js';
import { sleep, waitMs } from '../back-off.js';
import { ApiError } from '../errors.js';
import { MediaUnreachable, RemovedFromRoom } from './errors.js';
import type { PeerEnded, RoomPeer } from './peer.js';
import { createResource, deleteResource, type ResourceKind } from './resource.js';
import type { RoomAccess } from './room-access.js';
import type { RoomEvents } from './room-events.js';

/** Waiting time before each further attempt; the last one repeats. */
const backOffMs = [0, 250, 500, 1_000, 2_000, 5_000];
const comeBackMaxMs = 120_000;
/** The room closes our connection first and says why a moment later. */
const reasonWaitMs = 1_500;

interface SeatOptions<Peer extends RoomPeer> {
  readonly kind: ResourceKind;
  /** Makes a new connection; `ended` is called when it ends without our doing. */
  readonly newPeer: (ended: PeerEnded) => Peer;
  /** The events of the room, without those for another connection of ours. */
  readonly onEvent?: (event: RoomStreamEvent) => void;
  /** Called with a sentence when the connection is lost, and when it is back. */
  readonly report?: (line: string) => void;
  /** Called when the seat is taken, and when it is lost and being taken again. */
  readonly onChange?: (taken: boolean) => void;
  /** Called after each attempt in which sound could not get through, while we go on trying. */
  readonly onUnreachable?: ((error: MediaUnreachable) => void) | undefined;
  /**
   * Tries for as long as it takes, from the first attempt on, unless it is refused. Default: the first attempt has to
   * succeed, and later ones within two minutes.
   */
  readonly patient?: boolean;
}

export class Seat<Peer extends RoomPeer> {
  private current: Peer | null = null;
  /** The one that is on its way into the room. */
  private coming: Peer | null = null;
  private location: URL | null = null;
  private over = false;
  private seeking = false;
  /** Ends a wait for the next attempt. */
  private hurry: () => void = () => {};
  private unsubscribe: () => void = () => {};
  private finish: (error: Error | null) => void = () => {};
  /** Resolves when we have left; rejects when we are out without having asked for it. */
  readonly ended: Promise<void>;

  constructor(
    private readonly access: RoomAccess,
    private readonly events: RoomEvents,
    private readonly options: SeatOptions<Peer>,
  ) {
    this.ended = new Promise((resolve, reject) => {
      this.finish = (error) => (error === null ? resolve() : reject(error));
    });
    this.ended.catch(() => {}); // the error reaches those who read `ended`
  }

  /** Null while we are out and coming back. */
  get peer(): Peer | null {
    return this.current;
  }

  /** The last part of the resource's address, by which the room's events name it. */
  get resourceId(): string | null {
    return this.location?.pathname.split('/').at(-1) ?? null;
  }

  /** Throws ApiError, DaemonUnreachable, MediaUnreachable. */
  async enter(): Promise<void> {
    this.unsubscribe = this.events.subscribe((event) => this.follow(event));
    this.seeking = true;
    try {
      await (this.options.patient === true ? this.seek() : this.connect());
    } catch (error) {
      this.end(toError(error));
      throw error;
    } finally {
      this.seeking = false;
    }
  }

  /** Gives the seat up; the room knows at once. */
  async leave(): Promise<void> {
    if (this.over) return;
    const { location } = this;
    this.close();
    this.finish(null);
    if (location !== null) await this.release(location);
  }

  private async connect(): Promise<void> {
    await this.events.open(); // from here on the events of the room arrive
    if (this.over) return;
    const { whyUnreachable } = this.events;
    if (whyUnreachable !== null) throw toError(whyUnreachable);
    const peer: Peer = this.options.newPeer((how) => {
      if (this.current === peer) void this.lost(peer, how);
    });
    this.coming = peer;
    this.location = null;
    try {
      const { answerSdp, location } = await this.request(await peer.offer());
      this.location = location;
      if (this.over) await this.release(location);
      else await peer.accept(answerSdp);
    } catch (error) {
      peer.close();
      throw error;
    } finally {
      this.coming = null;
    }
    if (this.over) return peer.close();
    this.current = peer;
    this.options.onChange?.(true);
  }

  /** Where the events come from is where the room is. */
  private request = (offerSdp: string) =>
    createResource(
      { ...this.access, url: this.events.roomUrl },
      this.options.kind,
      offerSdp,
      this.events.followsElsewhere,
    );

  /** The room notices by itself where this does not reach it. */
  private release = (location: URL): Promise<void> => deleteResource(this.access, location).catch(() => {});

  private follow(event: RoomStreamEvent): void {
    if (this.over || this.isOfAnother(event)) return;
    this.options.onEvent?.(event);
    if (event.type === 'room.state') {
      this.hurry();
      if (this.current !== null && !this.isSeated(event)) void this.comeBack('The room does not know this connection');
    } else if (event.type === 'room.removed') {
      if (event.reason === 'lost') void this.comeBack('The connection to the room is lost');
      else this.end(new RemovedFromRoom(event.message, event.until));
    } else if (event.type === 'room.closed') {
      if (event.rejoin) void this.comeBack('The room restarts');
      else this.end(new RemovedFromRoom('The room was closed.'));
    }
  }

  /** A person who speaks and listens has two connections, and each gets the events of both. */
  private isOfAnother(event: RoomStreamEvent): boolean {
    if (!('resourceId' in event) || event.resourceId === null) return false;
    return this.location === null ? event.type === 'room.removed' : event.resourceId !== this.resourceId;
  }

  private isSeated({ you, people }: Extract<RoomStreamEvent, { type: 'room.state' }>): boolean {
    if (!you.subscribe) return true; // such a token gets no events
    const self = people.find(({ externalUserId }) => externalUserId === you.externalUserId);
    return self !== undefined && (self.publishing || this.options.kind === 'whep');
  }

  private async lost(peer: Peer, how: 'closed' | 'lost'): Promise<void> {
    if (how === 'closed' && this.events.connected) {
      // The reason, which comes a moment later, decides; without one the room has removed us.
      await sleep(reasonWaitMs);
      if (this.over || this.current !== peer) return; // we may have come back meanwhile, with another connection
      if (this.events.connected) return this.end(new RemovedFromRoom('The room ended the connection.'));
    }
    await this.comeBack('The connection to the room is lost');
  }

  private async comeBack(reason: string): Promise<void> {
    if (this.over || this.seeking) return;
    this.seeking = true;
    this.current?.close();
    this.current = null;
    this.options.report?.(`${reason}; coming back.`);
    this.options.onChange?.(false);
    try {
      await this.seek();
      if (!this.over) this.options.report?.('In the room again.');
    } catch (error) {
      this.end(toError(error));
    }
    this.seeking = false;
  }

  /** Tries until the seat is taken. Throws errors that trying again does not help. */
  private async seek(): Promise<void> {
    const until = this.options.patient === true ? Number.POSITIVE_INFINITY : Date.now() + comeBackMaxMs;
    for (let attempt = 0; !this.over; attempt += 1) {
      await this.pause(waitMs(attempt, backOffMs));
      if (this.over) return;
      try {
        return await this.connect();
      } catch (error) {
        if ((error instanceof ApiError && !error.isPassing) || Date.now() > until) throw error;
        if (error instanceof MediaUnreachable && !this.over) this.options.onUnreachable?.(error);
      }
    }
  }

  /** Waits before the next attempt, until the room answers again at most. */
  private async pause(ms: number): Promise<void> {
    const answers = new AbortController();
    this.hurry = () => answers.abort();
    await sleep(ms, answers.signal);
  }

  private end(error: Error): void {
    if (this.over) return;
    this.close();
    this.finish(error);
  }

  private close(): void {
    this.over = true;
    this.unsubscribe();
    this.coming?.close();
    this.current?.close();
    this.current = null;
  }
}

const toError = (error: unknown): Error => (error instanceof Error ? error : new Error(String(error)));
