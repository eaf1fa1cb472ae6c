/** Counts by key over the last minute, in slots of a second. Keys come from closed lists, so the size is bounded. */
const slotsMax = 60;

interface SecondCount {
  readonly count: number;
  /** The largest value that was observed. */
  readonly worst: number;
}

interface CountedSecond {
  second: number;
  readonly counts: Map<string, SecondCount>;
}

const add = (counts: Map<string, SecondCount>, key: string, { count, worst }: SecondCount): void => {
  const before = counts.get(key) ?? { count: 0, worst: 0 };
  counts.set(key, { count: before.count + count, worst: Math.max(before.worst, worst) });
};

export class LastMinute {
  private readonly slots: CountedSecond[] = [];
  private newest = 0;

  constructor(private readonly nowMs: () => number) {}

  observe(key: string, value = 0): void {
    const second = Math.floor(this.nowMs() / 1_000);
    const index = second % slotsMax;
    const found = this.slots[index];
    const slot = found?.second === second ? found : { second, counts: new Map<string, SecondCount>() };
    this.slots[index] = slot;
    this.newest = second;
    add(slot.counts, key, { count: 1, worst: value });
  }

  /** Returns the counts of the last `seconds` whole seconds and of the current one. */
  countsOfLast(seconds = slotsMax - 1): Map<string, SecondCount> {
    const from = Math.floor(this.nowMs() / 1_000) - seconds;
    const sum = new Map<string, SecondCount>();
    for (const slot of this.slots)
      if (slot !== undefined && slot.second >= from) for (const [key, one] of slot.counts) add(sum, key, one);
    return sum;
  }

  get isEmpty(): boolean {
    return Math.floor(this.nowMs() / 1_000) - this.newest >= slotsMax;
  }
}

export const total = (counts: ReadonlyMap<string, SecondCount>): number =>
  [...counts.values()].reduce((sum, { count }) => sum + count, 0);
