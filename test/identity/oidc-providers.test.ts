/**
 * The peculiarities of providers that cannot run here: their discovery documents as they publish them (`providers/`, each with its
 * source), with keys of ours. Everything behind the documents is a stand-in.
 */
import { generateKeyPairSync } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { SignJWT } from 'jose';
import { describe, expect, it, vi } from 'vitest';
import { type OidcOptions, OidcProvider } from '../../daemon/modules/identity/oidc/provider.js';
import { createLogger, type Logger } from '../../daemon/platform/observability/logger.js';
import type { OutboundAnswer } from '../../daemon/platform/outbound/outbound.js';
import { logLines } from '../support/log-lines.js';

const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const jwks = { keys: [{ ...publicKey.export({ format: 'jwk' }), kid: 'one', use: 'sig', alg: 'RS256' }] };

type Document = Readonly<Record<string, unknown>> & { readonly issuer: string; readonly token_endpoint: string };
const documentOf = (name: string): Document =>
  JSON.parse(readFileSync(new URL(`providers/${name}.json`, import.meta.url), 'utf8')).document;

const client = { id: 'earshot', secret: 'secret' };
const request = { code: 'c', codeVerifier: 'v'.repeat(43), nonce: 'n'.repeat(16), redirectUri: 'http://127.0.0.1/c' };
const signed = (claims: object) =>
  new SignJWT({ sub: 'ann', aud: client.id, nonce: request.nonce, ...claims })
    .setProtectedHeader({ alg: 'RS256', kid: 'one' })
    .setIssuedAt()
    .setExpirationTime('10m')
    .sign(privateKey);
const verified = { email: 'ann@example.com', email_verified: true, name: 'Ann' };

const grantRefused = { error: 'invalid_grant', error_description: 'code is used up' };

interface Scene {
  readonly document: Document;
  readonly options?: Partial<OidcOptions>;
  /** Answers of other endpoints, by address. */
  readonly answers?: Readonly<Record<string, unknown>>;
  readonly logger?: Logger;
  readonly now?: () => Date;
}

/** A provider with this document; `sent` collects the forms that it gets. */
function providerOf({ document, options = {}, answers = {}, ...scene }: Scene) {
  const { logger = createLogger('silent'), now = () => new Date() } = scene;
  const sent: { url: string; form: URLSearchParams; authorization: string | undefined; isOperators: boolean }[] = [];
  const issuer = options.issuer ?? document.issuer;
  const known: Record<string, unknown> = {
    [`${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`]: document,
    [String(document.jwks_uri)]: jwks,
    ...answers,
  };
  const outbound = {
    async request(url: string, sending: Made, { isOperators = false }): Promise<OutboundAnswer> {
      const { body, headers } = sending;
      sent.push({ url, form: new URLSearchParams(body ?? ''), authorization: headers.Authorization, isOperators });
      const answer = known[url];
      if (answer instanceof Error) throw answer;
      const status = answer === undefined ? 400 : 200;
      return { status, retryAfter: null, body: JSON.stringify(answer ?? grantRefused) };
    },
  };
  const all: OidcOptions = {
    ...{ issuer, client, deviceClient: client, audience: client.id, scope: 'openid email profile' },
    ...{ redirectUri: 'http://127.0.0.1/callback', groupsClaim: null, trustsEmails: false, publicUrl: null },
    ...options,
  };
  return { provider: new OidcProvider(all, outbound, logger, now), sent };
}
interface Made {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
}

/** Signs in by a code for which the provider gives an ID token with these claims. */
async function byCode(document: Document, claims: object, options: Partial<OidcOptions> = {}) {
  const answers = { [document.token_endpoint]: { id_token: await signed({ iss: document.issuer, ...claims }) } };
  return providerOf({ document, options, answers }).provider.byCode(request);
}

const names = ['google', 'entra-tenant', 'auth0', 'cognito', 'keycloak', 'authentik'];

