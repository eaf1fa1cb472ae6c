import { ProjectCommand } from '../../src/cli/command/command.js';
import { nameArgument } from '../../src/cli/names/kinds.js';
import { confirm, yesFlag } from '../../src/cli/terminal/confirm.js';
import { flagsFor, requestFrom } from '../../src/cli/typed/fields.js';
import { signingSecret, signingSecretFlags } from '../../src/cli/webhooks/webhook-secrets.js';
import { RotateWebhookSecretRequest, webhookRoutes } from '../../src/contract/webhooks/webhooks.js';
import { newWebhookSecret } from '../../src/signing/signing.js';

export default class WebhooksRotateSecret extends ProjectCommand {
  static override summary = webhookRoutes.rotateSecret.summary;
  static override aliases = ['webhooks:rotate'];
  static override examples = [
    '<%= config.bin %> <%= command.id %> hooks.example',
    '<%= config.bin %> <%= command.id %> SUBSCRIPTION --grace-seconds 2d --yes',
  ];
  static override description = 'The new signing key is generated and shown once, unless you give one.';
  static override args = { webhook: nameArgument('webhook') };
  static override flags = {
    ...flagsFor(RotateWebhookSecretRequest, ['secret']),
    ...signingSecretFlags,
    ...yesFlag,
  };

  async run(): Promise<void> {
    const { args, flags } = await this.input(WebhooksRotateSecret);
    const params = { projectId: await this.projectId(), id: args.webhook };
    const { url, description } = await this.client.call(webhookRoutes.get, { params });
    const gone = `The current secret of ${url} stops signing ${flags['grace-seconds'] === undefined ? 'in a day' : `after ${flags['grace-seconds']}`}.`;
    await confirm(description ?? url, gone, flags);
    const stated = await signingSecret(flags);
    const secret = stated ?? newWebhookSecret();
    const body = requestFrom(RotateWebhookSecretRequest, flags, { secret });
    const answer = await this.client.call(webhookRoutes.rotateSecret, { params, body });
    this.show(stated === null && this.common.json === true ? { ...answer, secret } : answer);
    if (stated === null) this.logToStderr(`Secret, shown only once: ${secret}`);
  }
}
