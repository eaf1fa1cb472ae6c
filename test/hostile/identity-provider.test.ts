/**
 * An identity provider that attacks the daemon which trusts it: whatever it answers, it signs in nobody without a proof, learns and
 * reaches nothing inside, and costs others neither time nor memory.
 */
import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { SignJWT } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ErrorBody } from '../../src/contract/errors.js';
import { accountRoutes } from '../../src/contract/identity/accounts.js';
import { DaemonProcess } from '../support/daemon-process.js';
import { rentedMachine, watchingHealth } from '../support/health-watch.js';
import { scale } from '../support/scale.js';
import { someAtOnce } from '../support/some-at-once.js';

const signIns = scale(30, 600);
const atOnce = scale(30, 100);
const nonce = 'a nonce that was sent';
const clientId = 'earshot';
/** How long a document that could not be used is kept. */
const documentKeptMs = 2_500;
/** Beyond what the daemon has without an attack, and far below what the provider sends. */
const memoryMaxMib = 600;

type Answering = (response: ServerResponse) => void;
const json =
  (value: unknown, status = 200): Answering =>
  (response) =>
    response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(value));
/** Sends as much as is taken, and never ends. */
const endless: Answering = (response) => {
  response.writeHead(200, { 'Content-Type': 'application/json' });
  const piece = `"${'x'.repeat(64 * 1_024)}",`;
  const send = () => {
    while (!response.destroyed && response.write(piece));
  };
  response.on('drain', send).write('[');
  send();
};
/** A byte now and then, so that the connection is never quiet. */
const dripping: Answering = (response) => {
  response.writeHead(200, { 'Content-Type': 'application/json' });
  const timer = setInterval(() => response.write(' '), 200);
  response.on('close', () => clearInterval(timer));
};
const silent: Answering = () => {};
/** Valid, and so deep that a parser without a bound runs out of stack. */
const nested: Answering = (response) => response.end(`${'['.repeat(30_000)}${']'.repeat(30_000)}`);
const elsewhere: Answering = (response) => response.writeHead(302, { Location: `${inside.url}/secrets` }).end();

interface Listening {
  readonly url: string;
  readonly server: Server;
}
async function listening(listener: RequestListener): Promise<Listening> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

let inside: Listening;
const reachedInside: string[] = [];
let provider: Listening;
let answers: Record<string, Answering> = {};
let daemon: DaemonProcess;
let key: KeyObject;
/** Answers of a provider that does no harm. */
let honest: () => Record<string, Answering>;
const documentOf = (more: object = {}) => ({
  ...{ issuer: provider.url, authorization_endpoint: `${provider.url}/auth`, token_endpoint: `${provider.url}/token` },
  ...{ jwks_uri: `${provider.url}/jwks`, userinfo_endpoint: `${provider.url}/userinfo` },
  ...more,
});
const idToken = (claims: object = {}, signer: KeyObject = key) =>
  new SignJWT({
    ...{ iss: provider.url, sub: 'ida', aud: clientId, nonce, email: 'admin@localhost', email_verified: true },
    ...claims,
  })
    .setProtectedHeader({ alg: 'RS256', kid: 'one' })
    .setIssuedAt()
    .setExpirationTime('5m')
    .sign(signer);
const coded = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');

beforeAll(async () => {
  inside = await listening((request, response) => {
    reachedInside.push(`${request.method} ${request.url}`);
    response.end('{}');
  });
  provider = await listening((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost');
    request.resume();
    response.on('error', () => {});
    (answers[pathname] ?? json({}, 404))(response);
  });
  const pair = generateKeyPairSync('rsa', { modulusLength: 2_048 });
  key = pair.privateKey;
  honest = () => ({
    '/.well-known/openid-configuration': json(documentOf()),
    '/jwks': json({ keys: [{ ...pair.publicKey.export({ format: 'jwk' }), kid: 'one', alg: 'RS256', use: 'sig' }] }),
    '/token': json({ error: 'invalid_grant' }, 400),
    '/userinfo': json({}, 401),
  });
  answers = honest();
  daemon = await started();
}, 120_000);
afterAll(async () => {
  await daemon.dispose();
  for (const { server } of [provider, inside]) {
    server.closeAllConnections();
    server.close();
  }
});

async function started(): Promise<DaemonProcess> {
  const made = new DaemonProcess(
    {
      ...{ EARSHOT_IDENTITY: 'oidc', EARSHOT_IDENTITY_URL: provider.url, EARSHOT_IDENTITY_CLIENT_ID: clientId },
      ...{ EARSHOT_IDENTITY_CLIENT_SECRET: 'a secret of the client', EARSHOT_IDENTITY_AUTO_CREATE: '1' },
      ...{ EARSHOT_TRUSTED_PROXIES: '127.0.0.1', EARSHOT_RATE_LIMIT_ADDRESS: '0' },
    },
    rentedMachine,
  );
  await made.start();
  return made;
}

