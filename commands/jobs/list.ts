import { ProjectCommand } from '../../src/cli/command/command.js';
import { projectJobRoutes } from '../../src/contract/projects/jobs.js';
import { jobState } from '../../src/terminal/job-state.js';

export default class JobsList extends ProjectCommand {
  static override summary = projectJobRoutes.list.summary;
  static override examples = ['<%= config.bin %> <%= command.id %>'];

  async run(): Promise<void> {
    await this.input(JobsList);
    const answer = await this.client.call(projectJobRoutes.list, { params: { projectId: await this.projectId() } });
    const rows = answer.map((job) => ({ ...job, state: jobState(job.setAside) }));
    this.list(answer, rows, ['job', 'subject', 'state', 'ends', 'endedAt']);
  }
}
