import * as Flags from '@oclif/core/flags';
import { ProjectCommand } from '../../src/cli/command/command.js';
import { csvLine } from '../../src/cli/files/csv.js';
import { writeOut } from '../../src/cli/files/write-out.js';
import { plotOf, pngPlotOf } from '../../src/cli/stats/plot.js';
import { figuresOf, tablesOf } from '../../src/cli/stats/tables.js';
import { flagsFor, requestFrom } from '../../src/cli/typed/fields.js';
import { moderationStatsRoutes } from '../../src/contract/stats/moderation-stats.js';
import { table } from '../../src/terminal/output.js';
import { printData } from '../../src/terminal/terminal.js';

const route = moderationStatsRoutes.get;

export default class StatsModeration extends ProjectCommand {
  static override summary = route.summary;
  static override examples = [
    '<%= config.bin %> <%= command.id %> --since 30d',
    '<%= config.bin %> <%= command.id %> --since 90d --csv > moderation.csv',
    '<%= config.bin %> <%= command.id %> --since 30d --plot moderation.png',
  ];
  static override flags = {
    ...flagsFor(route.query),
    csv: Flags.boolean({ description: 'Comma-separated values, one figure a line', exclusive: ['json'] }),
    plot: Flags.string({
      description: 'Also write the figures by day to this file, as a chart: PNG where its name ends in .png, else SVG',
    }),
  };

  async run(): Promise<void> {
    const { flags } = await this.input(StatsModeration);
    const params = { projectId: await this.projectId() };
    const stats = await this.client.call(route, { params, query: requestFrom(route.query, flags) });
    if (flags.plot !== undefined)
      await writeOut(flags.plot, /\.png$/i.test(flags.plot) ? pngPlotOf(stats) : plotOf(stats));
    if (this.common.json === true) return this.printJson(stats);
    if (flags.csv === true) {
      const lines = [['table', 'row', 'figure', 'value'], ...figuresOf(stats)];
      return printData(lines.map(csvLine).join(''));
    }
    const { reports, sanctions, since, until } = stats;
    const tables = tablesOf(stats).map(
      ({ title, rows: [first = {}, ...rest] }) =>
        `${title}\n${table([first, ...rest], Object.keys(first), this.screen)}`,
    );
    this.log(
      [
        `${since} to ${until} (UTC): ${reports.total} reports, ${sanctions.total} sanctions; ${sanctions.revoked} were revoked.`,
        ...tables,
      ].join('\n\n'),
    );
  }
}
