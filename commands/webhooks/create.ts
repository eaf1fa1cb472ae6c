import * as Args from '@oclif/core/args';
import * as Flags from '@oclif/core/flags';
import { ProjectCommand } from '../../src/cli/command/command.js';
import { refuseUnknownTypes } from '../../src/cli/events/event-types.js';
import { argumentOrFlag, flagsFor, requestFrom } from '../../src/cli/typed/fields.js';
import { secretFields, webhookSecretFlags, webhookSecrets } from '../../src/cli/webhooks/webhook-secrets.js';
import { CreateWebhookSubscriptionRequest, webhookRoutes } from '../../src/contract/webhooks/webhooks.js';
import { newWebhookSecret } from '../../src/signing/signing.js';
import { UsageError } from '../../src/terminal/usage-error.js';
import { harmless } from '../../src/text/printable.js';

export default class WebhooksCreate extends ProjectCommand {
  static override summary = webhookRoutes.create.summary;
  static override description =
    'The signing key is generated and shown once, unless you give one. Prompts for the secrets that --auth-type needs.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> https://example.com/hook --events "message.*"',
    '<%= config.bin %> <%= command.id %> https://hooks.slack.com/services/T0/B0/KEY --events case.created --payload-format slack',
    '<%= config.bin %> <%= command.id %> https://example.com/hook --events "*" --auth-type api_key --secrets-stdin < secrets.json',
  ];
  static override args = { to: Args.string({ description: 'Address that events are sent to' }) };
  static override flags = {
    ...flagsFor(CreateWebhookSubscriptionRequest, ['url', ...secretFields]),
    to: Flags.string({ description: 'Instead of the argument' }),
    ...webhookSecretFlags,
  };

  async run(): Promise<void> {
    const { args, flags } = await this.input(WebhooksCreate);
    refuseUnknownTypes(flags.events ?? [], flags);
    if (args.to !== undefined && flags.events !== undefined && !args.to.includes('://'))
      throw new UsageError(
        `${harmless(args.to)} is no address. Lists are separated by commas: --events ${harmless([...flags.events, args.to].join(','))}`,
      );
    const stated = await webhookSecrets(flags);
    const { secret = newWebhookSecret() } = stated;
    const answer = await this.client.call(webhookRoutes.create, {
      params: { projectId: await this.projectId() },
      body: requestFrom(CreateWebhookSubscriptionRequest, flags, {
        ...stated,
        secret,
        url: argumentOrFlag(args.to, flags.to, 'to'),
      }),
    });
    const isNew = stated.secret === undefined;
    this.show(isNew && this.common.json === true ? { ...answer, secret } : answer);
    if (isNew) this.logToStderr(`Secret, shown only once: ${secret}`);
  }
}
