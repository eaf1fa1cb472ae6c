/** Most serializers write an optional field that has no value as null: in POST and PUT it counts as left out. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { judgeBody } from '../../daemon/platform/http/bodies/judge-body.js';
import { judge } from '../../src/contract/judge.js';
import type { Route } from '../../src/contract/route.js';
import { allRoutes } from '../../src/contract/routes.js';
import { valid } from '../support/arbitrary.js';

const seed = 20_260_301;
const values = 20;
const told = (value: unknown) => Buffer.from(JSON.stringify(value));

const optionalNames = ({ body }: Route): string[] =>
  body instanceof z.ZodObject
    ? Object.keys(body.shape).filter((name) => judge(body.shape[name] as z.ZodType, undefined).success)
    : [];

const written = allRoutes.filter(({ method, body }) => ['post', 'put'].includes(method) && body !== undefined);

describe('null for an optional field counts as left out', () => {
  /** Operations whose made-up bodies do not follow rules over several fields. */
  const unmade: string[] = [];
  const withOptional = written.filter((route) => optionalNames(route).length > 0);
  it.each(withOptional.map((route) => [route.operationId, route] as const))('in %s', (_, route) => {
    const schema = route.body as z.ZodObject;
    const names = optionalNames(route);
    let [nulls, made] = [0, 0];
    for (const body of fc.sample(valid(schema), { numRuns: values, seed })) {
      const value = body as Record<string, unknown>;
      if (!judge(schema, value).success) continue; // a rule over several fields, which a JSON Schema cannot say
      made += 1;
      // Where null has a meaning of its own it keeps it.
      const missing = names.filter(
        (name) => !Object.hasOwn(value, name) && !judge(schema.shape[name] as z.ZodType, null).success,
      );
      const filled = { ...value, ...Object.fromEntries(missing.map((name) => [name, null])) };
      expect(judgeBody(route, told(filled))).toEqual(judgeBody(route, told(value)));
      nulls += missing.length;
    }
    const takeNoNull = names.filter((name) => !judge(schema.shape[name] as z.ZodType, null).success);
    if (made === 0) unmade.push(route.operationId);
    else expect(nulls > 0 || takeNoNull.length === 0).toBe(true);
  });

  it('in nearly all of them', () => expect(unmade).toEqual(['createRule', 'testRule']));
});

const named = z.object({
  name: z.string(),
  note: z.string().optional(),
  places: z.array(z.object({ room: z.string().optional() })).optional(),
  choice: z
    .discriminatedUnion('kind', [z.object({ kind: z.literal('a'), more: z.int().optional() })])
    .optional()
    .describe('A choice'),
});
const post = { operationId: 'test', method: 'post', group: 'Sanctions', body: named } as const;

describe('a null', () => {
  it('is left out at any depth', () => {
    const sent = { name: 'x', note: null, places: [{ room: null }], choice: { kind: 'a', more: null } };
    expect(judgeBody(post, told(sent)).value).toEqual({ name: 'x', places: [{}], choice: { kind: 'a' } });
  });

  it('is refused for a field that must be there, and among the items of a list', () => {
    const refusal = (value: unknown) => {
      try {
        return judgeBody(post, told(value));
      } catch (error) {
        return (error as { details: unknown }).details;
      }
    };
    expect(refusal({ name: null, note: null })).toEqual([{ path: 'body.name', message: 'must be text' }]);
    expect(refusal({ name: 'x', places: [null] })).toEqual([{ path: 'body.places.0', message: 'must be an object' }]);
  });

  it('is refused in PATCH where nothing can be removed', () => {
    expect(() => judgeBody({ ...post, method: 'patch' }, told({ name: 'x', note: null }))).toThrow();
  });
});

describe('a body', () => {
  it('may begin with a byte order mark', () => {
    expect(judgeBody(post, Buffer.from('\uFEFF{"name":"x"}')).value).toEqual({ name: 'x' });
  });
});
