/** State of serving clients: readiness asks for it, and load balancers ask readiness. */
import { setTimeout as wait } from 'node:timers/promises';
import type { HttpListener } from '../http/server.js';
import type { Probe } from '../observability/health.js';

export class Serving {
  /** Why the daemon serves nobody yet or any more; null: it serves. */
  private problem: string | null = 'is starting; try again in a moment';
  private listener: Pick<HttpListener, 'drain'> | null = null;
  readonly probe: Probe = { part: 'daemon', check: () => this.problem };

  /** The last step of a start: from here on every request is answered, and probes may say so. */
  begin(listener: Pick<HttpListener, 'open' | 'drain'>): void {
    this.problem = null;
    this.listener = listener;
    listener.open();
  }

  /** Says that the daemon is about to stop, and goes on answering for so long; connections close behind their answers. */
  async drain(seconds: number): Promise<void> {
    this.problem = 'is stopping; ask another daemon, or try again after the restart';
    this.listener?.drain();
    await wait(seconds * 1_000);
  }
}
