// Memory of programs, as Linux counts it.
import { readFileSync, writeFileSync } from 'node:fs';

const megabytes = (pids, field) =>
  pids.reduce((sum, pid) => {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    return sum + Number(new RegExp(`^${field}:\\s+(\\d+)`, 'm').exec(status)[1]);
  }, 0) / 1024;

/** Megabytes of these processes. */
export const residentMb = (pids) => megabytes(pids, 'VmRSS');

/** The most megabytes that these processes have had, since `forgetPeak`. */
export const peakMb = (pids) => megabytes(pids, 'VmHWM');

/** The peak counts anew from here. */
export function forgetPeak(pids) {
  for (const pid of pids) writeFileSync(`/proc/${pid}/clear_refs`, '5');
}
