import { ProjectCommand } from '../../src/cli/command/command.js';
import { confirm, yesFlag } from '../../src/cli/terminal/confirm.js';
import { projectRoutes } from '../../src/contract/projects/projects.js';
import { settingsRoutes } from '../../src/contract/projects/settings.js';

export default class SettingsDelete extends ProjectCommand {
  static override summary = settingsRoutes.remove.summary;
  static override examples = ['<%= config.bin %> <%= command.id %>', '<%= config.bin %> <%= command.id %> --yes'];
  static override flags = yesFlag;

  async run(): Promise<void> {
    const { flags } = await this.input(SettingsDelete);
    const projectId = await this.projectId();
    const found = (await this.client.call(projectRoutes.list, {})).find(({ id }) => id === projectId);
    const name = found?.name ?? projectId;
    await confirm(
      name,
      `This deletes the settings of the project ${name} with its project secret, and the credentials of the token provider.`,
      flags,
    );
    this.show(await this.client.call(settingsRoutes.remove, { params: { projectId } }));
  }
}
