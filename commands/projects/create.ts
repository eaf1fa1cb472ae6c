import * as Args from '@oclif/core/args';
import { EarshotCommand } from '../../src/cli/command/command.js';
import { projectRoutes } from '../../src/contract/projects/projects.js';

export default class ProjectsCreate extends EarshotCommand {
  static override summary = projectRoutes.create.summary;
  static override examples = ['<%= config.bin %> <%= command.id %> "Space Game"'];
  static override args = { name: Args.string({ required: true, description: 'Name, unique in the tenant' }) };

  async run(): Promise<void> {
    const { args } = await this.input(ProjectsCreate);
    this.show(await this.client.call(projectRoutes.create, { body: { name: args.name } }));
  }
}
