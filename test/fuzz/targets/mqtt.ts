import { mqttLimits } from '../../../daemon/modules/mqtt/limits.js';
import { PacketGuard } from '../../../daemon/modules/mqtt/packet-guard.js';
import { ProtocolLevel } from '../../../daemon/modules/mqtt/protocol-level.js';
import { type FuzzTarget, hold } from '../engine/target.js';

interface Framing {
  readonly packets: readonly (readonly [type: number, bodyBytes: number])[];
  readonly isRefused: boolean;
}

/** The framing according to the guard, with the bytes in pieces of this size and turns of this cost. */
function guarded(input: Buffer, pieceBytes: number, costMax: number): Framing {
  const packets: [number, number][] = [];
  const guard = new PacketGuard(
    mqttLimits.inboundPacketBytesMax,
    (type, bodyBytes) => packets.push([type, bodyBytes]) > 0,
  );
  for (let at = 0; at < input.length; ) {
    const piece = input.subarray(at, at + pieceBytes);
    const slice = guard.admit(piece, costMax);
    if (slice === null) return { packets, isRefused: true };
    hold(slice.bytes > 0 && slice.bytes <= piece.length && slice.cost > 0, 'Every turn takes something.', slice);
    at += slice.bytes;
  }
  return { packets, isRefused: false };
}

/** The framing as MQTT 3.1.1, 2.2, states it. */
function stated(input: Buffer): Framing {
  const packets: [number, number][] = [];
  for (let at = 0; at < input.length; ) {
    const type = (input[at] ?? 0) >> 4;
    let length = 0;
    let digit = 0;
    for (; ; digit += 1) {
      const byte = input[at + 1 + digit];
      if (byte === undefined) return { packets, isRefused: digit > 0 && length > mqttLimits.inboundPacketBytesMax };
      length += (byte & 0x7f) << (7 * digit);
      if (length > mqttLimits.inboundPacketBytesMax || (digit === 3 && byte >= 0x80))
        return { packets, isRefused: true };
      if (byte < 0x80) break;
    }
    packets.push([type, length]);
    at += 2 + digit + length;
  }
  return { packets, isRefused: false };
}

/** The CONNACK that refuses the protocol level, with the bytes in pieces of this size; null: the parser decides. */
function refusal(input: Buffer, pieceBytes: number): string | null {
  const level = new ProtocolLevel();
  for (let at = 0; at < input.length; at += pieceBytes) {
    const answer = level.refusal(input.subarray(at, at + pieceBytes));
    if (answer !== null) return answer.toString('hex');
  }
  return null;
}

/** The framing of MQTT packets and the level of the first, in front of the parser. */
export const mqtt: FuzzTarget = {
  name: 'mqtt',
  maxBytes: 256 * 1024,
  parse: (input) => guarded(input, 16_384, 8),
  check(input) {
    const expected = JSON.stringify(stated(input));
    for (const [pieceBytes, costMax] of [
      [input.length + 1, Number.POSITIVE_INFINITY],
      [1, 1],
      [7, 2],
    ] as const) {
      const found = guarded(input, pieceBytes, costMax);
      hold(JSON.stringify(found) === expected, `Pieces of ${pieceBytes} bytes are the same packets.`, found, expected);
    }
    const [whole, cut] = [refusal(input, input.length + 1), refusal(input, 1)];
    hold(whole === cut, 'Pieces have the same protocol level.', whole, cut);
  },
  seeds: [
    Buffer.from('101300044d5154540502003c05110001518000026162', 'hex'),
    Buffer.from('101200064d5149736470060200000004746573740000', 'hex'),
    Buffer.from('101000044d5154540402003c000474657374', 'hex'),
    Buffer.from('c000e000', 'hex'),
    Buffer.concat([Buffer.from('308101', 'hex'), Buffer.alloc(129, 1), Buffer.from('8206000100016100', 'hex')]),
    Buffer.from('30ffffff7f', 'hex'),
  ],
  words: ['10', '30', '62', '82', 'c000', '7f', '807f', '00044d51545404', '00044d51545405', '00064d514973647086'].map(
    (hex) => Buffer.from(hex, 'hex'),
  ),
};
