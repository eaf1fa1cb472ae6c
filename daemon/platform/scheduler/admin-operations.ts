/** `earshotd jobs list` and `earshotd jobs resume`. */
import { z } from 'zod';
import { type AdminHandler, handlerOf } from '../admin-operation.js';
import { Refused } from '../refused.js';
import type { Jobs } from './jobs.js';

const InterruptedWork = z.object({
  job: z.string(),
  subject: z.string().describe('Id of what it is about; empty: everything that is due'),
  projectId: z.string().nullable(),
  ends: z.int().describe('How often a daemon ended during it'),
  endedAt: z.iso.datetime(),
  setAside: z.boolean(),
});

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

export const jobOperations = (jobs: Jobs): AdminHandler[] => [
  handlerOf(listJobs, async () => ({ jobs: await jobs.list() })),
  handlerOf(resumeJobs, async ({ job, subject }) => {
    const count = await jobs.resume(job, subject === undefined ? {} : { subject });
    if (count === 0)
      throw new Refused('No daemon ended during such work. `earshotd jobs list` shows what rests or is set aside.');
    return { count };
  }),
];