async function signIn(index = 0, at = daemon): Promise<{ status: number; code: string }> {
  const headers = { 'Content-Type': 'application/json', 'X-Forwarded-For': `203.0.113.${index % 250}` };
  const request = {
    code: 'a code',
    codeVerifier: 'v'.repeat(43),
    nonce,
    redirectUri: 'http://127.0.0.1:49152/callback',
  };
  const asked = { method: 'POST', headers, body: JSON.stringify(request) };
  const answer = await fetch(at.url + accountRoutes.loginWithCode.path, asked);
  const body: unknown = await answer.json();
  return { status: answer.status, code: answer.status === 201 ? '' : ErrorBody.parse(body).code };
}

/** Many sign-ins at once, which sign in nobody, and the statuses of their answers. */
async function flood(at: DaemonProcess, title: string): Promise<number[]> {
  const statuses = new Set<number>();
  const { memoryMib } = await watchingHealth(at, `${signIns} sign-ins at a provider ${title}`, async () => {
    await someAtOnce(signIns, async (index) => statuses.add((await signIn(index, at)).status), atOnce);
  });
  expect([...statuses].filter((status) => ![401, 429, 503].includes(status))).toEqual([]);
  expect(memoryMib).toBeLessThan(memoryMaxMib);
  expect(reachedInside).toEqual([]);
  return [...statuses];
}

describe('an identity provider', { timeout: 300_000 }, () => {
  it('signs in whom it vouches for, by the same answers as those below without their fault', async () => {
    answers = { ...honest(), '/token': json({ id_token: await idToken(), token_type: 'Bearer', access_token: 'a' }) };
    expect(await signIn()).toEqual({ status: 201, code: '' });
  });

  it.each<[fault: string, token: () => string | Promise<string>]>([
    ['for another issuer', () => idToken({ iss: inside.url })],
    ['with another nonce', () => idToken({ nonce: 'a nonce of another sign-in' })],
    ['without a nonce', () => idToken({ nonce: undefined })],
    ['for another audience', () => idToken({ aud: 'another application' })],
    [
      'that is signed by another key',
      () => idToken({}, generateKeyPairSync('rsa', { modulusLength: 2_048 }).privateKey),
    ],
    ['that is not signed (alg none)', async () => `${coded({ alg: 'none' })}.${(await idToken()).split('.')[1]}.`],
    [
      'with keys inside the network',
      async () => {
        const [, claims, signature] = (await idToken()).split('.');
        return `${coded({ alg: 'RS256', kid: 'two', jku: `${inside.url}/keys`, x5u: `${inside.url}/keys` })}.${claims}.${signature}`;
      },
    ],
  ])('signs in nobody by an ID token %s', async (_, token) => {
    answers = { ...honest(), '/token': json({ id_token: await token(), token_type: 'Bearer', access_token: 'a' }) };
    expect(await signIn()).toMatchObject({ status: 401 });
    expect(reachedInside).toEqual([]);
  });

  it.each<[fault: string, more: () => Record<string, Answering>]>([
    ['whose token endpoint sends without an end', () => ({ '/token': endless })],
    ['whose token endpoint sends a byte now and then', () => ({ '/token': dripping })],
    ['whose token endpoint says nothing', () => ({ '/token': silent })],
    ['whose token endpoint sends nested lists', () => ({ '/token': nested })],
    ['whose token endpoint redirects to inside', () => ({ '/token': elsewhere })],
    [
      'whose keys have no end',
      () => ({ '/jwks': endless, '/token': json({ id_token: `${coded({ alg: 'RS256', kid: 'new' })}.e30.AA` }) }),
    ],
    ['whose userinfo redirects to inside', () => ({ '/userinfo': elsewhere, '/token': json({ access_token: 'a' }) })],
  ])('%s delays nobody else, and is never followed to inside', async (title, more) => {
    answers = { ...honest(), ...more() };
    await flood(daemon, title);
  });
});

describe('an identity provider whose document', { timeout: 300_000 }, () => {
  /** Has read no document yet: one that is good is kept for ten minutes. */
  let fresh: DaemonProcess;
  beforeAll(async () => {
    answers = { '/.well-known/openid-configuration': silent };
    fresh = await started();
  }, 120_000);
  afterAll(() => fresh.dispose());

  it.each<[fault: string, document: () => Answering]>([
    ['has no end', () => endless],
    ['comes a byte at a time', () => dripping],
    ['is nested lists', () => nested],
    ['is inside, behind a redirect', () => elsewhere],
    ['speaks for another issuer', () => json(documentOf({ issuer: inside.url }))],
    [
      'names endpoints inside',
      () => json(documentOf({ token_endpoint: `${inside.url}/token`, jwks_uri: `${inside.url}/jwks` })),
    ],
  ])('%s cannot be used, which costs others nothing', async (title, document) => {
    await sleep(documentKeptMs);
    answers = { ...honest(), '/.well-known/openid-configuration': document() };
    expect(await flood(fresh, `whose document ${title}`)).toContain(503);
  });
});
