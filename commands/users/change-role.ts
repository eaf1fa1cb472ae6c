import * as Args from '@oclif/core/args';
import * as Flags from '@oclif/core/flags';
import { ProjectCommand } from '../../src/cli/command/command.js';
import { nameArgument } from '../../src/cli/names/kinds.js';
import { argumentOrFlag, requestFrom } from '../../src/cli/typed/fields.js';
import { ChangeProjectUserRoleRequest, projectUserRoutes } from '../../src/contract/projects/projects.js';
import { projectRoles } from '../../src/contract/route.js';

export default class UsersChangeRole extends ProjectCommand {
  static override summary = projectUserRoutes.changeRole.summary;
  static override examples = ['<%= config.bin %> <%= command.id %> ann@example.com moderator'];
  static override args = {
    user: nameArgument('colleague'),
    role: Args.string({ options: [...projectRoles], description: 'New role' }),
  };
  static override flags = {
    role: Flags.string({ options: [...projectRoles], description: 'Instead of the argument' }),
  };

  async run(): Promise<void> {
    const { args, flags } = await this.input(UsersChangeRole);
    const role = argumentOrFlag(args.role, flags.role, 'role');
    const projectId = await this.projectId();
    const body = requestFrom(ChangeProjectUserRoleRequest, { role }, { permissionId: args.user });
    const columns = ['email', 'role', 'status', 'permissionId'];
    this.show(await this.client.call(projectUserRoutes.changeRole, { params: { projectId }, body }), columns);
  }
}
