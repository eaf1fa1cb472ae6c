import { ProjectCommand } from '../../src/cli/command/command.js';
import { named } from '../../src/cli/names/moderators.js';
import { flagsFor, requestFrom } from '../../src/cli/typed/fields.js';
import { caseRoutes } from '../../src/contract/reports/cases.js';

export default class CasesList extends ProjectCommand {
  static override summary = caseRoutes.list.summary;
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> --status decided --user u_42',
  ];
  static override flags = flagsFor(caseRoutes.list.query);

  async run(): Promise<void> {
    const { flags } = await this.input(CasesList);
    const params = { projectId: await this.projectId() };
    const query = requestFrom(caseRoutes.list.query, flags);
    const page = await this.client.call(caseRoutes.list, { params, query });
    if (this.common.json === true) return this.show(page);
    const rows = await named(this.client, params.projectId, page.cases);
    this.list(page, rows, ['priority', 'externalUserId', 'roomId', 'status', 'why', 'claimedBy', 'dueAt', 'id']);
    if (page.next !== null) this.logToStderr(`There are more: --after ${page.next}`);
  }
}
