/** Counts processes of the daemon that ended by a fault, and logs each: whoever sees only restarts looks for them here. */
import { z } from 'zod';
import { type AdminHandler, handlerOf } from '../admin-operation.js';
import type { Logger } from '../observability/logger.js';
import type { Metrics } from '../observability/metrics.js';
import type { Clock } from '../time/clock.js';
import type { OnFault, ProcessFault } from './watched-process.js';

const KnownFaults = z.object({
  process: z.string().describe('Name that its module gives it'),
  count: z.int().describe('Faults since the daemon started'),
  cause: z.string().describe('Signal, `hung` or `exit`, of the last one'),
  at: z.iso.datetime().describe('Time of the last one'),
});
type KnownFaults = z.infer<typeof KnownFaults>;

/** Lists the faults since the start, for `earshotd doctor`. */
export const listProcessFaults = {
  name: 'processes.faults',
  input: z.object({}),
  output: z.object({ faults: z.array(KnownFaults) }),
};

export const processOperations = (faults: ProcessFaults): AdminHandler[] => [
  handlerOf(listProcessFaults, async () => ({ faults: faults.list() })),
];

export class ProcessFaults {
  private readonly known = new Map<string, KnownFaults>();
  private readonly ends;

  constructor(
    metrics: Metrics,
    private readonly log: Pick<Logger, 'warn'>,
    private readonly now: Clock,
  ) {
    const help = 'Processes of the daemon that ended by a signal, an error, or because they hung';
    this.ends = metrics.counter('process_faults', help, ['process', 'cause']);
  }

  /** Takes the faults of processes of this name, a label of the metric. */
  reporterFor(process: string): OnFault {
    return (fault) => this.record(process, fault);
  }

  list(): KnownFaults[] {
    return [...this.known.values()];
  }

  private record(process: string, { pid, cause, detail }: ProcessFault): void {
    const count = (this.known.get(process)?.count ?? 0) + 1;
    this.known.set(process, { process, count, cause, at: this.now().toISOString() });
    this.ends.inc({ process, cause });
    this.log.warn({ process, childPid: pid, cause, detail }, 'a process of the daemon ended by a fault');
  }
}
