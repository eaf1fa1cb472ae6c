import { Flags } from '@oclif/core';
import { ProjectCommand } from '../../src/cli/command.js';
import { nameArgument } from '../../src/cli/names/kinds.js';
import { flagsFor, requestFrom, stated } from '../../src/cli/typed/fields.js';
import { secretFields, webhookSecretFlags, webhookSecrets } from '../../src/cli/webhooks/webhook-secrets.js';
import { UpdateWebhookSubscriptionRequest, webhookRoutes } from '../../src/contract/webhooks/webhooks.js';

export default class WebhooksUpdate extends ProjectCommand {
  static override summary = webhookRoutes.update.summary;
  static override examples = [
    '<%= config.bin %> <%= command.id %> SUBSCRIPTION --events "sanction.*"',
    '<%= config.bin %> <%= command.id %> SUBSCRIPTION --to https://other.example/hook --ask-secret',
  ];
  static override args = { webhook: nameArgument('webhook') };
  static override flags = {
    ...flagsFor(UpdateWebhookSubscriptionRequest, ['url', ...secretFields]),
    // --url names the daemon, as everywhere.
    to: Flags.string({ description: 'Address that events are sent to; another server needs the secrets again' }),
    ...webhookSecretFlags,
  };

  async run(): Promise<void> {
    const { args, flags } = await this.input(WebhooksUpdate);
    const params = { projectId: await this.projectId(), id: args.webhook };
    const also = { ...(await webhookSecrets(flags)), ...stated({ url: flags.to }) };
    const body = requestFrom(UpdateWebhookSubscriptionRequest, { ...flags, url: undefined }, also);
    this.show(await this.client.call(webhookRoutes.update, { params, body }));
  }
}
