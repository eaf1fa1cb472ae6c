/** A description that several operations share names the resource of each, not that of the one it was written for. */
import { expect, it } from 'vitest';
import type { z } from 'zod';
import { allRoutes } from '../../src/contract/routes.js';

/** Last fixed words of paths: what there is a list of. */
const resources = new Set(
  allRoutes.flatMap(({ path }) => path.split('/').filter((part) => part !== '' && !part.startsWith('{'))),
);
/** Operations whose resource has another name in sentences: participants are people, and a statement is of a sanction. */
const otherNames: Readonly<Record<string, string>> = { people: 'participants', sanctions: 'statements' };
const stem = (word: string): string => word.toLowerCase().replace(/e?s$/, '').replaceAll('-', '');

const described = (schema: z.ZodObject | undefined): [string, string][] =>
  Object.entries(schema?.shape ?? {}).map(([name, type]) => [name, (type as z.ZodType).description ?? '']);

it.each(
  allRoutes.flatMap(({ operationId, path, ...route }) =>
    described('query' in route ? (route.query as z.ZodObject | undefined) : undefined).flatMap(([name, says]) => {
      const [, noun] = /^Only ([a-z]+)\b/.exec(says) ?? [];
      return noun === undefined || !resources.has(noun) ? [] : [{ operationId, path, name, says, noun }];
    }),
  ),
)('$operationId: $name says "$says"', ({ operationId, path, noun }) => {
  const names = [noun, otherNames[noun] ?? noun].map(stem);
  const named = `${operationId}${path}`.toLowerCase().replaceAll('-', '');
  expect(names.some((name) => named.includes(name))).toBe(true);
});
