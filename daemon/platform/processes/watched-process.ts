/** A process that the daemon has started beside itself, and whether it ended as it should. */
import type { ChildProcess } from 'node:child_process';

/** An end that nobody had asked for. */
export interface ProcessFault {
  readonly pid: number | null;
  /** The signal that ended the process; `hung`: the daemon killed it; `exit`: it ended by itself with an error. */
  readonly cause: NodeJS.Signals | 'hung' | 'exit';
  /** Why it was killed, or its exit code. */
  readonly detail: string | null;
}

export type OnFault = (fault: ProcessFault) => void;

/** For processes that are tried out, where nobody counts faults. */
export const ignoreFaults: OnFault = () => {};

export class WatchedProcess {
  private killedBecause: string | null | undefined;

  constructor(
    readonly child: ChildProcess,
    onFault: OnFault,
  ) {
    child.once('exit', (code, signal) => {
      const fault = this.faultOf(code, signal);
      if (fault !== null) onFault(fault);
    });
  }

  /** Kills the process. `because` says what was wrong with it; null: it is not needed any more. */
  kill(because: string | null): void {
    if (this.killedBecause === undefined) this.killedBecause = because;
    this.child.kill('SIGKILL');
  }

  private faultOf(code: number | null, signal: NodeJS.Signals | null): ProcessFault | null {
    const { pid = null } = this.child;
    const wasKilled = signal === 'SIGKILL' && this.killedBecause !== undefined;
    if (wasKilled) return this.killedBecause == null ? null : { pid, cause: 'hung', detail: this.killedBecause };
    if (signal !== null) return { pid, cause: signal, detail: null };
    return code === 0 ? null : { pid, cause: 'exit', detail: `exit code ${code}` };
  }
}
