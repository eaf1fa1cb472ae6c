/**
 * Made-up requests for every operation, half of them valid by construction: nearly all of those succeed, and whatever
 * comes, the answer is one that the contract documents.
 */
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { openApiDocument } from '../../../src/contract/openapi.js';
import type { Route } from '../../../src/contract/route.js';
import { allRoutes } from '../../../src/contract/routes.js';
import { close, valid } from '../../support/arbitrary.js';
import { recordProgress, recordProof } from '../../support/reliability.js';
import { published, scale, seedOr } from '../../support/scale.js';
import { documentedRefusal } from './answers.js';
import { cases } from './cases.js';
import { type Request, send } from './sending.js';
import { World } from './world.js';

const seed = seedOr(20_260_101);
/** Valid requests to an operation, each in a scene of its own, and others. */
const each = published(1, 50);
const others = published(1, 950);
const patienceMs = scale(60_000, 600_000);
/** Share of valid requests that must succeed, in every group. */
const shareMin = 0.95;

let world: World;
/** Project in which any request may take effect. */
let scrapId: string;
beforeAll(async () => {
  world = await World.make();
  scrapId = await world.project();
});
afterAll(() => world.stop());

const segment = fc.oneof(fc.uuid(), fc.string({ unit: 'grapheme', minLength: 1, maxLength: 30 }));
const nothing = fc.constant(undefined);
const object = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {};

/** Without a cursor, which nobody makes up: it is taken from an answer. */
const validFor = ({ query, body }: Route): fc.Arbitrary<Request> =>
  fc.record({
    query: (query === undefined ? nothing : valid(query)).map(object).map(({ after: _, ...others }) => others),
    body: body === undefined ? nothing : valid(body),
  });
const closeTo = ({ params, query, body }: Route): fc.Arbitrary<Request> =>
  fc.record({
    params: fc.record(Object.fromEntries(Object.keys(params?.shape ?? {}).map((name) => [name, segment]))),
    query: (query === undefined ? nothing : close(query)).map(object),
    body: body === undefined ? nothing : close(body),
  });

/** Outcomes of the valid requests, by group. */
const tally = new Map<string, { sent: number; readonly refused: string[] }>();

const Documented = z.object({
  paths: z.record(z.string(), z.record(z.string(), z.object({ requestBody: z.json().optional() }))),
  components: z.object({ schemas: z.record(z.string(), z.object({ examples: z.array(z.json()) })) }),
});
const documented = Documented.parse(openApiDocument(allRoutes, '1.2.3', 'http://127.0.0.1:8080'));
/** The example that the OpenAPI document shows of the body; undefined: the body has no name. */
function exampleFor({ path, method }: Route): unknown {
  const body = JSON.stringify(documented.paths[path]?.[method]?.requestBody ?? null);
  const [, name = ''] = /"schema":\{"\$ref":"#\/components\/schemas\/(\w+)"/.exec(body) ?? [];
  return documented.components.schemas[name]?.examples[0];
}

describe.each(allRoutes.map((route) => [route.operationId, route] as const))('%s', (operationId, route) => {
  const { works = () => ({}) } = cases[operationId] ?? {};

  it(
    'takes what is valid',
    async () => {
      const counted = tally.get(route.group) ?? { sent: 0, refused: [] };
      tally.set(route.group, counted);
      for (const request of fc.sample(validFor(route), { numRuns: each, seed })) {
        world.pass(1);
        const scene = await works(world);
        const refusal = await documentedRefusal(route, await send(route, world, scene, request));
        counted.sent += 1;
        if (refusal !== null) counted.refused.push(`${operationId} ${JSON.stringify(request)}: ${refusal}`);
      }
    },
    patienceMs,
  );

  const example = exampleFor(route);
  if (example !== undefined)
    it(
      'takes the example of its body',
      async () => {
        world.pass(1);
        const scene = await works(world);
        expect(await documentedRefusal(route, await send(route, world, scene, { body: example }))).toBeNull();
      },
      patienceMs,
    );

  it(
    'answers what the contract documents, whatever is asked',
    async () => {
      const here = { params: { projectId: scrapId, appId: world.projectId } };
      await fc.assert(
        fc.asyncProperty(closeTo(route), async (request) => {
          await documentedRefusal(
            route,
            await send(route, world, { ...here, ...(await survivor(operationId)) }, request),
          );
        }),
        { numRuns: others, seed, endOnFailure: true },
      );
      recordProgress('requests', allRoutes.indexOf(route) + 1, allRoutes.length);
    },
    patienceMs,
  );
});

/** These end the login that they are made with, so each gets one of its own. */
const endsLogin = new Set(['logout', 'refreshToken']);
const survivor = async (operationId: string) => (endsLogin.has(operationId) ? cases[operationId]?.works?.(world) : {});

describe('of the valid requests', () => {
  it.each([...new Set(allRoutes.map(({ group }) => group))])('to %s nearly all succeed', (group) => {
    const { sent, refused } = tally.get(group) ?? { sent: 0, refused: [] };
    const share = sent === 0 ? 1 : 1 - refused.length / sent;
    expect(share, refused.join('\n')).toBeGreaterThanOrEqual(shareMin);
  });
});

afterAll(() => {
  const all = [...tally.values()];
  const [sent, refused] = [all.reduce((sum, one) => sum + one.sent, 0), all.flatMap((one) => one.refused).length];
  recordProof({
    promise: 'requests',
    count: allRoutes.length * (each + others),
    seed,
    worst: `0 answers that are not documented; ${refused} of ${sent.toLocaleString('en')} requests that are valid by their schema were refused`,
  });
});
