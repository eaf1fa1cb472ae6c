import { describe, expect, it } from 'vitest';
import { parseRtp } from '../../../daemon/modules/rooms/embedded/rtp.js';
import { audioLevelId, readPacket, writePacket } from '../../../src/client/voice/rtp.js';

const written = {
  sequence: 0x1_0005,
  timestamp: 0x1_0000_0007,
  ssrc: 4242,
  level: 33,
  payload: Uint8Array.of(9, 8, 7),
};

describe('RTP of the client', () => {
  it('says what the room reads', () => {
    expect(parseRtp(writePacket(written), audioLevelId)).toMatchObject({
      payloadType: 111,
      sequence: 5,
      timestamp: 7,
      audioLevel: 33,
      payload: Buffer.from([9, 8, 7]),
    });
  });

  it('reads what it writes', () => {
    expect(readPacket(writePacket(written))).toEqual({
      marker: false,
      sequence: 5,
      timestamp: 7,
      payload: Buffer.from([9, 8, 7]),
    });
  });

  it('leaves padding out, as the room does', () => {
    const packet = Buffer.concat([writePacket(written), Buffer.from([0, 2])]);
    packet.writeUInt8(packet.readUInt8(0) | 0x20, 0);
    expect(readPacket(packet)?.payload).toEqual(Buffer.from([9, 8, 7]));
    expect(parseRtp(packet, audioLevelId)?.payload).toEqual(Buffer.from([9, 8, 7]));
    packet.writeUInt8(200, packet.length - 1);
    expect([readPacket(packet), parseRtp(packet, audioLevelId)]).toEqual([null, null]);
  });

  it.each([
    ['nothing', Buffer.alloc(0)],
    ['a header alone', Buffer.alloc(12, 0x80)],
    ['RTCP', Buffer.from([0x80, 200, ...Buffer.alloc(20)])],
    ['another version', Buffer.alloc(20, 0x40)],
    ['an extension that is longer than the packet', Buffer.from([0x90, 111, ...Buffer.alloc(12), 0xff, 0xff, 1])],
  ])('takes %s for no sound', (_, data) => {
    expect(readPacket(data)).toBeNull();
  });
});
