import * as Args from '@oclif/core/args';
import { ProjectCommand } from '../src/cli/command/command.js';
import { examineEverything } from '../src/cli/why/examine.js';
import type { Examined } from '../src/cli/why/finding.js';
import { findingLines, markOf } from '../src/cli/why/finding-lines.js';
import { cell } from '../src/terminal/output.js';
import { styled } from '../src/terminal/terminal.js';
import { UnknownName } from '../src/terminal/usage-error.js';
import { harmless } from '../src/text/printable.js';
import { spanOf } from '../src/text/span.js';

export default class Why extends ProjectCommand {
  static override summary = 'Explain what is wrong with a room, session, webhook, gathering, person or board.';
  static override description = 'Exits with 1 when something is wrong.';
  static override examples = [
    '<%= config.bin %> why demo',
    '<%= config.bin %> why hooks.example',
    '<%= config.bin %> why bob',
  ];
  static override args = {
    name: Args.string({
      required: true,
      description: 'Room, session, webhook, gathering, person or leaderboard, by name or id',
    }),
  };

  async run(): Promise<void> {
    const { args } = await this.input(Why);
    const examined = await examineEverything({ client: this.client, projectId: () => this.projectId() }, args.name);
    if (examined.length === 0)
      throw new UnknownName(
        `No room, session, webhook, gathering, person or leaderboard is called ${harmless(args.name)}. \`earshot sessions list\`, \`webhooks list\`, \`gatherings list\`, \`participants list\` and \`leaderboards list\` show the existing ones.`,
      );
    if (this.common.json === true) this.printJson(examined);
    else this.log(examined.map((one) => this.view(one)).join('\n\n'));
    if (examined.some(({ findings }) => findings.some(({ ok }) => !ok))) this.checkFailed();
  }

  private view({ subject, findings, past = [] }: Examined): string {
    const colours = this.screen.isTerminal;
    const heading = (text: string) => (colours ? styled('bold', harmless(text)) : harmless(text));
    const found = findings.flatMap(({ ok, says, remedy }) =>
      findingLines(markOf(ok, this.screen), says, remedy, this.screen),
    );
    const before = past.flatMap(({ since, until, says, remedy }) =>
      findingLines('-', `${cell(since, this.screen)}, for ${spanBetween(since, until)}: ${says}`, remedy, this.screen),
    );
    return [heading(subject), ...found, ...(before.length === 0 ? [] : [heading('Before'), ...before])].join('\n');
  }
}

const spanBetween = (since: string, until: string): string => spanOf((Date.parse(until) - Date.parse(since)) / 1_000);
