/** Every operation refuses times outside of the years that databases hold, in its query and anywhere in its body. */
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { z } from 'zod';
import { allRoutes } from '../../../src/contract/routes.js';
import { valid } from '../../support/arbitrary.js';
import { cases } from './cases.js';
import { send } from './sending.js';
import { World } from './world.js';

const edges = [
  '0000-01-01T00:00:00Z',
  '0001-01-01T00:00:00+01:00',
  '9999-12-31T23:59:59-01:00',
  '+010000-01-01T00:00:00Z',
];
const sampling = { numRuns: 300, seed: 20_260_101 };
/** Fewer would mean that times are not found any more. */
const operationsMin = 25;

let world: World;
beforeAll(async () => {
  world = await World.make();
});
afterAll(() => world.stop());

type Way = readonly string[];
const isTime = (value: unknown): boolean => typeof value === 'string' && /^\d{4}-\d\d-\d\dT\d\d:\d\d/.test(value);

/** Ways to the times of a value. */
function timesIn(value: unknown, way: Way = []): Way[] {
  if (isTime(value)) return [way];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => timesIn(inner, [...way, name]));
}

/** One valid value with each time that the schema knows, and the way to it; elements of a list are alike. */
function samplesOf(type: z.ZodType | undefined): [string, { value: unknown; way: Way }][] {
  if (type === undefined) return [];
  const found = new Map<string, { value: unknown; way: Way }>();
  for (const value of fc.sample(valid(type), sampling))
    for (const way of timesIn(value)) {
      const name = way.map((step) => (/^\d+$/.test(step) ? '[]' : step)).join('.');
      if (!found.has(name)) found.set(name, { value, way });
    }
  return [...found];
}

function withTime(value: unknown, [name, ...rest]: Way, time: string): unknown {
  if (name === undefined) return time;
  const copy: Record<string, unknown> | unknown[] = Array.isArray(value) ? [...value] : { ...Object(value) };
  Reflect.set(copy, name, withTime(Reflect.get(copy, name), rest, time));
  return copy;
}

const timed = allRoutes
  .map((route) => ({ route, query: samplesOf(route.query), body: samplesOf(route.body) }))
  .filter(({ query, body }) => query.length + body.length > 0);

describe('times at the edges', { timeout: 120_000 }, () => {
  it('are in many operations', () => expect(timed.length).toBeGreaterThanOrEqual(operationsMin));

  it.each(timed.map((one) => [one.route.operationId, one] as const))('are refused by %s', async (id, one) => {
    const { body: _, query: __, raw: ___, ...scene } = (await cases[id]?.works?.(world)) ?? {};
    const met: string[] = [];
    for (const time of edges) {
      for (const [name, { value, way }] of one.query) {
        const query = { [name]: Reflect.get(Object(withTime(value, way, time)), name) };
        met.push(`${name}=${time}: ${(await send(one.route, world, scene, { query })).status}`);
      }
      for (const [name, { value, way }] of one.body)
        met.push(
          `${name}: ${time}: ${(await send(one.route, world, scene, { body: withTime(value, way, time) })).status}`,
        );
    }
    expect(met.filter((text) => !text.endsWith(': 400'))).toEqual([]);
  });
});
