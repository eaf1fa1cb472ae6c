/**
 * Follows the events that a room sends to a person. Connects again by itself, and then gets the room's state again. One
 * stream serves all listeners of this object: a page that shows the room, and each seat in it.
 */
import type { RoomStreamEvent } from '../../contract/rooms/room-events.js';
import { askedWaitMs, sleep, waitMs } from '../back-off.js';
import { ApiError, failureOf, toApiError } from '../errors.js';
import { refuseRedirect } from '../redirect.js';
import { sseFrames } from '../sse-frames.js';
import { byFetch } from '../transport.js';
import { addressElsewhere } from './resource.js';
import type { RoomAccess } from './room-access.js';
import { RoomAddresses } from './room-addresses.js';

/**
 * A newer daemon may send other types too. What an event contains is not checked again, as results of calls are not.
 */
const known: Readonly<Record<RoomStreamEvent['type'], true>> = {
  'room.state': true,
  'room.peer': true,
  'room.slot': true,
  'room.muted': true,
  'room.limited': true,
  'room.blocks': true,
  'room.addresses': true,
  'room.warned': true,
  'room.announced': true,
  'room.notified': true,
  'room.removed': true,
  'room.closed': true,
  message: true,
  'message.partial': true,
  'message.annotation': true,
};

/** Another daemon has the rooms of a lost one within ten seconds, so the first attempts come close together. */
const backOffMs = [250, 500, ...Array.from({ length: 20 }, () => 1_000), 5_000, 10_000, 30_000];

type OnRoomEvent = (event: RoomStreamEvent) => void;

export interface RoomEventsOptions {
  /** The connection is lost and being opened again. */
  readonly onLost?: () => void;
  /** The token does not open the room (any more); nothing follows. */
  readonly onRefused?: (refusal: ApiError) => void;
  /** Also what people are saying while they say it. Default: no; the daemon has to recognise it meanwhile. */
  readonly partials?: boolean;
  /** Another daemon has the room; nothing follows. Default: its events are followed there, and seats are taken there. */
  readonly onElsewhere?: (refusal: ApiError) => void;
}

export class RoomEvents {
  private readonly closing = new AbortController();
  private readonly listeners = new Set<OnRoomEvent>();
  private state: 'new' | 'seeking' | 'connected' | 'refused' = 'new';
  private tried: Promise<void> = Promise.resolve();
  private settle: () => void = () => {};
  private readonly addresses: RoomAddresses;
  private silenceMs: number | undefined;
  private failure: unknown = null;

  constructor(
    private readonly access: RoomAccess,
    private readonly options: RoomEventsOptions = {},
  ) {
    this.addresses = new RoomAddresses(access);
  }

  get connected(): boolean {
    return this.state === 'connected';
  }

  /** Address of the room; another one once another daemon has it. */
  get roomUrl(): string {
    return this.addresses.url;
  }

  /** Why no daemon answers at any address of the room; null: one does. */
  get whyUnreachable(): unknown {
    return this.state === 'seeking' && !(this.failure instanceof ApiError) ? this.failure : null;
  }

  get followsElsewhere(): boolean {
    return this.options.onElsewhere === undefined;
  }

  /** Calls the listener with each event from now on; the returned function ends that. */
  subscribe(listener: OnRoomEvent): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /** Resolves when the room has sent its state, an attempt has failed, or this is closed. Connects again after a refusal. */
  open(): Promise<void> {
    if (this.closing.signal.aborted) return Promise.resolve();
    if (this.state === 'new' || this.state === 'refused') {
      this.seek();
      void this.follow();
    }
    return this.tried;
  }

  private seek(): void {
    this.state = 'seeking';
    this.tried = new Promise((resolve) => {
      this.settle = resolve;
    });
  }

  close(): void {
    this.closing.abort();
    this.settle();
  }

  private async follow(): Promise<void> {
    const { signal } = this.closing;
    for (let attempt = 0; !signal.aborted; attempt += 1) {
      let askedSeconds: number | null = null;
      try {
        for await (const event of this.connection()) {
          attempt = 0;
          this.emit(event);
        }
      } catch (error) {
        const isElsewhere = this.followsElsewhere && this.addresses.follow(error);
        if (!isElsewhere && error instanceof ApiError && !error.isPassing) return this.refused(error);
        // Not reachable, or cut: trying again helps in both cases.
        this.failure = error;
        if (error instanceof ApiError) askedSeconds = error.retryAfterSeconds;
      }
      this.settle();
      if (signal.aborted) return;
      this.seek();
      this.options.onLost?.();
      await sleep(askedWaitMs(waitMs(attempt, backOffMs), askedSeconds), signal);
    }
  }

  private async *connection(): AsyncGenerator<RoomStreamEvent, void> {
    const { token } = this.access;
    const headers = { Authorization: `Bearer ${token}`, Accept: 'text/event-stream' };
    const ask = async (roomUrl: string, signal: AbortSignal) => {
      const url = new URL(`${roomUrl}/events`);
      if (this.options.partials === true) url.searchParams.set('partials', 'true');
      const response = await byFetch(url, { method: 'GET', headers, signal }).catch((cause: unknown) => {
        throw failureOf(url.origin, cause);
      });
      refuseRedirect(response, url, url.origin);
      if (!response.ok) throw toApiError(response, await response.text());
      return response;
    };
    const frames = sseFrames({
      url: this.addresses.url,
      names: Object.keys(known),
      open: (left) => this.addresses.firstAnswer(ask, left),
      closing: this.closing.signal,
      silenceMs: () => this.silenceMs,
    });
    for await (const { data } of frames) yield JSON.parse(data);
  }

  private emit(event: RoomStreamEvent): void {
    if (this.closing.signal.aborted) return;
    if (event.type === 'room.state') this.found(event);
    else if (event.type === 'room.addresses' && this.followsElsewhere) this.addresses.learn(event.otherUrls);
    for (const listener of [...this.listeners]) listener(event);
    if (event.type === 'room.state') this.settle();
  }

  /** Daemons of earlier versions send a heartbeat in 15 s, and do not say so. */
  private found({ lostAfterSeconds }: Partial<Extract<RoomStreamEvent, { type: 'room.state' }>>): void {
    this.state = 'connected';
    this.failure = null;
    this.silenceMs = lostAfterSeconds === undefined ? undefined : lostAfterSeconds * 1_000;
  }

  private refused(error: ApiError): void {
    this.state = 'refused';
    this.settle();
    if (this.closing.signal.aborted) return;
    if (addressElsewhere(error) === null) this.options.onRefused?.(error);
    else this.options.onElsewhere?.(error);
  }
}
