/**
 * All event streams of this daemon: opened, fed from the log, checked twice a second, and notified when the daemon
 * stops.
 */
import type { ServerResponse } from 'node:http';
import { DomainError } from '../../../src/contract/errors.js';
import type { LogFollower } from '../../platform/events/follower.js';
import type { EventLog, PositionedEvent } from '../../platform/events/log.js';
import type { Member } from '../../platform/http/caller.js';
import { heartbeatMs } from '../../platform/http/sse-writer.js';
import type { StreamPlaces } from '../../platform/http/stream-places.js';
import type { Logger } from '../../platform/observability/logger.js';
import { Batch } from './batch.js';
import { filterOf, type Reach, reachKey, View } from './filter.js';
import { checkMs, gatheredMax, gatherMs, type StreamLimits, streamLimits } from './limits.js';
import { type PlaceRequest, placeOf } from './place.js';
import { Seats } from './seats.js';
import { EventStreamConnection } from './stream.js';

/** What a caller may read now; null when the credential or the role is no longer valid. */
export interface Readership {
  reach(caller: Member, projectId: string | null): Promise<Reach | null>;
}

export interface OpenStream {
  readonly caller: Member;
  /** null: every project of the tenant that the caller may read. */
  readonly projectId: string | null;
  readonly types: string | undefined;
  readonly resources: string | undefined;
  readonly begin: PlaceRequest;
}

interface Connected {
  readonly stream: EventStreamConnection;
  readonly caller: Member;
  readonly projectId: string | null;
}

export class SseHub {
  private readonly connected = new Set<Connected>();
  private readonly seats: Seats;
  private gathered: PositionedEvent[] = [];
  private gathering: NodeJS.Timeout | null = null;
  private unsubscribe: (() => void) | null = null;
  private readonly timers: NodeJS.Timeout[] = [];
  private checking = false;
  private stopped = false;

  constructor(
    private readonly log: EventLog,
    private readonly follower: LogFollower,
    private readonly readership: Readership,
    private readonly logger: Logger,
    private readonly places: StreamPlaces,
    limits: StreamLimits = streamLimits,
  ) {
    this.seats = new Seats(limits);
  }

  /** Streams that are open. */
  get size(): number {
    return this.connected.size;
  }

  start(): void {
    this.unsubscribe = this.follower.onEvents((events) => {
      if (this.connected.size === 0) return;
      for (const event of events) this.gathered.push(event);
      if (this.gathered.length >= gatheredMax) this.tell();
      else this.gathering ??= setTimeout(() => this.tell(), gatherMs);
    });
    this.timers.push(
      setInterval(() => this.heartbeat(), heartbeatMs),
      setInterval(() => void this.check(), checkMs),
    );
  }

  stop(): void {
    this.stopped = true;
    this.unsubscribe?.();
    for (const timer of this.timers) clearInterval(timer);
    if (this.gathering !== null) this.tell();
    for (const { stream } of this.connected) stream.close('shutting_down');
  }

  /** Answers with the stream and returns once it is live. Throws rate_limited, overloaded, shutting_down, no_access_to_project. */
  async open({ caller, projectId, types, resources, begin }: OpenStream, response: ServerResponse): Promise<void> {
    if (this.stopped) throw new DomainError('shutting_down', { retryAfterSeconds: 1 });
    const leave = this.seats.take(caller.credentialId);
    response.on('close', leave);
    try {
      this.places.take(response);
      const reach = await this.readership.reach(caller, projectId);
      if (reach === null) throw new DomainError('no_access_to_project');
      const place = await this.log.turns.run(caller.tenantId, () => placeOf(this.log, reach, begin));
      if (response.destroyed) return leave(); // the connection may have closed already, which would have freed the place
      const view = new View(filterOf(types, resources), reach, reachKey(reach));
      const stream = new EventStreamConnection(response, view, place);
      const entry: Connected = { stream, caller, projectId };
      this.connected.add(entry);
      response.on('close', () => this.connected.delete(entry));
      if (this.stopped) return stream.close('shutting_down');
      if (place.gap !== null) stream.named('stream.gap', place.gap);
      await stream.replay(this.log, caller.tenantId);
    } catch (error) {
      leave();
      throw error;
    }
  }

  /** Writes the collected events: one write per stream, of bytes shared by all that show the same. */
  private tell(): void {
    if (this.gathering !== null) clearTimeout(this.gathering);
    this.gathering = null;
    const batch = new Batch(this.gathered);
    this.gathered = [];
    for (const { stream } of this.connected) stream.live(batch);
  }

  private heartbeat(): void {
    for (const { stream } of this.connected) stream.comment('heartbeat');
  }

  /** Ends streams whose clients do not read, or may not read any more; one check per credential. */
  private async check(): Promise<void> {
    if (this.checking) return;
    this.checking = true;
    try {
      const now = performance.now();
      const asked = new Map<string, Promise<{ reach: Reach; key: string } | null>>();
      for (const { stream, caller, projectId } of this.connected) {
        if (stream.gone) continue;
        if (stream.isStuck(now)) {
          this.logger.warn({ credential: caller.credentialId }, 'event stream cut off: the client does not read');
          stream.close('slow_consumer');
          continue;
        }
        const key = `${caller.credentialId} ${projectId}`;
        if (!asked.has(key)) asked.set(key, this.reachOf(caller, projectId));
      }
      const answers = new Map(await Promise.all([...asked].map(async ([key, answer]) => [key, await answer] as const)));
      for (const { stream, caller, projectId } of this.connected) {
        const answer = answers.get(`${caller.credentialId} ${projectId}`);
        if (answer === null) stream.close('access_gone');
        else if (answer !== undefined && answer.key !== stream.view.reachKey)
          stream.view = new View(stream.view.filter, answer.reach, answer.key);
      }
    } catch (error) {
      this.logger.warn({ err: error }, 'event streams could not be checked; trying again');
    } finally {
      this.checking = false;
    }
  }

  private async reachOf(caller: Member, projectId: string | null): Promise<{ reach: Reach; key: string } | null> {
    const reach = await this.readership.reach(caller, projectId);
    return reach === null ? null : { reach, key: reachKey(reach) };
  }
}
