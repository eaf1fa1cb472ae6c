/**
 * All event streams of this daemon: opened, fed from the log, checked twice a second, and notified when the daemon
 * stops.
 */
import { DomainError } from '../../../src/contract/errors.js';
import type { DomainEvent } from '../../../src/contract/events.js';
import { type PartialMessage, partialType } from '../../../src/contract/sessions/partial-messages.js';
import type { LogFollower } from '../../platform/events/follower.js';
import type { EventLog } from '../../platform/events/log.js';
import type { PositionedEvent } from '../../platform/events/logged.js';
import type { Outgoing } from '../../platform/http/bind.js';
import { heartbeatMs, namedFrame, SharedFrames } from '../../platform/http/sse-writer.js';
import type { StreamPlaces } from '../../platform/http/stream-places.js';
import { ConcurrencyLimit } from '../../platform/limits/concurrency-limit.js';
import type { Logger } from '../../platform/observability/logger.js';
import { every } from '../../platform/time/ticks.js';
import type { ParticipantDirectory } from '../people/directory.js';
import type { PartialMessages } from '../sessions/partial-messages.js';
import { Batch } from './batch.js';
import { Collector } from './collector.js';
import { filterOf, isWithin, type OwnedEvent, View } from './filter.js';
import { checkMs, retryAfterSeconds, type StreamLimits, streamLimits } from './limits.js';
import { LogEnd } from './log-end.js';
import { ownerKey, type Permission, Permissions, type Readership, type StreamOwner } from './permissions.js';
import { PersonFilter } from './person-filter.js';
import { placeAtEnd, placeOf, type StreamStart, type StreamStartRequest } from './place.js';
import { EventStreamConnection } from './stream.js';

interface OpenStream extends StreamOwner {
  readonly types: string | undefined;
  readonly resources: string | undefined;
  readonly user?: string | undefined;
  readonly fields?: string | undefined;
  readonly partials?: boolean | undefined;
  readonly begin: StreamStartRequest;
}

/** What somebody is saying, and whose project it is. */
interface LineOfTenant {
  readonly tenantId: string;
  readonly message: PartialMessage;
}

interface Connected {
  readonly stream: EventStreamConnection;
  readonly owner: StreamOwner;
  readonly ownerKey: string;
}

export class SseHub {
  private readonly connected = new Set<Connected>();
  /** Those of them that ask for what people are saying: bots look for one 50 times a second for each speaker. */
  private readonly readingAlong = new Set<Connected>();
  private readonly openStreams: ConcurrencyLimit;
  private readonly end: LogEnd;
  private readonly permissions: Permissions;
  private readonly collector = new Collector<PositionedEvent>((events) => this.write(events));
  private readonly spoken = new Collector<LineOfTenant>((lines) => this.passOn(lines));
  private unsubscribe: (() => void) | null = null;
  private readonly repeated: (() => void)[] = [];
  private checking = false;
  private stopped = false;

  constructor(
    private readonly log: EventLog,
    private readonly follower: LogFollower,
    readership: Readership,
    private readonly logger: Logger,
    private readonly places: StreamPlaces,
    limits: StreamLimits = streamLimits,
    private readonly people: Pick<ParticipantDirectory, 'idsOf'> = { idsOf: async (_, user) => [user] },
    private readonly speech: Pick<PartialMessages, 'follow'> = { follow: () => () => {} },
  ) {
    this.openStreams = new ConcurrencyLimit('credential_streams', {
      perOwner: limits.perCredential,
      code: 'rate_limited',
      message: `This credential has reached its limit of ${limits.perCredential} open streams. Close one, or wait for the seconds in Retry-After.`,
      retryAfterSeconds,
    });
    this.end = new LogEnd(log, follower);
    this.permissions = new Permissions(readership);
  }

  /** Streams that are open. */
  get size(): number {
    return this.connected.size;
  }

  start(): void {
    this.unsubscribe = this.follower.onEvents(
      (events) => {
        this.end.append(events);
        if (this.connected.size === 0) return;
        for (const { event } of events) if (event.type === 'participant.moved') this.followMove(event);
        this.collector.push(events);
      },
      () => this.connected.size > 0,
    );
    this.repeated.push(
      this.speech.follow({
        wants: (owner) => this.isReadAlong(owner),
        tenants: () => [...this.readingAlong].map(({ stream }) => stream.view.reach.tenantId),
        read: (tenantId, message) => this.spoken.push([{ tenantId, message }]),
      }),
      every(heartbeatMs, () => this.heartbeat()),
      every(checkMs, () => void this.check()),
    );
  }

  stop(): void {
    this.stopped = true;
    this.unsubscribe?.();
    for (const end of this.repeated) end();
    this.spoken.stop();
    this.collector.stop();
    for (const { stream } of this.connected) stream.close('shutting_down');
  }

