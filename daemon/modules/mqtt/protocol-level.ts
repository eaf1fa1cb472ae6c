/**
 * Reads the protocol level of a CONNECT before the broker parses it, which closes a connection of a level that it does not know
 * without an answer.
 */

const connect = 0x10;
/** Names of the protocol: the one of MQTT 3.1, and the one of all versions since. */
const protocolNames: ReadonlySet<string> = new Set(['MQIsdp', 'MQTT']);
/** Levels that the broker speaks: MQTT 3.1, 3.1.1 and 5. */
const spokenLevels: ReadonlySet<number> = new Set([3, 4, 5]);
/** Set by a bridge, which is served as any other client. */
const bridgeBit = 0x80;
/** Fixed header, length of the name, the longer name, level. */
const headBytesMax = 5 + 2 + 6 + 1;

/** CONNACK of 3.1.1: return code 1, "unacceptable protocol version" (3.1.2.2, 3.2.2.3). */
const refused = Buffer.from([0x20, 2, 0, 0x01]);

export class ProtocolLevel {
  private head: Buffer | null = Buffer.alloc(0);

  /** Returns the CONNACK that refuses the connection, or null; `chunk` is the next that the client has sent. */
  refusal(chunk: Uint8Array): Buffer | null {
    if (this.head === null) return null;
    this.head = Buffer.concat([this.head, chunk.subarray(0, headBytesMax)]);
    const answer = answerTo(this.head);
    if (answer !== undefined) this.head = null;
    return answer ?? null;
  }
}

/** undefined: the level is still to come; null: the broker's parser judges the packet. */
function answerTo(head: Buffer): Buffer | null | undefined {
  if (head[0] !== connect) return head.length === 0 ? undefined : null;
  const lastOfLength = head.findIndex((byte, at) => at > 0 && byte < 0x80);
  if (lastOfLength === -1) return head.length < headBytesMax ? undefined : null;
  const body = head.subarray(lastOfLength + 1);
  if (body.length < 2) return undefined;
  const nameEnd = 2 + body.readUInt16BE(0);
  if (nameEnd > headBytesMax) return null;
  const level = body[nameEnd];
  if (level === undefined) return undefined;
  if (spokenLevels.has(level & ~bridgeBit) || !protocolNames.has(body.toString('latin1', 2, nameEnd))) return null;
  return refused;
}
