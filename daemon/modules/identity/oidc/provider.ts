/**
 * The OpenID Connect provider that signs people in: by an authorization code, a device code, or a token that they bring. ID
 * tokens are verified by the provider's keys; about other tokens the provider is asked (RFC 7662). The provider's address
 * comes from the operator.
 */
import { z } from 'zod';
import { DomainError } from '../../../../src/contract/errors.js';
import type {
  DeviceLogin,
  IdentityProvider,
  LoginWithCodeRequest,
} from '../../../../src/contract/identity/accounts.js';
import { boundNonce, isBoundNonce } from '../../../../src/signing/bound-nonce.js';
import { isLoopback } from '../../../platform/config/loopback.js';
import { TroubleReport } from '../../../platform/observability/condition.js';
import type { Logger } from '../../../platform/observability/logger.js';
import type { Outbound } from '../../../platform/outbound/outbound.js';
import { type Clock, hasPassed } from '../../../platform/time/clock.js';
import type { ExternalIdentity, SignInProvider } from '../accounts/service.js';
import { type ClaimRules, type Claims, identityOf, isIncomplete, joined, Person } from './claims.js';
import { Documents, jsonOf, type ProviderDocument, ProviderUnusable, tenantMark } from './discovery.js';
import { foreignTo, IdTokens, kindOf } from './id-tokens.js';
import { ProviderHttp } from './provider-http.js';
import { basic, type OidcClient, TokenEndpoint } from './token-endpoint.js';
import { absentOr, seconds, withoutSlash } from './wire.js';

export interface OidcOptions {
  /** The provider's name for itself, `iss`. */
  readonly issuer: string;
  readonly client: OidcClient;
  /** Client of the device flow, where the provider asks for another one. */
  readonly deviceClient: OidcClient;
  /** Audience that introspected tokens must be issued for: their client or one of their audiences. */
  readonly audience: string;
  readonly scope: string;
  /** Address of the CLI's own machine, to which the provider sends browsers back. */
  readonly redirectUri: string;
  /** Claim with a person's groups; null: groups are not read. */
  readonly groupsClaim: string | null;
  /** The operator vouches for the e-mail addresses of the provider. */
  readonly trustsEmails: boolean;
  /** Address at which programs reach the daemon; null: not known. */
  readonly publicUrl: string | null;
}

const TokenState = z.object({ active: z.boolean() });

/**
 * Choice: an answer without `iss` is accepted, because it comes from the issuer's own endpoint and RFC 7662 allows it.
 */
const Introspection = z.object({
  sub: absentOr(z.string()),
  iss: absentOr(z.string()),
  client_id: absentOr(z.string()),
  aud: absentOr(z.union([z.string(), z.array(z.string())])),
  exp: absentOr(seconds),
});

const boundElsewhere = 'This sign-in is bound to a daemon by its nonce. Sign in again: `earshot login`.';
const signedAnswer = /^[\w-]+\.[\w-]+\.[\w-]*$/;
const encryptedAnswer = /^[\w-]+(\.[\w-]*){4}$/;
const deviceGrant = 'urn:ietf:params:oauth:grant-type:device_code';
/** RFC 8628, section 3.2. */
const deviceIntervalSeconds = 5;
/** Answers that say nothing about the token: there is no such endpoint, or it was asked too often. */
const aboutEndpoint = [404, 405, 408, 429];
/** A provider that could not be examined is not examined again by everybody who asks. */
const failureKeptMs = 5_000;

/** What the operator has to mend. */
interface ProviderProblem {
  readonly sentence: string;
  /** What the network said: for the operator alone. */
  readonly reason: string | null;
}

export class OidcProvider implements SignInProvider {
  private readonly http: ProviderHttp;
  private readonly documents: Documents;
  private readonly idTokens: IdTokens;
  private readonly endpoint: TokenEndpoint;
  private readonly failure: TroubleReport;
  /** Ids of our clients, to which ID tokens may be issued. */
  private readonly clients: readonly string[];
  private checked: { readonly document: ProviderDocument; readonly problem: Promise<string | null> } | null = null;
  private failed: { readonly problem: ProviderProblem; readonly atMs: number } | null = null;

