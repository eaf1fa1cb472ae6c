/**
 * Long work in small parts. SQLite blocks the event loop while it answers, so thousands of rows at once would block
 * everybody else: such work calls `next` between its parts.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';

/** How long one piece of work may keep the event loop busy. */
const turnMaxMs = 10;
/** Rows that one statement writes. */
export const rowsAtOnce = 500;

export class Pauses {
  private began = performance.now();

  /** Lets other work run when this work has used up its time. */
  async next(): Promise<void> {
    if (performance.now() - this.began < turnMaxMs) return;
    await nextTurn();
    this.began = performance.now();
  }
}

export function* slicesOf<T>(items: readonly T[], size = rowsAtOnce): Generator<readonly T[], void> {
  for (let from = 0; from < items.length; from += size) yield items.slice(from, from + size);
}

/** As `map`, with pauses for other work. */
export async function mapWithPauses<T, R>(items: readonly T[], map: (item: T, index: number) => R): Promise<R[]> {
  const pauses = new Pauses();
  const mapped: R[] = [];
  for (const slice of slicesOf(items)) {
    for (const item of slice) mapped.push(map(item, mapped.length));
    await pauses.next();
  }
  return mapped;
}