describe.each(names)('%s', (name) => {
  const document = documentOf(name);

  it('is taken as it describes itself', async () => {
    expect(await providerOf({ document }).provider.describe()).toMatchObject({
      issuer: document.issuer,
      authorizationEndpoint: document.authorization_endpoint,
      hasDeviceFlow: name !== 'cognito',
      problem: null,
    });
  });

  it('signs in, with keys and token endpoint where its document has them', async () => {
    const answers = { [document.token_endpoint]: { id_token: await signed({ iss: document.issuer, ...verified }) } };
    const { provider, sent } = providerOf({ document, answers });
    const { issuer } = document;
    const person = { issuer, subject: 'ann', email: 'ann@example.com', displayName: 'Ann', groups: null };
    expect(await provider.byCode(request)).toEqual(person);
    const own = new URL(document.issuer).origin;
    expect(sent.every(({ url, isOperators }) => isOperators === (new URL(url).origin === own))).toBe(true);
  });

  it('says that opaque tokens and access tokens cannot be checked, where it has no introspection', async () => {
    const hasIntrospection = name === 'keycloak' || name === 'authentik';
    const code = hasIntrospection ? 'identity_answer_invalid' : 'identity_token_kind';
    const { provider } = providerOf({ document });
    if (!hasIntrospection) await expect(provider.identify('opaque', null)).rejects.toMatchObject({ code });
    else await expect(provider.identify('opaque', null)).rejects.toMatchObject({ code: 'identity_refused' });
  });
});

describe('Google', () => {
  const document = documentOf('google');

  it('may write its issuer without the scheme', async () => {
    expect(await byCode(document, { ...verified, iss: 'accounts.google.com' })).toMatchObject({ displayName: 'Ann' });
    await expect(byCode(document, { ...verified, iss: 'https://accounts.google.com.evil.example' })).rejects.toThrow(
      'another issuer',
    );
  });

  it('has a client of its own for devices, whose ID tokens are taken', async () => {
    const deviceClient = { id: 'earshot-tv', secret: 'tv' };
    const id_token = await signed({ iss: document.issuer, aud: 'earshot-tv', ...verified });
    const answers = { [document.token_endpoint]: { id_token } };
    const { provider, sent } = providerOf({ document, options: { deviceClient }, answers });
    expect(await provider.byDevice('d')).toMatchObject({ email: 'ann@example.com' });
    expect(sent.at(-2)?.authorization ?? sent.map(({ authorization }) => authorization).join()).toContain(
      Buffer.from('earshot-tv:tv').toString('base64'),
    );
  });
});

