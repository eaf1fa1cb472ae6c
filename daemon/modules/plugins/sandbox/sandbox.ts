/**
 * Runs code of plugins in a process of its own, which starts with the first run and again after it was ended. The process
 * computes one run after the other, so tenants take turns.
 */

import { judge, problemLines } from '../../../../src/contract/judge.js';
import { FairTurns } from '../../../platform/limits/fair-turns.js';
import type { Logger } from '../../../platform/observability/logger.js';
import type { Outbound } from '../../../platform/outbound/outbound.js';
import { ignoreFaults, type OnFault } from '../../../platform/processes/watched-process.js';
import type { CodeRunner } from '../installed/installed.js';
import { Findings, type PluginFinding, type PluginRun, TryAgain } from '../plugin.js';
import { type Begun, type Ending, SandboxChild } from './child.js';
import { Fetches } from './fetches.js';
import { restartsMax, type TimeLimits, timeLimits } from './limits.js';

interface CodeResult {
  readonly findings: readonly PluginFinding[];
  /** Lines that the code printed. */
  readonly printed: readonly string[];
}

export class Sandbox implements CodeRunner {
  private child: SandboxChild | null = null;
  private isStopped = false;
  private readonly turns = new FairTurns('plugin_code');

  constructor(
    private readonly outbound: Pick<Outbound, 'request'>,
    private readonly log: Logger,
    private readonly limits: TimeLimits = timeLimits,
    private readonly onFault: OnFault = ignoreFaults,
  ) {}

  /** Id of the process that runs code; undefined: there is none. */
  get pid(): number | undefined {
    return this.child?.pid;
  }

  async run(code: string, run: PluginRun, onStart?: () => void): Promise<readonly PluginFinding[]> {
    return (await this.carryOut(code, run, onStart)).findings;
  }

  /**
   * Calls `onStart` when the code begins to compute, and once more where it is begun again. Throws TryAgain, and an error with what
   * the code did wrong.
   */
  async carryOut(
    code: string,
    { event, settings, ...rest }: PluginRun,
    onStart: () => void = () => {},
  ): Promise<CodeResult> {
    const { actionId, instanceId, tenantId, projectId, sessionId } = rest;
    const input = JSON.stringify({ event, context: { settings, actionId, instanceId, projectId, sessionId } });
    const { runMs } = this.limits;
    const late = AbortSignal.timeout(runMs);
    for (let attempt = 1; attempt <= restartsMax; attempt += 1) {
      const fetches = new Fetches(this.outbound, actionId, runMs);
      const host = { fetch: fetches.answer, onStart };
      const ending = await this.inTurn(tenantId, late, () => this.process().run(code, input, host, late));
      if (ending.kind === 'done') return { findings: findingsIn(ending.output), printed: ending.printed };
      if (ending.kind === 'failed') throw fetches.hasFailed ? new TryAgain(ending.error) : new Error(ending.error);
      if (ending.kind === 'late') {
        if (ending.busy) throw new Error(`it took longer than ${runMs / 1_000} s`);
        throw new TryAgain('other runs kept the process busy');
      }
      if (ending.guilty) {
        this.log.warn({ actionId, instanceId, reason: ending.reason }, 'the plugin process was ended');
        throw new Error(ending.reason);
      }
      if (this.isStopped) break;
    }
    throw new TryAgain('another run ended the process that it was in');
  }

  /** The next run begins when this one waits for an answer or has ended. */
  private async inTurn(tenantId: string, late: AbortSignal, begin: () => Begun): Promise<Ending> {
    const begun = await this.turns.run(tenantId, async () => {
      if (late.aborted) return null;
      const one = begin();
      await one.paused;
      return one;
    });
    return begun === null ? { kind: 'late', busy: false } : begun.ending;
  }

  /** Ends the process, and the runs in it. */
  stop(): void {
    this.isStopped = true;
    this.child?.dismiss('the daemon stopped');
  }

  private process(): SandboxChild {
    if (this.isStopped) throw new TryAgain('the daemon stopped');
    if (this.child === null || this.child.isOver) this.child = new SandboxChild(this.log, this.limits, this.onFault);
    return this.child;
  }
}

function findingsIn(output: string): readonly PluginFinding[] {
  const found = judge(Findings, JSON.parse(output));
  if (found.success) return found.data;
  throw new Error(`its result is not a list of annotations: ${problemLines(found.problems, 'result')[0]}`);
}
