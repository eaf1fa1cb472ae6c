import { describe, expect, it } from 'vitest';
import { driftMaxMs, latePacketsMax, StreamClock } from '../../../daemon/modules/sessions/bot/stream-clock.js';

/** Places packets of 20 ms that arrive so much later than they were spoken. */
function places(latenessMs: number[], firstTimestamp = 0): number[] {
  const clock = new StreamClock();
  return latenessMs.map((lateMs, index) =>
    clock.place((firstTimestamp + index * 960) >>> 0, 1_000 + index * 20 + lateMs),
  );
}
const even = (count: number) => Array.from({ length: count }, (_, index) => 1_000 + index * 20);

describe('StreamClock', () => {
  it('keeps the pace of the timestamps while arrival is shaken', () => {
    expect(places([0, 15, 80, driftMaxMs, 3, 0])).toEqual(even(6));
  });

  it('goes on where the timestamps run over', () => {
    expect(places([0, 0, 0, 0], 0xffff_ffff - 960)).toEqual(even(4));
  });

  it('does not mind a burst that comes late', () => {
    expect(places([0, 900, 880, 860, 5, 0])).toEqual(even(6));
  });

  it('anchors anew, by the least late packet, when lateness lasts', () => {
    const late = Array.from({ length: latePacketsMax }, (_, index) => (index === 7 ? 300 : 400));
    const placed = places([0, ...late, 400]);
    expect(placed.slice(0, -2)).toEqual(even(latePacketsMax));
    expect(placed.slice(-2)).toEqual(
      even(latePacketsMax + 2)
        .slice(-2)
        .map((atMs) => atMs + 300),
    );
  });

  it('anchors anew at once when a packet comes before its time, or when the stream stood still', () => {
    const clock = new StreamClock();
    expect(clock.place(0, 1_000)).toBe(1_000);
    expect(clock.place(96_000, 1_020)).toBe(1_020); // its timestamp says 2 s later
    expect(clock.place(96_960, 9_000)).toBe(9_000); // 20 ms later by its timestamp
    expect(clock.place(97_920, 9_020)).toBe(9_020);
  });
});