describe('Microsoft Entra', () => {
  const tid = 'aaaabbbb-0000-cccc-1111-dddd2222eeee';
  const [one, all] = [documentOf('entra-tenant'), documentOf('entra-organizations')];
  const organizations = { issuer: 'https://login.microsoftonline.com/organizations/v2.0' };
  const of = (tenant: string) => ({ iss: `https://login.microsoftonline.com/${tenant}/v2.0` });
  const person = { email: 'ann@example.com', name: 'Ann', tid };

  it('does not say that an address is verified: the operator does, or the owner of its domain', async () => {
    await expect(byCode(one, person)).rejects.toMatchObject({ code: 'identity_email_unverified' });
    expect(await byCode(one, person, { trustsEmails: true })).toMatchObject({ email: 'ann@example.com' });
    for (const xms_edov of [true, 1, '1', 'true'])
      expect(await byCode(one, { ...person, xms_edov })).toMatchObject({ email: 'ann@example.com' });
    for (const xms_edov of [false, 0, '0'])
      await expect(byCode(one, { ...person, xms_edov }, { trustsEmails: true })).rejects.toMatchObject({
        code: 'identity_email_unverified',
      });
  });

  it('writes the id of a tenant into the issuer of each token', async () => {
    const proven = { ...person, xms_edov: true };
    const issuer = of(tid).iss;
    expect(await byCode(all, { ...proven, ...of(tid) }, organizations)).toMatchObject({ issuer, subject: 'ann' });
    const other = 'ffffffff-0000-cccc-1111-dddd2222eeee';
    for (const wrong of [of(other), of('{tenantid}'), { ...of('x'), tid: 'x' }, { ...of(tid), tid: undefined }])
      await expect(byCode(all, { ...proven, ...wrong }, organizations)).rejects.toThrow('another issuer');
  });

  it('lets nobody vouch for the addresses of all tenants', async () => {
    const options = { ...organizations, trustsEmails: true };
    await expect(byCode(all, { ...person, ...of(tid) }, options)).rejects.toMatchObject({
      code: 'identity_email_unverified',
    });
    expect(await providerOf({ document: all, options }).provider.problem()).toContain('EARSHOT_IDENTITY_TRUST_EMAILS');
  });

  it("gives no roles to groups of a stranger's tenant, and takes an address from the owner of its domain alone", async () => {
    const options = { ...organizations, groupsClaim: 'groups' };
    const stranger = { ...person, ...of(tid), groups: ['voice-admins'] };
    expect(await byCode(all, { ...stranger, xms_edov: true }, options)).toMatchObject({ groups: null });
    for (const unproven of [{ email_verified: true }, { email_verified: true, xms_edov: false }])
      await expect(byCode(all, { ...stranger, ...unproven }, options)).rejects.toMatchObject({
        code: 'identity_email_unverified',
      });
    expect(await providerOf({ document: all, options }).provider.problem()).toContain('EARSHOT_IDENTITY_ROLES');
  });

  it('refuses secrets of a public client, which sends none', async () => {
    const { provider, sent } = providerOf({ document: one, options: { client: { id: client.id, secret: null } } });
    await expect(provider.byCode(request)).rejects.toMatchObject({ code: 'identity_refused' });
    expect(sent.at(-1)).toMatchObject({ authorization: undefined });
    expect(Object.fromEntries(sent.at(-1)?.form ?? [])).not.toHaveProperty('client_secret');
    expect(sent.at(-1)?.form.get('client_id')).toBe(client.id);
  });

  it('leaves groups out that do not fit', async () => {
    const overage = { ...person, xms_edov: true, _claim_names: { groups: 'src1' }, _claim_sources: {} };
    await expect(byCode(one, overage, { groupsClaim: 'groups' })).rejects.toThrow('more groups than fit');
    const roles = { ...person, xms_edov: true, roles: ['Voice.Admin'] };
    expect(await byCode(one, roles, { groupsClaim: 'roles' })).toMatchObject({ groups: ['Voice.Admin'] });
  });
});

describe('Auth0', () => {
  const document = documentOf('auth0');

  it('ends its issuer with a slash, which the setting may leave out', async () => {
    const options = { issuer: 'https://studio.eu.auth0.com' };
    expect(await byCode(document, verified, options)).toMatchObject({ email: 'ann@example.com' });
    await expect(byCode(document, { ...verified, iss: options.issuer }, options)).rejects.toThrow('another issuer');
  });

  it('names claims of its own by addresses', async () => {
    const claim = 'https://studio.example/roles';
    expect(await byCode(document, { ...verified, [claim]: ['mods'] }, { groupsClaim: claim })).toMatchObject({
      groups: ['mods'],
    });
  });
});

describe('Amazon Cognito', () => {
  it('has access tokens that look like ID tokens, and groups with a colon', async () => {
    const document = documentOf('cognito');
    const claims = { iss: document.issuer, token_use: 'access', client_id: client.id, aud: undefined };
    const { provider } = providerOf({ document });
    await expect(provider.identify(await signed(claims), null)).rejects.toMatchObject({ code: 'identity_token_kind' });
    const person = { ...verified, token_use: 'id', 'cognito:groups': ['mods', 'eu'] };
    expect(await byCode(document, person, { groupsClaim: 'cognito:groups' })).toMatchObject({ groups: ['mods', 'eu'] });
    // As its userinfo writes it.
    for (const email_verified of ['true', 'false'])
      await expect(byCode(document, { ...person, email_verified })).rejects.toMatchObject({
        code: 'identity_email_unverified',
      });
  });
});

