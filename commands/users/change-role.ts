import { ProjectCommand } from '../../src/cli/command.js';
import { nameArgument } from '../../src/cli/names/kinds.js';
import { flagsFor, requestFrom } from '../../src/cli/typed/fields.js';
import { ChangeProjectUserRoleRequest, projectUserRoutes } from '../../src/contract/projects/projects.js';

export default class UsersChangeRole extends ProjectCommand {
  static override summary = projectUserRoutes.changeRole.summary;
  static override examples = ['<%= config.bin %> <%= command.id %> ann@example.com --role moderator'];
  static override args = { user: nameArgument('colleague') };
  static override flags = flagsFor(ChangeProjectUserRoleRequest, ['permissionId']);

  async run(): Promise<void> {
    const { args, flags } = await this.input(UsersChangeRole);
    const { client } = this;
    const projectId = await this.projectId();
    const permissionId = args.user;
    const body = requestFrom(ChangeProjectUserRoleRequest, flags, { permissionId });
    const columns = ['email', 'role', 'status', 'permissionId'];
    this.show(await client.call(projectUserRoutes.changeRole, { params: { projectId }, body }), columns);
  }
}
