/**
 * A list of numbers with the sum of all before each: reading a sum and changing a number take few steps (a Fenwick
 * tree).
 */
export class PrefixSums {
  /** From 1; each holds the sum of as many numbers as the lowest bit of its index says. */
  private readonly sums: Int32Array;

  constructor(numbers: ArrayLike<number>) {
    const { length } = numbers;
    this.sums = new Int32Array(length + 1);
    for (let at = 1; at <= length; at += 1) {
      const sum = (this.sums[at] ?? 0) + (numbers[at - 1] ?? 0);
      this.sums[at] = sum;
      const parent = at + (at & -at);
      if (parent <= length) this.sums[parent] = (this.sums[parent] ?? 0) + sum;
    }
  }

  add(index: number, change: number): void {
    for (let at = index + 1; at < this.sums.length; at += at & -at) this.sums[at] = (this.sums[at] ?? 0) + change;
  }

  before(index: number): number {
    let sum = 0;
    for (let at = index; at > 0; at -= at & -at) sum += this.sums[at] ?? 0;
    return sum;
  }

  /** The number that `offset` falls into when each takes its own length, and what is left of the offset there. */
  find(offset: number): { index: number; rest: number } {
    let index = 0;
    let rest = offset;
    for (let step = 2 ** Math.floor(Math.log2(this.sums.length)); step >= 1; step /= 2) {
      const next = index + step;
      const length = this.sums[next];
      if (length === undefined || length > rest) continue;
      index = next;
      rest -= length;
    }
    return { index, rest };
  }
}
