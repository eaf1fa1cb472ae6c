/** Rules of token providers: what they need before use, and where their secrets may be sent. Pure. */
import { DomainError } from '../../../../src/contract/errors.js';
import type { TokenProvider, TokenProviderSettings } from '../../../../src/contract/projects/settings.js';
import { leadsElsewhere } from '../../../platform/secrets/origin.js';

const secretFields = ['apiSecret', 'accessKey', 'authorization'] as const satisfies (keyof TokenProviderSettings)[];
export const isSecretField = (name: string): boolean => secretFields.some((field) => field === name);

const neededFields: Readonly<Record<TokenProvider, readonly (keyof TokenProviderSettings)[]>> = {
  embedded: [],
  livekit: ['url', 'apiKey', 'apiSecret'],
  access_key: ['accessKey'],
  url: ['url'],
};
/** The address is opened by everybody who gets a token (livekit), or by this daemon (url). */
const schemes: Readonly<Partial<Record<TokenProvider, readonly string[]>>> = {
  livekit: ['wss:', 'ws:', 'https:', 'http:'],
  url: ['https:', 'http:'],
};

/** Throws validation_failed when a field of the provider is missing, or its address has the wrong scheme. */
export function refuseUnusable(provider: TokenProvider, fields: Readonly<Record<string, string>>): void {
  const missing = neededFields[provider].filter((name) => fields[name] === undefined);
  const details = missing.map((name) => detail(name, `the provider ${provider} needs it`));
  const allowed = schemes[provider];
  if (allowed !== undefined && fields.url !== undefined && !allowed.includes(new URL(fields.url).protocol))
    details.push(detail('url', `the provider ${provider} is reached by ${allowed.join(' ')}`));
  if (details.length > 0) throw new DomainError('validation_failed', { details });
}

/** Throws secret_needed_again when a stored secret would be sent to another server than it was given for. */
export function refuseElsewhere(
  before: Readonly<Record<string, string>>,
  after: Readonly<Record<string, string>>,
): void {
  const isKept = Object.entries(after).some(([name, value]) => isSecretField(name) && before[name] === value);
  if (isKept && leadsElsewhere(before.url ?? null, after.url ?? null)) throw new DomainError('secret_needed_again');
}

const detail = (name: string, message: string) => ({ path: `body.tokenProviderSettings.${name}`, message });
