/** Asks the provider's token endpoint and its like, as the daemon's client (RFC 6749, RFC 8628). */
import { z } from 'zod';
import { DomainError } from '../../../../src/contract/errors.js';
import type { OutboundAnswer } from '../../../platform/outbound/outbound.js';
import { jsonOf, type ProviderDocument, ProviderUnusable } from './discovery.js';
import type { ProviderHttp } from './provider-http.js';
import { absentOr, seconds } from './wire.js';

/** The client that the daemon is at the provider. */
export interface OidcClient {
  readonly id: string;
  /** null: a public client, which has none. */
  readonly secret: string | null;
}

/** Characters of a provider's own description that are logged. */
const descriptionMax = 500;
const Failure = z.object({ error: z.string().max(200), error_description: absentOr(z.string()) });
const Tokens = z.object({ id_token: absentOr(z.string()), access_token: absentOr(z.string()) });
type Tokens = z.infer<typeof Tokens>;

/** Google names the address `verification_url`. */
const DeviceAuthorization = z
  .object({
    device_code: z.string(),
    user_code: z.string(),
    verification_uri: absentOr(z.url({ protocol: /^https?$/ })),
    verification_url: absentOr(z.url({ protocol: /^https?$/ })),
    verification_uri_complete: absentOr(z.url({ protocol: /^https?$/ })),
    expires_in: seconds,
    interval: absentOr(seconds),
  })
  .transform(({ verification_uri, verification_url, ...answer }, context) => {
    const verificationUri = verification_uri ?? verification_url;
    if (verificationUri !== undefined) return { ...answer, verification_uri: verificationUri };
    context.addIssue({ code: 'custom', path: ['verification_uri'], message: 'is missing' });
    return z.NEVER;
  });
export type DeviceAuthorization = z.infer<typeof DeviceAuthorization>;

/** Refusals of RFC 6749 section 5.2 and RFC 8628 section 3.5. */
const refusals = {
  invalid_client: 'identity_client_refused',
  unauthorized_client: 'identity_client_refused',
  unsupported_grant_type: 'identity_client_refused',
  invalid_scope: 'identity_client_refused',
  invalid_grant: 'identity_refused',
  authorization_pending: 'device_login_pending',
  slow_down: 'device_login_slow_down',
  access_denied: 'device_login_denied',
  authorization_declined: 'device_login_denied', // Entra
  expired_token: 'device_login_expired',
} as const;
type RefusalReason = keyof typeof refusals;
const isRefusal = (error: string): error is RefusalReason => Object.hasOwn(refusals, error);

const sentences: Partial<Record<RefusalReason, string>> = {
  unauthorized_client:
    'The identity provider does not let this client sign people in this way. Ask the operator to allow the grant there.',
  unsupported_grant_type:
    'The identity provider does not let this client sign people in this way. Ask the operator to allow the grant there.',
  invalid_scope: 'The identity provider refuses the scope. Ask the operator to check EARSHOT_IDENTITY_SCOPE.',
  invalid_grant: 'The code was used already, has expired, or belongs to another sign-in. Sign in again.',
};

const formEncoded = (text: string): string => new URLSearchParams([['', text]]).toString().slice(1);
export const basic = ({ id, secret }: OidcClient): string =>
  `Basic ${Buffer.from(`${formEncoded(id)}:${formEncoded(secret ?? '')}`).toString('base64')}`;

type Method = 'client_secret_basic' | 'client_secret_post' | 'none';

export class TokenEndpoint {
  /** By client: how it last proved itself. */
  private readonly methods = new Map<string, Method>();

  constructor(private readonly http: ProviderHttp) {}

  /** Throws identity_refused, identity_client_refused, device_login_…, identity_answer_invalid, ProviderUnusable. */
  async tokens(
    document: ProviderDocument,
    client: OidcClient,
    form: Readonly<Record<string, string>>,
  ): Promise<Tokens> {
    const { token_endpoint: url } = document;
    if (url === undefined) throw new ProviderUnusable(`${document.issuer} has no token endpoint.`);
    return Tokens.parse(await this.ask(url, document, client, form));
  }

