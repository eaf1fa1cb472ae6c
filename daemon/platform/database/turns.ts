/**
 * Long work in small parts. SQLite answers without ever leaving the event loop, so thousands of rows in one go would keep
 * everybody else waiting: whoever works through many calls `next` between parts.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';

/** What the event loop may be kept busy by one piece of work. */
const turnMaxMs = 20;
/** Rows that one statement writes. */
export const rowsAtOnce = 500;

export class Turns {
  private began = performance.now();

  /** Lets everybody else have a turn when this work has had its time. */
  async next(): Promise<void> {
    if (performance.now() - this.began < turnMaxMs) return;
    await nextTurn();
    this.began = performance.now();
  }
}

export function* slicesOf<T>(items: readonly T[], size = rowsAtOnce): Generator<readonly T[], void> {
  for (let from = 0; from < items.length; from += size) yield items.slice(from, from + size);
}

/** As `map`, with turns for everybody else. */
export async function mapInTurns<T, R>(items: readonly T[], map: (item: T, index: number) => R): Promise<R[]> {
  const turns = new Turns();
  const mapped: R[] = [];
  for (const slice of slicesOf(items)) {
    for (const item of slice) mapped.push(map(item, mapped.length));
    await turns.next();
  }
  return mapped;
}

/** Values as the set-based statements take them: JSON arrays of up to `rowsAtOnce` rows. */
export async function textsOf(rows: readonly unknown[]): Promise<string[]> {
  const turns = new Turns();
  const texts: string[] = [];
  for (const slice of slicesOf(rows)) {
    texts.push(JSON.stringify(slice));
    await turns.next();
  }
  return texts;
}
