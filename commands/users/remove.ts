import { ProjectCommand } from '../../src/cli/command/command.js';
import { nameArgument } from '../../src/cli/names/kinds.js';
import { projectUserRoutes } from '../../src/contract/projects/projects.js';

export default class UsersRemove extends ProjectCommand {
  static override summary = projectUserRoutes.remove.summary;
  static override examples = ['<%= config.bin %> <%= command.id %> ann@example.com'];
  static override args = { user: nameArgument('colleague') };

  async run(): Promise<void> {
    const { args } = await this.input(UsersRemove);
    const { client } = this;
    const projectId = await this.projectId();
    const permissionId = args.user;
    this.show(await client.call(projectUserRoutes.remove, { params: { projectId }, body: { permissionId } }));
  }
}
