import { Validator } from '@seriousme/openapi-schema-validator';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { asVersion30 } from '../../daemon/platform/http/openapi-30.js';
import { eventData } from '../../src/contract/events.js';
import { openApiDocument } from '../../src/contract/openapi.js';
import { defineRoute, type Route } from '../../src/contract/route.js';
import { allRoutes } from '../../src/contract/routes.js';

const address = 'https://voice.studio.example';
const document = openApiDocument(allRoutes, '1.2.3', address);
const text = JSON.stringify(document);

const Operation = z.object({
  operationId: z.string(),
  tags: z.array(z.string()),
  security: z.array(z.record(z.string(), z.array(z.string()))),
  responses: z.record(z.string(), z.object({ content: z.record(z.string(), z.json()).optional() })),
});
const Document = z.object({
  servers: z.array(z.object({ url: z.string() })),
  info: z.object({ license: z.object({ identifier: z.string() }) }),
  tags: z.array(z.object({ name: z.string(), description: z.string().min(10) })),
  paths: z.record(z.string(), z.record(z.string(), Operation)),
  webhooks: z.record(z.string(), z.json()),
  components: z.object({
    securitySchemes: z.record(z.string(), z.json()),
    schemas: z.record(z.string(), z.looseObject({ examples: z.array(z.json()).length(1) })),
    parameters: z.record(z.string(), z.json()),
    headers: z.record(z.string(), z.json()),
  }),
});
const { servers, info, tags, paths, webhooks, components } = Document.parse(document);
const operations = Object.entries(paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ path, method, ...operation })),
);
const operationOf = (id: string) => operations.find(({ operationId }) => operationId === id);

