/** Writes to all streams: items that follow each other leave together, the more of them the longer a write takes. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { Collector } from '../../daemon/modules/streams/collector.js';

/** Longer than the pause after a quick write. */
const slowWriteMs = 15;

function busyFor(ms: number): void {
  const until = performance.now() + ms;
  while (performance.now() < until);
}

it('collects for longer than a write took, so that items of later turns leave together', async () => {
  const writes: number[][] = [];
  const collector = new Collector<number>((items) => {
    writes.push([...items]);
    busyFor(slowWriteMs);
  });
  collector.push([0]);
  expect(writes).toEqual([[0]]);
  for (let item = 1; item <= 4; item += 1) {
    await nextTurn();
    collector.push([item]);
  }
  expect(writes).toEqual([[0]]);
  collector.stop();
  expect(writes).toEqual([[0], [1, 2, 3, 4]]);
});

it('writes an item that comes after a pause at once', async () => {
  const writes: number[][] = [];
  const collector = new Collector<number>((items) => writes.push([...items]));
  collector.push([0]);
  collector.stop();
  collector.push([1, 2]);
  expect(writes).toEqual([[0], [1, 2]]);
  collector.stop();
});
