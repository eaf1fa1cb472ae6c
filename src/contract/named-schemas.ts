/**
 * Turns zod schemas into JSON Schema and keeps those with a name (`.meta({ id })`) once. Where the request form differs
 * from the answer form (a field with a default is optional in one and always present in the other), the request form is
 * called `NameInput`.
 */
import { z } from 'zod';
import { type Json, tidy } from './tidy-schema.js';

type SchemaDirection = 'input' | 'output';

const place = '#/components/schemas/';
/** Marks references to a request form until it is known which names have two forms. */
const mark = '?input';

/** zod calls a recursive schema without a name `__schemaN`. There is one kind of them: what `z.json()` makes. */
const unnamed = /^__schema\d+$/;
const anyJson = 'JsonValue';
const anyJsonSchema: Json = { description: 'Any JSON value: text, number, true or false, null, array or object' };
const recursion = '"#"';
const jsonForm = JSON.stringify(z.toJSONSchema(z.json(), { io: 'input' }).anyOf);

export class NamedSchemas {
  private readonly forms: Readonly<Record<SchemaDirection, Map<string, Json>>> = {
    input: new Map(),
    output: new Map(),
  };
  /** Cached: many operations share a schema, and converting one is expensive. */
  private readonly turned: Readonly<Record<SchemaDirection, Map<z.ZodType, Json>>> = {
    input: new Map(),
    output: new Map(),
  };

  /** Returns the schema of a request (`input`) or an answer (`output`); a reference where the schema has a name. */
  schemaOf(type: z.ZodType, direction: SchemaDirection): Json {
    const known = this.turned[direction].get(type) ?? this.turn(type, direction);
    this.turned[direction].set(type, known);
    return known;
  }

  private turn(type: z.ZodType, direction: SchemaDirection): Json {
    const { properties, $defs = {} } = z.toJSONSchema(z.object({ it: type }), {
      io: direction,
      unrepresentable: 'any',
      reused: 'inline',
      override: ({ zodSchema, jsonSchema }) => {
        if (zodSchema instanceof z.ZodDiscriminatedUnion) jsonSchema.discriminator = discriminatorOf(zodSchema);
        // What is taken for a missing field concerns requests.
        if (direction === 'output') delete jsonSchema.default;
        // Answers may gain fields; a client that refuses unknown ones would break.
        if (direction === 'output' && jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
      },
    });
    const suffix = direction === 'input' ? mark : '';
    const referring = (schema: object): Json =>
      withReferences(
        tidy(schema),
        /^#\/\$defs\/(.+)$/,
        (name) => place + (unnamed.test(name) ? anyJson : name) + suffix,
      );
    for (const [name, schema] of Object.entries($defs)) {
      if (this.forms[direction].has(name)) continue;
      if (!unnamed.test(name)) this.forms[direction].set(name, referring(schema));
      else if (isAnyJson(schema, name)) this.forms[direction].set(anyJson, anyJsonSchema);
      else throw new Error(`A recursive schema needs a name: ${JSON.stringify(schema)}`);
    }
    return referring(typeof properties?.it === 'object' ? properties.it : {});
  }

  /** The document with every reference in its final form, and all named schemas. */
  settle(document: Json): { readonly document: Json; readonly schemas: Record<string, Json> } {
    const twofold = this.twofold();
    const schemas = new Map(this.forms.output);
    for (const [name, schema] of this.forms.input) schemas.set(twofold.has(name) ? `${name}Input` : name, schema);
    const sorted = [...schemas].sort(([one], [other]) => (one < other ? -1 : 1));
    const settled = (value: Json): Json =>
      withReferences(
        value,
        /^#\/components\/schemas\/(.+)\?input$/,
        (name) => place + (twofold.has(name) ? `${name}Input` : name),
      );
    return {
      document: settled(document),
      schemas: Object.fromEntries(sorted.map(([name, schema]) => [name, settled(schema)])),
    };
  }

  /** Names whose two forms differ, directly or through what they refer to. */
  private twofold(): ReadonlySet<string> {
    const { input, output } = this.forms;
    const found = new Set<string>();
    const differs = (name: string, text: string): boolean =>
      text.replaceAll(mark, '') !== JSON.stringify(output.get(name)) ||
      [...found].some((other) => text.includes(`"${place}${other}${mark}"`));
    for (let before = -1; before !== found.size; ) {
      before = found.size;
      for (const [name, schema] of input)
        if (output.has(name) && differs(name, JSON.stringify(schema))) found.add(name);
    }
    return found;
  }
}

const isAnyJson = (schema: object, name: string): boolean =>
  'anyOf' in schema && JSON.stringify(schema.anyOf).replaceAll(`"#/$defs/${name}"`, recursion) === jsonForm;

/** Says which of the named members a value is, for clients in languages without literal types. */
function discriminatorOf({ def: { discriminator, options } }: z.ZodDiscriminatedUnion): Json {
  const mapping = options.flatMap((option) => {
    const id = z.globalRegistry.get(option)?.id;
    if (id === undefined) throw new Error(`A member of a choice by ${discriminator} needs a name.`);
    return [...(option._zod.propValues?.[discriminator] ?? [])].map((value) => [String(value), `#/$defs/${id}`]);
  });
  return { propertyName: discriminator, mapping: Object.fromEntries(mapping) };
}

/** A copy in which every name of a form (references, and the mapping of a discriminator) is replaced. */
function withReferences(value: Json, form: RegExp, written: (name: string) => string): Json {
  const copy = (one: unknown): unknown => {
    if (typeof one === 'string')
      return one.startsWith('#/') ? one.replace(form, (_, name: string) => written(name)) : one;
    if (Array.isArray(one)) return one.map(copy);
    return typeof one === 'object' && one !== null ? copied(one) : one;
  };
  const copied = (one: object): Json =>
    Object.fromEntries(Object.entries(one).map(([key, field]) => [key, copy(field)]));
  return copied(value);
}
