import { ProjectCommand } from '../../src/cli/command/command.js';
import { caseLines, personOf } from '../../src/cli/moderation/cases/case-lines.js';
import { CaseWalk } from '../../src/cli/moderation/cases/case-walk.js';
import { OpenCases } from '../../src/cli/moderation/cases/open-cases.js';
import { noneFor } from '../../src/cli/moderation/none-for.js';
import { walkThrough } from '../../src/cli/terminal/live/walk.js';

const pipedColumns = 100;

export default class CasesNext extends ProjectCommand {
  static override summary = 'Claim the most urgent case, and decide it with a single key.';
  static override description =
    'Keys: s sanctions the person, n finds no violation, i too little evidence, f that the reports are manifestly unfounded, e escalates, r releases. Goes on with the next case until none is open. Without a terminal, it claims and shows one case.';
  static override examples = ['<%= config.bin %> <%= command.id %>'];

  async run(): Promise<void> {
    await this.input(CasesNext);
    const queue = new OpenCases(this.client, await this.projectId());
    const first = await queue.claim();
    if (first === null) throw noneFor('case', queue.passedOver);
    const isLive = process.stdout.isTTY === true && process.stdin.isTTY === true;
    if (this.common.json === true) this.show(first.detail);
    else if (isLive)
      for (const line of await walkThrough((on) => new CaseWalk(queue, first, on))) this.logToStderr(line);
    else this.log([personOf(first), ...caseLines(first, pipedColumns)].join('\n'));
  }
}
