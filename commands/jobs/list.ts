import { ProjectCommand } from '../../src/cli/command/command.js';
import { type InterruptedJob, projectJobRoutes } from '../../src/contract/projects/jobs.js';

export default class JobsList extends ProjectCommand {
  static override summary = projectJobRoutes.list.summary;
  static override examples = ['<%= config.bin %> <%= command.id %>'];

  async run(): Promise<void> {
    await this.input(JobsList);
    const answer = await this.client.call(projectJobRoutes.list, { params: { projectId: await this.projectId() } });
    const rows = answer.map((job) => ({ ...job, state: stateOf(job) }));
    this.list(answer, rows, ['job', 'subject', 'state', 'ends', 'endedAt']);
  }
}

const stateOf = ({ setAside }: InterruptedJob): string => (setAside ? 'set aside' : 'begun again, alone');
