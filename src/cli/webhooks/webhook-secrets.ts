/** The secrets of a webhook: the signing key, and what its receiver requires as authentication. */
import * as Flags from '@oclif/core/flags';
import type { z } from 'zod';
import { CreateWebhookSubscriptionRequest, type WebhookAuthType } from '../../contract/webhooks/webhooks.js';
import { askNewPassword, askPassword } from '../../terminal/questions.js';
import { UsageError } from '../../terminal/usage-error.js';
import { refusedFlags, type SecretsFlags, secretsFlags, statedSecrets } from '../typed/secret-flags.js';

const WebhookSecrets = CreateWebhookSubscriptionRequest.pick({
  secret: true,
  apiKey: true,
  basicAuthPassword: true,
  customHeaders: true,
}).partial();
type WebhookSecrets = z.infer<typeof WebhookSecrets>;

/** Fields of a request that are read as secrets and have no flag. */
export const secretFields = WebhookSecrets.keyof().options;

const instead = 'Use --secrets-stdin or --secrets-file; on a terminal, --ask-secret and --auth-type prompt for it.';
const askSecret = Flags.boolean({
  description: 'Prompt for the signing key, hidden',
  exclusive: ['secrets-stdin', 'secrets-file'],
});

export const webhookSecretFlags = {
  ...secretsFlags('secret, apiKey, basicAuthPassword, customHeaders'),
  'ask-secret': askSecret,
  ...refusedFlags(['secret', 'api-key', 'basic-auth-password', 'custom-headers'], instead),
};

/** Flags for the signing key alone. */
export const signingSecretFlags = {
  ...secretsFlags('secret'),
  'ask-secret': askSecret,
  ...refusedFlags(['secret'], 'Use --secrets-stdin, --secrets-file or --ask-secret.'),
};

type SigningFlags = SecretsFlags & { readonly 'ask-secret': boolean };

const askKey = (): Promise<string> => askNewPassword('Signing key', '--secrets-stdin');

/** null: no flag is about it. Throws UsageError. */
export async function signingSecret(flags: SigningFlags): Promise<string | null> {
  if (flags['ask-secret']) return askKey();
  return (await statedSecrets(WebhookSecrets.pick({ secret: true }), flags))?.secret ?? null;
}

/** The values from the flags; what `--auth-type` needs is asked for. Throws UsageError. */
export async function webhookSecrets(
  flags: SigningFlags & { readonly 'auth-type'?: string | undefined },
): Promise<WebhookSecrets> {
  const stated = await statedSecrets(WebhookSecrets, flags);
  if (stated !== null) return stated;
  const secret = flags['ask-secret'] ? { secret: await askKey() } : {};
  const credential = await credentialOf(flags['auth-type']);
  return { ...secret, ...credential };
}

async function credentialOf(authType: string | undefined): Promise<WebhookSecrets> {
  const questions: Readonly<Partial<Record<z.infer<typeof WebhookAuthType>, string>>> = {
    api_key: 'API key of the receiver (empty: keep the stored one)',
    basic_auth: 'Password at the receiver (empty: keep the stored one)',
    custom_headers: 'Headers as JSON, such as {"X-Key":"…"}',
  };
  const [, question] = Object.entries(questions).find(([name]) => name === authType) ?? [];
  if (question === undefined) return {};
  const answer = await askPassword(question, '--secrets-stdin');
  if (answer === '') return {};
  if (authType === 'api_key') return { apiKey: answer };
  return authType === 'basic_auth' ? { basicAuthPassword: answer } : { customHeaders: headersIn(answer) };
}

function headersIn(text: string): Record<string, string> {
  try {
    const { success, data } = WebhookSecrets.required({ customHeaders: true }).safeParse({
      customHeaders: JSON.parse(text),
    });
    if (success) return data.customHeaders ?? {};
  } catch {}
  throw new UsageError('These are not headers; write an object such as {"X-Key":"…"}.');
}
