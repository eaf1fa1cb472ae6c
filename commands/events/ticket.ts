import * as Flags from '@oclif/core/flags';
import { ProjectCommand } from '../../src/cli/command/command.js';
import { refuseUnknownResources, streamFlags } from '../../src/cli/events/stream-flags.js';
import { requestFrom } from '../../src/cli/typed/fields.js';
import { CreateStreamTicket, streamTicketRoutes } from '../../src/contract/streams/stream-tickets.js';

export default class EventsTicket extends ProjectCommand {
  static override summary = streamTicketRoutes.createForProject.summary;
  static override description =
    "Prints the address of a stream for the browser's own EventSource, which opens it once, within 30 seconds.";
  static override examples = [
    '<%= config.bin %> <%= command.id %> --types "sanction.*"',
    '<%= config.bin %> <%= command.id %> --address 203.0.113.9',
    '<%= config.bin %> <%= command.id %> --all-projects --address any',
  ];
  static override flags = {
    ...streamFlags,
    fields: Flags.string({ description: 'Only these fields of each event, such as type,payload.data.status' }),
    address: Flags.string({ description: 'IP address of the browser, or any; default: this machine' }),
    'all-projects': Flags.boolean({ description: 'Every project of the tenant that you may read' }),
  };

  async run(): Promise<void> {
    const { flags } = await this.input(EventsTicket);
    refuseUnknownResources(flags.resources);
    const body = requestFrom(CreateStreamTicket, flags);
    const ticket = flags['all-projects']
      ? await this.client.call(streamTicketRoutes.createForAll, { body })
      : await this.client.call(streamTicketRoutes.createForProject, {
          params: { projectId: await this.projectId() },
          body,
        });
    this.show(ticket, ['url', 'expiresAt']);
  }
}
