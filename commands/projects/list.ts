import { EarshotCommand } from '../../src/cli/command.js';
import { projectRoutes } from '../../src/contract/projects/projects.js';

export default class ProjectsList extends EarshotCommand {
  static override summary = projectRoutes.list.summary;
  static override examples = ['<%= config.bin %> <%= command.id %>'];

  async run(): Promise<void> {
    await this.input(ProjectsList);
    const answer = await this.client.call(projectRoutes.list, {});
    this.list(answer, answer, ['id', 'name', 'role', 'isConfigured', 'createdAt']);
  }
}
