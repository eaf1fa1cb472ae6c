import { EarshotCommand } from '../../src/cli/command/command.js';
import { flagsFor, requestFrom } from '../../src/cli/typed/fields.js';
import { projectRoutes } from '../../src/contract/projects/projects.js';

export default class ProjectsList extends EarshotCommand {
  static override summary = projectRoutes.list.summary;
  static override examples = ['<%= config.bin %> <%= command.id %>', '<%= config.bin %> <%= command.id %> --search eu'];
  static override flags = flagsFor(projectRoutes.list.query);

  async run(): Promise<void> {
    const { flags } = await this.input(ProjectsList);
    const query = requestFrom(projectRoutes.list.query, flags);
    const answer = await this.client.call(projectRoutes.list, { query });
    this.list(answer, answer, ['name', 'role', 'isConfigured', 'createdAt', 'id']);
  }
}
