import { ProjectCommand } from '../../../src/cli/command/command.js';
import { reportSettingsRoutes } from '../../../src/contract/reports/report-settings.js';

export default class ReportsSettingsGet extends ProjectCommand {
  static override summary = reportSettingsRoutes.get.summary;
  static override examples = ['<%= config.bin %> <%= command.id %>'];

  async run(): Promise<void> {
    await this.input(ReportsSettingsGet);
    const params = { projectId: await this.projectId() };
    const settings = await this.client.call(reportSettingsRoutes.get, { params });
    if (this.common.json === true) return this.show(settings);
    const { categories, ...fields } = settings;
    if (Object.keys(fields).length > 0) this.show(fields);
    this.list(categories, categories, ['name', 'weight', 'goalHours']);
  }
}
