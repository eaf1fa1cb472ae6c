/**
 * Says which blocks of code a run has reached, from V8's precise coverage. V8 leaves out blocks that ran as often as what
 * is around them, so what is kept is the code that nothing has reached yet: it can only become less.
 */
import { type Profiler, Session } from 'node:inspector';

/** Offsets in a script. */
type Interval = readonly [start: number, end: number];
type Blocks = Profiler.FunctionCoverage['ranges'];

/** Code of each function that did not run, by the function's place. */
export type Run = ReadonlyMap<string, { readonly whole: Interval; readonly unreached: readonly Interval[] }>;

const lengthOf = (intervals: readonly Interval[]): number =>
  intervals.reduce((sum, [start, end]) => sum + end - start, 0);

/** The innermost block around an offset says whether it ran. */
function unreachedIn(blocks: Blocks): Interval[] {
  const found: Interval[] = [];
  const around: Blocks = [];
  let at = blocks[0]?.startOffset ?? 0;
  const upTo = (offset: number): void => {
    if (around.at(-1)?.count === 0 && offset > at) found.push([at, offset]);
    at = Math.max(at, offset);
  };
  const leaveUntil = (offset: number): void => {
    for (let last = around.at(-1); last !== undefined && last.endOffset <= offset; last = around.at(-1)) {
      upTo(last.endOffset);
      around.pop();
    }
  };
  for (const block of blocks) {
    leaveUntil(block.startOffset);
    upTo(block.startOffset);
    around.push(block);
  }
  leaveUntil(Number.POSITIVE_INFINITY);
  return found;
}

function common(some: readonly Interval[], others: readonly Interval[]): Interval[] {
  return some.flatMap(([start, end]) =>
    others.flatMap(([from, to]): Interval[] => {
      const both = [Math.max(start, from), Math.min(end, to)] as const;
      return both[0] < both[1] ? [both] : [];
    }),
  );
}

/** The code that the runs so far have reached. */
export class Reached {
  private readonly unreached = new Map<string, readonly Interval[]>();
  private characters = 0;

  /** Returns the characters of code that this run was the first to reach. */
  gainOf(run: Run): number {
    let gain = 0;
    for (const [place, { whole, unreached }] of run) {
      const before = this.unreached.get(place) ?? [whole];
      if (before.length > 0) gain += lengthOf(before) - lengthOf(common(before, unreached));
    }
    return gain;
  }

  add(run: Run): void {
    for (const [place, { whole, unreached }] of run) {
      const before = this.unreached.get(place);
      if (before === undefined) this.characters += lengthOf([whole]);
      this.unreached.set(place, common(before ?? [whole], unreached));
    }
  }

  /** `412 blocks of 97 functions, 93 % of their code` */
  summary(blocks: ReadonlyMap<string, ReadonlySet<string>>): string {
    let reached = 0;
    for (const [place, ranges] of blocks) {
      const missing = this.unreached.get(place) ?? [];
      reached += [...ranges].filter((range) => !isInside(range, missing)).length;
    }
    const left = [...this.unreached.values()].reduce((sum, intervals) => sum + lengthOf(intervals), 0);
    const share = Math.round((1 - left / Math.max(1, this.characters)) * 100);
    return `${reached} blocks of ${this.unreached.size} functions, ${share} % of their code`;
  }
}

function isInside(range: string, intervals: readonly Interval[]): boolean {
  const [start = 0, end = 0] = range.split('-').map(Number);
  return intervals.some(([from, to]) => from <= start && end <= to);
}

export class Coverage {
  private readonly session = new Session();
  /** All blocks that V8 has reported, by the place of their function. */
  readonly blocks = new Map<string, Set<string>>();

  /** @param isCounted true for the addresses of scripts that are looked at */
  constructor(private readonly isCounted: (url: string) => boolean) {}

  start(): void {
    this.session.connect();
    this.session.post('Profiler.enable');
    this.session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
  }

  stop(): void {
    this.session.disconnect();
  }

  /** Returns what ran since the last call. */
  take(): Run {
    const run = new Map<string, { whole: Interval; unreached: Interval[] }>();
    this.session.post('Profiler.takePreciseCoverage', (error, answer) => {
      if (error !== null) throw error;
      for (const { url, functions } of answer.result) if (this.isCounted(url)) this.read(url, functions, run);
    });
    return run;
  }

  private read(url: string, functions: Profiler.FunctionCoverage[], run: Map<string, unknown>): void {
    for (const { ranges, isBlockCoverage } of functions) {
      const [whole] = ranges;
      if (whole === undefined || !isBlockCoverage || whole.count === 0) continue;
      const place = `${url}:${whole.startOffset}-${whole.endOffset}`;
      const known = this.blocks.get(place) ?? new Set();
      if (known.size === 0) this.blocks.set(place, known);
      for (const { startOffset, endOffset } of ranges) known.add(`${startOffset}-${endOffset}`);
      run.set(place, { whole: [whole.startOffset, whole.endOffset], unreached: unreachedIn(ranges) });
    }
  }
}
