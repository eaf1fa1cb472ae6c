/**
 * Serves clients of MQTT 5 as clients of 3.1.1, which is what Aedes speaks: packets that come are read in the form of 5 and
 * handed over without their properties; packets that go are written anew in the form of 5. Choice: the broker keeps nothing
 * for absent clients and takes no messages, so the answer to CONNECT says that sessions end with their connections, that
 * nothing is retained or shared, and what else a client may not count on.
 */
import type { EventEmitter } from 'node:events';
import type { Client } from 'aedes';
import { generate, type IConnectPacket, type IPublishPacket, type Packet, parser, writeToStream } from 'mqtt-packet';
import { mqttLimits as limits } from './limits.js';
import { parserOf } from './parser-of.js';

/** Reason codes (MQTT 5, 3.2.2.2) for the return codes of 3.1.1 (3.2.2.3). */
const reasons: Readonly<Record<number, number>> = { 0: 0, 2: 0x85, 3: 0x88, 4: 0x86, 5: 0x87 };
const unspecified = 0x80;
const badAuthenticationMethod = 0x8c;
const refusedSubscription = 128;
const subscriptionNotAuthorised = 0x87;
/** What a client may have unacknowledged where it does not say (3.1.2.11.3). */
const receiveMaximumMax = 65_535;

// Otherwise the first packet has the library make a buffer for each of 65,536 numbers, and keep them.
writeToStream.cacheNumbers = false;

/** Before any other listener to the client's parser. */
export function serveVersion5(client: Client): void {
  const incoming = parserOf(client);
  let session: Version5Session | null = null;
  incoming.prependListener('packet', (packet: Packet) => {
    if (packet.cmd === 'connect' && packet.protocolVersion === 5 && session === null) {
      session = new Version5Session(client, packet);
      readAs5(incoming);
    } else session?.read(packet);
  });
}

/** The parser takes its settings from the CONNECT, which the broker is to take for one of 3.1.1. */
function readAs5(incoming: EventEmitter): void {
  if (!Reflect.has(incoming, 'settings')) throw new Error('This version of mqtt-packet keeps its settings elsewhere.');
  Reflect.set(incoming, 'settings', { protocolVersion: 5 });
}

class Version5Session {
  private readonly hasId: boolean;
  private readonly keepalive: number | undefined;
  private readonly properties: NonNullable<IConnectPacket['properties']>;
  /** Messages at quality of service 1 that it has not acknowledged. */
  private unacknowledged = 0;
  /** Topics of an UNSUBSCRIBE that is not answered, by its id: the answer has a code for each. */
  private readonly unsubscribing = new Map<number, number>();

  constructor(
    private readonly client: Client,
    private readonly connect: IConnectPacket,
  ) {
    this.hasId = connect.clientId !== '';
    this.keepalive = connect.keepalive;
    this.properties = connect.properties ?? {};
    connect.protocolVersion = 4;
    connect.clean = true; // what it asked for is answered with a session that ends at once
    this.writeAs5();
  }

  read(packet: Packet): void {
    if (packet.cmd === 'unsubscribe' && packet.messageId !== undefined)
      this.unsubscribing.set(packet.messageId, packet.unsubscriptions.length);
    if (packet.cmd === 'puback') this.unacknowledged = Math.max(0, this.unacknowledged - 1);
  }

  private writeAs5(): void {
    const { conn } = this.client;
    const write = conn.write.bind(conn);
    const outgoing = parser({ protocolVersion: 4 });
    let isFree = true;
    outgoing.on('packet', (packet) => {
      const bytes = this.written(packet);
      if (bytes !== null) isFree = write(bytes);
    });
    outgoing.on('error', (error) => conn.destroy(error));
    conn.write = (chunk: Uint8Array | string, encoding?: unknown) => {
      outgoing.parse(
        typeof chunk === 'string'
          ? Buffer.from(chunk, encoding as BufferEncoding)
          : Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength),
      );
      return isFree;
    };
  }

  /** null: the client does not take packets of this size, and goes on as if it had got it (3.1.2.11.4). */
  private written(packet: Packet): Buffer | null {
    const { maximumPacketSize = Number.POSITIVE_INFINITY } = this.properties;
    const bytes = generate(this.asVersion5(packet), { protocolVersion: 5 });
    if (packet.cmd !== 'publish') return bytes;
    if (bytes.length > maximumPacketSize) return null;
    if (packet.qos === 1) this.unacknowledged += 1;
    return bytes;
  }

  private asVersion5(packet: Packet): Packet {
    if (packet.cmd === 'connack') return this.answered(packet.returnCode ?? 0);
    if (packet.cmd === 'suback') {
      const granted = packet.granted.map((code) => (code === refusedSubscription ? subscriptionNotAuthorised : code));
      return { ...packet, granted: granted as number[] };
    }
    if (packet.cmd === 'unsuback') {
      const count = this.unsubscribing.get(packet.messageId ?? 0) ?? 1;
      this.unsubscribing.delete(packet.messageId ?? 0);
      return { ...packet, granted: Array.from({ length: count }, () => 0) };
    }
    return packet.cmd === 'publish' ? this.published(packet) : packet;
  }

  /** Who has as many messages to acknowledge as it takes (3.1.2.11.3) gets the next without: it is not kept in any case. */
  private published(packet: IPublishPacket): IPublishPacket {
    const { receiveMaximum = receiveMaximumMax } = this.properties;
    if (packet.qos === 1 && this.unacknowledged >= receiveMaximum) packet.qos = 0;
    return packet;
  }

  private answered(returnCode: number): Packet {
    const isMethodAsked = this.properties.authenticationMethod !== undefined;
    const refused = isMethodAsked ? badAuthenticationMethod : (reasons[returnCode] ?? unspecified);
    const { keepalive } = this.connect; // as the broker has bounded it
    if (returnCode !== 0) return { cmd: 'connack', sessionPresent: false, reasonCode: refused };
    return {
      cmd: 'connack',
      sessionPresent: false,
      reasonCode: 0,
      properties: {
        ...{ sessionExpiryInterval: 0, maximumQoS: 1, maximumPacketSize: limits.inboundPacketBytesMax },
        ...{ retainAvailable: false, sharedSubscriptionAvailable: false, subscriptionIdentifiersAvailable: false },
        ...(this.hasId ? {} : { assignedClientIdentifier: this.client.id }),
        ...(keepalive === this.keepalive ? {} : { serverKeepAlive: keepalive }),
      },
    };
  }
}
