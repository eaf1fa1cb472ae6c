/**
 * The event stream of a room, as server-sent events (`GET /rooms/{roomId}/events`). A stream takes no seat: a client
 * that only reads is no peer. It never says that somebody is shadow-muted, not even to that person.
 */
import type { ServerResponse } from 'node:http';
import { isDeepStrictEqual } from 'node:util';
import { DomainError } from '../../../../src/contract/errors.js';
import type { RoomPerson, RoomStreamEvent } from '../../../../src/contract/rooms/room-events.js';
import { namedFrame, SseWriter } from '../../../platform/http/sse-writer.js';
import type { StreamPlaces } from '../../../platform/http/stream-places.js';
import { limits } from '../../../platform/limits/catalogue.js';
import { countRefusal } from '../../../platform/limits/refusals.js';
import type { Logger } from '../../../platform/observability/logger.js';
import type { Clock } from '../../../platform/time/clock.js';
import { every } from '../../../platform/time/ticks.js';
import type { RoomClaims } from '../tokens/room-tokens.js';
import type { Entering } from './admission.js';
import { ByRoom } from './by-room.js';
import type { PeerView, RoomAddress, RoomEvent, WatchedRooms } from './engine.js';
import { removal } from './removal.js';
import { type KnownPolicy, limitOf, silenceOf, unrestricted } from './restrictions.js';

type RoomState = Extract<RoomStreamEvent, { type: 'room.state' }>;
type RoomEncryption = RoomState['encryption'];

interface RoomFacts {
  tenantOf(projectId: string): Promise<string | null>;
  encryption(projectId: string): Promise<RoomEncryption>;
  /** Returns the sanctions that keep the person out or silent, as far as they may know: never a shadow mute. */
  policy(projectId: string, roomId: string, person: Entering): Promise<KnownPolicy>;
  reportCategories(projectId: string): Promise<readonly string[]>;
  /** Returns where the room is once this daemon is lost. */
  otherUrls(roomId: string): readonly string[];
  /** Returns whom the person blocks, by external user id. */
  blocked(projectId: string, externalUserId: string): Promise<readonly string[]>;
  /** Returns those of the tokens that came with another key than the room has now. */
  haveOldKey(room: RoomAddress, tokens: readonly RoomClaims[]): Promise<readonly RoomClaims[]>;
}

interface StreamReader {
  readonly claims: RoomClaims;
  readonly room: RoomAddress;
  readonly writer: SseWriter;
  /** It asks for what people are saying. */
  readonly partials: boolean;
  /** Last event sent of each kind. */
  readonly sent: { silence: RoomStreamEvent; limit: RoomStreamEvent; addresses: readonly string[] };
  /** People whose lines are not sent. */
  blocked: ReadonlySet<string>;
}

const checkMs = 1_000;
const keyCheckMs = 15_000;
const heartbeatMs = 2_000;
/** A client knows that the daemon hangs before the room process ends the connections without a reason. */
const lostAfterSeconds = 5;

export class RoomStreams {
  private readonly readers = new ByRoom<StreamReader>();
  private readonly repeated: (() => void)[] = [];
  private unsubscribe: (() => void) | null = null;

  constructor(
    private readonly rooms: WatchedRooms,
    private readonly facts: RoomFacts,
    private readonly places: StreamPlaces,
    private readonly log: Logger,
    private readonly now: Clock,
  ) {}

  /** Streams that are open. */
  get size(): number {
    return this.readers.size;
  }

  start(): void {
    this.unsubscribe = this.rooms.onEvent((event) => this.follow(event));
    this.repeated.push(
      every(heartbeatMs, () => this.heartbeat()),
      every(checkMs, () => this.check()),
      every(keyCheckMs, () => void this.endOldKeys()),
    );
  }

  stop(): void {
    this.unsubscribe?.();
    for (const end of this.repeated) end();
    this.closeAll('stopping');
  }

