/** `earshotd jobs …`. */
import { jobState } from '../../src/terminal/job-state.js';
import { print } from '../../src/terminal/terminal.js';
import { listJobs, resumeJobs } from '../platform/scheduler/admin-operations.js';
import { operate } from './operate.js';
import type { SettingOptions } from './setting-options.js';

export async function list(options: SettingOptions & { json?: boolean }): Promise<void> {
  const { jobs } = await operate(options, listJobs, {});
  if (options.json === true) print(JSON.stringify(jobs, null, 2));
  else if (jobs.length === 0) print('No daemon crashed during background work.');
  else
    for (const { job, subject, projectId, ends, endedAt, setAside } of jobs) {
      const about = [job, subject, ...(projectId === null ? [] : [`of project ${projectId}`])]
        .filter(Boolean)
        .join(' ');
      print(
        `${about}  ${jobState(setAside)}  the daemon crashed ${ends === 1 ? 'once' : `${ends} times`} during it, last before ${endedAt}`,
      );
    }
}

export async function resume(job: string, subject: string | undefined, options: SettingOptions): Promise<void> {
  const { count } = await operate(options, resumeJobs, { job, ...(subject === undefined ? {} : { subject }) });
  print(`resumed: ${job}, ${count === 1 ? 'one piece' : `${count} pieces`} of work`);
}
