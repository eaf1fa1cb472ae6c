/**
 * Repeats work on ticks that everything in the process shares, so that a daemon that nobody uses wakes twice a second
 * instead of once for each piece of work. Pieces of the same interval are spread over its ticks.
 */

const tickMs = 500;

interface Repeated {
  readonly ticks: number;
  /** The tick of each interval on which it comes. */
  readonly phase: number;
  readonly work: () => void;
}

const all = new Set<Repeated>();
let timer: NodeJS.Timeout | null = null;
let now = 0;
let started = 0;

/** Begins at another piece each time: of those that exclude each other, none is always the first. */
function tick(): void {
  now += 1;
  const due = [...all].filter(({ ticks, phase }) => now % ticks === phase);
  const first = Math.floor(Math.random() * due.length);
  for (const { work } of [...due.slice(first), ...due.slice(0, first)]) work();
}

/**
 * Calls the work once in each interval, for the first time within the first one. The work must not throw. Returns a
 * function that ends it.
 *
 * @param intervalMs a multiple of 500; others get a timer of their own
 */
export function every(intervalMs: number, work: () => void): () => void {
  const ticks = intervalMs / tickMs;
  if (!Number.isInteger(ticks)) {
    const own = setInterval(work, intervalMs);
    return () => clearInterval(own);
  }
  const entry = { ticks, phase: started++ % ticks, work };
  all.add(entry);
  timer ??= setInterval(tick, tickMs);
  return () => {
    all.delete(entry);
    if (all.size > 0 || timer === null) return;
    clearInterval(timer);
    timer = null;
  };
}
