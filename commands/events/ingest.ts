import * as Flags from '@oclif/core/flags';
import { ProjectCommand } from '../../src/cli/command/command.js';
import { signedIngest } from '../../src/cli/events/ingest.js';
import { daemonNow } from '../../src/cli/typed/daemon-clock.js';
import { flagsFor, requestFrom } from '../../src/cli/typed/fields.js';
import { IngestEventDto, ingestRoutes } from '../../src/contract/ingest/ingest.js';
import { settingsRoutes } from '../../src/contract/projects/settings.js';
import { readStdin } from '../../src/terminal/questions.js';

export default class EventsIngest extends ProjectCommand {
  static override summary = ingestRoutes.ingest.summary;
  static override description =
    'Signs with the secret of your project, or, as a platform service does, with one from standard input (--secret-stdin).';
  static override examples = [
    '<%= config.bin %> <%= command.id %> --type server.started --resource-id server:1 --source fleet:server --data "{}"',
    '<%= config.bin %> <%= command.id %> --billing-project PROJECT --secret-stdin --type server.started --resource-id server:1 --source fleet:server --data "{}" < secret',
  ];
  static override flags = {
    ...flagsFor(IngestEventDto, ['timestamp']),
    'billing-project': Flags.string({ description: 'Billing project id', dependsOn: ['secret-stdin'] }),
    'secret-stdin': Flags.boolean({ description: 'Read the secret', dependsOn: ['billing-project'] }),
  };

  async run(): Promise<void> {
    const { flags } = await this.input(EventsIngest);
    const { billingProjectId, secret } = await this.signer(flags['billing-project']);
    const event = requestFrom(IngestEventDto, flags, { timestamp: daemonNow().toISOString() });
    this.show(await signedIngest(this.baseUrl, billingProjectId, secret, event));
  }

  private async signer(named: string | undefined): Promise<{ billingProjectId: string; secret: string }> {
    if (named !== undefined) return { billingProjectId: named, secret: await readStdin() };
    const params = { projectId: await this.projectId() };
    const { billingProjectId } = await this.client.call(settingsRoutes.get, { params });
    const { secret } = await this.client.call(settingsRoutes.secret, { params });
    return { billingProjectId: billingProjectId ?? params.projectId, secret };
  }
}
