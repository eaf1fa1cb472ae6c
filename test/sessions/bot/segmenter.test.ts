import { describe, expect, it } from 'vitest';
import { Segmenter, type SpeechSegment } from '../../../daemon/modules/sessions/bot/segmenter.js';
import { frameMs, frameSamples } from '../../../daemon/modules/sessions/bot/voice-activity.js';

/** Segments cut from runs of frames: 'v 12' is twelve frames of speech, 's 40' forty of silence. The end is flushed. */
function cut(runs: string): { startMs: number; endMs: number; speechMs: number; frames: number }[] {
  const segmenter = new Segmenter();
  const judged = runs.split(', ').flatMap((run) => {
    const [kind, count] = run.split(' ');
    return new Array<boolean>(Number(count)).fill(kind === 'v');
  });
  const segments: (SpeechSegment | null)[] = judged.map((voiced, index) =>
    segmenter.push({
      pcm: new Int16Array(frameSamples).fill(9_000 + index),
      atMs: index * frameMs,
      latenessMs: 0,
      voiced,
    }),
  );
  return [...segments, segmenter.flush()]
    .filter((segment) => segment !== null)
    .map(({ startMs, endMs, speechMs, pcm }) => ({ startMs, endMs, speechMs, frames: pcm.length / frameSamples }));
}

describe('Segmenter', () => {
  it.each([
    ['silence is no utterance', 's 100', []],
    ['two frames in a row do not begin one', 's 20, v 2, s 40', []],
    ['three frames begin one, but 160 ms of speech are noise', 's 20, v 8, s 40', []],
    [
      '180 ms are speech; 300 ms before and 100 ms behind are kept',
      's 20, v 9, s 40',
      [{ startMs: 400, endMs: 580, speechMs: 180, frames: 15 + 9 + 5 }],
    ],
    [
      'at the very beginning there is less to keep before',
      's 2, v 10, s 40',
      [{ startMs: 40, endMs: 240, speechMs: 200, frames: 2 + 10 + 5 }],
    ],
    [
      '480 ms of silence are a pause',
      'v 10, s 24, v 10, s 30',
      [{ startMs: 0, endMs: 880, speechMs: 400, frames: 44 + 5 }],
    ],
    [
      '500 ms of silence end it',
      'v 10, s 25, v 10, s 30',
      [
        { startMs: 0, endMs: 200, speechMs: 200, frames: 10 + 5 },
        { startMs: 700, endMs: 900, speechMs: 200, frames: 15 + 10 + 5 }, // 300 ms before
      ],
    ],
    [
      '20 s are cut without a gap',
      'v 1200, s 30',
      [
        { startMs: 0, endMs: 20_000, speechMs: 20_000, frames: 1_000 },
        { startMs: 20_000, endMs: 24_000, speechMs: 4_000, frames: 200 + 5 },
      ],
    ],
    [
      'a rest behind the cut is no noise, however short',
      'v 1004, s 30',
      [
        { startMs: 0, endMs: 20_000, speechMs: 20_000, frames: 1_000 },
        { startMs: 20_000, endMs: 20_080, speechMs: 80, frames: 4 + 5 },
      ],
    ],
    [
      'they are cut at the last pause of the second half',
      'v 300, s 10, v 300, s 5, v 600, s 30',
      [
        { startMs: 0, endMs: 12_200, speechMs: 12_000, frames: 615 },
        { startMs: 12_300, endMs: 24_300, speechMs: 12_000, frames: 600 + 5 },
      ],
    ],
    ['what is open at the end is flushed', 's 5, v 20', [{ startMs: 100, endMs: 500, speechMs: 400, frames: 25 }]],
  ])('%s', (_, runs, expected) => {
    expect(cut(runs)).toEqual(expected);
  });

  it('keeps no sound from before a pause without packets', () => {
    const segmenter = new Segmenter();
    const push = (atMs: number, voiced: boolean, latenessMs = 0) =>
      segmenter.push({ pcm: new Int16Array(frameSamples), atMs, latenessMs, voiced });
    for (let index = 0; index < 20; index++) push(index * frameMs, false);
    for (let index = 0; index < 20; index++) push(15_000 + index * frameMs, true);
    expect(segmenter.flush()).toMatchObject({ startMs: 15_000, audioStartMs: 15_000, latenessMs: 0 });
    // The same where the stream's own time stood still.
    for (let index = 0; index < 20; index++) push(16_000 + index * frameMs, false);
    for (let index = 0; index < 20; index++) push(16_400 + index * frameMs, true, 15_000);
    expect(segmenter.flush()).toMatchObject({ startMs: 16_400, audioStartMs: 16_400, latenessMs: 15_000 });
  });

  it('tells speech that broke off from speech that ended, and knows what goes on with it', () => {
    const segmenter = new Segmenter();
    const sound = (level: number) => new Int16Array(frameSamples).fill(level);
    const push = (level: number, voiced: boolean, atMs: number) =>
      segmenter.push({ pcm: sound(level), atMs, latenessMs: 0, voiced });
    expect(segmenter.isBreakingOff).toBe(false);
    for (let index = 0; index < 20; index++) push(9_000, true, index * frameMs);
    expect(segmenter.isBreakingOff).toBe(true);
    expect(segmenter.isContinuedBy(sound(9_000))).toBe(true);
    expect(segmenter.isContinuedBy(sound(10))).toBe(false);
    push(10, true, 400); // what the detector adds
    expect(segmenter.isBreakingOff).toBe(false);
    push(9_000, false, 420);
    expect(segmenter.isBreakingOff).toBe(false);
    expect(segmenter.isContinuedBy(sound(9_000))).toBe(false);
  });

  it('keeps the samples in order', () => {
    const segmenter = new Segmenter();
    for (let index = 0; index < 12; index++) {
      segmenter.push({
        pcm: new Int16Array(frameSamples).fill(index),
        atMs: index * frameMs,
        latenessMs: 0,
        voiced: true,
      });
    }
    const pcm = segmenter.flush()?.pcm ?? new Int16Array();
    expect(Array.from({ length: 12 }, (_, index) => pcm[index * frameSamples])).toEqual([
      0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11,
    ]);
  });
});
