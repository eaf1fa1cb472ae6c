import { Flags } from '@oclif/core';
import { ProjectCommand } from '../../src/cli/command.js';
import { cell } from '../../src/cli/output.js';
import { followEvents } from '../../src/client/event-stream.js';
import { eventRoutes } from '../../src/contract/events.js';

export default class EventsTail extends ProjectCommand {
  static override summary = eventRoutes.streamProject.summary;
  static override examples = [
    '<%= config.bin %> <%= command.id %> --types "sanction.*"',
    '<%= config.bin %> <%= command.id %> --since earliest --json',
  ];
  static override flags = {
    types: Flags.string({ description: 'Types, comma-separated; a trailing * is a wildcard' }),
    resources: Flags.string({ description: 'Resources, comma-separated: kind:id or bare id' }),
    since: Flags.string({ description: 'earliest, an event id or a time' }),
  };

  async run(): Promise<void> {
    const { flags } = await this.input();
    const { types, resources, since } = flags;
    const stream = followEvents(this.client, {
      projectId: await this.projectId(),
      query: { types, resources, since },
      tell: (line) => this.logToStderr(line),
    });
    for await (const event of stream) {
      if (this.common.json === true || !this.screen.isTerminal) this.log(JSON.stringify(event));
      else
        this.log(
          `${event.timestamp.slice(11, 23)}  ${event.type.padEnd(26)}  ${cell(event.resourceId, this.screen)}  ${cell(event.payload.data, this.screen).slice(0, 100)}`,
        );
    }
  }
}
