import { Flags } from '@oclif/core';
import { ProjectCommand } from '../../src/cli/command.js';
import { flagsFor, requestFrom } from '../../src/cli/fields.js';
import { newWebhookSecret } from '../../src/cli/webhooks.js';
import { CreateWebhookSubscriptionRequest, webhookRoutes } from '../../src/contract/webhooks.js';

export default class WebhooksCreate extends ProjectCommand {
  static override summary = webhookRoutes.create.summary;
  static override examples = [
    '<%= config.bin %> <%= command.id %> --to https://example.com/hook --events "message.*"',
    '<%= config.bin %> <%= command.id %> --to https://hooks.slack.com/services/T0/B0/KEY --events sanction.created --payload-format chat',
  ];
  static override flags = {
    ...flagsFor(CreateWebhookSubscriptionRequest, ['secret', 'url']),
    // --url names the daemon, as everywhere.
    to: Flags.string({ required: true, description: 'Address that events are sent to' }),
    secret: Flags.string({ description: 'Key of the signature; left out: a new one, shown this once' }),
  };

  async run(): Promise<void> {
    const { flags } = await this.input();
    const secret = typeof flags.secret === 'string' ? flags.secret : newWebhookSecret();
    const answer = await this.client.call(webhookRoutes.create, {
      params: { projectId: await this.projectId() },
      body: requestFrom(
        CreateWebhookSubscriptionRequest,
        { ...flags, url: undefined },
        { secret, url: String(flags.to) },
      ),
    });
    this.show(answer);
    if (flags.secret === undefined) this.logToStderr(`Secret, shown this once: ${secret}`);
  }
}
