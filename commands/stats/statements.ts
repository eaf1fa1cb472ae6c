import * as Flags from '@oclif/core/flags';
import { ProjectCommand } from '../../src/cli/command/command.js';
import { NewFile } from '../../src/cli/files/new-file.js';
import { daemonNow } from '../../src/cli/typed/daemon-clock.js';
import { stated } from '../../src/cli/typed/fields.js';
import { parseTime } from '../../src/cli/typed/times.js';
import { pageLimitMax } from '../../src/contract/common.js';
import { publicStatementRoutes } from '../../src/contract/stats/public-statements.js';
import { printData } from '../../src/terminal/terminal.js';

const route = publicStatementRoutes.export;

export default class StatsStatements extends ProjectCommand {
  static override summary = route.summary;
  static override description = `${route.description} One JSON object a line, as the database's API takes them.`;
  static override examples = ['<%= config.bin %> <%= command.id %> --since 7d --out statements.ndjson'];
  static override flags = {
    since: Flags.string({ description: 'Only sanctions imposed at this time or later: a time, or 7d' }),
    until: Flags.string({ description: 'Only sanctions imposed before this time; default: now' }),
    out: Flags.string({ description: 'Write to this file; default: standard output' }),
  };

  async run(): Promise<void> {
    const { flags } = await this.input(StatsStatements);
    const now = daemonNow();
    const until = flags.until === undefined ? now.toISOString() : parseTime(flags.until, now, 'past');
    const since = flags.since === undefined ? undefined : parseTime(flags.since, now, 'past');
    const params = { projectId: await this.projectId() };
    const file = flags.out === undefined ? null : await NewFile.open(flags.out);
    let count = 0;
    try {
      for (let after: string | undefined; ; ) {
        const query = { until, limit: pageLimitMax, ...stated({ since, after }) };
        const { statements, next } = await this.client.call(route, { params, query });
        const lines = statements.map((statement) => `${JSON.stringify(statement)}\n`).join('');
        await (file === null ? printData(lines) : file.write(lines));
        count += statements.length;
        if (next === null) break;
        after = next;
      }
      await file?.keep();
    } catch (error) {
      await file?.drop();
      throw error;
    }
    this.logToStderr(`${count.toLocaleString('en')} statements.`);
  }
}