  /**
   * Answers with the stream. `welcome` is called once the stream receives changes, so that none is missed in between.
   * Throws overloaded, rate_limited.
   */
  async open(
    claims: RoomClaims,
    response: ServerResponse,
    welcome: () => Promise<unknown>,
    partials = false,
  ): Promise<void> {
    const { project: projectId, room: roomId, sub } = claims;
    const room = { projectId, roomId };
    const tenantId = (await this.facts.tenantOf(projectId)) ?? projectId;
    this.places.acquire(response, { tenantId, person: { projectId, externalUserId: sub } });
    const [encryption, reportCategories, policy, blocked] = await Promise.all([
      this.facts.encryption(projectId),
      this.facts.reportCategories(projectId),
      this.facts.policy(projectId, roomId, enteringBy(claims)),
      this.facts.blocked(projectId, sub),
    ]);
    if (response.destroyed) return;
    this.refuseTooMany(room, sub);
    const reader: StreamReader = {
      ...{ claims, room, partials, writer: new SseWriter(response), sent: { ...unrestricted, addresses: [] } },
      blocked: new Set(),
    };
    reader.writer.open();
    this.readers.add(reader);
    response.on('close', () => this.readers.delete(reader));
    this.send(reader, {
      ...this.stateFor(reader, encryption),
      ...{ reportCategories: [...reportCategories], lostAfterSeconds },
    });
    this.tellPolicy(reader, policy);
    this.tellBlocked(reader, blocked);
    this.tellAddresses(reader);
    try {
      await welcome();
    } catch (error) {
      await this.refuse(reader, error);
    }
  }

  /** Ends a stream whose person may not be in the room any more; after a failure of the daemon they may come back. */
  private async refuse(reader: StreamReader, error: unknown): Promise<void> {
    const { project: projectId, room: roomId, sub } = reader.claims;
    const code = error instanceof DomainError ? error.code : null;
    if (code === 'participant_banned') await this.remove(projectId, roomId, sub, 'banned');
    else if (code === 'room_closed') await this.remove(projectId, roomId, sub, 'closed');
    else if (code === 'room_token_invalid') this.end(reader, removal('kicked', { resourceId: null, notice: null }));
    else {
      this.log.error({ err: error, roomId }, 'a room stream was ended: its token could not be checked');
      this.end(reader, { type: 'room.closed', reason: 'restarted', rejoin: true });
    }
  }

  /**
   * Sends the reason, then ends the person's streams in one room or (null) in all. Returns the tokens they were opened
   * with.
   */
  async remove(
    projectId: string,
    roomId: string | null,
    externalUserId: string,
    reason: 'kicked' | 'banned' | 'closed',
  ): Promise<string[]> {
    const ending = this.readersFor(projectId, externalUserId).filter(
      ({ room }) => roomId === null || room.roomId === roomId,
    );
    for (const reader of ending) {
      const notice =
        reason === 'kicked'
          ? null
          : ((await this.facts.policy(projectId, reader.room.roomId, enteringBy(reader.claims)))[reason] ?? null);
      this.end(reader, removal(reason, { resourceId: null, notice }));
    }
    return [...new Set(ending.map(({ claims }) => claims.jti))];
  }

  /** Ends every stream; the clients come back. */
  closeAll(reason: 'stopping' | 'restarted'): void {
    for (const reader of this.readers.all()) this.end(reader, { type: 'room.closed', reason, rejoin: true });
  }

  /** The project was deleted or disabled, and its rooms with it. */
  closeProject(projectId: string): void {
    for (const reader of this.readers.all())
      if (reader.room.projectId === projectId)
        this.end(reader, { type: 'room.closed', reason: 'room_closed', rejoin: false });
  }

  /** The person's sanctions or blocks have changed: who is silenced or limited learns why and until when. */
  async policyChanged(projectId: string, externalUserId: string): Promise<void> {
    for (const reader of this.readersFor(projectId, externalUserId)) {
      this.tellPolicy(reader, await this.facts.policy(projectId, reader.room.roomId, enteringBy(reader.claims)));
      this.tellBlocked(reader, await this.facts.blocked(projectId, externalUserId));
    }
  }

  warn(projectId: string, externalUserId: string, reason: string): void {
    for (const reader of this.readersFor(projectId, externalUserId))
      this.send(reader, { type: 'room.warned', reason: reason === '' ? null : reason });
  }

  notify(projectId: string, externalUserId: string, notice: Extract<RoomStreamEvent, { type: 'room.notified' }>): void {
    for (const reader of this.readersFor(projectId, externalUserId)) this.send(reader, notice);
  }

  /** Sends to everybody who reads there. */
  announce(room: RoomAddress, announcement: Extract<RoomStreamEvent, { type: 'room.announced' }>): void {
    const text = frame(announcement);
    for (const { writer } of this.readers.in(room)) writer.write(text);
  }

