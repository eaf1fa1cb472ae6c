/** Finds the room process of a daemon, to kill it as a crash would. */
import { readdirSync, readFileSync } from 'node:fs';

const childrenOf = (pid: number): number[] =>
  readdirSync(`/proc/${pid}/task`).flatMap((task) =>
    readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8').split(' ').filter(Boolean).map(Number),
  );

const isRoomProcess = (pid: number): boolean => {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('modules/rooms/embedded/process.');
  } catch {
    return false; // ended meanwhile
  }
};

/** The room processes of a daemon; of the one that runs in this process when none is named. */
export const roomProcesses = (daemon: number = process.pid): number[] => childrenOf(daemon).filter(isRoomProcess);

export function roomProcess(daemon: number = process.pid): number {
  const [found] = roomProcesses(daemon);
  if (found === undefined) throw new Error('There is no room process.');
  return found;
}