  /** Throws identity_flow_unsupported and as `tokens` does. */
  async deviceAuthorization(
    document: ProviderDocument,
    client: OidcClient,
    scope: string,
  ): Promise<DeviceAuthorization> {
    const { device_authorization_endpoint: url } = document;
    if (url === undefined) throw new DomainError('identity_flow_unsupported');
    return DeviceAuthorization.parse(await this.ask(url, document, client, { scope }));
  }

  /**
   * Says whether the provider knows the client and its secret: a code that nobody has is refused for the code, and not for
   * the client. Throws as `tokens` does.
   */
  async proveClient(document: ProviderDocument, client: OidcClient, redirectUri: string): Promise<void> {
    const form = {
      ...{ grant_type: 'authorization_code', code: 'made-up-by-earshotd-to-check-the-client' },
      ...{ redirect_uri: redirectUri, code_verifier: 'a'.repeat(43) },
    };
    await this.tokens(document, client, form).catch((error: unknown) => {
      const isOfCode =
        error instanceof z.ZodError ||
        (error instanceof DomainError &&
          (error.code === 'identity_refused' || error.code === 'identity_answer_invalid'));
      if (!isOfCode) throw error;
    });
  }

  private async ask(
    url: string,
    document: ProviderDocument,
    client: OidcClient,
    form: Readonly<Record<string, string>>,
  ): Promise<unknown> {
    const [first, other] = this.methodsOf(document, client);
    const answer = await this.send(url, client, form, first);
    // The provider alone knows which of two methods a client must use; a wrong one uses up no code.
    const next = other !== undefined && errorOf(answer) === 'invalid_client' ? other : null;
    const final = next === null ? answer : await this.send(url, client, form, next);
    if (final.status === 200) {
      this.methods.set(client.id, next ?? first);
      return jsonOf(final.body);
    }
    throw refusalOf(url, final);
  }

  private methodsOf(document: ProviderDocument, client: OidcClient): readonly [Method, Method?] {
    if (client.secret === null) return ['none'];
    const { token_endpoint_auth_methods_supported: supported = ['client_secret_basic'] } = document;
    const [first, second] = (['client_secret_basic', 'client_secret_post'] as const).filter((name) =>
      supported.includes(name),
    );
    if (first === undefined)
      throw new ProviderUnusable(
        `${document.issuer} takes no client secret (${supported.join(', ')}). Unset EARSHOT_IDENTITY_CLIENT_SECRET for a public client.`,
      );
    return this.methods.get(client.id) === second && second !== undefined ? [second, first] : [first, second];
  }

  private async send(
    url: string,
    client: OidcClient,
    form: Readonly<Record<string, string>>,
    method: Method,
  ): Promise<OutboundAnswer> {
    const ofClient =
      method === 'client_secret_basic'
        ? { headers: { Authorization: basic(client) }, form }
        : {
            form: {
              ...form,
              client_id: client.id,
              ...(client.secret === null ? {} : { client_secret: client.secret }),
            },
          };
    return this.http.request(url, ofClient).catch((cause: unknown) => {
      throw new ProviderUnusable(`${url} does not answer.`, { cause });
    });
  }
}

/** The error code of an answer; that of a client which is refused without one is assumed. */
function errorOf({ status, body }: OutboundAnswer): string | null {
  const failure = Failure.safeParse(jsonOf(body));
  if (failure.success) return failure.data.error;
  return status === 401 ? 'invalid_client' : null;
}

function refusalOf(url: string, answer: OutboundAnswer): Error {
  const error = errorOf(answer);
  const { error_description: description = '' } = Failure.safeParse(jsonOf(answer.body)).data ?? {};
  const cause = new Error(`${url} answered ${answer.status} ${error ?? ''} ${description.slice(0, descriptionMax)}`);
  if (error !== null && isRefusal(error)) {
    const message = sentences[error];
    return new DomainError(refusals[error], { cause, ...(message === undefined ? {} : { message }) });
  }
  if (answer.status < 400 || answer.status >= 500)
    return new ProviderUnusable(`${url} answers ${answer.status}.`, { cause });
  return new DomainError('identity_answer_invalid', { cause });
}
