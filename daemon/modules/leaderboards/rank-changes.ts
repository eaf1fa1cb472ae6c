/** Ranks before and after each of several changes of a board that are about to be stored. Pure. */
import { PrefixSums } from './prefix-sums.js';
import { compareKeys, type Key } from './ranked-list.js';

/** A change of one member's key, in the order in which the changes happen; null: not on the board. */
interface KeyChange {
  readonly before: Key | null;
  readonly after: Key;
}

interface RankChange {
  /** From 1; -1: was not on the board. */
  readonly before: number;
  readonly after: number;
}

/** How many of the sorted keys come before this one. */
export const placeIn = (sorted: readonly Key[], key: Key): number => {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (compareKeys(sorted[middle] ?? key, key) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
};

/**
 * `countBefore` says how many members rank before a key before any of the changes is stored. Each change sees the
 * earlier ones: a member that has moved before a key counts there, one that has moved away does not.
 */
export const rankChanges = (changes: readonly KeyChange[], countBefore: (key: Key) => number): RankChange[] => {
  const keys = changes.flatMap(({ before, after }) => (before === null ? [after] : [before, after])).sort(compareKeys);
  /** For each key: how many members came to it, minus how many left it. */
  const come = new PrefixSums(keys.map(() => 0));
  const rankOf = (key: Key, place: number): number => countBefore(key) + come.before(place) + 1;
  return changes.map(({ before, after }) => {
    let rankBefore = -1;
    if (before !== null) {
      const place = placeIn(keys, before);
      rankBefore = rankOf(before, place);
      come.add(place, -1);
    }
    const place = placeIn(keys, after);
    come.add(place, 1);
    return { before: rankBefore, after: rankOf(after, place) };
  });
};
