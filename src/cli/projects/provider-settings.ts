/**
 * The settings of a token provider: addresses as flags, secrets asked for one by one or read from standard input or a
 * file.
 */
import * as Flags from '@oclif/core/flags';
import { TokenProvider, TokenProviderSettings } from '../../contract/projects/settings.js';
import { askPassword, canAsk } from '../../terminal/questions.js';
import { stated } from '../typed/fields.js';
import { type SecretsFlags, secretsFlags, statedSecrets } from '../typed/secret-flags.js';

type Name = keyof TokenProviderSettings;

const secretsOf: Readonly<Record<TokenProvider, Readonly<Partial<Record<Name, string>>>>> = {
  embedded: {},
  livekit: { apiKey: 'LiveKit API key', apiSecret: 'LiveKit API secret' },
  access_key: { accessKey: 'ODIN access key' },
  url: { authorization: 'Header Authorization of the request (empty: none)' },
};

export const providerFlags = {
  'provider-url': Flags.string({
    description: 'livekit: server address (wss://…); url: endpoint that returns tokens',
  }),
  ...secretsFlags('apiKey, apiSecret, accessKey, authorization'),
};

/** undefined when the flags do not mention them. Throws UsageError. */
export async function providerSettings(
  flags: SecretsFlags & {
    readonly 'token-provider'?: string | undefined;
    readonly 'provider-url'?: string | undefined;
  },
): Promise<TokenProviderSettings | undefined> {
  const provider = TokenProvider.safeParse(flags['token-provider']).data;
  const secrets =
    (await statedSecrets(TokenProviderSettings, flags)) ?? (provider === undefined ? {} : await askFor(provider));
  const settings = { ...secrets, ...stated({ url: flags['provider-url'] }) };
  return Object.keys(settings).length === 0 ? undefined : settings;
}

async function askFor(provider: TokenProvider): Promise<Record<string, string>> {
  const answers: Record<string, string> = {};
  for (const [name, question] of Object.entries(secretsOf[provider])) {
    // An optional secret is not worth stopping a script for.
    if (name === 'authorization' && !canAsk()) continue;
    const answer = await askPassword(question, '--secrets-stdin');
    if (answer !== '') answers[name] = answer;
  }
  return answers;
}
