import { Validator } from '@seriousme/openapi-schema-validator';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { openApiDocument } from '../../src/contract/openapi.js';
import { defineRoute } from '../../src/contract/route.js';
import { allRoutes } from '../../src/contract/routes.js';

const document = openApiDocument(allRoutes, '1.2.3');
const text = JSON.stringify(document);

describe('the OpenAPI document', () => {
  it('is valid by the OpenAPI 3.1 schema', async () => {
    expect(await new Validator().validate(JSON.parse(text))).toEqual({ valid: true });
  });

  it('holds everything that it refers to, and names no operation twice', () => {
    const { components } = z
      .object({ components: z.object({ schemas: z.record(z.string(), z.unknown()) }) })
      .parse(document);
    const referred = new Set([...text.matchAll(/"\$ref":"([^"]+)"/g)].map(([, target = '']) => target));
    expect(referred.size).toBeGreaterThan(20);
    for (const target of referred) {
      expect(target).toMatch(/^#\/components\/schemas\//);
      expect(Object.keys(components.schemas)).toContain(target.slice('#/components/schemas/'.length));
    }
    const ids = [...text.matchAll(/"operationId":"([^"]+)"/g)].map(([, id]) => id);
    expect(ids).toHaveLength(allRoutes.length);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('tells the form of a request from that of an answer where a default makes them differ', () => {
    const Inner = z.object({ count: z.int().default(1) }).meta({ id: 'Inner' });
    const Outer = z.object({ inner: Inner }).meta({ id: 'Outer' });
    const Same = z.object({ name: z.string() }).meta({ id: 'Same' });
    const echo = defineRoute({
      operationId: 'echo',
      summary: 'Say it again.',
      group: 'Rooms',
      method: 'post',
      path: '/api/echo',
      auth: [],
      body: z.object({ outer: Outer, same: Same }),
      success: { status: 200, body: z.object({ outer: Outer, same: Same }) },
      errors: [],
    });
    const { components } = z
      .object({ components: z.object({ schemas: z.record(z.string(), z.unknown()) }) })
      .parse(openApiDocument([echo], '1.2.3'));
    expect(components.schemas).toMatchObject({
      Inner: { required: ['count'] },
      OuterInput: { properties: { inner: { $ref: '#/components/schemas/InnerInput' } } },
      Outer: { properties: { inner: { $ref: '#/components/schemas/Inner' } } },
    });
    expect(components.schemas.InnerInput).not.toHaveProperty('required');
    expect(components.schemas).not.toHaveProperty('SameInput');
  });
});
