import { ProjectCommand } from '../../src/cli/command/command.js';
import { nameArgument } from '../../src/cli/names/kinds.js';
import { flagsFor, requestFrom } from '../../src/cli/typed/fields.js';
import { projectUserRoutes, RemoveProjectUserRequest } from '../../src/contract/projects/projects.js';
import { madeAccessLines } from '../../src/text/made-access.js';

const Flags = RemoveProjectUserRequest.pick({ withdraw: true });

export default class UsersRemove extends ProjectCommand {
  static override summary = projectUserRoutes.remove.summary;
  static override description = 'Keys and invitations that they made go on without --withdraw; the answer names them.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> ann@example.com',
    '<%= config.bin %> <%= command.id %> ann@example.com --withdraw',
  ];
  static override args = { user: nameArgument('colleague') };
  static override flags = flagsFor(Flags);

  async run(): Promise<void> {
    const { args, flags } = await this.input(UsersRemove);
    const { client } = this;
    const body = { permissionId: args.user, ...requestFrom(Flags, flags) };
    const params = { projectId: await this.projectId() };
    const removed = await client.call(projectUserRoutes.remove, { params, body });
    this.show(removed, ['permissionId', 'removed']);
    for (const line of madeAccessLines(removed.made)) this.logToStderr(line);
  }
}
