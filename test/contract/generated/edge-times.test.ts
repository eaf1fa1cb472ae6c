/** Every operation refuses times outside of the years that databases hold, and answers those at their edges without a fault. */
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { z } from 'zod';
import { allRoutes } from '../../../src/contract/routes.js';
import { valid } from '../../support/arbitrary.js';
import { hasPostgresql, type PostgresqlServer, startPostgresql } from '../../support/postgresql.js';
import { cases } from './cases.js';
import { send } from './sending.js';
import { World } from './world.js';

const edges = [
  '0000-01-01T00:00:00Z',
  '0001-01-01T00:00:00+01:00',
  '9999-12-31T23:59:59-01:00',
  '+010000-01-01T00:00:00Z',
];
/** What databases hold, with what daemons may add to it or take from it. */
const storable = ['0001-01-01T00:00:00Z', '0001-01-31T00:00:00Z', '9999-12-01T00:00:00Z', '9999-12-31T23:59:59Z'];
const sampling = { numRuns: 300, seed: 20_260_101 };
/** Fewer would mean that times are not found any more. */
const operationsMin = 25;

let world: World;
let server: PostgresqlServer | null = null;
beforeAll(async () => {
  // PostgreSQL refuses what SQLite stores.
  server = hasPostgresql ? await startPostgresql() : null;
  world = await World.make(server?.url);
}, 60_000);
afterAll(async () => {
  await world.stop();
  await server?.stop();
});

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

  /** Sends the operation each of the times wherever it takes one; returns what was sent, and the status. */
  const statuses = async (id: string, one: (typeof timed)[number], times: readonly string[]): Promise<string[]> => {
    const { body: _, query: __, raw: ___, ...scene } = (await cases[id]?.works?.(world)) ?? {};
    const met: string[] = [];
    for (const time of times) {
      for (const [name, { value, way }] of one.query) {
        const query = { [name]: Reflect.get(Object(withTime(value, way, time)), name) };
        met.push(`${name}=${time}: ${(await send(one.route, world, scene, { query })).status}`);
      }
      for (const [name, { value, way }] of one.body)
        met.push(
          `${name}: ${time}: ${(await send(one.route, world, scene, { body: withTime(value, way, time) })).status}`,
        );
    }
    return met;
  };
  const operations = timed.map((one) => [one.route.operationId, one] as const);

  it.each(operations)('are refused by %s, beyond them', async (id, one) => {
    expect((await statuses(id, one, edges)).filter((text) => !text.endsWith(': 400'))).toEqual([]);
  });

  it.each(operations)('are no fault of %s, within them', async (id, one) => {
    expect((await statuses(id, one, storable)).filter((text) => / 5\d\d$/.test(text))).toEqual([]);
  });
});
