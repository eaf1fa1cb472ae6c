import { Flags } from '@oclif/core';
import { ProjectCommand } from '../../src/cli/command.js';
import { eventLine } from '../../src/cli/event-line.js';
import { requestFrom } from '../../src/cli/fields.js';
import { follow, streamFlags } from '../../src/cli/follow.js';
import { eventRoutes } from '../../src/contract/events.js';

export default class EventsTail extends ProjectCommand {
  static override summary = eventRoutes.streamProject.summary;
  static override examples = [
    '<%= config.bin %> <%= command.id %> --types "sanction.*"',
    '<%= config.bin %> <%= command.id %> --since earliest --json | jq .type',
    '<%= config.bin %> <%= command.id %> --all-projects',
  ];
  static override flags = {
    ...streamFlags,
    'all-projects': Flags.boolean({ description: 'Every project of the tenant that you may read' }),
  };

  async run(): Promise<void> {
    const { flags } = await this.input(EventsTail);
    const query = requestFrom(eventRoutes.streamAll.query, flags);
    const projectId = flags['all-projects'] ? null : await this.projectId();
    for await (const { event, text } of follow(this.client, { projectId, ...query }, (line) =>
      this.logToStderr(line),
    )) {
      if (this.common.json === true || !this.screen.isTerminal) this.log(text);
      else this.log(eventLine(event, this.screen, process.stdout.columns));
    }
  }
}
