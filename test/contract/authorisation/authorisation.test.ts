/** The matrix operation × credential: each operation of the contract lets pass whom it declares, and names why it does not. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ErrorCode, errorCatalogue } from '../../../src/contract/error-catalogue.js';
import { projectRoles, type Route } from '../../../src/contract/route.js';
import { allRoutes } from '../../../src/contract/routes.js';
import { recordProgress, recordProof } from '../../support/reliability.js';
import { assemble, type Cast, type Headers } from './cast.js';
import { forKey, forMember, forNoToken, forPlayer, forTenantAdministrator, type Outcome } from './expected.js';

let cast: Cast;
beforeAll(async () => {
  cast = await assemble();
}, 120_000);
afterAll(() => cast.daemon.stop());

const key = (value: string): Headers => ({ 'X-API-Key': value });
const bearer = (value: string): Headers => ({ Authorization: `Bearer ${value}` });
const mistyped = (value: string): string => value.slice(0, -1) + (value.endsWith('A') ? 'B' : 'A');

interface Caller {
  readonly name: string;
  readonly headers: (route: Route) => Headers;
  readonly expected: (route: Route) => Outcome;
  /** The project that it names, where that is not the one of all others. */
  readonly projectId?: () => string;
  /** The project that all others name must not show in its answers. */
  readonly isStranger?: boolean;
}

/** Outcome of a token that is as long as a key, and is taken for one under /api/v1. */
const forShortToken = (route: Route): Outcome =>
  route.path.startsWith('/rooms/') ? 'room_token_invalid' : 'credential_invalid';

const callers: readonly Caller[] = [
  { name: 'none', headers: () => ({}), expected: () => 'credential_missing' },
  { name: 'malformed header', headers: () => ({ Authorization: 'x' }), expected: () => 'credential_missing' },
  { name: 'malformed key', headers: () => key(mistyped(cast.expiredKey)), expected: () => 'credential_invalid' },
  { name: 'malformed token', headers: () => bearer('x.y.z'), expected: forShortToken },
  {
    name: "another tenant's key",
    headers: () => key(cast.otherTenantKey),
    expected: (route) => forKey(route, { inScope: true, limited: false, inReach: false }),
    isStranger: true,
  },
  {
    name: 'key without the scope',
    headers: ({ scope }) => key(cast.keyWithout(scope ?? 'sessions')),
    expected: (route) => forKey(route, { inScope: false, limited: false, inReach: true }),
  },
  {
    name: 'key with just the scope',
    headers: ({ scope }) => key(cast.keyWith(scope ?? 'sessions')),
    expected: (route) => forKey(route, { inScope: true, limited: false, inReach: true }),
  },
  {
    name: 'key of another project',
    headers: () => key(cast.otherProjectKey),
    expected: (route) => forKey(route, { inScope: true, limited: true, inReach: false }),
    isStranger: true,
  },
  { name: 'expired key', headers: () => key(cast.expiredKey), expected: () => 'credential_invalid' },
  { name: 'revoked key', headers: () => key(cast.revokedKey), expected: () => 'credential_invalid' },
  { name: 'ended login', headers: () => bearer(cast.endedLogin), expected: forNoToken },
  { name: 'player', headers: () => bearer(cast.player), expected: forPlayer },
  ...projectRoles.map((role) => ({
    name: role,
    headers: () => bearer(logins.get(role) ?? cast.members[role]),
    expected: (route: Route) => forMember(route, role),
  })),
  {
    name: 'tenant administrator',
    headers: () => bearer(logins.get('tenant administrator') ?? cast.admin),
    expected: forTenantAdministrator,
    projectId: () => cast.administratorsProjectId,
  },
];

/** Logins that an operation has renewed: the old token is void then. */
const logins = new Map<string, string>();

const isRefusal = (code: string): code is ErrorCode =>
  code in errorCatalogue && ([401, 403].includes(errorCatalogue[code as ErrorCode].status) || code === 'unknown_app');

async function outcome(route: Route, caller: Caller): Promise<string> {
  const projectId = caller.projectId?.() ?? cast.projectId;
  const path = route.path
    .replace(/\{(projectId|appId)\}/, projectId)
    .replaceAll('{memberType}', 'user')
    .replaceAll(/\{\w+\}/g, '00000000-0000-7000-8000-000000000000');
  const body = JSON.stringify(route.projectIn === 'body' ? { projectId } : {});
  const response = await fetch(cast.daemon.url + path, {
    method: route.method.toUpperCase(),
    headers: { ...caller.headers(route), 'Content-Type': 'application/json', 'X-Project-Id': projectId },
    ...(route.method === 'get' ? {} : { body }),
  });
  if (response.headers.get('content-type')?.startsWith('application/json') !== true) {
    await response.body?.cancel();
    return response.status < 400 ? 'passes' : `${response.status} without a body`;
  }
  const text = await response.text();
  if (caller.isStranger === true && text.includes(projectId)) return 'sees the project';
  const answer = JSON.parse(text) as { code?: string; accessToken?: string };
  if (answer.accessToken !== undefined) logins.set(caller.name, answer.accessToken);
  if (response.status >= 500 || response.status === 429) return `${response.status} ${answer.code}`;
  return response.status >= 400 && isRefusal(answer.code ?? '') ? (answer.code ?? '') : 'passes';
}

/** After these nothing is as it was: they go last. */
const final = ['deleteProject', 'logout'];
const guarded = allRoutes
  .filter(({ auth }) => auth.length > 0 && !auth.includes('signature'))
  .sort((a, b) => final.indexOf(a.operationId) - final.indexOf(b.operationId));

describe.each(guarded.map((route) => [route.operationId, route] as const))('%s', (_, route) => {
  it('lets pass whom it declares, and nobody else', async () => {
    const expected = callers.map((caller) => [caller.name, caller.expected(route)] as const);
    const passing = callers.filter((caller) => caller.expected(route) === 'passes');
    const answers = new Map<string, string>();
    const ask = async (caller: Caller) => answers.set(caller.name, await outcome(route, caller));
    await Promise.all(callers.filter((caller) => !passing.includes(caller)).map(ask));
    for (const caller of passing) await ask(caller);
    expect(Object.fromEntries(answers)).toEqual(Object.fromEntries(expected));
    recordProgress('matrix', guarded.indexOf(route) + 1, guarded.length);
  });
});

it('asks nobody for a credential where the contract says so', () => {
  const open = allRoutes.filter(({ auth }) => auth.length === 0).map(({ operationId }) => operationId);
  expect(open.sort()).toEqual([
    'acceptUserInvitation',
    'appealStatement',
    'complainWithCode',
    'finishDeviceLogin',
    'getAvailableEvents',
    'getIdentityProvider',
    'greet',
    'login',
    'loginCredentials',
    'loginWithCode',
    'readReceipt',
    'readStandingNotices',
    'readStatement',
    'readUserInvitation',
    'redeemConsoleCode',
    'renewConsoleSession',
    'startDeviceLogin',
  ]);
});

afterAll(() =>
  recordProof({
    promise: 'matrix',
    count: guarded.length * callers.length,
    seed: null,
    worst: `0 of ${guarded.length} operations × ${callers.length} callers were answered otherwise than declared`,
  }),
);
