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
/** Number of the last tick, and when the one with the number 0 would have been. */
let now = 0;
let began = 0;
let started = 0;

/**
 * A tick that was missed, because the process was busy, is made up for: a minute stays a minute. Begins at another piece each
 * time: of those that exclude each other, none is always the first.
 */
function tick(): void {
  const before = now;
  now = Math.max(before + 1, Math.floor((performance.now() - began) / tickMs));
  const turns = (at: number, { ticks, phase }: Repeated) => Math.floor((at - phase) / ticks);
  const due = [...all].filter((one) => turns(now, one) > turns(before, one));
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
  if (timer === null) {
    began = performance.now() - now * tickMs;
    timer = setInterval(tick, tickMs);
  }
  return () => {
    all.delete(entry);
    if (all.size > 0 || timer === null) return;
    clearInterval(timer);
    timer = null;
  };
}
