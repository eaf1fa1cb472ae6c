import { Args } from '@oclif/core';
import { ProjectCommand } from '../../src/cli/command.js';
import { flagsFor, requestFrom } from '../../src/cli/fields.js';
import { signingSecret, signingSecretFlags } from '../../src/cli/webhook-secrets.js';
import { newWebhookSecret } from '../../src/cli/webhooks.js';
import { RotateWebhookSecretRequest, webhookRoutes } from '../../src/contract/webhooks/webhooks.js';

export default class WebhooksRotateSecret extends ProjectCommand {
  static override summary = webhookRoutes.rotateSecret.summary;
  static override examples = [
    '<%= config.bin %> <%= command.id %> SUBSCRIPTION',
    '<%= config.bin %> <%= command.id %> SUBSCRIPTION --grace-seconds 2d',
  ];
  static override description = 'The new key of the signature is made and shown once, unless you bring one.';
  static override args = { id: Args.string({ required: true, description: 'Subscription id' }) };
  static override flags = {
    ...flagsFor(RotateWebhookSecretRequest, ['secret']),
    ...signingSecretFlags,
  };

  async run(): Promise<void> {
    const { args, flags } = await this.input(WebhooksRotateSecret);
    const stated = await signingSecret(flags);
    const secret = stated ?? newWebhookSecret();
    const params = { projectId: await this.projectId(), id: args.id };
    const body = requestFrom(RotateWebhookSecretRequest, flags, { secret });
    this.show(await this.client.call(webhookRoutes.rotateSecret, { params, body }));
    if (stated === null) this.logToStderr(`Secret, shown this once: ${secret}`);
  }
}