describe('Keycloak', () => {
  const document = documentOf('keycloak');

  it('nests roles', async () => {
    const person = { ...verified, typ: 'ID', realm_access: { roles: ['voice-mods'] } };
    expect(await byCode(document, person, { groupsClaim: 'realm_access.roles' })).toMatchObject({
      groups: ['voice-mods'],
    });
    expect(await byCode(document, { ...verified, typ: 'ID' }, { groupsClaim: 'realm_access.roles' })).toMatchObject({
      groups: [],
    });
  });

  it('has its access tokens introspected, although they are JWTs', async () => {
    const answers = {
      [String(document.introspection_endpoint)]: { active: true, client_id: client.id, sub: 'ann' },
      [String(document.userinfo_endpoint)]: { sub: 'ann', ...verified },
    };
    const { provider } = providerOf({ document, answers });
    const token = await signed({ iss: document.issuer, typ: 'Bearer', aud: 'account', azp: client.id });
    expect(await provider.identify(token, null)).toMatchObject({ email: 'ann@example.com' });
  });
});

describe('Authentik', () => {
  it('signs by the client secret where no key was chosen, which is said', async () => {
    const document = documentOf('authentik');
    const hs256 = { ...document, id_token_signing_alg_values_supported: ['HS256'] };
    expect(await providerOf({ document: hs256 }).provider.problem()).toContain('Choose a signing key');
    const without = { [String(document.jwks_uri)]: { keys: [] } };
    expect(await providerOf({ document, answers: without }).provider.problem()).toContain('Choose a signing key');
  });
});

