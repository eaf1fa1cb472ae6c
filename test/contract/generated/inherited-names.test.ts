/**
 * Names that every object inherits are ordinary text: sent in any field that takes them, they get an answer that the
 * contract documents, with all of its fields.
 */
import { afterAll, beforeAll, describe, it } from 'vitest';
import type { z } from 'zod';
import type { Route } from '../../../src/contract/route.js';
import { allRoutes } from '../../../src/contract/routes.js';
import { torture } from '../../support/scale.js';
import { documentedRefusal } from './answers.js';
import type { Made, Scene, SceneOf } from './case.js';
import { cases } from './cases.js';
import { madeUp, send } from './sending.js';
import { World } from './world.js';

/** A function, and the one with a setter; at full scale another function. */
const inherited = ['constructor', '__proto__', ...(torture ? ['toString'] : [])];

let world: World;
beforeAll(async () => {
  world = await World.make();
});
afterAll(() => world.stop());

const isObject = (value: unknown): value is Made =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The fields that take the word, those that take it as their value, in a list and as a name; each field with that value. */
const fieldsThatTake = (word: string, shape: Readonly<Record<string, unknown>>): Made[][] =>
  [word, [word], Object.fromEntries([[word, word]])].map((value) =>
    Object.entries(shape)
      .filter(([, type]) => (type as z.ZodType).safeParse(value).success)
      .map(([name]) => ({ [name]: value })),
  );

const shapeOf = (type: z.ZodType | undefined): Readonly<Record<string, unknown>> =>
  type !== undefined && 'shape' in type && isObject(type.shape) ? type.shape : {};

const takesText = ({ query, body }: Route): boolean =>
  inherited.some((word) => [query, body].some((type) => fieldsThatTake(word, shapeOf(type)).flat().length > 0));

/** What takes all of the fields at once takes each. `ask` returns the text of a refusal, or null. */
async function askFor(groups: Made[][], ask: (fields: Made) => Promise<string | null>): Promise<void> {
  for (const fields of groups) {
    const all = fields.length > 1 ? await ask(Object.assign({}, ...fields)) : 'one by one';
    if (all !== null) for (const field of fields) await ask(field);
  }
}

describe.each(allRoutes.filter(takesText).map((route) => [route.operationId, route] as const))(
  '%s',
  (operationId, route) => {
    it.each(inherited)('takes %s for a word like any other', async (word) => {
      const works: SceneOf = cases[operationId]?.works ?? (() => ({}));
      let scene: Scene | null = null;
      await askFor(fieldsThatTake(word, shapeOf(route.query)), async (query) => {
        scene ??= await works(world);
        const refusal = await documentedRefusal(route, await send(route, world, scene, { ...madeUp(route), query }));
        if (route.method !== 'get') scene = null;
        return refusal;
      });
      await askFor(fieldsThatTake(word, shapeOf(route.body)), async (field) => {
        world.pass(1);
        scene ??= await works(world);
        const { body: usual = (made: Made): unknown => made } = scene;
        const body = (made: Made) => Object.assign({}, usual(made), field);
        const refusal = await documentedRefusal(route, await send(route, world, { ...scene, body }, madeUp(route)));
        if (refusal === null) scene = null; // a refusal has changed nothing, so the next request finds the same
        return refusal;
      });
    });
  },
);
