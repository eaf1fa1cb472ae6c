/** Every refusal that an operation names is met once; one that cannot happen has no place in the contract. */
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ErrorCode, errorCatalogue } from '../../../src/contract/error-catalogue.js';
import { ErrorBody } from '../../../src/contract/errors.js';
import type { Route } from '../../../src/contract/route.js';
import { allRoutes } from '../../../src/contract/routes.js';
import { bearer, type Elsewhere, type Scene, type SceneOf } from './case.js';
import { cases } from './cases.js';
import { madeUp, send } from './sending.js';
import { World } from './world.js';

const root = new URL('../../../', import.meta.url);
const unknown = '00000000-0000-7000-8000-000000000000';
let world: World;
beforeAll(async () => {
  world = await World.make();
});
afterAll(() => world.stop());

/** Scenes of refusals that every operation reaches in the same way. */
const alike: Partial<Record<ErrorCode, SceneOf>> = {
  player_token_invalid: () => ({ headers: bearer('x'.repeat(80)), query: { auth: 'access_token' } }),
  unknown_app: () => ({ params: { appId: unknown } }),
  // The tenant has several projects, and none is named.
  project_required: async () => {
    await world.bareProject();
    return { headers: { 'X-Project-Id': '' } };
  },
};
/** Nothing of the path is there. */
const nothingThere = ({ params }: Route): Scene => ({
  params: Object.fromEntries(
    Object.keys(params?.shape ?? {})
      .filter((name) => !['projectId', 'appId', 'memberType'].includes(name))
      .map((name) => [name, unknown]),
  ),
});

/** A request that works is made ready once: what is refused changes nothing. */
const ready = new Map<string, Promise<Scene>>();
function usualFor(operationId: string): Promise<Scene> {
  const made = ready.get(operationId) ?? Promise.resolve(cases[operationId]?.works?.(world) ?? {});
  ready.set(operationId, made);
  return made;
}

const isElsewhere = (way: SceneOf | Elsewhere): way is Elsewhere => 'file' in way;

async function meets(route: Route, refusal: SceneOf): Promise<string> {
  world.pass(1);
  const usual = await usualFor(route.operationId);
  const scene = await refusal(world);
  const merged: Scene = {
    ...usual,
    ...scene,
    params: { ...usual.params, ...scene.params },
    query: { ...usual.query, ...scene.query },
    headers: { ...usual.headers, ...scene.headers },
  };
  const response = await send(route, world, merged, madeUp(route));
  if (response.status < 400) {
    await response.body?.cancel();
    return `${response.status}`;
  }
  const { code, statusCode } = ErrorBody.parse(await response.json());
  expect(statusCode).toBe(errorCatalogue[code as ErrorCode].status);
  return code;
}

const named = allRoutes.flatMap((route) =>
  [...new Set(route.errors)].map((code) => [route.operationId, code, route] as const),
);

describe('a refusal that the contract names', () => {
  it.each(named)('%s meets %s', async (operationId, code, route) => {
    const way = cases[operationId]?.refuses?.[code] ?? alike[code] ?? (() => nothingThere(route));
    if (isElsewhere(way)) expect(readFileSync(new URL(way.file, root), 'utf8')).toContain(way.says);
    else expect(await meets(route, way)).toBe(code);
  });
});

describe('the table of cases', () => {
  it('names operations and refusals of the contract alone', () => {
    const known = new Map(allRoutes.map(({ operationId, errors }) => [operationId, new Set<string>(errors)]));
    const stale = Object.entries(cases).flatMap(([operationId, { refuses = {} }]) =>
      known.has(operationId)
        ? Object.keys(refuses)
            .filter((code) => known.get(operationId)?.has(code) !== true)
            .map((code) => `${operationId} ${code}`)
        : [operationId],
    );
    expect(stale).toEqual([]);
  });
});
