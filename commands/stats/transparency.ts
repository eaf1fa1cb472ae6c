import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import * as Flags from '@oclif/core/flags';
import { ProjectCommand } from '../../src/cli/command/command.js';
import { csvLine } from '../../src/cli/files/csv.js';
import { reasonOf, writeOut } from '../../src/cli/files/write-out.js';
import { factsTemplate, readFacts } from '../../src/cli/stats/transparency-facts.js';
import { reportPage } from '../../src/cli/stats/transparency-page.js';
import { reportTables } from '../../src/cli/stats/transparency-tables.js';
import { requestFrom } from '../../src/cli/typed/fields.js';
import { transparencyRoutes } from '../../src/contract/stats/transparency.js';
import { printData } from '../../src/terminal/terminal.js';
import { UsageError } from '../../src/terminal/usage-error.js';

const route = transparencyRoutes.get;

export default class StatsTransparency extends ProjectCommand {
  static override summary = 'Write the transparency report of a year: CSV tables and a page.';
  static override description =
    `${route.description} The tables are those of Commission Implementing Regulation (EU) 2024/2835. What the daemon cannot know, such as the number of moderators, comes from a YAML file.`;
  static override examples = [
    '<%= config.bin %> <%= command.id %> --facts-template > facts.yaml',
    '<%= config.bin %> <%= command.id %> --year 2026 --facts facts.yaml --out report/',
  ];
  static override flags = {
    year: Flags.string({ description: 'Calendar year (UTC)' }),
    out: Flags.string({ description: 'Folder for the files; it is made where there is none' }),
    facts: Flags.string({ description: 'YAML file with what the daemon cannot know' }),
    'facts-template': Flags.boolean({ description: 'Print an empty YAML file of facts, and nothing else' }),
  };

  async run(): Promise<void> {
    const { flags } = await this.input(StatsTransparency);
    if (flags['facts-template'] === true) return printData(factsTemplate);
    if (flags.year === undefined) throw new UsageError('Name the year: --year 2026.');
    if (flags.out === undefined && this.common.json !== true)
      throw new UsageError('Name the folder for the files: --out report/. Or print the figures: --json.');
    const facts = flags.facts === undefined ? {} : await readFacts(flags.facts);
    const params = { projectId: await this.projectId() };
    const figures = await this.client.call(route, { params, query: requestFrom(route.query, flags) });
    if (flags.out !== undefined) {
      const { out } = flags;
      await mkdir(out, { recursive: true }).catch((cause: unknown) => {
        throw new UsageError(`${out} cannot be made: ${reasonOf(cause)}.`, { cause });
      });
      const tables = reportTables(figures, facts);
      for (const { file, columns, rows } of tables)
        await writeOut(join(out, `${file}.csv`), [columns, ...rows].map(csvLine).join(''));
      await writeOut(join(out, 'report.html'), reportPage(figures, facts, tables));
      this.logToStderr(`${tables.length} tables and report.html are in ${out}.`);
    }
    if (this.common.json === true) this.printJson(figures);
  }
}
