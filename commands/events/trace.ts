import * as Args from '@oclif/core/args';
import { ProjectCommand } from '../../src/cli/command/command.js';
import { eventTraceRoutes } from '../../src/contract/streams/event-traces.js';

export default class EventsTrace extends ProjectCommand {
  static override summary = eventTraceRoutes.trace.summary;
  static override examples = ['<%= config.bin %> <%= command.id %> EVENT'];
  static override args = { id: Args.string({ required: true, description: 'Event id, as on the stream' }) };

  async run(): Promise<void> {
    const { args } = await this.input(EventsTrace);
    const params = { projectId: await this.projectId(), id: args.id };
    const trace = await this.client.call(eventTraceRoutes.trace, { params });
    if (this.common.json !== true) this.show(trace.event, ['id', 'type', 'resourceId', 'timestamp']);
    this.list(trace, trace.consumers, ['kind', 'name', 'result', 'at', 'attempts', 'statusCode', 'error']);
  }
}
