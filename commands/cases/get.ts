import { CaseCommand, caseArgument } from '../../src/cli/moderation/cases/act-on-case.js';
import { orderColumns } from '../../src/cli/moderation/cases/order-columns.js';
import { namedRecord } from '../../src/cli/names/moderators.js';
import { caseRoutes } from '../../src/contract/reports/cases.js';

export default class CasesGet extends CaseCommand {
  static override summary = caseRoutes.get.summary;
  static override examples = ['<%= config.bin %> <%= command.id %> CASE'];
  static override args = { case: caseArgument() };

  async run(): Promise<void> {
    const { args } = await this.input(CasesGet);
    const params = { projectId: await this.projectId(), id: args.case };
    const detail = await this.client.call(caseRoutes.get, { params });
    if (this.common.json === true) return this.show(detail);
    const { reportList, reviewList, orderList, ...fields } = detail;
    this.show(await namedRecord(this.client, params.projectId, fields));
    this.part('Reports', reportList, ['category', 'words', 'weight', 'brigaded', 'reporterUserId', 'createdAt', 'id']);
    this.part('Orders', orderList, orderColumns);
    this.part('Reviews', reviewList, ['kind', 'status', 'statement', 'sanctionId', 'id']);
  }

  private part(title: string, rows: readonly object[], columns: readonly string[]): void {
    if (rows.length === 0) return;
    this.log(`\n${title}`);
    this.list(rows, rows, columns);
  }
}