  /** Answers with the stream and returns once it is live. Throws rate_limited, overloaded, shutting_down, no_access_to_project. */
  async open(
    { caller, projectId, types, resources, user, fields, partials, begin }: OpenStream,
    outgoing: Outgoing,
  ): Promise<void> {
    const { response } = outgoing;
    const owner = { caller, projectId };
    if (this.stopped) throw new DomainError('shutting_down', { retryAfterSeconds: 1 });
    const leave = this.openStreams.enter(caller.credentialId);
    response.on('close', leave);
    try {
      this.places.acquire(response, { tenantId: caller.tenantId, person: null });
      const permission = await this.permissions.ofNew(owner);
      if (permission === null) throw new DomainError('no_access_to_project');
      const place = await this.placeOf(owner, permission, begin);
      if (response.destroyed) return leave(); // the connection may have closed already, which would have freed the place
      const person = user === undefined ? null : new PersonFilter([user]);
      const view = new View(filterOf(types, resources, person, fields, partials), permission.reach, permission.key);
      const stream = new EventStreamConnection(outgoing, view, place);
      const entry: Connected = { stream, owner, ownerKey: ownerKey(owner) };
      this.connected.add(entry);
      if (partials === true) this.readingAlong.add(entry);
      response.on('close', () => {
        this.connected.delete(entry);
        this.readingAlong.delete(entry);
      });
      if (this.stopped) return stream.close('shutting_down');
      if (place.gap !== null) stream.named('stream.gap', place.gap);
      // Asked for only now, when moves are followed: one that was stored before is found here, and a later one is passed on.
      if (user !== undefined && projectId !== null) this.extend(stream, await this.people.idsOf(projectId, user));
      await stream.replay(this.log, this.end, caller.tenantId);
    } catch (error) {
      leave();
      throw error;
    }
  }

  /** Asks the log, in turn, only where the client may have missed something. */
  private async placeOf(
    { caller }: StreamOwner,
    permission: Permission,
    begin: StreamStartRequest,
  ): Promise<StreamStart> {
    const atEnd = await placeAtEnd(this.end, permission, begin);
    return atEnd ?? this.log.turns.run(caller.tenantId, () => placeOf(this.log, permission.reach, begin));
  }

  /** Writes collected events: one write per stream, of bytes shared by all that show the same. */
  private write(events: readonly PositionedEvent[]): void {
    this.spoken.stop(); // so that no text comes after the message of what was said
    const batch = new Batch(events);
    for (const { stream } of this.connected) stream.live(batch);
  }

  /** Streams about a person who is moved go on with their new ids. */
  private followMove(event: DomainEvent): void {
    for (const { stream } of this.connected)
      if (isWithin(stream.view.reach, event)) this.extend(stream, stream.view.filter.person?.newIdsIn(event) ?? []);
  }

  private extend(stream: EventStreamConnection, ids: readonly string[]): void {
    const { filter, reach, reachKey } = stream.view;
    if (filter.person === null || ids.length === 0) return;
    stream.view = new View({ ...filter, person: filter.person.with(ids) }, reach, reachKey);
  }

  private isReadAlong(owner: OwnedEvent): boolean {
    for (const { stream } of this.readingAlong) if (stream.view.followsSpeech(owner)) return true;
    return false;
  }

  /**
   * What people are saying: without an id, so that no client continues from it. Of each utterance the newest text alone, and one
   * write for each stream, of bytes shared by all that show the same.
   */
  private passOn(lines: readonly LineOfTenant[]): void {
    const newest = new Map<string, LineOfTenant>();
    for (const line of lines) {
      const { projectId, sessionId, externalUserId, startMs } = line.message;
      newest.set(JSON.stringify([projectId, sessionId, externalUserId, startMs]), line);
    }
    const shared = new Map<string, SharedFrames>();
    for (const { stream } of this.readingAlong) {
      const { view } = stream;
      const frames = shared.get(view.key) ?? new SharedFrames(spokenFrames(view, newest.values()));
      shared.set(view.key, frames);
      stream.passing(frames);
    }
  }

  private heartbeat(): void {
    for (const { stream } of this.connected) stream.heartbeat();
  }

  /** Ends streams whose clients do not read, or may not read any more; one check per credential. */
  private async check(): Promise<void> {
    if (this.checking) return;
    this.checking = true;
    try {
      const now = performance.now();
      const asked = new Map<string, Promise<Permission | null>>();
      for (const { stream, owner, ownerKey } of this.connected) {
        if (stream.gone) continue;
        if (stream.isStuck(now)) {
          const { credentialId: credential } = owner.caller;
          this.logger.warn({ credential }, 'event stream cut off: the client does not read');
          stream.close('slow_consumer');
          continue;
        }
        if (!asked.has(ownerKey)) asked.set(ownerKey, this.permissions.check(owner));
      }
      const answers = new Map<string, Permission | null>();
      for (const [key, answer] of await settledOf(asked)) {
        if (answer.status === 'fulfilled') answers.set(key, answer.value);
        else this.logger.warn({ err: answer.reason }, 'an event stream could not be checked; trying again');
      }
      for (const { stream, ownerKey } of this.connected) {
        const answer = answers.get(ownerKey);
        if (answer === null) stream.close('access_gone');
        else if (answer !== undefined && answer.key !== stream.view.reachKey)
          stream.view = new View(stream.view.filter, answer.reach, answer.key);
      }
    } finally {
      this.checking = false;
    }
  }
}

/** Frames of the lines that the view shows. */
const spokenFrames = (view: View, lines: Iterable<LineOfTenant>): string =>
  [...lines]
    .filter(({ tenantId, message }) => view.showsPartial(tenantId, message))
    .map(({ message }) => namedFrame(partialType, message))
    .join('');

/** An answer that fails keeps no other from being known. */
const settledOf = <Key, T>(asked: ReadonlyMap<Key, Promise<T>>) =>
  Promise.all([...asked].map(async ([key, answer]) => [key, (await Promise.allSettled([answer]))[0]] as const));
