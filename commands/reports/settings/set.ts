import { ProjectCommand } from '../../../src/cli/command/command.js';
import { flagsFor, requestFrom } from '../../../src/cli/typed/fields.js';
import { reportSettingsRoutes, UpdateReportSettingsRequest } from '../../../src/contract/reports/report-settings.js';

export default class ReportsSettingsSet extends ProjectCommand {
  static override summary = reportSettingsRoutes.update.summary;
  static override description = 'The flags --categories replace the whole list.';
  static override examples = [
    `<%= config.bin %> <%= command.id %> --categories '{"name":"threats","weight":9,"goalHours":4}' --categories '{"name":"other"}'`,
  ];
  static override flags = flagsFor(UpdateReportSettingsRequest);

  async run(): Promise<void> {
    const { flags } = await this.input(ReportsSettingsSet);
    const params = { projectId: await this.projectId() };
    const body = requestFrom(UpdateReportSettingsRequest, flags);
    this.show(await this.client.call(reportSettingsRoutes.update, { params, body }));
  }
}