  constructor(
    private readonly options: OidcOptions,
    outbound: Pick<Outbound, 'request'>,
    private readonly log: Logger,
    private readonly now: Clock,
  ) {
    const { issuer, client, deviceClient } = options;
    const [begins, ends] = ['the identity provider cannot be used', 'the identity provider can be used again'];
    this.failure = new TroubleReport(log, { begins, ends });
    this.http = new ProviderHttp(outbound, issuer);
    this.documents = new Documents(this.http, issuer, now);
    this.clients = [client.id, deviceClient.id];
    this.idTokens = new IdTokens(this.http, now);
    this.endpoint = new TokenEndpoint(this.http);
  }

  /** `nonce`: null where the ID token may have any. Throws the identity_… refusals. */
  identify(token: string, nonce: string | null): Promise<ExternalIdentity> {
    return this.asking(async (document) => {
      const kind = kindOf(token, this.clients);
      if (kind === 'ID token') {
        const claims = await this.idTokens.verify(token, document, this.clients, nonce);
        if (isBoundNonce(claims.nonce)) throw new DomainError('identity_refused', { message: boundElsewhere });
        return this.identityOf(document, claims);
      }
      if (document.introspection_endpoint === undefined || this.options.client.secret === null)
        throw this.withoutIntrospection(kind);
      if (kind === 'access token') this.refuseForeign(token, document);
      const { sub } = await this.introspect(document.introspection_endpoint, token);
      const person = await this.userinfo(document, token, this.clients);
      if (sub !== undefined && sub !== person.sub) throw new DomainError('identity_refused');
      return this.identityOf(document, person);
    });
  }

  /** Redeems an authorization code. Throws the identity_… refusals. */
  byCode({ code, codeVerifier, redirectUri, ...request }: LoginWithCodeRequest): Promise<ExternalIdentity> {
    return this.asking(async (document) => {
      const nonce = this.nonceOf(request);
      const form = { grant_type: 'authorization_code', code, redirect_uri: redirectUri, code_verifier: codeVerifier };
      return this.identityBy(document, this.options.client, form, nonce);
    });
  }

  /**
   * The nonce that the ID token must have. A daemon on this machine is reached by many addresses, tunnels among them, and
   * nobody else can offer those. Throws identity_refused.
   */
  private nonceOf({ nonce, daemonUrl }: Pick<LoginWithCodeRequest, 'nonce' | 'daemonUrl'>): string {
    if (daemonUrl === undefined) {
      if (isBoundNonce(nonce)) throw new DomainError('identity_refused', { message: boundElsewhere });
      return nonce;
    }
    const { publicUrl } = this.options;
    const { origin, hostname } = new URL(daemonUrl);
    if (publicUrl !== null && origin !== new URL(publicUrl).origin && !isLoopback(hostname))
      throw new DomainError('identity_refused', {
        message: `This sign-in was begun for ${origin}, but this daemon is ${publicUrl}. Sign in with that address: \`earshot login --url ${publicUrl}\`.`,
      });
    return boundNonce(nonce, daemonUrl);
  }

  /** Throws identity_flow_unsupported and the other identity_… refusals. */
  startDevice(): Promise<DeviceLogin> {
    return this.asking(async (document) => {
      const { deviceClient, scope } = this.options;
      const answer = await this.endpoint.deviceAuthorization(document, deviceClient, scope);
      return {
        deviceCode: answer.device_code,
        userCode: answer.user_code,
        verificationUri: answer.verification_uri,
        verificationUriComplete: answer.verification_uri_complete ?? null,
        expiresIn: Math.ceil(answer.expires_in),
        interval: Math.max(1, Math.ceil(answer.interval ?? deviceIntervalSeconds)),
      };
    });
  }

