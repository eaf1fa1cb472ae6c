/** A scene and a made-up request → what goes over the wire, with the credential that opens the operation. */
import fc from 'fast-check';
import { EarshotClient } from '../../../src/client/earshot-client.js';
import { playerRoutes } from '../../../src/contract/gameplay/players.js';
import { accountRoutes } from '../../../src/contract/identity/accounts.js';
import { apiKeyRoutes } from '../../../src/contract/identity/api-keys.js';
import type { Route } from '../../../src/contract/route.js';
import { scopeNames } from '../../../src/contract/scopes.js';
import { valid } from '../../support/arbitrary.js';
import { administrator } from '../../support/daemon.js';
import { apiKey, bearer, type Headers, type Made, type Scene } from './case.js';
import { newAddress, type World } from './world.js';

export interface Request {
  readonly params?: Made;
  readonly query?: Made;
  readonly body?: unknown;
}

const players = new WeakMap<World, Promise<string>>();
const playerOf = (world: World): Promise<string> => {
  const known = players.get(world);
  if (known !== undefined) return known;
  const params = { projectId: world.projectId, userId: 'player' };
  const made = world.client.call(playerRoutes.createToken, { params }).then(({ token }) => token);
  players.set(world, made);
  return made;
};

const ownCredential = ['Authorization', 'X-API-Key'];

/** A key rather than a login, which nothing made up can end. */
async function credentialOf({ auth }: Route, world: World, { player, headers }: Scene): Promise<Headers> {
  if (ownCredential.some((name) => headers?.[name] !== undefined)) return {};
  if (auth.includes('apiKey')) return apiKey(world.daemon.apiKey);
  if (auth.includes('playerToken')) return bearer(player ?? (await playerOf(world)));
  const { credential } = world.admin;
  return auth.includes('bearer') && credential?.kind === 'bearer' ? bearer(credential.token) : {};
}

/** Headers of a credential that the caller of `send` may have next: another API key, a token after it was renewed, another login. */
export async function nextCredential(
  { auth }: Route,
  { daemon, admin, projectId }: World,
  scene: Scene,
): Promise<Headers> {
  if (ownCredential.some((name) => scene.headers?.[name] !== undefined) || scene.player !== undefined) return {};
  if (auth.includes('apiKey')) {
    const body = { name: 'next', scopes: [...scopeNames] };
    return apiKey((await admin.call(apiKeyRoutes.create, { body })).key);
  }
  if (auth.includes('playerToken')) {
    const params = { projectId, userId: 'player' };
    return bearer((await daemon.client.call(playerRoutes.createToken, { params })).token);
  }
  if (!auth.includes('bearer')) return {};
  const anonymous = new EarshotClient({ baseUrl: daemon.url });
  return bearer((await anonymous.call(accountRoutes.loginCredentials, { body: administrator })).accessToken);
}

const isObject = (value: unknown): value is Made =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const seed = 20_260_101;
const requests = new WeakMap<Route, Request>();
/** One request of the operation's form, always the same. */
export function madeUp(route: Route): Request {
  const { body } = route;
  const request = requests.get(route) ?? {
    body: body === undefined ? undefined : fc.sample(valid(body), { numRuns: 1, seed })[0],
  };
  requests.set(route, request);
  return request;
}

export async function send(route: Route, world: World, scene: Scene, request: Request): Promise<Response> {
  const { projectId } = world;
  const place: Made = { projectId, appId: projectId, ...request.params, ...scene.params };
  const path = route.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(place[name] ?? 'x')));
  const url = new URL((scene.url ?? world.daemon.url) + path);
  for (const [name, value] of Object.entries({ ...request.query, ...scene.query }))
    if (value !== undefined) url.searchParams.set(name, String(value));
  const made = scene.body === undefined ? request.body : scene.body(isObject(request.body) ? request.body : {});
  const body = scene.raw ?? (made === undefined || route.method === 'get' ? null : JSON.stringify(made));
  return fetch(url, {
    method: route.method.toUpperCase(),
    headers: {
      'Content-Type': 'application/json',
      ...newAddress(),
      ...(route.projectIn === 'gameplay' ? { 'X-Project-Id': projectId } : {}),
      ...(await credentialOf(route, world, scene)),
      ...scene.headers,
      ...scene.signed?.(body ?? ''),
    },
    body,
  });
}
