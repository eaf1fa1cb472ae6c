/** Recordings of a room, one file for each speaker. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { TrackFiles } from '../../src/cli/rooms/voice/track-files.js';
import { frameMs, frameSamples, sampleRate } from '../../src/client/voice/audio.js';
import { readWav } from '../../src/client/voice/wav-file.js';

const startedAtMs = 1_000_000;
const samplesPerMs = sampleRate / 1_000;
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'earshot-tracks-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Milliseconds at which each loud piece of a recording begins, and its length, of frames that arrive and state these times. */
function recorded(frames: readonly { readonly arrivedMs: number; readonly statedMs: number }[]): [number, number][] {
  const files = new TrackFiles(folder, startedAtMs);
  for (const { arrivedMs, statedMs } of frames)
    files.write({
      ...{ speaker: 'ann', stream: '0.1', timestamp: (statedMs * 48) >>> 0, atMs: startedAtMs + arrivedMs + frameMs },
      pcm: new Int16Array(frameSamples).fill(9_000),
    });
  files.close();
  const { length, at } = readWav(readFileSync(join(folder, 'ann.wav')));
  const pieces: [number, number][] = [];
  for (let ms = 0; ms < length / samplesPerMs; ms += frameMs / 2) {
    if (at(ms * samplesPerMs) === 0) continue;
    const last = pieces.at(-1);
    if (last !== undefined && last[0] + last[1] === ms) last[1] += frameMs / 2;
    else pieces.push([ms, frameMs / 2]);
  }
  return pieces;
}

const turn = (arrivedMs: number, statedMs: number) =>
  Array.from({ length: 20 }, (_, index) => ({
    arrivedMs: arrivedMs + index * frameMs,
    statedMs: statedMs + index * frameMs,
  }));

it.each([
  ['stand still', 400],
  ['go on', 1_900],
])('have the pauses of a speaker whose timestamps %s meanwhile', (_, statedMs) => {
  expect(recorded([...turn(0, 0), ...turn(1_900, statedMs)])).toEqual([
    [0, 400],
    [1_900, 400],
  ]);
});

it('keep the pace of the timestamps while arrival is shaken', () => {
  const shaken = turn(0, 0).map(({ arrivedMs, statedMs }, index) => ({
    statedMs,
    arrivedMs: arrivedMs + (index % 3) * 60,
  }));
  expect(recorded(shaken)).toEqual([[0, 400]]);
});