describe('the OpenAPI document', () => {
  it('is valid by the OpenAPI 3.1 schema', async () => {
    expect(await new Validator().validate(JSON.parse(text))).toEqual({ valid: true });
  });

  it('holds everything that it refers to, and names no operation twice', () => {
    const referred = new Set(
      [...text.matchAll(/"(?:\$ref|room\.\w+)":"#\/components\/([^"]+)"/g)].map(([, to = '']) => to),
    );
    expect(referred.size).toBeGreaterThan(100);
    const held = Object.entries(components).flatMap(([kind, all]) => Object.keys(all).map((name) => `${kind}/${name}`));
    expect([...referred].filter((target) => !held.includes(target))).toEqual([]);
    const ids = operations.map(({ operationId }) => operationId);
    expect(ids).toEqual(expect.arrayContaining(allRoutes.map(({ operationId }) => operationId)));
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('says where the daemon is, under which licence, and what each group is', () => {
    expect(servers).toEqual([{ url: address }]);
    expect(info.license.identifier).toBe('Apache-2.0');
    const described = new Set(tags.map(({ name }) => name));
    expect(operations.flatMap((operation) => operation.tags.filter((tag) => !described.has(tag)))).toEqual([]);
  });

  it('asks for credentials that it defines', () => {
    const asked = operations.flatMap(({ security }) => security.flatMap((one) => Object.keys(one)));
    expect([...new Set(asked)].sort()).toEqual(Object.keys(components.securitySchemes).sort());
  });

  it.each([
    ['publishSound', '201', 'application/sdp'],
    ['subscribeSound', '201', 'application/sdp'],
    ['streamRoomEvents', '200', 'text/event-stream'],
    ['streamEvents', '200', 'text/event-stream'],
    ['getDebugAudio', '200', 'audio/wav'],
    ['getMetrics', '200', 'text/plain'],
    ['openRoomPage', '200', 'text/html'],
    ['getReadiness', '503', 'application/json'],
  ])('%s answers %s as %s', (id, status, type) => {
    expect(Object.keys(operationOf(id)?.responses[status]?.content ?? {})).toEqual([type]);
  });

  it('tells what webhooks send, but for news of their own deliveries', () => {
    const sent = Object.keys(eventData).filter((type) => !/^webhook\.(delivery|test)/.test(type));
    expect(Object.keys(webhooks).sort()).toEqual(sent.sort());
  });

  it('has no recursive schema without a name, which generators cannot write down', () => {
    expect(text).not.toContain('__schema');
    const Tree: z.ZodType = z.lazy(() => z.object({ children: z.array(Tree) }));
    expect(() => openApiDocument([{ ...echo(Tree), body: Tree }], '1', address)).toThrow('needs a name');
  });

  it('gives no bounds or patterns that say what the type says', () => {
    expect(text).not.toContain(String(Number.MAX_SAFE_INTEGER));
    expect(text).not.toMatch(/"format":"(date-time|email|uuid)","pattern"/);
    expect(text).not.toMatch(/"anyOf":\[\{"type":"\w+"\},\{"type":"null"\}\]/);
  });
});

/** Every schema of the document, with its place in it. */
function* schemasIn(value: unknown, place = ''): Generator<[string, Record<string, unknown>]> {
  if (Array.isArray(value)) for (const [index, one] of value.entries()) yield* schemasIn(one, `${place}/${index}`);
  else if (typeof value === 'object' && value !== null) {
    if (!/\/properties$/.test(place)) yield [place, value as Record<string, unknown>];
    for (const [key, one] of Object.entries(value))
      if (!['examples', 'example', 'default'].includes(key)) yield* schemasIn(one, `${place}/${key}`);
  }
}
const schemas = [...schemasIn(JSON.parse(text))];

describe('what generators need', () => {
  it('gives every number its width', () => {
    const numbers = schemas.filter(([, { type }]) =>
      [type].flat().some((one) => one === 'integer' || one === 'number'),
    );
    expect(numbers.length).toBeGreaterThan(400);
    expect(numbers.filter(([, { format }]) => !['int32', 'int64', 'double'].includes(String(format)))).toEqual([]);
    const narrow = numbers.filter(([, { format }]) => format === 'int32');
    const wide = narrow.filter(([, { maximum, enum: values, const: value }]) => (maximum ?? values ?? value) == null);
    expect(wide.map(([place]) => place)).toEqual(['/components/headers/RetryAfter/schema']);
    expect(components.schemas).toMatchObject({ LeaderboardEntry: { properties: { score: { format: 'int64' } } } });
  });

  it('describes every schema, field and parameter', () => {
    const fields = schemas.flatMap(([place, { properties }]) =>
      Object.entries((properties ?? {}) as Record<string, object>).map(([name, field]) => [`${place}/${name}`, field]),
    );
    const bare = fields.filter(([, field]) => !('description' in (field as object) || '$ref' in (field as object)));
    expect(bare.map(([place]) => place)).toEqual([]);
    expect(Object.entries(components.schemas).filter(([, { description }]) => !description)).toEqual([]);
    const given = schemas.filter(([, one]) => typeof one.in === 'string' && typeof one.name === 'string' && !one.type);
    expect(given.filter(([, { description }]) => typeof description !== 'string').map(([place]) => place)).toEqual([]);
  });

  it('has no choice that an enumeration of Kotlin or Java has by itself', () => {
    const choices = [...schemasIn(document)].flatMap(([path, { enum: values }]) =>
      Array.isArray(values) ? values.map((value) => `${path}: ${value}`) : [],
    );
    expect(choices.length).toBeGreaterThan(100);
    expect(choices.filter((choice) => /: (name|ordinal|values|valueOf)$/.test(choice))).toEqual([]);
  });

  it('joins null to references, enumerations and choices by oneOf, with null first', () => {
    const choices = schemas.flatMap(([place, { anyOf, oneOf }]) =>
      [anyOf, oneOf].filter(Array.isArray).map((members) => ({ place, members, isOne: members === oneOf })),
    );
    const isNull = (member: unknown) => JSON.stringify(member) === '{"type":"null"}';
    const nullable = choices.filter(({ members }) => members.some(isNull));
    expect(nullable.length).toBeGreaterThan(80);
    expect(nullable.filter(({ members, isOne }) => !isOne || !isNull(members[0]) || members.length !== 2)).toEqual([]);
  });

  it('names each field, header and parameter once, whatever becomes of underscores and case', () => {
    const folded = (name: string) => name.replaceAll(/[_-]/g, '').toLowerCase();
    const twice = (names: readonly string[]) => new Set(names.map(folded)).size !== names.length;
    expect(
      schemas.filter(([, { properties }]) => twice(Object.keys(properties ?? {}))).map(([place]) => place),
    ).toEqual([]);
    const Named = z.object({
      parameters: z.array(z.object({ name: z.string().optional(), in: z.string().optional() })),
    });
    const given = schemas.flatMap(([place, one]) => {
      const { success, data } = Named.safeParse(one);
      const names = data?.parameters.flatMap(({ name }) => name ?? []) ?? [];
      return success && twice(names) ? [place] : [];
    });
    expect(given).toEqual([]);
    expect(text).not.toMatch(/"(meta_data|statusCode)":[^}]*"(metadata|status_code)":/);
  });

  it('has one form of errors for each part of the API', () => {
    const formOf = (path: string, method: string) =>
      JSON.stringify(paths[path]?.[method]?.responses['401']).match(/schemas\/(\w+)/)?.[1];
    expect(formOf('/api/projects', 'get')).toBe('ErrorBody');
    expect(formOf('/api/v1/events', 'post')).toBe('GameplayErrorBody');
    expect(components.schemas.ErrorBody).not.toHaveProperty('properties.status_code');
    expect(components.schemas.GameplayErrorBody).not.toHaveProperty('properties.statusCode');
  });
});

describe('the copy in OpenAPI 3.0.3', () => {
  const older = JSON.parse(JSON.stringify(asVersion30(JSON.parse(text)))) as typeof document & { openapi: string };

  it('is valid by the OpenAPI 3.0 schema, and has the same operations', async () => {
    expect(older.openapi).toBe('3.0.3');
    expect(await new Validator().validate(structuredClone(older))).toEqual({ valid: true });
    expect(Object.keys(older.paths as object)).toEqual(Object.keys(paths));
  });

  it('has nothing that 3.0 does not know', () => {
    const all = [...schemasIn(older)];
    const unknown = all.filter(
      ([, one]) => Array.isArray(one.type) || one.type === 'null' || 'const' in one || 'examples' in one,
    );
    expect(unknown.map(([place]) => place)).toEqual([]);
    expect(older).toMatchObject({
      components: { schemas: { SanctionResponse: { properties: { scope: { nullable: true, allOf: [{}] } } } } },
    });
  });

  it('requires no enumeration that may be null', () => {
    expect(older).toMatchObject({
      components: {
        schemas: {
          EventBatchResult: {
            properties: { late: { nullable: true } },
            required: ['status', 'message', 'code', 'details'],
          },
          Case: { required: expect.not.arrayContaining(['decision']) },
        },
      },
    });
  });

  it('has bounds for choices of numbers, and no choice of booleans', () => {
    const choices = [...schemasIn(older)].filter(([, one]) => 'enum' in one && one.type !== 'string');
    expect(choices.map(([place]) => place)).toEqual([]);
    expect(older).toMatchObject({
      components: {
        schemas: {
          EventAcknowledgement: { properties: { status: { type: 'integer', minimum: 200, maximum: 200 } } },
          Challenge: { properties: { goalCondition: { type: 'integer', minimum: 0, maximum: 1 } } },
          Deleted: { properties: { deleted: { type: 'boolean' } } },
        },
      },
      info: { license: { name: 'Apache-2.0', url: 'https://spdx.org/licenses/Apache-2.0.html' } },
    });
  });
});

/** The generated clients judge their form by their schemas; examples of requests are sent to a daemon. */
describe('the examples', () => {
  it('have the form of their schemas', () => {
    const ajv = formats.default(new Ajv2020({ strict: false, allErrors: true, logger: false }));
    ajv.addSchema({ $id: 'earshot', ...document });
    const wrong = Object.entries(components.schemas).flatMap(([name, { examples }]) => {
      const judge = ajv.getSchema(`earshot#/components/schemas/${name}`);
      return examples.flatMap((example) =>
        judge?.(example) === true ? [] : [`${name}: ${ajv.errorsText(judge?.errors)}`],
      );
    });
    expect(wrong).toEqual([]);
  });

  it('name times of today, not of another millennium', () => {
    const examples = Object.values(components.schemas).flatMap((schema) => schema.examples);
    const years = [...JSON.stringify(examples).matchAll(/"(\d{4,6})-\d\d-\d\dT/g)].map(([, year]) => Number(year));
    expect(years.length).toBeGreaterThan(50);
    expect(years.filter((year) => year < 2020 || year > 2035)).toEqual([]);
  });
});

describe('the form of a request', () => {
  it('is told from that of an answer where a default makes them differ', () => {
    const Inner = z.object({ count: z.int().default(1) }).meta({ id: 'Inner' });
    const Outer = z.object({ inner: Inner }).meta({ id: 'Outer' });
    const Same = z.object({ name: z.string() }).meta({ id: 'Same' });
    const { schemas } = Document.parse(
      openApiDocument([echo(z.object({ outer: Outer, same: Same }))], '1.2.3', address),
    ).components;
    expect(schemas).toMatchObject({
      Inner: { required: ['count'] },
      OuterInput: { properties: { inner: { $ref: '#/components/schemas/InnerInput' } } },
      Outer: { properties: { inner: { $ref: '#/components/schemas/Inner' } } },
    });
    expect(schemas.InnerInput).not.toHaveProperty('required');
    expect(schemas).not.toHaveProperty('SameInput');
  });
});

function echo(body: z.ZodType): Route {
  return defineRoute({
    operationId: 'echo',
    summary: 'Say it again.',
    group: 'Rooms',
    method: 'post',
    path: '/api/echo',
    auth: [],
    body,
    success: { status: 200, body },
    errors: [],
  });
}