  /** Lists the readers of the project's rooms. */
  readersOf = (projectId: string): { externalUserId: string; roomId: string; moderate: boolean }[] =>
    this.readers
      .all()
      .filter(({ room }) => room.projectId === projectId)
      .map(({ claims, room: { roomId } }) => ({ ...enteringBy(claims), roomId }));

  /** Projects whose rooms have readers. */
  projects = (): Set<string> => new Set(this.readers.all().map(({ room }) => room.projectId));

  hasReaders = (projectId: string): boolean => this.readers.all().some(({ room }) => room.projectId === projectId);

  /** Sends to everybody who may listen there and does not block the sender, or only to one of them and moderators. */
  message(
    room: RoomAddress,
    message: Extract<RoomStreamEvent, { type: 'message' }>['message'],
    only: string | null = null,
  ): void {
    this.say(this.readers.in(room), { type: 'message', message }, message.externalUserId, only);
  }

  /** True if somebody who may listen there wants to read what is being said. */
  readsAlong = (room: RoomAddress): boolean =>
    this.readers.in(room).some(({ claims, partials }) => partials && claims.subscribe);

  /** As `message`, to those who ask for it. */
  partial(
    room: RoomAddress,
    partial: Omit<Extract<RoomStreamEvent, { type: 'message.partial' }>, 'type'>,
    only: string | null,
  ): void {
    const readers = this.readers.in(room).filter(({ partials }) => partials);
    this.say(readers, { type: 'message.partial', ...partial }, partial.externalUserId, only);
  }

  private say(
    readers: readonly StreamReader[],
    event: RoomStreamEvent,
    sender: string | null,
    only: string | null,
  ): void {
    const text = frame(event);
    for (const { claims, writer, blocked } of readers)
      if (sender !== null && blocked.has(sender)) continue;
      else if (claims.subscribe && (only === null || claims.sub === only || claims.moderate)) writer.write(text);
  }

  /** To moderators. */
  annotation(
    room: RoomAddress,
    annotation: Extract<RoomStreamEvent, { type: 'message.annotation' }>['annotation'],
  ): void {
    const text = frame({ type: 'message.annotation', annotation });
    for (const { claims, writer } of this.readers.in(room)) if (claims.subscribe && claims.moderate) writer.write(text);
  }

  private follow(event: RoomEvent): void {
    if ('peer' in event) this.tellPeer(event);
    else if (event.type === 'slot.changed') {
      const { listener, ...slot } = event.slot;
      this.tellOne(event.room, listener, { type: 'room.slot', ...slot });
    } else if (event.type === 'resource.closed') {
      const { room, externalUserId, resourceId, reason } = event;
      if (reason === 'replaced' || reason === 'lost' || reason === 'flooding')
        this.tellOne(room, externalUserId, removal(reason, { resourceId, notice: null }));
    } else if (event.type === 'engine.lost') {
      for (const reader of this.readers.all())
        if (event.concerns(reader.room.projectId))
          this.send(reader, { type: 'room.closed', reason: 'restarted', rejoin: true });
    }
  }

  private tellPeer({ type, room, peer }: Extract<RoomEvent, { peer: PeerView }>): void {
    const change = type === 'peer.joined' ? 'joined' : type === 'peer.left' ? 'left' : 'changed';
    const text = frame({ type: 'room.peer', change, person: toPerson(peer) });
    for (const { claims, writer } of this.readers.in(room)) if (claims.subscribe) writer.write(text);
  }

  private tellPolicy(reader: StreamReader, policy: KnownPolicy): void {
    const { sent } = reader;
    const [silence, limit] = [silenceOf(policy), limitOf(policy)];
    if (!isDeepStrictEqual(silence, sent.silence)) this.send(reader, silence);
    if (!isDeepStrictEqual(limit, sent.limit)) this.send(reader, limit);
    Object.assign(sent, { silence, limit });
  }

  private tellBlocked(reader: StreamReader, blocked: readonly string[]): void {
    const [before, after] = [reader.blocked, new Set(blocked)];
    reader.blocked = after;
    if (before.size !== after.size || blocked.some((one) => !before.has(one)))
      this.send(reader, { type: 'room.blocks', blocked: [...blocked] });
  }

