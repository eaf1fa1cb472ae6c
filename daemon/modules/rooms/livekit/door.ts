/**
 * The door to rooms that LiveKit carries: `GET /rooms/{roomId}/rtc`, the signalling of LiveKit's clients over WebSocket. It
 * judges whoever comes as joining does, connects to LiveKit with a token that the client never sees, and passes on what
 * `signals.ts` lets pass. Hearing is granted: the door sees each track and subscribes its client where the policies allow it.
 * It keeps nothing that another daemon would need.
 */
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { type ParticipantInfo, ParticipantInfo_State, type SignalResponse } from '@livekit/protocol';
import { type RawData, WebSocket, WebSocketServer } from 'ws';
import { DomainError } from '../../../../src/contract/errors.js';
import { outlive } from '../../../platform/http/sockets.js';
import { refuseUpgrade } from '../../../platform/http/upgrades.js';
import type { Logger } from '../../../platform/observability/logger.js';
import type { BotSupervisor } from '../../sessions/supervisor.js';
import type { Admission } from '../media/admission.js';
import { type RoomAddress, roomLimits, type SpeakingPolicy } from '../media/engine.js';
import type { RoomKeys } from '../tokens/room-keys.js';
import type { RoomClaims, RoomTokens } from '../tokens/room-tokens.js';
import type { LiveKitRooms } from './engine.js';
import type { Hearing } from './hearing.js';
import { noEncryption } from './no-encryption.js';
import { audioOf, type LiveKitServer } from './server.js';
import { fromServer, peopleIn, subscription, toClient, toServer } from './signals.js';

const path = '/rooms/*/rtc';
/** What the client says of itself and of the connection that it resumes. */
const passedParameters = [
  ...['sdk', 'protocol', 'version', 'os', 'os_version', 'device_model', 'browser', 'browser_version', 'network'],
  ...['reconnect', 'reconnect_reason', 'sid'],
] as const;
const parameterMax = 200;
/** Time for the server to answer; clients give up after some fifteen seconds. */
const openMs = 5_000;
/** Descriptions of a room full of tracks. */
const messageBytesMax = 512 * 1024;
const messagesPerSecondMax = 200;
/** A client that does not read is cut off. */
const unsentBytesMax = 4 * 1024 * 1024;
const closeTryAgain = 1013;
const closeGoingAway = 1001;

interface DoorNeeds {
  readonly server: LiveKitServer;
  readonly rooms: LiveKitRooms;
  readonly hearing: Hearing;
  readonly tokens: Pick<RoomTokens, 'verify' | 'requireKey' | 'joined'>;
  readonly admission: Pick<Admission, 'admit' | 'enforce'>;
  readonly keys: Pick<RoomKeys, 'inForce'>;
  readonly bots: Pick<BotSupervisor, 'expect'>;
  /** Counts a request against the token or (null) the address. Throws rate_limited. */
  readonly count: (token: string | null, request: IncomingMessage) => Promise<void>;
  readonly upgrades: {
    onWebSocket(path: string, take: (request: IncomingMessage, socket: Duplex, head: Buffer) => void): () => void;
  };
  readonly log: Logger;
}

export class LiveKitDoor {
  private readonly sockets = new WebSocketServer({
    ...{ noServer: true, maxPayload: messageBytesMax, perMessageDeflate: false },
  });
  private readonly passages = new Set<Passage>();
  private opening = 0;
  private close: () => void = () => {};

  constructor(private readonly needs: DoorNeeds) {}

  start(): void {
    this.close = this.needs.upgrades.onWebSocket(
      path,
      (request, socket, head) => void this.take(request, socket, head),
    );
  }

  /** Clients resume at another daemon; the sound does not pass through here. */
  stop(): void {
    this.close();
    for (const passage of this.passages) passage.end(closeGoingAway);
    this.sockets.close();
  }

  private async take(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    this.opening += 1;
    try {
      if (this.opening > roomLimits.connecting.together) throw new DomainError('overloaded', { retryAfterSeconds: 1 });
      const entry = await this.judge(request);
      const server = await connect(this.needs.server, entry, parametersOf(request));
      let hasPassed = false;
      this.sockets.handleUpgrade(request, socket, head, (client) => {
        hasPassed = true;
        const passage = new Passage(this.needs, entry, outlive(client), server);
        this.passages.add(passage);
        client.once('close', () => this.passages.delete(passage));
      });
      if (!hasPassed) server.socket.terminate(); // gone meanwhile, or a handshake that is refused
    } catch (error) {
      const known = error instanceof DomainError ? error : new DomainError('internal');
      if (known !== error) this.needs.log.error({ err: error }, 'a client could not be let into a room of LiveKit');
      refuseUpgrade(known, socket);
    } finally {
      this.opening -= 1;
    }
  }

