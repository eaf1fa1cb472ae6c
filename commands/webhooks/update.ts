import * as Flags from '@oclif/core/flags';
import { ProjectCommand } from '../../src/cli/command/command.js';
import { refuseUnknownTypes } from '../../src/cli/events/event-types.js';
import { nameArgument } from '../../src/cli/names/kinds.js';
import { cleared, clearFlag } from '../../src/cli/typed/clear.js';
import { flagsFor, requestFrom } from '../../src/cli/typed/fields.js';
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
    to: Flags.string({ description: 'Address that events are sent to; another server needs the secrets again' }),
    ...webhookSecretFlags,
    ...clearFlag(UpdateWebhookSubscriptionRequest),
  };

  async run(): Promise<void> {
    const { args, flags } = await this.input(WebhooksUpdate);
    refuseUnknownTypes(flags.events ?? [], flags);
    const params = { projectId: await this.projectId(), id: args.webhook };
    const body = requestFrom(UpdateWebhookSubscriptionRequest, flags, {
      ...(await webhookSecrets(flags)),
      ...cleared(flags),
    });
    this.show(await this.client.call(webhookRoutes.update, { params, body }));
  }
}
