/** State of a process. A zombie keeps its id until its parent has read its exit code, and runs no more. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** Fields of /proc/PID/stat (proc(5)) after the name in brackets, which may hold anything: state, parent, … */
function fieldsOf(pid: number): readonly string[] | null {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return text.slice(text.lastIndexOf(') ') + 2).split(' ');
  } catch {
    return null;
  }
}

/** As `ps` shows it: Z is a zombie. Empty where the system has no such states. */
function stateOf(pid: number): string {
  const [state] = fieldsOf(pid) ?? [];
  if (state !== undefined) return state;
  if (process.platform === 'win32' || process.platform === 'linux') return '';
  try {
    return execFileSync('ps', ['-o', 'stat=', '-p', String(pid)], { encoding: 'utf8', timeout: 5_000 }).trim();
  } catch {
    return '';
  }
}

export function isRunning(pid: number): boolean {
  if (!Number.isInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EPERM')) return false;
  }
  return !/^[ZX]/.test(stateOf(pid));
}
