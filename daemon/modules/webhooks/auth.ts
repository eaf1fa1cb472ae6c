/** How a delivery authenticates: the columns of a subscription and the encrypted values in them. */
import { z } from 'zod';
import { DomainError } from '../../../src/contract/errors.js';
import type { WebhookSubscription } from '../../../src/contract/webhooks/webhooks.js';
import type { SecretBox } from '../../platform/secrets/secret-box.js';
import type { SubscriptionRow, SubscriptionValues } from './subscription-store.js';

/** Encrypted as one value. */
const AuthSecret = z.object({
  apiKey: z.string().optional(),
  basicAuthPassword: z.string().optional(),
  customHeaders: z.record(z.string(), z.string()).optional(),
});
type AuthSecret = z.infer<typeof AuthSecret>;

/** The fields of a request; absent ones keep their value. */
interface AuthRequest extends AuthSecret {
  readonly apiKeyHeader?: string | undefined;
  readonly basicAuthUsername?: string | undefined;
}

type AuthColumns = Pick<
  SubscriptionValues,
  'authType' | 'authSecret' | 'apiKeyHeader' | 'basicAuthUsername' | 'customHeaders'
>;

const context = (id: string): string => `webhook:${id}:auth`;
const apiKeyHeaderDefault = 'X-API-Key';

/** Decrypts the credential of the row. */
export const openAuth = (box: SecretBox, { id, authSecret }: SubscriptionRow): AuthSecret =>
  authSecret === null ? {} : AuthSecret.parse(JSON.parse(box.open(authSecret, context(id))));

/** True if the request contains the secret of this kind of authentication. */
export const bringsCredential = (authType: WebhookSubscription['authType'], sent: AuthRequest): boolean =>
  ({
    none: true,
    api_key: sent.apiKey !== undefined,
    basic_auth: sent.basicAuthPassword !== undefined,
    custom_headers: sent.customHeaders !== undefined,
  })[authType];

/** Columns of the authentication; absent fields are taken from `stored`. Throws webhook_auth_incomplete. */
export function authColumns(
  box: SecretBox,
  id: string,
  authType: WebhookSubscription['authType'],
  sent: AuthRequest,
  stored: AuthSecret,
): AuthColumns {
  const none = { authType, authSecret: null, apiKeyHeader: null, basicAuthUsername: null, customHeaders: null };
  const seal = (secret: AuthSecret) => box.seal(JSON.stringify(secret), context(id));
  if (authType === 'none') return none;
  if (authType === 'api_key') {
    const apiKey = sent.apiKey ?? stored.apiKey;
    if (apiKey === undefined) throw new DomainError('webhook_auth_incomplete');
    return { ...none, authSecret: seal({ apiKey }), apiKeyHeader: sent.apiKeyHeader ?? apiKeyHeaderDefault };
  }
  if (authType === 'basic_auth') {
    const basicAuthPassword = sent.basicAuthPassword ?? stored.basicAuthPassword;
    if (basicAuthPassword === undefined || sent.basicAuthUsername === undefined)
      throw new DomainError('webhook_auth_incomplete');
    return { ...none, authSecret: seal({ basicAuthPassword }), basicAuthUsername: sent.basicAuthUsername };
  }
  const customHeaders = sent.customHeaders ?? stored.customHeaders;
  if (customHeaders === undefined || Object.keys(customHeaders).length === 0)
    throw new DomainError('webhook_auth_incomplete');
  return { ...none, authSecret: seal({ customHeaders }), customHeaders: Object.keys(customHeaders) };
}

/** The headers that authenticate a delivery. */
export function authHeaders(box: SecretBox, row: SubscriptionRow): Record<string, string> {
  const { apiKey = '', basicAuthPassword = '', customHeaders = {} } = openAuth(box, row);
  const basic = Buffer.from(`${row.basicAuthUsername ?? ''}:${basicAuthPassword}`).toString('base64');
  const headers: Record<string, Record<string, string>> = {
    api_key: { [row.apiKeyHeader ?? apiKeyHeaderDefault]: apiKey },
    basic_auth: { Authorization: `Basic ${basic}` },
    custom_headers: customHeaders,
  };
  return headers[row.authType] ?? {};
}
