import { EarshotCommand } from '../../src/cli/command/command.js';
import { nameArgument } from '../../src/cli/names/kinds.js';
import { confirm, yesFlag } from '../../src/cli/terminal/confirm.js';
import { projectRoutes } from '../../src/contract/projects/projects.js';

export default class ProjectsDelete extends EarshotCommand {
  static override summary = projectRoutes.remove.summary;
  static override examples = [
    '<%= config.bin %> <%= command.id %> Staging',
    '<%= config.bin %> <%= command.id %> PROJECT --yes',
  ];
  static override args = { project: nameArgument('project') };
  static override flags = yesFlag;

  async run(): Promise<void> {
    const { args, flags } = await this.input(ProjectsDelete);
    const projectId = args.project;
    const found = (await this.client.call(projectRoutes.list, {})).find(({ id }) => id === projectId);
    // The API says what is wrong where the project is not there.
    if (found !== undefined) {
      const gone = `This deletes the project ${found.name} with everybody and everything in it.`;
      await confirm(found.name, gone, flags);
    }
    const answer = await this.client.call(projectRoutes.remove, { params: { projectId } });
    if (this.common.json === true) this.show(answer);
    else this.logToStderr('The project is deleted; its data is removed in the background.');
  }
}