  /** Throws what joining throws. */
  private async judge(request: IncomingMessage): Promise<DoorEntry> {
    const { tokens, admission, keys, bots, count } = this.needs;
    const { pathname, searchParams } = urlOf(request);
    const roomId = roomIn(pathname);
    const token =
      searchParams.get('access_token') ?? /^Bearer (\S+)$/i.exec(request.headers.authorization ?? '')?.[1] ?? '';
    const verify = () => tokens.verify(token, roomId);
    const claims = await verify().catch(async (refused: unknown) => {
      await count(null, request);
      throw refused;
    });
    await count(`room:${claims.jti}`, request);
    if (!claims.publish && !claims.subscribe) throw new DomainError('room_token_forbids');
    const room = { projectId: claims.project, roomId };
    const policy = await admission.admit(room, { externalUserId: claims.sub, moderate: claims.moderate });
    const seal = await keys.inForce(room.projectId, roomId);
    tokens.requireKey(claims, seal);
    if (seal !== null) throw new DomainError('provider_unsupported', { message: noEncryption });
    await bots.expect(room, !claims.observer);
    await tokens.joined(claims);
    return { room, claims, policy, verify };
  }
}

interface DoorEntry {
  readonly room: RoomAddress;
  readonly claims: RoomClaims;
  readonly policy: SpeakingPolicy;
  /** Throws where the token is not valid any more. */
  readonly verify: () => Promise<unknown>;
}

interface ServerConnection {
  readonly socket: WebSocket;
  /** What the server has said already. */
  readonly early: Buffer[];
}

/** Throws room_unavailable. */
async function connect(server: LiveKitServer, { room, claims, policy }: DoorEntry, parameters: URLSearchParams) {
  const { sub: externalUserId, name, userData, publish, subscribe: canSubscribe, moderate, observer } = claims;
  const flags = { publish, moderate, observer, bot: false };
  const canPublish = publish && policy.publish;
  const token = await server.tokenFor({
    ...{ ...room, externalUserId, name, userData, flags, canPublish, canSubscribe },
  });
  const socket = outlive(
    new WebSocket(`${server.signalUrl}?${parameters}`, {
      headers: { Authorization: `Bearer ${token}` },
      handshakeTimeout: openMs,
      perMessageDeflate: false,
      maxPayload: 4 * messageBytesMax,
    }),
  );
  const early: Buffer[] = [];
  socket.on('message', (data: RawData) => early.push(bytesOf(data)));
  return new Promise<ServerConnection>((resolve, reject) => {
    socket.once('open', () => resolve({ socket, early }));
    socket.once('close', () => reject(unreachable()));
    socket.once('error', () => reject(unreachable()));
  });
}

const unreachable = () =>
  new DomainError('room_unavailable', {
    message: "LiveKit's servers did not let the client in. Try again soon; `earshotd doctor` says what is wrong.",
    retryAfterSeconds: 1,
  });

/** One client and its connection to the server. */
class Passage {
  /** Tracks that the client may hear. */
  private readonly granted = new Set<string>();
  /** Tracks that wait to be judged together, with who speaks on each. */
  private readonly asked = new Map<string, string>();
  private readonly identities = new Map<string, string>();
  /** Grants, one after the other. */
  private work: Promise<void> = Promise.resolve();
  private second = 0;
  private inSecond = 0;

  constructor(
    private readonly needs: DoorNeeds,
    private readonly entry: DoorEntry,
    private readonly client: WebSocket,
    { socket, early }: ServerConnection,
  ) {
    this.server = socket;
    client.on('message', (data, isBinary) => this.fromClient(data, isBinary));
    client.on('close', () => {
      socket.close();
      this.looked();
    });
    socket.removeAllListeners('message');
    socket.on('message', (data) => this.fromServer(bytesOf(data)));
    socket.on('close', () => this.end(closeTryAgain));
    for (const message of early) this.fromServer(message);
    if (socket.readyState !== WebSocket.OPEN) this.end(closeTryAgain);
  }

  private readonly server: WebSocket;

  end(code: number): void {
    this.client.close(code);
    this.server.close();
  }

  private fromClient(data: RawData, isBinary: boolean): void {
    const second = Math.floor(performance.now() / 1_000);
    this.inSecond = second === this.second ? this.inSecond + 1 : 1;
    this.second = second;
    const isFlood = this.inSecond > messagesPerSecondMax;
    const passed = isBinary && !isFlood ? toServer(bytesOf(data)) : null;
    if (isFlood) this.cutOff();
    else if (passed !== null) this.send(this.server, passed);
  }

  private fromServer(bytes: Buffer): void {
    const response = fromServer(bytes);
    if (response === null) return;
    this.hear(response);
    const passed = toClient(response);
    if (passed !== null) this.send(this.client, passed);
  }