  private stateFor(
    { claims, room }: StreamReader,
    encryption: RoomEncryption,
  ): Omit<RoomState, 'reportCategories' | 'lostAfterSeconds'> {
    const { sub: externalUserId, name, publish, subscribe, moderate, impose, observer } = claims;
    const view = this.rooms.room(room);
    return {
      type: 'room.state',
      roomId: room.roomId,
      you: { externalUserId, name, publish, subscribe, moderate, impose, observer },
      encryption,
      people: subscribe ? (view?.peers ?? []).map(toPerson) : [],
      slots: (view?.slots ?? [])
        .filter(({ listener }) => listener === externalUserId)
        .map(({ listener: _, ...slot }) => slot),
    };
  }

  private refuseTooMany({ projectId, roomId }: RoomAddress, externalUserId: string): void {
    const inRoom = this.readers.in({ projectId, roomId });
    const ofPerson = inRoom.filter(({ claims }) => claims.sub === externalUserId);
    const isFull = inRoom.length >= limits.room_streams.max.together;
    if (!isFull && ofPerson.length < limits.room_streams.max.ofPerson) return;
    countRefusal('room_streams');
    throw new DomainError(isFull ? 'overloaded' : 'rate_limited', { retryAfterSeconds: 10 });
  }

  private heartbeat(): void {
    for (const { writer } of this.readers.all()) writer.heartbeat();
  }

  private check(): void {
    const nowSeconds = this.now().getTime() / 1000;
    for (const reader of this.readers.all()) {
      if (reader.claims.exp <= nowSeconds) this.end(reader, removal('expired', { resourceId: null, notice: null }));
      else if (reader.writer.isStuck(performance.now())) {
        this.log.warn({ roomId: reader.room.roomId }, 'room stream cut off: the client does not read');
        reader.writer.cutOff();
      } else this.tellAddresses(reader);
    }
  }

  private tellAddresses(reader: StreamReader): void {
    const otherUrls = [...this.facts.otherUrls(reader.room.roomId)];
    if (isDeepStrictEqual(otherUrls, reader.sent.addresses)) return;
    reader.sent.addresses = otherUrls;
    this.send(reader, { type: 'room.addresses', otherUrls });
  }

  /** Who is in a room stays after a change of its encryption. Who only reads there would do so with a token that opens nothing. */
  private async endOldKeys(): Promise<void> {
    for (const room of this.readers.rooms().values()) {
      const seated = new Set(this.rooms.room(room)?.peers.map(({ externalUserId }) => externalUserId));
      const reading = this.readers.in(room).filter(({ claims }) => !seated.has(claims.sub));
      if (reading.length === 0) continue;
      try {
        const old = new Set(
          await this.facts.haveOldKey(
            room,
            reading.map(({ claims }) => claims),
          ),
        );
        for (const reader of reading)
          if (old.has(reader.claims)) this.end(reader, removal('expired', { resourceId: null, notice: null }));
      } catch (error) {
        this.log.warn(
          { err: error, roomId: room.roomId },
          'the keys of a room could not be read; the next look follows',
        );
      }
    }
  }

  private tellOne(room: RoomAddress, externalUserId: string, event: RoomStreamEvent): void {
    for (const reader of this.readers.in(room)) if (reader.claims.sub === externalUserId) this.send(reader, event);
  }

  private send({ writer }: StreamReader, event: RoomStreamEvent): void {
    writer.write(frame(event));
  }

  private end(reader: StreamReader, last: RoomStreamEvent): void {
    this.send(reader, last);
    this.readers.delete(reader);
    reader.writer.close();
  }

  private readersFor(projectId: string, externalUserId: string): StreamReader[] {
    return this.readers.all().filter(({ claims }) => claims.project === projectId && claims.sub === externalUserId);
  }
}

const enteringBy = ({ sub: externalUserId, moderate }: RoomClaims): Entering => ({ externalUserId, moderate });

const frame = (event: RoomStreamEvent): string => namedFrame(event.type, event);

const toPerson = ({ keepsSeconds, ...peer }: PeerView): RoomPerson => ({
  ...(keepsSeconds === undefined ? {} : { keepsSeconds }),
  ...personOf(peer),
});

const personOf = ({ externalUserId, name, userData, publishing, muted, bot, observer }: PeerView): RoomPerson => ({
  externalUserId,
  name,
  userData,
  publishing,
  muted,
  bot,
  observer,
});
