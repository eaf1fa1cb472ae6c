/** Removes the data of deleted projects in steps, with a pause for other work between them. */
import { setImmediate as pause } from 'node:timers/promises';
import type { Logger } from '../../../platform/observability/logger.js';
import type { NextDue } from '../../../platform/scheduler/due-work.js';
import type { JobRunner } from '../../../platform/scheduler/jobs.js';
import { Repeat } from '../../../platform/scheduler/repeat.js';

interface RemovalSteps {
  /** Removes a part; false when nothing is left to remove. */
  step(): Promise<boolean>;
  readonly nextDue: NextDue;
}

const everyMs = 2_000;

export class RemoveProjects {
  private stopping = false;
  private readonly repeat: Repeat;

  constructor(removal: RemovalSteps, jobs: Pick<JobRunner, 'due'>, log: Logger) {
    const due = jobs.due(removal.nextDue);
    const work = async () => {
      while (!this.stopping && (await removal.step())) await pause();
    };
    this.repeat = new Repeat('remove-projects', everyMs, () => due.run(work), log);
  }

  start(): void {
    this.repeat.start();
  }

  stop(): Promise<void> {
    this.stopping = true;
    return this.repeat.stop();
  }
}
