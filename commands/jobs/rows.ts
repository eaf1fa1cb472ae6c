import * as Args from '@oclif/core/args';
import { commandRow } from '../../src/cli/command/row.js';
import { projectJobRoutes, projectJobs } from '../../src/contract/projects/jobs.js';
import { jobState } from '../../src/terminal/job-state.js';

export default {
  list: commandRow({
    route: projectJobRoutes.list,
    examples: [''],
    columns: ['job', 'subject', 'state', 'ends', 'endedAt'],
    line: (job) => ({ ...job, state: jobState(job.setAside) }),
  }),
  resume: commandRow({
    route: projectJobRoutes.resume,
    examples: ['rules'],
    args: {
      job: Args.string({ required: true, options: [...projectJobs], description: 'As `earshot jobs list` shows it' }),
    },
  }),
};