  /** Throws device_login_pending and the other refusals of the contract. */
  byDevice(deviceCode: string): Promise<ExternalIdentity> {
    return this.asking(async (document) => {
      if (document.device_authorization_endpoint === undefined) throw new DomainError('identity_flow_unsupported');
      const form = { grant_type: deviceGrant, device_code: deviceCode };
      return this.identityBy(document, this.options.deviceClient, form, null);
    });
  }

  /** What a program needs to sign people in. A provider that does not answer is described, too. */
  async describe(): Promise<IdentityProvider> {
    const { issuer, client, redirectUri, scope } = this.options;
    const [document, problem] = await Promise.all([this.documents.document().catch(() => null), this.finding()]);
    return {
      issuer: document?.issuer ?? issuer,
      clientId: client.id,
      authorizationEndpoint: document?.authorization_endpoint ?? null,
      redirectUri,
      scope,
      hasDeviceFlow: document?.device_authorization_endpoint !== undefined,
      problem: problem?.sentence ?? null,
    };
  }

  /** What the operator has to mend, for the operator; null: nothing. */
  async problem(): Promise<string | null> {
    const problem = await this.finding();
    return problem === null ? null : [problem.sentence, problem.reason ?? []].flat().join(' ');
  }

  /** The provider is examined once for each reading of its document. */
  private async finding(): Promise<ProviderProblem | null> {
    if (this.failed !== null && !hasPassed(failureKeptMs, this.failed.atMs, this.now())) return this.failed.problem;
    let document: ProviderDocument | null = null;
    try {
      document = await this.documents.document();
      if (this.checked?.document !== document) this.checked = { document, problem: this.examine(document) };
      const sentence = await this.checked.problem;
      return sentence === null ? null : { sentence, reason: null };
    } catch (error) {
      // That a document cannot be read is kept there.
      if (document !== null) this.documents.forget();
      if (!(error instanceof ProviderUnusable || error instanceof DomainError)) throw error;
      const problem = { sentence: error.message, reason: error.cause instanceof Error ? error.cause.message : null };
      this.failed = { problem, atMs: this.now().getTime() };
      return problem;
    }
  }

  /** Throws ProviderUnusable, identity_client_refused. */
  private async examine(document: ProviderDocument): Promise<string | null> {
    const { issuer, client, deviceClient, redirectUri, groupsClaim, trustsEmails } = this.options;
    const { authorization_endpoint: page, code_challenge_methods_supported: challenges } = document;
    const { id_token_signing_alg_values_supported: signatures = ['RS256'] } = document;
    if ((await this.keyCount(document)) === 0)
      return `${document.jwks_uri} holds no public key. Choose a signing key (RS256 or ES256) at the provider.`;
    if (signatures.every((name) => name.startsWith('HS') || name === 'none'))
      return `${issuer} signs ID tokens by ${signatures.join(', ')} alone. Choose a signing key (RS256 or ES256) at the provider.`;
    if (page === undefined) return `${issuer} has no authorization endpoint, so nobody can sign in there by a browser.`;
    if (challenges !== undefined && !challenges.includes('S256'))
      return `${issuer} does not take PKCE challenges by S256 (RFC 7636).`;
    if (groupsClaim !== null && document.issuer.includes(tenantMark))
      return 'EARSHOT_IDENTITY_ROLES gives no roles, because EARSHOT_IDENTITY_URL lets every Entra tenant in, and each chooses its own groups. Write the id of your own tenant there.';
    if (trustsEmails && document.issuer.includes(tenantMark))
      return 'EARSHOT_IDENTITY_TRUST_EMAILS is ignored, because EARSHOT_IDENTITY_URL lets every Entra tenant in. Write the id of your own tenant there.';
    for (const one of new Set([client, deviceClient])) await this.proveClient(document, one, redirectUri);
    return null;
  }

  private async keyCount(document: ProviderDocument): Promise<number> {
    if (document.jwks_uri === undefined)
      throw new ProviderUnusable(`${document.issuer} publishes no keys (jwks_uri) to check ID tokens by.`);
    return this.idTokens.count(document);
  }

