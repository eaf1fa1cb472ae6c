/**
 * The embedded broker of MQTT 3.1.1 and 5, read-only: no client publishes, leaves a will or gets subscriptions beyond its
 * rights. A session ends with its connection (Choice: nothing is kept for absent clients; after a reconnect they read
 * the state over HTTP, and those that asked for a lasting session are told that they missed something), so client ids have no meaning and cannot be used to take over a connection.
 */
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { Aedes, type AuthenticateError, type Client, type ConnectPacket, type Subscription } from 'aedes';
import type { Logger } from 'pino';
import { outlive } from '../../platform/http/sockets.js';
import { FairTurns } from '../../platform/limits/fair-turns.js';
import { Audience, type AudienceSubject } from './audience.js';
import { type MqttAuthenticator, operatorTopic } from './authenticator.js';
import { ConnectionChecks } from './connection-checks.js';
import { grantWhatIsDelivered } from './granted-qos.js';
import { mqttLimits as limits } from './limits.js';
import { storeWithoutQueues } from './no-queues.js';
import { Operators } from './operators.js';
import { PacketBudgets } from './packet-budget.js';
import { guardPackets } from './packet-guard.js';
import { handleInOrder } from './packet-order.js';
import { ReadTurns } from './read-turns.js';
import {
  type AcceptedConnection,
  type BrokerPlaces,
  badClientId,
  badCredential,
  claimListener,
  claimSeat,
  notAuthorized,
  refusal,
  type ServedConnection,
  unavailable,
} from './seats.js';
import { serveVersion5 } from './version5.js';

interface TopicDirectory {
  /** Returns the subject of the topic with this name; null: there is none. */
  find(name: string): Promise<AudienceSubject | null>;
  /** The tenant of a project; null: it is out of reach. */
  tenantOf(projectId: string): Promise<string | null>;
  /** Returns the projects within reach now, out of these: neither deleted nor of a disabled tenant. */
  inReach(projectIds: readonly string[]): Promise<ReadonlySet<string>>;
}

interface BrokerLimits {
  readonly operatorsPerProjectMax: number;
  readonly keepaliveSecondsMax: number;
  /** Limit for the connections of one address, in a second, as `packetCost` counts; 0: none. */
  readonly addressPacketsPerSecond: number;
}

const topicName = /^[0-9a-f]{32}$/;

