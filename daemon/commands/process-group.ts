/** A command with all that it has started: they share a process group, and end together. */
import { setTimeout as sleep } from 'node:timers/promises';

/** What has been told to end may take so long. */
export const groupGraceMs = 2_000;
const lookMs = 50;

/** False when nobody is left in the group. */
export function signalGroup(group: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(-group, signal);
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

/** Sends the signal; resolves once nobody is left. Who has not ended in time is killed. */
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
