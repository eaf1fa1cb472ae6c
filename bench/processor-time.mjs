// Processor time of a program, as Linux counts it.
import { readdirSync, readFileSync } from 'node:fs';

/** A clock tick of Linux, in which it counts the time. */
const tickUs = 10_000;

const read = (pid) => {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /, '')
      .split(' ');
  } catch {
    return []; // it has ended
  }
};
const parentOf = (pid) => read(pid)[1];
const ownTicks = (pid) => Number(read(pid)[11] ?? 0) + Number(read(pid)[12] ?? 0);
const endedTicks = (pid) => Number(read(pid)[13] ?? 0) + Number(read(pid)[14] ?? 0);

/** Microseconds of the process and its children, also those that have ended. */
export function usedUs(pid) {
  const family = readdirSync('/proc').filter(
    (one) => /^\d+$/.test(one) && (one === `${pid}` || parentOf(one) === `${pid}`),
  );
  return (family.reduce((sum, one) => sum + ownTicks(one), 0) + endedTicks(pid)) * tickUs;
}
