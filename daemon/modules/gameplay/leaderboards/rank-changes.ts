/** Ranks before and after each of several changes of a board that are about to be stored. Pure. */
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

/**
 * `countBefore` says how many stand before a key while nothing of this is stored. Each change sees those before it:
 * whoever has passed a key since counts there, whoever has left it does not.
 */
export const rankChanges = (changes: readonly KeyChange[], countBefore: (key: Key) => number): RankChange[] => {
  const done: KeyChange[] = [];
  const rankOf = (key: Key): number => {
    let rank = countBefore(key) + 1;
    for (const { before, after } of done) {
      if (compareKeys(after, key) < 0) rank += 1;
      if (before !== null && compareKeys(before, key) < 0) rank -= 1;
    }
    return rank;
  };
  return changes.map((change) => {
    const before = change.before === null ? -1 : rankOf(change.before);
    done.push(change);
    return { before, after: rankOf(change.after) };
  });
};
