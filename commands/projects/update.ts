import { EarshotCommand } from '../../src/cli/command/command.js';
import { nameArgument } from '../../src/cli/names/kinds.js';
import { flagsFor, requestFrom } from '../../src/cli/typed/fields.js';
import { projectRoutes, UpdateProjectRequest } from '../../src/contract/projects/projects.js';

export default class ProjectsUpdate extends EarshotCommand {
  static override summary = projectRoutes.update.summary;
  static override examples = ['<%= config.bin %> <%= command.id %> PROJECT --name "Space Game 2"'];
  static override args = { project: nameArgument('project') };
  static override flags = flagsFor(UpdateProjectRequest);

  async run(): Promise<void> {
    const { args, flags } = await this.input(ProjectsUpdate);
    const answer = await this.client.call(projectRoutes.update, {
      params: { projectId: args.project },
      body: requestFrom(UpdateProjectRequest, flags),
    });
    this.show(answer);
  }
}
