import { ProjectCommand } from '../../src/cli/command.js';
import { flagsFor, requestFrom } from '../../src/cli/fields.js';
import { InviteProjectUserRequest, projectUserRoutes } from '../../src/contract/projects/projects.js';

export default class UsersInvite extends ProjectCommand {
  static override summary = projectUserRoutes.invite.summary;
  static override examples = ['<%= config.bin %> <%= command.id %> --email ann@example.com --role moderator'];
  static override flags = flagsFor(InviteProjectUserRequest);

  async run(): Promise<void> {
    const { flags } = await this.input(UsersInvite);
    const answer = await this.client.call(projectUserRoutes.invite, {
      params: { projectId: await this.projectId() },
      body: requestFrom(InviteProjectUserRequest, flags),
    });
    this.show(answer);
  }
}