  private async proveClient(document: ProviderDocument, client: OidcClient, redirectUri: string): Promise<void> {
    await this.endpoint.proveClient(document, client, redirectUri).catch((error: unknown) => {
      if (!(error instanceof DomainError) || error.code !== 'identity_client_refused') throw error;
      const settings =
        client === this.options.client
          ? 'EARSHOT_IDENTITY_CLIENT_ID and EARSHOT_IDENTITY_CLIENT_SECRET'
          : 'EARSHOT_IDENTITY_DEVICE_CLIENT_ID and EARSHOT_IDENTITY_DEVICE_CLIENT_SECRET';
      const how = client.secret === null ? 'without a secret' : 'with this secret';
      throw new ProviderUnusable(
        `${document.issuer} refuses the client ${client.id} ${how}. Check ${settings}, and that the client may use authorization codes.`,
      );
    });
  }

  /** Operators read the cause of what fails in the log; callers do not see it. */
  private async asking<T>(ask: (document: ProviderDocument) => Promise<T>): Promise<T> {
    try {
      const answer = await ask(await this.documents.document());
      this.failure.set(null);
      return answer;
    } catch (error) {
      const isUnusable = error instanceof ProviderUnusable;
      this.failure.set(isUnusable ? { err: error.cause, reason: error.message } : null);
      if (isUnusable) {
        const message = `The identity provider cannot be used: ${error.message}`;
        throw new DomainError('identity_unavailable', { message, cause: error });
      }
      if (error instanceof z.ZodError) {
        this.log.warn({ err: error }, "the identity provider's answer about a session is not valid");
        throw new DomainError('identity_answer_invalid', { cause: error });
      }
      if (error instanceof DomainError && error.status === 401 && error.cause instanceof Error)
        this.log.warn(
          { code: error.code, reason: error.cause.message },
          error.code === 'identity_client_refused'
            ? 'the identity provider refuses the client; `earshotd doctor` says more'
            : 'what the identity provider gave or answered was refused',
        );
      throw error;
    }
  }

  private withoutIntrospection(kind: 'opaque' | 'access token'): DomainError {
    return kind === 'access token'
      ? new DomainError('identity_token_kind')
      : new DomainError('identity_token_kind', {
          message:
            'This is no ID token, and the identity provider has no introspection to check other tokens by. Send the ID token.',
        });
  }

  /** Redeems what is in the form as the client, to which the ID token must be issued. */
  private async identityBy(
    document: ProviderDocument,
    client: OidcClient,
    form: Readonly<Record<string, string>>,
    nonce: string | null,
  ): Promise<ExternalIdentity> {
    const { id_token: idToken, access_token: accessToken } = await this.endpoint.tokens(document, client, form);
    if (idToken === undefined)
      throw new DomainError('identity_answer_invalid', {
        message: 'The identity provider gave no ID token. Ask the operator to have `openid` in EARSHOT_IDENTITY_SCOPE.',
      });
    const claims = await this.idTokens.verify(idToken, document, [client.id], nonce);
    const isEnough = !isIncomplete(claims, this.rulesFor(document));
    if (isEnough || accessToken === undefined || document.userinfo_endpoint === undefined)
      return this.identityOf(document, claims);
    const person = await this.userinfo(document, accessToken, [client.id]);
    if (person.sub !== claims.sub) throw new DomainError('identity_refused');
    return this.identityOf(document, joined(claims, person));
  }

  private identityOf = (document: ProviderDocument, claims: Claims): ExternalIdentity =>
    identityOf(claims, this.rulesFor(document));

  /** In a document for several tenants nobody vouches for all of them, and a stranger's tenant chooses its own groups. */
  private rulesFor({ issuer }: ProviderDocument): ClaimRules {
    const { groupsClaim, trustsEmails } = this.options;
    return issuer.includes(tenantMark)
      ? { issuer: null, groupsClaim: null, trustsEmails: false, needsDomainOwner: true }
      : { issuer, groupsClaim, trustsEmails, needsDomainOwner: false };
  }

