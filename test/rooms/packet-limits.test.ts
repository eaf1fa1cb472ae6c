/** Limits on the packets of a peer, and the reports that a speaker gets. */
import { describe, expect, it } from 'vitest';
import { PacketCounters } from '../../daemon/modules/rooms/embedded/counters.js';
import { PacketWatch } from '../../daemon/modules/rooms/embedded/packet-watch.js';
import { Publication } from '../../daemon/modules/rooms/embedded/publication.js';
import { Reception } from '../../daemon/modules/rooms/embedded/reception.js';
import { roomLimits } from '../../daemon/modules/rooms/media/engine.js';
import { opusDurationMs } from '../../src/media/opus-duration.js';

const rtp = (ssrc: number, sequence: number, timestamp = sequence * 960): Buffer => {
  const packet = Buffer.alloc(40);
  packet.set([0x80, 111]);
  packet.writeUInt16BE(sequence & 0xffff, 2);
  packet.writeUInt32BE(timestamp >>> 0, 4);
  packet.writeUInt32BE(ssrc, 8);
  return packet;
};
const senderReport = (ssrc: number): Buffer => {
  const packet = Buffer.alloc(28);
  packet.set([0x80, 200, 0, 6]);
  packet.writeUInt32BE(ssrc, 4);
  packet.writeUInt32BE(0x0102_0304, 10);
  return packet;
};

describe('the time of an Opus packet', () => {
  it.each([
    ['one SILK frame of 20 ms', [0x08], 20],
    ['one SILK frame of 60 ms', [0x18], 60],
    ['one hybrid frame of 10 ms', [0x60], 10],
    ['two CELT frames of 20 ms', [0x99], 40],
    ['48 CELT frames of 2.5 ms', [0x83, 48], 120],
    ['63 frames of 20 ms, which no packet may hold', [0x9b, 63], 1_260],
  ])('is told for %s', (_, bytes, ms) => {
    expect(opusDurationMs(Buffer.from(bytes))).toBe(ms);
  });

  it('is the longest one where the frames cannot be counted', () => {
    expect(opusDurationMs(Buffer.from([0x9b, 1]), () => null)).toBe(120);
  });
});

describe('the packets of a peer', () => {
  const passed = (perSecond: number, seconds: number, next: (index: number) => Buffer): number => {
    const watch = new PacketWatch(0);
    let index = 0;
    while (index < perSecond * seconds && watch.allows(next(index), (index * 1_000) / perSecond)) index += 1;
    return index;
  };

  it('may be those of speech with its reports, however long it lasts, and all that was held up for seconds', () => {
    expect(passed(60, 600, (index) => (index % 50 === 0 ? senderReport(1) : rtp(1, index)))).toBe(36_000);
    const watch = new PacketWatch(0);
    expect(Array.from({ length: 300 }, (_, index) => watch.allows(rtp(1, index), 0)).every(Boolean)).toBe(true);
  });

  it('are a flood within a quarter of a second at 4,000 a second, reports or not', () => {
    expect(passed(4_000, 2, (index) => rtp(1, index))).toBeLessThan(1_000);
    expect(passed(4_000, 2, () => senderReport(1))).toBeLessThan(1_000);
  });

  it('come from few sources', () => {
    expect(passed(50, 10, (index) => rtp(index, index))).toBe(16);
  });
});

describe('what others hear of a speaker', () => {
  /** Packets a second for a minute, each with so much sound; returns how many are heard, and why others are not. */
  function heardOf(perSecond: number, packet: (index: number) => Buffer) {
    const counters = new PacketCounters();
    let [heard, nowMs] = [0, 0];
    const line = { mid: '0', opusPayloadType: 111, audioLevelId: null };
    const policy = { publish: true, speakingSecondsPerMinute: null };
    const links = {
      nowMs: () => nowMs,
      maySpeak: () => true,
      heard: () => {
        heard += 1;
      },
      missed: () => {},
      flooding: () => {},
    };
    const speaker = new Publication('p', {} as never, policy as never, null, line as never, counters, links);
    for (let index = 0; index < perSecond * minute; index += 1) {
      nowMs = (index * 1_000) / perSecond;
      speaker.receive(packet(index));
    }
    return { heard, dropped: counters.packetsDropped };
  }
  const minute = 60;
  /** One frame of Opus. */
  const speech = (toc: number, bytes: number) => (index: number) => {
    const packet = Buffer.alloc(bytes);
    rtp(1, index).copy(packet, 0, 0, 12);
    packet[12] = toc;
    return packet;
  };
  const [frame20, frame60] = [0x08, 0x18];
  const allowance = minute + roomLimits.stallSeconds;

  it('is 60 packets and 1.2 seconds of sound a second, and what was held up before', () => {
    expect(heardOf(60, speech(frame20, 100))).toMatchObject({ heard: 60 * minute, dropped: { rate: 0 } });
    const tooMany = heardOf(100, speech(frame20, 100));
    expect(Math.abs(tooMany.heard - 60 * allowance)).toBeLessThanOrEqual(1);
    expect(tooMany.dropped.rate).toBe(100 * minute - tooMany.heard);
    const tooLong = heardOf(50, speech(frame60, 100));
    expect(Math.abs(tooLong.heard - (1_200 / 60) * allowance)).toBeLessThanOrEqual(1);
  });

  it('is in packets of 1,200 bytes at most', () => {
    expect(heardOf(50, speech(frame20, 1_200))).toMatchObject({ heard: 50 * minute, dropped: { size: 0 } });
    expect(heardOf(50, speech(frame20, 1_201))).toMatchObject({ heard: 0, dropped: { size: 50 * minute } });
  });
});

describe('the report to a speaker', () => {
  it('says what arrived, what was lost, and when the last report of the speaker came', () => {
    const reception = new Reception();
    expect(reception.due(10_000)).toBeNull();
    for (let index = 0; index < 100; index += 1) {
      if (index % 10 !== 9) reception.arrived(rtp(4242, 65_500 + index), 10_000 + index * 20);
      if (index === 50) reception.reported(senderReport(4242), 11_000);
    }
    const report = reception.due(12_000);
    expect(report?.subarray(0, 4)).toEqual(Buffer.from([0x81, 201, 0, 7]));
    expect(report?.readUInt32BE(8)).toBe(4242);
    // Nine of the 99 up to the highest number are missing.
    expect(report?.readUInt8(12)).toBe(Math.floor((9 * 256) / 99));
    expect(report?.readUIntBE(13, 3)).toBe(9);
    expect(report?.readUInt32BE(16)).toBe(65_598);
    expect(report?.readUInt32BE(20)).toBe(0);
    expect(report?.readUInt32BE(24)).toBe(0x0102_0304);
    expect(report?.readUInt32BE(28)).toBe(65_536);
    expect(reception.due(12_500)).toBeNull();
  });
});
