import { CaseCommand, caseArgument } from '../../src/cli/moderation/cases/act-on-case.js';
import { orderColumns } from '../../src/cli/moderation/cases/order-columns.js';
import { namedRecord } from '../../src/cli/names/moderators.js';
import { stated } from '../../src/cli/typed/fields.js';
import { caseRoutes } from '../../src/contract/reports/cases.js';

const proposalColumns = ['type', 'duration', 'reason', 'template', 'ground', 'reasonCode', 'note'];

export default class CasesGet extends CaseCommand {
  static override summary = caseRoutes.get.summary;
  static override examples = ['<%= config.bin %> <%= command.id %> CASE'];
  static override args = { case: caseArgument() };

  async run(): Promise<void> {
    const { args } = await this.input(CasesGet);
    const params = { projectId: await this.projectId(), id: args.case };
    const detail = await this.client.call(caseRoutes.get, { params });
    if (this.common.json === true) return this.show(detail);
    const { reportList, reviewList, complaintList, orderList, shared, proposal, ...fields } = detail;
    this.show(await namedRecord(this.client, params.projectId, fields));
    if (proposal !== null) {
      const { sanction, ...rest } = proposal;
      const ground = sanction.ground?.reference;
      this.part('Waits for a second person', [{ ...sanction, ...rest, ...stated({ ground }) }], proposalColumns);
    }
    this.part('Reports', reportList, ['category', 'words', 'weight', 'brigaded', 'reporterUserId', 'createdAt', 'id']);
    this.part(
      'What reporters have in common',
      shared.map((one) => ({ ...one, reporters: one.reporters.join(', ') })),
      ['what', 'about', 'reporters'],
    );
    this.part('Complaints', complaintList, ['complaint', 'category', 'outcome', 'words', 'complainedAt', 'id']);
    this.part('Orders', orderList, orderColumns);
    for (const [title, kind] of [
      ['Appeals', 'appeal'],
      ['Reviews', 'human_review'],
    ] as const)
      this.part(
        title,
        reviewList.filter((review) => review.kind === kind),
        ['status', 'statement', 'sanctionId', 'id'],
      );
  }

  private part(title: string, rows: readonly object[], columns: readonly string[]): void {
    if (rows.length === 0) return;
    this.log(`\n${title}`);
    this.list(rows, rows, columns);
  }
}