  private send(to: WebSocket, bytes: Uint8Array): void {
    if (to.bufferedAmount > unsentBytesMax) this.cutOff();
    else if (to.readyState === WebSocket.OPEN) to.send(bytes);
  }

  private cutOff(): void {
    this.client.terminate();
    this.server.terminate();
  }

  /** Acts on what the server says, before the client knows of it. */
  private hear(response: SignalResponse): void {
    const { message } = response;
    const people = peopleIn(response);
    for (const { sid, identity } of people) this.identities.set(sid, identity);
    if (message.case === 'join') {
      this.identities.set(message.value.participant?.sid ?? '', this.entry.claims.sub);
      this.next(() => this.judgeAgain());
    }
    if (message.case === 'speakersChanged')
      for (const { sid, active } of message.value.speakers) {
        const identity = this.identities.get(sid);
        if (identity !== undefined) this.needs.rooms.spoke(this.entry.room, identity, active);
      }
    if (message.case === 'join' || message.case === 'update') this.looked();
    if (this.entry.claims.subscribe) this.ask(people);
    for (const one of people) if (isGone(one)) this.forget(one);
  }

  /** Has new tracks judged; those that come before it begins are judged with them. */
  private ask(people: readonly ParticipantInfo[]): void {
    const hasAsked = this.asked.size > 0;
    for (const one of people)
      if (one.identity !== this.entry.claims.sub && !isGone(one))
        for (const sid of audioOf(one)) if (!this.granted.has(sid)) this.asked.set(sid, one.identity);
    if (!hasAsked && this.asked.size > 0) this.next(() => this.grant());
  }

  private forget(one: ParticipantInfo): void {
    this.identities.delete(one.sid);
    for (const sid of audioOf(one)) this.granted.delete(sid);
  }

  private looked(): void {
    void this.needs.rooms.look(this.entry.room).catch(() => {}); // is read again within seconds
  }

  /** One step after the other; a client that cannot be judged comes again. */
  private next(step: () => Promise<void>): void {
    this.work = this.work.then(step).catch((error: unknown) => {
      if (!(error instanceof DomainError))
        this.needs.log.error({ err: error, ...this.entry.room }, 'a client in a room of LiveKit could not be judged');
      this.end(closeTryAgain);
    });
  }

  /** A kick or a sanction of while the client joined must not be missed. */
  private async judgeAgain(): Promise<void> {
    const { room, claims, policy, verify } = this.entry;
    const person = { externalUserId: claims.sub, moderate: claims.moderate };
    try {
      await verify();
      const now = await this.needs.admission.admit(room, person);
      if (claims.moderate || now.publish !== policy.publish || now.audible !== policy.audible)
        await this.needs.admission.enforce(room.projectId, claims.sub);
    } catch (error) {
      await this.needs.server.remove(room, claims.sub);
      throw error;
    }
  }

  /** Once more afterwards: a sanction of meanwhile may have been carried out before the client heard. */
  private async grant(): Promise<void> {
    const tracks = new Map(this.asked);
    this.asked.clear();
    const allowed = await this.allowed(tracks);
    if (allowed.length === 0) return;
    for (const sid of allowed) this.granted.add(sid);
    this.send(this.server, subscription(allowed, true));
    const still = new Set(await this.allowed(tracks));
    const lost = allowed.filter((sid) => !still.has(sid));
    if (lost.length > 0) this.send(this.server, subscription(lost, false));
  }

  private async allowed(tracks: ReadonlyMap<string, string>): Promise<string[]> {
    const { room, claims } = this.entry;
    const hears = await this.needs.hearing.among(room, [claims.sub], [...new Set(tracks.values())]);
    return [...tracks].filter(([, speaker]) => hears(claims.sub, speaker)).map(([sid]) => sid);
  }
}

const isGone = ({ state }: ParticipantInfo): boolean => state === ParticipantInfo_State.DISCONNECTED;

function bytesOf(data: RawData): Buffer {
  if (Array.isArray(data)) return Buffer.concat(data);
  return Buffer.isBuffer(data) ? data : Buffer.from(data);
}

const urlOf = ({ url }: IncomingMessage): URL => new URL(url ?? '/', 'http://door');

/** Throws room_token_invalid. */
function roomIn(pathname: string): string {
  try {
    return decodeURIComponent(pathname.split('/').at(-2) ?? '');
  } catch {
    throw new DomainError('room_token_invalid');
  }
}

function parametersOf(request: IncomingMessage): URLSearchParams {
  const { searchParams } = urlOf(request);
  const passed = new URLSearchParams({ auto_subscribe: '0' });
  for (const name of passedParameters) {
    const value = searchParams.get(name);
    if (value !== null && value.length <= parameterMax) passed.set(name, value);
  }
  return passed;
}