describe('any provider', () => {
  const document = documentOf('auth0');
  const { issuer } = document;
  const keys = String(document.jwks_uri);

  it('issues ID tokens to the client that redeems the code, and to no other audience', async () => {
    const deviceClient = { id: 'earshot-tv', secret: 'tv' };
    const options = { deviceClient, audience: 'https://api.example' };
    const refused = { code: 'identity_refused', message: expect.stringContaining('another application') };
    for (const wrong of [{ aud: 'earshot-tv' }, { aud: options.audience }, { azp: 'earshot-tv' }, { azp: 'other' }])
      await expect(byCode(document, { ...verified, ...wrong }, options)).rejects.toMatchObject(refused);
    const answers = { [document.token_endpoint]: { id_token: await signed({ iss: issuer, ...verified }) } };
    await expect(providerOf({ document, options, answers }).provider.byDevice('d')).rejects.toMatchObject(refused);
    const { provider } = providerOf({ document, options });
    const ofApi = await signed({ iss: issuer, ...verified, aud: options.audience, typ: 'ID' });
    await expect(provider.identify(ofApi, null)).rejects.toMatchObject(refused);
  });

  it('has no access tokens that pass for ID tokens, with a nonce or without', async () => {
    const token = await signed({ iss: issuer, ...verified, typ: 'Bearer' });
    for (const nonce of [request.nonce, null])
      await expect(providerOf({ document }).provider.identify(token, nonce)).rejects.toMatchObject({
        code: 'identity_token_kind',
      });
  });

  it.each([
    ['a list', []],
    ['a set of no keys', { keys: [7] }],
    ['a key that cannot be used', { keys: [{ kty: 'RSA', kid: 'one', n: 'AQ', e: 'AQAB' }] }],
  ])('cannot be used while its keys are %s', async (_, published) => {
    const answers = { [keys]: published };
    const { provider } = providerOf({ document, answers });
    const token = await signed({ iss: issuer, ...verified });
    await expect(provider.identify(token, null)).rejects.toMatchObject({ code: 'identity_unavailable' });
  });

  it('is examined again after some seconds at the earliest, however many people ask', async () => {
    let nowMs = 0;
    const answers: Record<string, unknown> = { [keys]: 'no key set' };
    const examined = { document, answers, now: () => new Date(nowMs) };
    const { provider, sent } = providerOf(examined);
    const problems = async () => (await provider.describe()).problem;
    for (let n = 0; n < 20; n += 1) expect(await problems()).toContain('set of keys');
    expect(sent.filter(({ url }) => url === keys)).toHaveLength(1);
    nowMs = 5_000;
    expect(await problems()).toContain('set of keys');
    expect(sent.filter(({ url }) => url === keys)).toHaveLength(2);
  });

  it('that is away is asked for its document once for all who ask', async () => {
    const answers = { [`${issuer}.well-known/openid-configuration`]: new Error('away') };
    const { provider, sent } = providerOf({ document, answers });
    for (let n = 0; n < 20; n += 1) expect((await provider.describe()).problem).toContain('does not answer');
    expect(sent).toHaveLength(1);
  });

  it('that is away is described without the addresses of the network, which the operator reads', async () => {
    const answers = { [keys]: new Error('connect ECONNREFUSED 10.1.2.3:443') };
    const { provider } = providerOf({ document, answers });
    expect((await provider.describe()).problem).toBe(`${keys} does not answer.`);
    expect(await provider.problem()).toBe(`${keys} does not answer. connect ECONNREFUSED 10.1.2.3:443`);
  });

  it('is asked nothing unless the connection is encrypted, or of this machine', async () => {
    const open = { ...document, issuer: 'http://id.studio.example', jwks_uri: 'http://id.studio.example/jwks' };
    const { provider, sent } = providerOf({ document: open });
    const sentence = 'Set EARSHOT_IDENTITY_URL to an https address';
    expect(await provider.problem()).toContain(sentence);
    const refused = { code: 'identity_unavailable', message: expect.stringContaining(sentence) };
    await expect(provider.byCode(request)).rejects.toMatchObject(refused);
    await expect(provider.identify('opaque', null)).rejects.toMatchObject(refused);
    await expect(provider.startDevice()).rejects.toMatchObject(refused);
    expect(sent).toEqual([]);
    const here = { ...document, issuer: 'http://127.0.0.1:9000' };
    expect(await providerOf({ document: here }).provider.problem()).toBeNull();
    const elsewhere = { ...here, token_endpoint: 'http://id.studio.example/token' };
    expect(await providerOf({ document: elsewhere }).provider.problem()).toContain('http://id.studio.example/token');
  });

  it('cannot be used for a while: one line when that begins, and one when it has ended', async () => {
    const { lines, log: logger } = logLines();
    let minutes = 0;
    const now = () => new Date(Date.UTC(2031, 0, 1, 0, minutes++));
    const changing = { ...document, issuer: 'https://somebody.example' };
    const { provider } = providerOf({ document: changing, options: { issuer: document.issuer }, logger, now });
    for (const _ of [1, 2])
      await expect(provider.byCode(request)).rejects.toMatchObject({ code: 'identity_unavailable' });
    changing.issuer = document.issuer;
    for (const _ of [1, 2]) await expect(provider.byCode(request)).rejects.toMatchObject({ code: 'identity_refused' });
    expect(lines.filter((line) => !line.startsWith('warn'))).toEqual([
      'error the identity provider cannot be used',
      'info the identity provider can be used again',
    ]);
  });

  it('has its refusals logged, with its own words', async () => {
    const warn = vi.fn();
    const logger = Object.assign(createLogger('silent'), { warn });
    const { provider } = providerOf({ document, logger });
    await expect(provider.byCode(request)).rejects.toMatchObject({ code: 'identity_refused' });
    expect(warn).toHaveBeenCalledWith(
      { code: 'identity_refused', reason: expect.stringMatching(/answered 400 invalid_grant code is used up/) },
      expect.any(String),
    );
  });
});
