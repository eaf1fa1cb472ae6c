import { ProjectCommand } from '../../src/cli/command.js';
import { projectUserRoutes } from '../../src/contract/projects/projects.js';

export default class UsersList extends ProjectCommand {
  static override summary = projectUserRoutes.list.summary;
  static override examples = ['<%= config.bin %> <%= command.id %>'];

  async run(): Promise<void> {
    await this.input(UsersList);
    const answer = await this.client.call(projectUserRoutes.list, { params: { projectId: await this.projectId() } });
    this.list(answer, answer, ['permissionId', 'email', 'role', 'status', 'invitedAt']);
  }
}
