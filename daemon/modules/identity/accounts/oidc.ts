/**
 * The OpenID Connect provider whose sessions sign people in: it is asked whether the token is valid (RFC 7662) and
 * whose it is (userinfo). Nothing is read from the token itself. The provider's address comes from the operator.
 */
import { z } from 'zod';
import { DomainError } from '../../../../src/contract/errors.js';
import type { Logger } from '../../../platform/observability/logger.js';
import type { Clock } from '../../../platform/time/clock.js';
import type { ExternalIdentity, IdentityProvider } from './service.js';

interface OidcOptions {
  /** The provider's name for itself, `iss`. */
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** Audience that tokens must be issued for: their client or one of their audiences. */
  readonly audience: string;
}

const Discovery = z.object({
  issuer: z.string(),
  introspection_endpoint: z.url(),
  userinfo_endpoint: z.url(),
});

/** Some providers write an absent field as null. */
const absentOr = <S extends z.ZodType>(schema: S) => schema.nullish().transform((value) => value ?? undefined);

/** Seconds since 1970, which some providers write as text. */
const numericDate = z.union([
  z.number(),
  z
    .string()
    .regex(/^\d{1,15}(\.\d+)?$/)
    .transform(Number),
]);

const TokenState = z.object({ active: z.boolean() });

/**
 * Choice: an answer without `iss` is accepted, because it comes from the issuer's own endpoint and RFC 7662 allows it.
 */
const Introspection = z.object({
  sub: absentOr(z.string()),
  iss: absentOr(z.string()),
  client_id: absentOr(z.string()),
  aud: absentOr(z.union([z.string(), z.array(z.string())])),
  exp: absentOr(numericDate),
});

/** Some providers write booleans as text. */
const Userinfo = z.object({
  sub: z.string(),
  email: absentOr(z.email({ pattern: z.regexes.html5Email }).max(320)),
  email_verified: absentOr(z.union([z.boolean(), z.stringbool({ truthy: ['true'], falsy: ['false'] })])),
  name: absentOr(z.string()),
});

const timeoutMs = 5_000;
const discoveryKeptMs = 600_000;
const answerBytesMax = 64 * 1024;
const displayNameMax = 200;

const withoutSlash = (url: string): string => url.replace(/\/$/, '');
const formEncoded = (text: string): string => new URLSearchParams([['', text]]).toString().slice(1);

export class OidcProvider implements IdentityProvider {
  private discovered: { endpoints: z.infer<typeof Discovery>; untilMs: number } | null = null;

  constructor(
    private readonly options: OidcOptions,
    private readonly log: Logger,
    private readonly now: Clock,
  ) {}

  /** Throws identity_refused, identity_answer_invalid, identity_email_unverified, identity_unavailable. */
  async identify(accessToken: string): Promise<ExternalIdentity> {
    const endpoints = await this.discover();
    const { sub } = await this.introspect(endpoints.introspection_endpoint, accessToken);
    const headers = { Authorization: `Bearer ${accessToken}` };
    const url = endpoints.userinfo_endpoint;
    const user = this.read(Userinfo, url, await this.ask(url, { headers }, 'identity_refused'));
    if (sub !== undefined && sub !== user.sub) throw new DomainError('identity_refused');
    if (user.email === undefined || user.email_verified !== true) throw new DomainError('identity_email_unverified');
    const displayName = user.name?.trim().slice(0, displayNameMax) ?? '';
    return { email: user.email, displayName: displayName === '' ? null : displayName };
  }

  private async discover(): Promise<z.infer<typeof Discovery>> {
    const nowMs = this.now().getTime();
    if (this.discovered !== null && nowMs < this.discovered.untilMs) return this.discovered.endpoints;
    const issuer = withoutSlash(this.options.issuer);
    const url = `${issuer}/.well-known/openid-configuration`;
    const document = Discovery.safeParse(await this.ask(url, {}, 'identity_unavailable'));
    if (!document.success) throw this.unavailable(`${url} is not a discovery document`, document.error);
    const endpoints = document.data;
    if (withoutSlash(endpoints.issuer) !== issuer)
      throw this.unavailable(`${url} speaks for ${endpoints.issuer}; set EARSHOT_IDENTITY_URL to the issuer`);
    this.discovered = { endpoints, untilMs: nowMs + discoveryKeptMs };
    return endpoints;
  }

  /**
   * Asks the provider about the token. Throws identity_refused unless it is active, of this issuer and meant for us.
   */
  private async introspect(url: string, token: string): Promise<z.infer<typeof Introspection>> {
    const { issuer, clientId, clientSecret, audience } = this.options;
    const credentials = Buffer.from(`${formEncoded(clientId)}:${formEncoded(clientSecret)}`).toString('base64');
    const request = {
      method: 'POST',
      headers: { Authorization: `Basic ${credentials}` },
      body: new URLSearchParams({ token, token_type_hint: 'access_token' }),
    };
    const answer = await this.ask(url, request, 'identity_unavailable');
    if (!this.read(TokenState, url, answer).active) throw new DomainError('identity_refused');
    const facts = this.read(Introspection, url, answer);
    const { iss = issuer, client_id: client = '', aud = [], exp } = facts;
    const meantFor = [client, ...(typeof aud === 'string' ? [aud] : aud)].filter((name) => name !== '');
    const expired = exp !== undefined && exp * 1_000 <= this.now().getTime();
    if (expired || withoutSlash(iss) !== withoutSlash(issuer) || !meantFor.includes(audience))
      throw new DomainError('identity_refused');
    return facts;
  }

  /** Throws identity_answer_invalid: the provider answered, but this login cannot be judged. */
  private read<S extends z.ZodType>(schema: S, url: string, answer: unknown): z.output<S> {
    const read = schema.safeParse(answer);
    if (read.success) return read.data;
    this.log.warn({ err: read.error, url }, "the identity provider's answer about a session is not valid");
    throw new DomainError('identity_answer_invalid', { cause: read.error });
  }

  /** The JSON of the answer. Throws `refusal` on 4xx, and identity_unavailable on every other failure. */
  private async ask(
    url: string,
    request: RequestInit,
    refusal: 'identity_refused' | 'identity_unavailable',
  ): Promise<unknown> {
    const signal = AbortSignal.timeout(timeoutMs);
    try {
      const headers = { Accept: 'application/json', ...request.headers };
      const response = await fetch(url, { ...request, headers, redirect: 'error', signal });
      if (response.status >= 400 && response.status < 500 && refusal === 'identity_refused')
        throw new DomainError(refusal);
      if (!response.ok) throw new Error(`it answered ${response.status}`);
      return JSON.parse(await textOf(response));
    } catch (error) {
      if (error instanceof DomainError) throw error;
      throw this.unavailable(`${url} gave no usable answer`, error);
    }
  }

  /** Operators read the cause in the log; callers do not see it. */
  private unavailable(reason: string, cause?: unknown): DomainError {
    this.log.warn({ err: cause, reason }, 'the identity provider cannot be used');
    return new DomainError('identity_unavailable', { cause });
  }
}

async function textOf(response: Response): Promise<string> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of response.body ?? []) {
    size += part.length;
    if (size > answerBytesMax) throw new Error(`it answered more than ${answerBytesMax} bytes`);
    parts.push(part);
  }
  return Buffer.concat(parts).toString('utf8');
}
