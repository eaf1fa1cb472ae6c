import { Flags } from '@oclif/core';
import { EarshotCommand } from '../../src/cli/command.js';
import { flagsFor, requestFrom } from '../../src/cli/fields.js';
import { signedIngest } from '../../src/cli/ingest.js';
import { readStdin } from '../../src/cli/secrets.js';
import { eventRoutes, IngestEventDto } from '../../src/contract/events.js';

export default class EventsIngest extends EarshotCommand {
  static override summary = eventRoutes.ingest.summary;
  static override examples = [
    'earshot settings secret --json | jq -r .secret | <%= config.bin %> <%= command.id %> --billing-project PROJECT --type server.started --resource-id server:1 --source fleet:server --data "{}"',
  ];
  static override flags = {
    ...flagsFor(IngestEventDto, ['timestamp']),
    'billing-project': Flags.string({ required: true, description: 'Billing project id' }),
  };

  async run(): Promise<void> {
    const { flags } = await this.input();
    const event = requestFrom(IngestEventDto, flags, { timestamp: new Date().toISOString() });
    this.show(await signedIngest(this.baseUrl, String(flags['billing-project']), await readStdin(), event));
  }
}
