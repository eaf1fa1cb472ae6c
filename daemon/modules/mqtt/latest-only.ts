/**
 * At most one deed an interval for each key: the first is done at once, of those that follow too soon only the last, when
 * the interval is over. So nobody is flooded, and what was told last is how things are.
 */
export class LatestOnly {
  /** Keys whose interval runs, with what waits for its end. */
  private readonly intervals = new Map<string, { timer: NodeJS.Timeout; waiting: (() => void) | null }>();

  /** Beyond `keysMax` the interval that has run longest ends early: memory stays bounded, and nothing is lost. */
  constructor(
    private readonly intervalMs: number,
    private readonly keysMax: number,
  ) {}

  run(key: string, deed: () => void): void {
    const running = this.intervals.get(key);
    if (running !== undefined) {
      running.waiting = deed;
      return;
    }
    const [oldest] = this.intervals.size >= this.keysMax ? this.intervals.keys() : [];
    if (oldest !== undefined) this.end(oldest);
    this.begin(key);
    deed();
  }

  stop(): void {
    for (const { timer } of this.intervals.values()) clearTimeout(timer);
    this.intervals.clear();
  }

  private begin(key: string): void {
    const timer = setTimeout(() => this.end(key), this.intervalMs);
    timer.unref();
    this.intervals.set(key, { timer, waiting: null });
  }

  private end(key: string): void {
    const ended = this.intervals.get(key);
    if (ended === undefined) return;
    clearTimeout(ended.timer);
    this.intervals.delete(key);
    if (ended.waiting === null) return;
    this.begin(key);
    ended.waiting();
  }
}
