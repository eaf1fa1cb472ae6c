import { describe, expect, it } from 'vitest';
import {
  driftMaxMs,
  latePacketsMax,
  StreamClock,
  spokenTimes,
} from '../../../daemon/modules/sessions/bot/stream-clock.js';

const durationMs = 20;
const ticks = (ms: number) => (ms * 48) >>> 0;
/** Times of packets, each stated and arriving so many milliseconds after the first. */
const places = (packets: readonly (readonly [statedMs: number, arrivedMs: number])[], firstTimestamp = 0): number[] =>
  spokenTimes(
    packets.map(([statedMs, arrivedMs]) => ({
      ...{ durationMs, timestamp: (firstTimestamp + ticks(statedMs)) >>> 0, arrivedAtMs: 1_000 + arrivedMs },
    })),
  ).map((atMs) => atMs - 1_000);
/** Packets of 20 ms that arrive so much later than they were spoken. */
const late = (latenessMs: readonly number[]) => latenessMs.map((ms, index) => [index * 20, index * 20 + ms] as const);
const even = (count: number, fromMs = 0) => Array.from({ length: count }, (_, index) => fromMs + index * 20);

describe('the times at which a stream was spoken', () => {
  it.each([
    ['keep the pace of the timestamps while arrival is shaken', late([0, 15, 80, 100, 3, 0]), even(6)],
    ['do not mind a burst that comes late', late([0, 900, 880, 860, 5, 0]), even(6)],
    ['do not mind one of eight seconds', late([0, 8_000, 7_980, 7_960, 7_940, 0]), even(6)],
    ['do not mind that the first packets are late', late([2_000, 1_980, 1_960, 0, 0]), even(5)],
    [
      'have the pause of a client whose timestamps stand still meanwhile',
      [...late([0, 0]), [40, 15_040] as const, [60, 15_070] as const, [80, 15_080] as const],
      [...even(2), ...even(3, 15_040)],
    ],
    [
      'have the pause that the timestamps show',
      [...late([0, 0]), [15_040, 15_040] as const, [15_060, 15_060] as const],
      [...even(2), ...even(2, 15_040)],
    ],
    [
      'go on where a client begins anew with other numbers, ahead',
      [...late([0, 0]), [9_000_000, 540] as const, [9_000_020, 560] as const],
      [...even(2), ...even(2, 540)],
    ],
    [
      'go on where a client begins anew with other numbers, behind',
      [...late([0, 0]), [-9_000_000, 540] as const, [-8_999_980, 560] as const],
      [...even(2), ...even(2, 540)],
    ],
    [
      'are no earlier than arrival allows, whatever gaps a client states',
      [...late([0, 0]), [500, 40] as const, [980, 60] as const, [1_460, 80] as const],
      even(5),
    ],
  ])('%s', (_, packets, expected) => {
    expect(places(packets)).toEqual(expected);
    expect(places(packets, 0xffff_ffff - ticks(25))).toEqual(expected);
  });
});

describe('StreamClock', () => {
  const following = (latenessMs: readonly number[]): number[] => {
    const clock = new StreamClock();
    return late(latenessMs).map(([statedMs, arrivedMs]) => {
      clock.place({ timestamp: ticks(statedMs), arrivedAtMs: arrivedMs }, durationMs);
      return clock.offsetMs;
    });
  };

  it('keeps its offset while packets are late for less than a second', () => {
    expect(following([0, driftMaxMs, 900, 880, 5])).toEqual([0, 0, 0, 0, 0]);
  });

  it('moves it to the least late packet when lateness lasts', () => {
    const lasting = Array.from({ length: latePacketsMax }, (_, index) => (index === 7 ? 300 : 400));
    const offsets = following([0, ...lasting, 400]);
    expect(offsets.slice(0, -2)).toEqual(new Array(latePacketsMax).fill(0));
    expect(offsets.slice(-2)).toEqual([300, 300]);
  });

  it('moves it at once when a packet comes before its time, or after a pause', () => {
    expect(following([500, 0])).toEqual([0, -500]);
    expect(following([0, 5_000, 5_010])).toEqual([0, 5_000, 5_000]);
  });

  it('takes the offset of the least late packet for sound, unless it is the present one', () => {
    const clock = new StreamClock();
    clock.place({ timestamp: 0, arrivedAtMs: 0 }, durationMs);
    expect([-5_000, -driftMaxMs, 50, 5_000].map((ms) => clock.offsetOf(ms))).toEqual([-5_000, 0, 0, 5_000]);
  });
});