  /** Throws identity_refused where the token itself says that it is for somebody else, or over. */
  private refuseForeign(token: string, { issuer }: ProviderDocument): void {
    const message = foreignTo(token, {
      issuer: issuer.includes(tenantMark) ? null : issuer,
      names: [...this.clients, this.options.audience],
      now: this.now(),
    });
    if (message !== null) throw new DomainError('identity_refused', { message });
  }

  /**
   * Asks the provider about the token. Throws identity_refused unless it is active, of this issuer and meant for us.
   */
  private async introspect(url: string, token: string): Promise<z.infer<typeof Introspection>> {
    const { issuer, client, audience } = this.options;
    const form = { token, token_type_hint: 'access_token' };
    const { status, body } = await this.reach(url, { headers: { Authorization: basic(client) }, form });
    if (status === 401 || status === 403) throw new DomainError('identity_client_refused');
    // Some providers refuse what is no token of theirs, instead of calling it inactive.
    if (status >= 400 && status < 500 && !aboutEndpoint.includes(status)) throw new DomainError('identity_refused');
    if (status !== 200) throw new ProviderUnusable(`${url} answers ${status}.`);
    const answer = this.json(url, body);
    if (!TokenState.parse(answer).active) throw new DomainError('identity_refused');
    const facts = Introspection.parse(answer);
    const { iss = issuer, client_id: name = '', aud = [], exp } = facts;
    const meantFor = [name, ...(typeof aud === 'string' ? [aud] : aud)].filter((one) => one !== '');
    const expired = exp !== undefined && exp * 1_000 <= this.now().getTime();
    if (expired || withoutSlash(iss) !== withoutSlash(issuer) || !meantFor.includes(audience))
      throw new DomainError('identity_refused');
    return facts;
  }

  /** Throws identity_refused where the token does not open it. */
  private async userinfo(
    document: ProviderDocument,
    accessToken: string,
    clients: readonly string[],
  ): Promise<Claims & { readonly sub: string }> {
    const { userinfo_endpoint: url } = document;
    if (url === undefined) throw new ProviderUnusable(`${document.issuer} has no userinfo endpoint.`);
    const { status, body } = await this.reach(url, { headers: { Authorization: `Bearer ${accessToken}` } });
    if (status >= 400 && status < 500) throw new DomainError('identity_refused');
    if (status !== 200) throw new ProviderUnusable(`${url} answers ${status}.`);
    const text = body.trim();
    if (encryptedAnswer.test(text))
      throw new DomainError('identity_answer_invalid', {
        message:
          "The identity provider's userinfo is encrypted. Ask the operator to let it be sent as JSON, or signed.",
      });
    const answer = signedAnswer.test(text) ? await this.signedUserinfo(text, document, clients) : this.json(url, text);
    return { ...Object(answer), sub: Person.parse(answer).sub };
  }

  private signedUserinfo(text: string, document: ProviderDocument, clients: readonly string[]): Promise<Claims> {
    return this.idTokens.signed(text, document, clients).catch((error: unknown) => {
      if (!(error instanceof DomainError)) throw error;
      throw new DomainError('identity_answer_invalid', {
        message:
          "The signature of the identity provider's userinfo cannot be verified. Ask the operator to let it be sent as JSON, or signed by RS256 or ES256.",
        cause: error,
      });
    });
  }

  private async reach(url: string, sending: Parameters<ProviderHttp['request']>[1]) {
    return this.http.request(url, sending).catch((cause: unknown) => {
      throw new ProviderUnusable(`${url} does not answer.`, { cause });
    });
  }

  private json(url: string, text: string): unknown {
    const answer = jsonOf(text);
    if (answer === undefined) throw new ProviderUnusable(`${url} does not answer in JSON.`);
    return answer;
  }
}
