/** A command and everything that it has started: they share a process group, and end together. */
import { setTimeout as sleep } from 'node:timers/promises';

/** How long a process may take to end after a signal, before it is killed. */
const groupGraceMs = 2_000;
const lookMs = 50;

/** False when no process of the group is left. */
export function signalGroup(group: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(-group, signal);
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

/** Sends the signal; resolves once the group is empty. Processes that have not ended in time are killed. */
export async function endGroup(group: number, signal: NodeJS.Signals, graceMs = groupGraceMs): Promise<void> {
  signalGroup(group, signal);
  const deadline = performance.now() + graceMs;
  while (signalGroup(group, 0)) {
    if (performance.now() > deadline) {
      signalGroup(group, 'SIGKILL');
      return;
    }
    await sleep(lookMs);
  }
}
