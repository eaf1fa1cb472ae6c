import * as Flags from '@oclif/core/flags';
import { ProjectCommand } from '../../src/cli/command/command.js';
import { DatedLines, eventLine } from '../../src/cli/events/event-line.js';
import { refuseUnknownResources, streamFlags } from '../../src/cli/events/stream-flags.js';
import { KnownNames } from '../../src/cli/names/known-names.js';
import { stated } from '../../src/cli/typed/fields.js';
import { eventRoutes } from '../../src/contract/streams/event-streams.js';

export default class EventsList extends ProjectCommand {
  static override summary = eventRoutes.list.summary;
  static override examples = [
    '<%= config.bin %> <%= command.id %> --limit 20',
    '<%= config.bin %> <%= command.id %> --types "sanction.*,report.*" --user bob',
  ];
  static override flags = {
    types: streamFlags.types,
    resources: streamFlags.resources,
    user: streamFlags.user,
    limit: Flags.integer({ description: 'Events, up to 200', min: 1, max: 200 }),
    after: Flags.string({ description: 'Continue after the cursor that the previous list printed' }),
  };

  async run(): Promise<void> {
    const { flags } = await this.input(EventsList);
    refuseUnknownResources(flags.resources);
    const projectId = await this.projectId();
    const { types, resources, user, limit, after } = flags;
    const query = stated({ types, resources, user, limit, after });
    const answer = await this.client.call(eventRoutes.list, { params: { projectId }, query });
    if (this.common.json === true) return this.printJson(answer);
    if (answer.events.length === 0) this.logToStderr('No events were found.');
    const names = new KnownNames(this.client, projectId);
    const dated = new DatedLines(this.screen.now);
    for (const event of answer.events) {
      await names.learn(event);
      this.log(dated.line(event, eventLine(event, this.screen, names)));
    }
    if (answer.next !== null) this.logToStderr(`There is more: --after ${answer.next}`);
  }
}
