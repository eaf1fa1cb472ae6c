import { ListCommand, listFlags } from '../../src/cli/terminal/listing.js';
import { flagsFor, requestFrom } from '../../src/cli/typed/fields.js';
import { reportRoutes } from '../../src/contract/reports/reports.js';

export default class ReportsList extends ListCommand {
  static override summary = reportRoutes.list.summary;
  static override examples = ['<%= config.bin %> <%= command.id %> --status open --user u_42'];
  static override flags = { ...flagsFor(reportRoutes.list.query), ...listFlags };

  async run(): Promise<void> {
    const { flags } = await this.input(ReportsList);
    const params = { projectId: await this.projectId() };
    const query = requestFrom(reportRoutes.list.query, flags);
    await this.showPages(flags, {
      fetch: (page) => this.client.call(reportRoutes.list, { params, query: { ...query, ...page } }),
      items: (answer) => answer.reports,
      columns: [
        'externalUserId',
        'roomId',
        'category',
        'words',
        'status',
        'outcome',
        'reporterUserId',
        'noticeFrom',
        'createdAt',
        'id',
      ],
      // With all that `reports import` reads of a notice.
      csvColumns: [
        'externalUserId',
        'roomId',
        'category',
        'words',
        'language',
        'status',
        'outcome',
        'reporterUserId',
        'noticeFrom',
        'noticeReference',
        'trustedFlagger',
        'receivedAt',
        'createdAt',
        'id',
      ],
    });
  }
}
