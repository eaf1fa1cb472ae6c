/** Asks the parts that can fail while the daemon runs whether it can do its work now. */
import { TroubleReport } from './condition.js';
import type { Logger } from './logger.js';

interface PartProblem {
  readonly part: string;
  /** Problem, and what to do about it. */
  readonly problem: string;
}

export interface Probe {
  readonly part: string;
  /** Worth knowing, although the daemon can do its work. */
  readonly isWarning?: boolean;
  /** null when all is well, or what is wrong, for anybody to read; throws, or takes too long, where it cannot say. */
  check(): Promise<string | null> | string | null;
}

const patienceMs = 2_000;

const readiness = { begins: 'the daemon is not ready', ends: 'what had failed is ready again' };

export class Health {
  private readonly failures = new Map<string, TroubleReport>();

  constructor(
    private readonly probes: readonly Probe[],
    private readonly logger: Pick<Logger, 'error' | 'info'>,
  ) {}

  /** Empty when the daemon is ready. */
  problems = (): Promise<readonly PartProblem[]> => this.ask(this.probes.filter(({ isWarning }) => !isWarning));

  warnings = (): Promise<readonly PartProblem[]> => this.ask(this.probes.filter(({ isWarning }) => isWarning));

  private async ask(probes: readonly Probe[]): Promise<readonly PartProblem[]> {
    const found = await Promise.all(probes.map(async (one) => ({ part: one.part, problem: await this.judge(one) })));
    return found.flatMap(({ part, problem }) => (problem === null ? [] : [{ part, problem }]));
  }

  /** Anybody may ask, so an error, which names addresses and accounts, goes into the log. */
  private async judge({ part, check: look }: Probe): Promise<string | null> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<string>((resolve) => {
      timer = setTimeout(resolve, patienceMs, `did not answer within ${patienceMs} ms`);
    });
    try {
      const problem = await Promise.race([Promise.resolve().then(look), late]);
      this.failures.get(part)?.set(null);
      return problem;
    } catch (error) {
      const failure = this.failures.get(part) ?? new TroubleReport(this.logger, readiness);
      this.failures.set(part, failure);
      failure.set({ err: error, part });
      return "failed; the daemon's log says why";
    } finally {
      clearTimeout(timer);
    }
  }
}
