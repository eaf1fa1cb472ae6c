import { Args } from '@oclif/core';
import { ProjectCommand } from '../../src/cli/command.js';
import { flagsFor, requestFrom } from '../../src/cli/fields.js';
import { permissionIdOf } from '../../src/cli/project-users.js';
import { ChangeProjectUserRoleRequest, projectUserRoutes } from '../../src/contract/projects/projects.js';

export default class UsersChangeRole extends ProjectCommand {
  static override summary = projectUserRoutes.changeRole.summary;
  static override examples = ['<%= config.bin %> <%= command.id %> ann@example.com --role moderator'];
  static override args = { user: Args.string({ required: true, description: 'E-mail address or permission id' }) };
  static override flags = flagsFor(ChangeProjectUserRoleRequest, ['permissionId']);

  async run(): Promise<void> {
    const { args, flags } = await this.input(UsersChangeRole);
    const { client } = this;
    const projectId = await this.projectId();
    const permissionId = await permissionIdOf(client, projectId, args.user);
    const body = requestFrom(ChangeProjectUserRoleRequest, flags, { permissionId });
    const columns = ['email', 'role', 'status', 'permissionId'];
    this.show(await client.call(projectUserRoutes.changeRole, { params: { projectId }, body }), columns);
  }
}
