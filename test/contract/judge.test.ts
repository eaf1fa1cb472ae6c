/** Faults of a value are described in plain words, never in those of the library that checks it. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { judge, problemLines } from '../../src/contract/judge.js';
import { allRoutes } from '../../src/contract/routes.js';
import { close } from '../support/arbitrary.js';
import { scale } from '../support/scale.js';

const said = (schema: z.ZodType, value: unknown): string[] => {
  const judged = judge(schema, value);
  return judged.success ? [] : problemLines(judged.problems, 'it');
};

describe('a value is refused', () => {
  const named = z.object({ name: z.string() });
  it.each<[string, z.ZodType, unknown, string]>([
    ['that is missing', named, {}, 'name: is required'],
    ['that is null', named, { name: null }, 'name: must be text'],
    ['of another kind', z.object({ goal: z.int() }), { goal: 'x' }, 'goal: must be a number'],
    ['with a fraction', z.int(), 1.5, 'it: must be a whole number'],
    ['that is no number', z.coerce.number(), 'x', 'it: must be a number'],
    ['that is no list', z.array(z.string()), {}, 'it: must be a list'],
    ['that is no object', named, [], 'it: must be an object'],
    ['that is neither yes nor no', z.boolean(), 'yes', 'it: must be true or false'],
    ['that is empty', z.string().min(1), '', 'it: must not be empty'],
    ['that is too short', z.string().min(10), 'short', 'it: must have at least 10 characters'],
    ['that is too long', z.string().max(3), 'long', 'it: must have at most 3 characters'],
    ['of another length', z.string().length(4), 'x', 'it: must have exactly 4 characters'],
    ['with too many items', z.array(z.string()).max(1), ['a', 'b'], 'it: must have at most 1 item'],
    ['that is too small', z.number().min(2), 1, 'it: must be at least 2'],
    ['that is not above', z.number().positive(), 0, 'it: must be greater than 0'],
    ['that is too big', z.number().max(2), 3, 'it: must be at most 2'],
    ['that is no choice', z.enum(['a', 'b']), 'c', 'it: must be one of a, b'],
    ['that is not the only one', z.literal('a'), 'b', 'it: must be a'],
    ['that is no mail address', z.email(), 'x', 'it: must be an e-mail address, such as ann@example.com'],
    ['that is no time', z.iso.datetime(), 'x', 'it: must be a time such as 2026-01-31T18:00:00Z'],
    ['that is no address', z.url(), 'x', 'it: must be an address, such as https://example.com'],
    [
      'that is an address of another scheme',
      z.url({ protocol: /^(https?|wss?)$/ }),
      'file:///etc/passwd',
      'it: must be an address that begins with https: or http: or wss: or ws:',
    ],
    ['that is no choice of kinds', z.union([z.string(), named]), 5, 'it: must be text or an object'],
    [
      'that is no choice of kinds with words of their own',
      z.union([z.enum(['all']), z.uuid(), z.iso.datetime()], { error: 'write all, an id or a time' }),
      'x',
      'it: write all, an id or a time',
    ],
    ['deep in a choice', z.union([z.string(), named]), { name: 5 }, 'name: must be text'],
    ['with a field too many', z.strictObject({}), { a: 1 }, 'a: there is no such field.'],
    [
      'under a name that is none',
      z.record(z.string().regex(/^a$/, 'write a'), z.string()),
      { b: 'x' },
      'b: is not a valid name here: write a',
    ],
    ['with words of its own', z.string().regex(/^a$/, 'write a'), 'b', 'it: write a'],
    [
      'of a kind that there is not',
      z.discriminatedUnion('kind', [z.object({ kind: z.literal('a') }), z.object({ kind: z.literal('b') })]),
      { kind: 'c' },
      'kind: must be one of a, b',
    ],
  ])('%s', (_, schema, value, message) => expect(said(schema, value)).toEqual([message]));
});

const ownWords = /invalid|expected|received|too (small|big)|unrecogni[sz]ed|[<>]=|\bZod|\bstring\b/i;

describe('whatever is sent', () => {
  const schemas = allRoutes.flatMap(({ operationId, body, query }) =>
    [body, query].flatMap((type) => (type === undefined ? [] : [[operationId, type] as const])),
  );
  it.each(schemas)('%s answers in plain words', (_, schema) => {
    fc.assert(
      fc.property(close(schema), (value) => {
        for (const line of said(schema, value)) expect(line.slice(line.indexOf(': '))).not.toMatch(ownWords);
      }),
      { numRuns: scale(40, 1_000), seed: 20_260_101 },
    );
  });
});
