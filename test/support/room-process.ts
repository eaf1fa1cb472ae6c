/** Finds the room process of a daemon, to kill it as a crash would. */
import { readdirSync, readFileSync } from 'node:fs';

const childrenOf = (pid: number): number[] =>
  readdirSync(`/proc/${pid}/task`).flatMap((task) =>
    readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8').split(' ').filter(Boolean).map(Number),
  );

/** The room process of the daemon that runs in this process. */
export function roomProcess(): number {
  const found = childrenOf(process.pid).find((pid) =>
    readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('voice/rooms/embedded/process.js'),
  );
  if (found === undefined) throw new Error('There is no room process.');
  return found;
}