/** Tells a client that asks for its lasting session that none was kept, on each topic that it follows again. */
const gapNotice = JSON.stringify({ type: 'stream.gap' });
const refusedQos = 128;
/** A topic that matches the filter. */
const topicWithin = (filter: string): string => filter.replace(/\/#$/, '').replaceAll('+', 'stream.gap');

export class Broker {
  private aedes: Aedes | null = null;
  private readonly seats = new Map<Client, ServedConnection>();
  private readonly operators: Operators<Client>;
  /** Why a client is refused before its credential is checked. */
  private readonly unacceptable = new WeakMap<Client, AuthenticateError>();
  private readonly refusals = new WeakMap<Client, number>();
  /** Clients that take themselves to have a session since an earlier connection, perhaps to another daemon. */
  private readonly returning = new WeakSet<Client>();
  private readonly audience = new Audience<Client>();
  /** The projects of clients with a player token. */
  private readonly players = new Map<Client, string>();
  private readonly checks: ConnectionChecks;
  private readonly budgets: PacketBudgets;
  private readonly turns = new ReadTurns();
  /** Players who were moved since the start: a topic that was looked up meanwhile may have another subject. */
  private moves = 0;
  private readonly lookups = new FairTurns('mqtt_lookups');

  constructor(
    private readonly topics: TopicDirectory,
    private readonly authenticator: MqttAuthenticator,
    private readonly log: Logger,
    private readonly places: BrokerPlaces,
    private readonly own: BrokerLimits = limits,
  ) {
    this.operators = new Operators(own.operatorsPerProjectMax, limits.subscriptionsPerOperatorMax);
    const { operators, players, audience } = this;
    this.checks = new ConnectionChecks({ operators, players, audience, authenticator, topics, log });
    const ofAddress = {
      get perSecond() {
        return own.addressPacketsPerSecond;
      },
      get burst() {
        return this.perSecond * limits.addressBurstSeconds;
      },
    };
    this.budgets = new PacketBudgets(limits.connectionPackets, ofAddress);
  }

  async start(): Promise<void> {
    const aedes = await Aedes.createBroker({
      persistence: storeWithoutQueues(),
      connectTimeout: limits.connectTimeoutMs,
      drainTimeout: limits.drainTimeoutMs,
      maxTopicLevels: limits.topicLevelsMax,
      preConnect: (client, packet, done) => {
        this.makeOwn(client, packet);
        done(null, true);
      },
      authenticate: (client, username, password, done) => {
        this.authenticate(client, username, password?.toString('utf8')).then(
          () => done(null, true),
          (error) => done(error, false),
        );
      },
      authorizePublish: (_client, _packet, done) => done(new Error('topics are read only')),
      authorizeSubscribe: (client, subscription, done) => {
        this.subscribe(client, subscription).then(
          (granted) => done(null, granted ? subscription : null),
          (error) => done(error),
        );
      },
    });
    aedes.on('subscribe', (subscriptions, client) => {
      if (!this.returning.has(client)) return;
      for (const { topic, qos } of subscriptions)
        if (qos < refusedQos) this.send(client, topicWithin(topic), qos === 0 ? 0 : 1, gapNotice);
    });
    aedes.on('unsubscribe', (names, client) => {
      for (const name of names) {
        this.audience.remove(client, name);
        this.operators.unfollow(client, name);
      }
    });
    aedes.on('clientError', (client, error) => this.log.debug({ client: client.id, err: error }, 'mqtt client failed'));
    aedes.on('connectionError', (_client, error) => this.log.debug({ err: error }, 'mqtt connection failed'));
    this.aedes = aedes;
    this.checks.start();
  }

  async stop(): Promise<void> {
    const aedes = this.aedes;
    this.aedes = null;
    this.checks.stop();
    if (aedes !== null) await new Promise<void>((resolve) => aedes.close(resolve));
  }

  /**
   * Takes a connection, which may be closed in favour of others until it has authenticated; null: it was closed now,
   * because there is no place, its address has sent too much or the broker is stopping. `network`: null counts for no
   * network.
   */
  enter(connection: Duplex, network: string | null): AcceptedConnection | null {
    outlive(connection);
    const budget = this.aedes === null ? null : this.budgets.open(network);
    const place = budget === null ? 'all' : this.places.all.acquire(network, () => connection.destroy());
    if (budget === null || typeof place === 'string') {
      connection.destroy();
      return null;
    }
    place.setIdle(true);
    connection.once('close', () => place.leave());
    return { place, budget };
  }

  /** Serves a connection, which may have entered already; false: it was closed. */
  accept(
    connection: Duplex,
    network: string | null,
    {
      request,
      entry = this.enter(connection, network),
    }: { request?: IncomingMessage; entry?: AcceptedConnection | null } = {},
  ): boolean {
    outlive(connection);
    if (this.aedes === null || entry === null) {
      connection.destroy();
      return false;
    }
    const { turns } = this;
    const { inboundPacketBytesMax: packetBytesMax } = limits;
    const guarded = guardPackets(connection, { packetBytesMax, turns, budget: entry.budget, share: network ?? '' });
    const client = this.aedes.handle(guarded, request);
    handleInOrder(client);
    grantWhatIsDelivered(client);
    serveVersion5(client);
    const seat: ServedConnection = { ...entry, network, anonymous: null };
    this.seats.set(client, seat);
    connection.once('close', () => {
      this.seats.delete(client);
      seat.anonymous?.leave();
      this.operators.leave(client);
      this.audience.forget(client);
      this.players.delete(client);
    });
    return true;
  }

  get connected(): number {
    return this.seats.size;
  }

  /** Connections that were closed because they, or their address, sent too much. */
  get overBudget(): number {
    return this.budgets.refused;
  }

  /** True if there are no listeners; events need not be looked at. */
  get idle(): boolean {
    return this.audience.empty && this.operators.empty;
  }

  /** A player has another id from now on: who listens to their topics goes on hearing of them. */
  movePlayer(projectId: string, from: string, to: string): void {
    this.moves += 1;
    this.audience.move(projectId, from, to);
  }

  /** True if somebody listens to the subject. */
  isHeard(subject: AudienceSubject): boolean {
    return this.audience.has(subject);
  }

  /**
   * Publishes to all who listen to the subject. Not retained; at the quality of service that each asked for, up to 1.
   */
  publish(subject: AudienceSubject, payload: string): void {
    for (const { client, name, qos } of this.audience.listenersOf(subject)) this.send(client, name, qos, payload);
  }

  /** Publishes to everybody who listens to the subject, whichever player's topic that is. Looks at every subscription. */
  publishAll(projectId: string, subject: string, payload: string): void {
    for (const { client, name, qos } of this.audience.ofAll(projectId, subject)) this.send(client, name, qos, payload);
  }

  /** Publishes to the operators who follow the project's events; where there is none, the payload is not written. */
  publishToOperators(projectId: string, type: string, payload: () => string): void {
    const topic = operatorTopic(projectId, type);
    let text: string | null = null;
    for (const { client, qos } of this.operators.followersOf(projectId, type)) {
      text ??= payload();
      this.send(client, topic, qos, text);
    }
  }

  /** Clients that do not read are disconnected. */
  private send(client: Client, topic: string, qos: 0 | 1, payload: string): void {
    if (client.conn.writableLength > limits.outboundBytesMax) {
      client.close();
      return;
    }
    if (qos === 1) this.seats.get(client)?.budget.expectAcknowledgement();
    client.publish({ cmd: 'publish', topic, payload, qos, retain: false, dup: false }, () => {});
  }

  private makeOwn(client: Client, packet: ConnectPacket): void {
    if (packet.clientId === '' && packet.clean === false)
      this.unacceptable.set(client, refusal(badClientId, 'a lasting session needs a client id')); // MQTT-3.1.3-8
    else if (packet.will !== undefined) this.unacceptable.set(client, refusal(notAuthorized, 'wills are not accepted'));
    else if (packet.properties?.authenticationMethod !== undefined)
      this.unacceptable.set(client, refusal(notAuthorized, 'there is no exchange beyond name and password'));
    if (packet.clean === false) this.returning.add(client);
    packet.clientId = '';
    packet.clean = true;
    packet.keepalive = Math.min(packet.keepalive || this.own.keepaliveSecondsMax, this.own.keepaliveSecondsMax);
  }

  private async authenticate(client: Client, username?: string, password?: string): Promise<void> {
    const unacceptable = this.unacceptable.get(client);
    if (unacceptable !== undefined) throw unacceptable;
    const session = await this.authenticator.admit(username, password);
    if (session === null) throw refusal(badCredential, 'bad user name or password');
    const seat = this.seats.get(client);
    if (client.closed || seat === undefined) return;
    seat.place.setIdle(false);
    claimSeat(seat, session, this.places);
    if (session.kind === 'player') {
      if (session.player !== null) this.players.set(client, session.player.projectId);
      return;
    }
    if (!this.operators.seat(client, session)) throw refusal(unavailable, 'too many operators of the project');
  }

  private async subscribe(client: Client, { topic, qos }: Subscription): Promise<boolean> {
    const quality = qos === 0 ? 0 : 1;
    const seat = this.seats.get(client);
    if (seat === undefined || client.closed) return false;
    if (!seat.budget.spend(1)) {
      client.close();
      return false;
    }
    if (this.operators.isOne(client)) return this.operators.follow(client, topic, quality);
    if (!topicName.test(topic) || !(await this.followAs(client, seat, topic, quality))) {
      if (!client.closed) this.refuse(client);
      return false;
    }
    return true;
  }

  /** Looks up whose topic it is, again where a player was moved meanwhile; false: the client may not follow it. */
  private async followAs(client: Client, seat: ServedConnection, topic: string, quality: 0 | 1): Promise<boolean> {
    for (;;) {
      const { moves } = this;
      const subject = await this.find(client, topic, seat.network ?? '');
      if (subject === null || client.closed) return false;
      if (!(await claimListener(seat, subject.projectId, (id) => this.topics.tenantOf(id)))) return false;
      if (client.closed) return false;
      if (moves !== this.moves) continue;
      this.audience.add(client, topic, subject, quality);
      return true;
    }
  }

  /** Returns the subject of the topic; null: there is none, or the client has as many as it may. */
  private find(client: Client, topic: string, share: string): Promise<AudienceSubject | null> {
    return this.lookups.run(share, async () => {
      const hasRoom = !client.closed && this.audience.countOf(client) < limits.subscriptionsPerClientMax;
      return hasRoom ? this.topics.find(topic) : null;
    });
  }

  private refuse(client: Client): void {
    const refused = (this.refusals.get(client) ?? 0) + 1;
    this.refusals.set(client, refused);
    if (refused > limits.refusalsPerClientMax) client.close();
  }
}
