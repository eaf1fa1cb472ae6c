import { ProjectCommand } from '../../src/cli/command/command.js';
import { flagsFor, requestFrom } from '../../src/cli/typed/fields.js';
import { ProjectUserListQuery, projectUserRoutes } from '../../src/contract/projects/projects.js';

export default class UsersList extends ProjectCommand {
  static override summary = projectUserRoutes.list.summary;
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> --role moderator --status pending',
  ];
  static override flags = flagsFor(ProjectUserListQuery);

  async run(): Promise<void> {
    const { flags } = await this.input(UsersList);
    const answer = await this.client.call(projectUserRoutes.list, {
      params: { projectId: await this.projectId() },
      query: requestFrom(ProjectUserListQuery, flags),
    });
    this.list(answer, answer, ['email', 'role', 'status', 'invitedAt', 'permissionId']);
  }
}
