import * as Args from '@oclif/core/args';
import { ProjectCommand } from '../../src/cli/command/command.js';
import { projectJobRoutes, projectJobs, ResumeJobRequest } from '../../src/contract/projects/jobs.js';

export default class JobsResume extends ProjectCommand {
  static override summary = projectJobRoutes.resume.summary;
  static override examples = ['<%= config.bin %> <%= command.id %> rules'];
  static override args = {
    job: Args.string({ required: true, options: [...projectJobs], description: 'As `earshot jobs list` shows it' }),
  };

  async run(): Promise<void> {
    const { args } = await this.input(JobsResume);
    const params = { projectId: await this.projectId() };
    const body = ResumeJobRequest.parse({ job: args.job });
    this.show(await this.client.call(projectJobRoutes.resume, { params, body }));
  }
}
