import { EarshotCommand } from '../../src/cli/command/command.js';
import { eventRoutes } from '../../src/contract/streams/event-streams.js';

export default class EventsSchema extends EarshotCommand {
  static override summary = eventRoutes.schema.summary;
  static override examples = ['<%= config.bin %> <%= command.id %>'];

  async run(): Promise<void> {
    await this.input(EventsSchema);
    this.log(JSON.stringify(await this.client.call(eventRoutes.schema, {}), null, 2));
  }
}
