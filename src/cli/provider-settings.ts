/** What a token provider needs: addresses as flags, secrets asked for one by one or read from standard input. */
import { Flags, type Interfaces } from '@oclif/core';
import type { z } from 'zod';
import { TokenProvider, TokenProviderSettings } from '../contract/settings.js';
import { askPassword, readStdin } from './secrets.js';
import { NotUnderstood } from './times.js';

type Name = keyof TokenProviderSettings;

const secretsOf: Readonly<Record<TokenProvider, Readonly<Partial<Record<Name, string>>>>> = {
  embedded: {},
  livekit: { apiKey: 'LiveKit API key', apiSecret: 'LiveKit API secret' },
  access_key: { accessKey: 'ODIN access key' },
  url: { authorization: 'Header Authorization of our request (empty: none)' },
};

export const providerFlags: Interfaces.FlagInput = {
  'provider-url': Flags.string({
    description: 'livekit: server address (wss://…); url: endpoint that returns tokens',
  }),
  'secrets-stdin': Flags.boolean({
    description: 'Read what is secret as JSON from standard input: apiKey, apiSecret, accessKey, authorization',
  }),
};

/** undefined when the flags say nothing of them. Throws NotUnderstood. */
export async function providerSettings(
  flags: Readonly<Record<string, unknown>>,
): Promise<TokenProviderSettings | undefined> {
  const provider = TokenProvider.safeParse(flags['token-provider']).data;
  const url = flags['provider-url'];
  if (flags['secrets-stdin'] === true)
    return judged({ ...fromJson(await readStdin()), ...(url === undefined ? {} : { url }) });
  const asked = provider === undefined ? {} : await askFor(provider);
  const stated = { ...asked, ...(url === undefined ? {} : { url }) };
  return Object.keys(stated).length === 0 ? undefined : judged(stated);
}

async function askFor(provider: TokenProvider): Promise<Record<string, string>> {
  const answers: Record<string, string> = {};
  for (const [name, question] of Object.entries(secretsOf[provider])) {
    // The one that may be left out is not worth stopping a script for.
    if (name === 'authorization' && !process.stdin.isTTY) continue;
    const answer = await askPassword(question, '--secrets-stdin');
    if (answer !== '') answers[name] = answer;
  }
  return answers;
}

function fromJson(text: string): object {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null) return value;
  } catch {}
  throw new NotUnderstood('Standard input holds no JSON object such as {"apiKey":"…","apiSecret":"…"}.');
}

function judged(stated: object): z.infer<typeof TokenProviderSettings> {
  const { success, data, error } = TokenProviderSettings.strict().safeParse(stated);
  if (success) return data;
  throw new NotUnderstood(error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('\n'));
}
