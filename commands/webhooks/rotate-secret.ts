import { Args, Flags } from '@oclif/core';
import { ProjectCommand } from '../../src/cli/command.js';
import { flagsFor, requestFrom } from '../../src/cli/fields.js';
import { newWebhookSecret } from '../../src/cli/webhooks.js';
import { RotateWebhookSecretRequest, webhookRoutes } from '../../src/contract/webhooks.js';

export default class WebhooksRotateSecret extends ProjectCommand {
  static override summary = webhookRoutes.rotateSecret.summary;
  static override examples = [
    '<%= config.bin %> <%= command.id %> SUBSCRIPTION',
    '<%= config.bin %> <%= command.id %> SUBSCRIPTION --grace-seconds 2d',
  ];
  static override args = { id: Args.string({ required: true, description: 'Subscription id' }) };
  static override flags = {
    ...flagsFor(RotateWebhookSecretRequest, ['secret']),
    secret: Flags.string({ description: 'The new key of the signature; left out: a new one, shown this once' }),
  };

  async run(): Promise<void> {
    const { args, flags } = await this.input();
    const secret = typeof flags.secret === 'string' ? flags.secret : newWebhookSecret();
    const params = { projectId: await this.projectId(), id: args.id ?? '' };
    const body = requestFrom(RotateWebhookSecretRequest, flags, { secret });
    this.show(await this.client.call(webhookRoutes.rotateSecret, { params, body }));
    if (flags.secret === undefined) this.logToStderr(`Secret, shown this once: ${secret}`);
  }
}
