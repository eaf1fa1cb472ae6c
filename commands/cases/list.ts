import { ProjectCommand } from '../../src/cli/command/command.js';
import { named } from '../../src/cli/names/moderators.js';
import { flagsFor, requestFrom } from '../../src/cli/typed/fields.js';
import { caseRoutes } from '../../src/contract/reports/cases.js';
import type { Screen } from '../../src/terminal/output.js';

/** Columns of a terminal that has room for everything. */
const wideColumns = 130;
const isNarrow = ({ isTerminal, width = 80 }: Screen): boolean => isTerminal && width < wideColumns;

export default class CasesList extends ProjectCommand {
  static override summary = caseRoutes.list.summary;
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> --status decided --user u_42',
  ];
  static override flags = flagsFor(caseRoutes.list.query);

  /** Every other command about cases takes the id, so it is shown at any width. */
  protected override get screen(): Screen {
    return { ...super.screen, ids: true };
  }

  async run(): Promise<void> {
    const { flags } = await this.input(CasesList);
    const params = { projectId: await this.projectId() };
    const query = requestFrom(caseRoutes.list.query, flags);
    const page = await this.client.call(caseRoutes.list, { params, query });
    if (this.common.json === true) return this.show(page);
    const cases = page.cases.map((one) => ({ ...one, about: one.externalUserId ?? `room ${one.roomId}` }));
    const rows = await named(this.client, params.projectId, cases);
    const wide = ['priority', 'about', 'status', 'why', 'claimedBy', 'dueAt', 'id'];
    this.list(page, rows, isNarrow(this.screen) ? ['about', 'status', 'why', 'id'] : wide);
    if (page.next !== null) this.logToStderr(`There are more: --after ${page.next}`);
  }
}
