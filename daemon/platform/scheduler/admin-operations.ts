/** `earshotd jobs list` and `earshotd jobs resume`. */
import { z } from 'zod';
import { InterruptedJob } from '../../../src/contract/projects/jobs.js';
import { type AdminHandler, handlerOf } from '../admin-operation.js';
import type { ScrapedMetric } from '../observability/metrics.js';
import { Refused } from '../refused.js';
import type { Jobs } from './jobs.js';

/** As a project sees it, and work of no project. */
const InterruptedWork = z.object({ ...InterruptedJob.shape, job: z.string(), projectId: z.string().nullable() });

export const listJobs = {
  name: 'jobs.list',
  input: z.object({}),
  output: z.object({ jobs: z.array(InterruptedWork) }),
};

export const resumeJobs = {
  name: 'jobs.resume',
  input: z.object({ job: z.string(), subject: z.string().optional() }),
  output: z.object({ count: z.int() }),
};

/** Lists the jobs that fail, for `earshotd doctor`. */
export const listFailingJobs = {
  name: 'jobs.failing',
  input: z.object({}),
  output: z.object({
    jobs: z.array(z.object({ job: z.string(), count: z.int(), since: z.string(), message: z.string() })),
  }),
};

export const failingJobsMetric = (jobs: Pick<Jobs, 'failures'>): ScrapedMetric => ({
  name: 'job_failures_in_a_row',
  help: 'How often a background job has failed since it completed last; 0: it completes',
  label: 'job',
  read: () => Object.fromEntries(jobs.failures().map(({ job, failures }) => [job, failures?.count ?? 0])),
});

export const jobOperations = (jobs: Jobs): AdminHandler[] => [
  handlerOf(listFailingJobs, async () => ({
    jobs: jobs
      .failures()
      .flatMap(({ job, failures }) =>
        failures === null ? [] : [{ job, ...failures, since: failures.since.toISOString() }],
      ),
  })),
  handlerOf(listJobs, async () => ({ jobs: await jobs.list() })),
  handlerOf(resumeJobs, async ({ job, subject }) => {
    const count = await jobs.resume(job, subject === undefined ? {} : { subject });
    if (count === 0)
      throw new Refused(
        'No daemon crashed during such work. `earshotd jobs list` shows what is retried alone or set aside.',
      );
    return { count };
  }),
];
