// The contract without zod, for kits/typescript: which fields a value has and of which kind they are, and of routes what a call needs.
import { NamedSchemas } from '../dist/src/contract/named-schemas.js';

const place = '#/components/schemas/';
const letters = { string: 's', number: 'n', integer: 'i', boolean: 'b', null: 'z' };
const isSchema = (value) => typeof value?.safeParse === 'function';
const isRoute = (value) => typeof value?.operationId === 'string';
const isPlain = (value) => ['string', 'number', 'boolean'].includes(typeof value) || Array.isArray(value);
const quoted = JSON.stringify;
const list = (parts) => `{ ${parts.filter((part) => part !== '').join(', ')} }`;

/** Returns the form of a JSON schema as JavaScript, as kits/typescript/schema.ts reads it; `named` takes the names that it refers to. */
function formOf(schema, named) {
  if (schema.$ref !== undefined) return named(schema.$ref.slice(place.length));
  const options = schema.anyOf ?? schema.oneOf ?? (Array.isArray(schema.type) ? typesOf(schema) : undefined);
  if (options !== undefined) {
    const forms = [...new Set(options.map((one) => formOf(one, named)))];
    const isPrimitive = forms.every((form) => /^"[a-z]*"$/.test(form));
    if (isPrimitive) return forms.includes('""') ? '""' : quoted(forms.map((form) => JSON.parse(form)).join(''));
    return `{ "|": [${forms.join(', ')}] }`;
  }
  if (schema.type === 'array') return `[${formOf(schema.items ?? {}, named)}]`;
  if (schema.type === 'object') return objectOf(schema, named);
  const constants = schema.enum ?? (schema.const === undefined ? [] : [schema.const]);
  const kinds =
    schema.type === undefined ? constants.map((one) => (one === null ? 'null' : typeof one)) : [schema.type];
  return quoted([...new Set(kinds.map((kind) => letters[kind] ?? ''))].join(''));
}
const typesOf = (schema) => schema.type.map((type) => ({ ...schema, type }));

function objectOf({ properties = {}, required = [], additionalProperties: others }, named) {
  const fields = Object.entries(properties).map(
    ([name, field]) => `${quoted(required.includes(name) ? name : `${name}?`)}: ${formOf(field, named)}`,
  );
  // What an object without fields of its own contains is a map; other objects may gain fields.
  if (typeof others === 'object' && Object.keys(others).length > 0) fields.push(`"*": ${formOf(others, named)}`);
  return list(fields);
}

/** Schemas of answers and events, among what a module exports. */
const schemasIn = (value) => {
  if (isSchema(value)) return [value];
  if (isRoute(value)) return value.success.body === undefined ? [] : [value.success.body];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(schemasIn) : [];
};

/** Modules of the contract without zod, and one of the named forms that they share. */
export class Forms {
  #schemas = new NamedSchemas();

  #written;

  /** @param exported the schemas that are written, and groups that contain them; what requests contain is not judged */
  constructor(exported) {
    this.#written = new Set(exported.flatMap(schemasIn));
    for (const schema of this.#written) this.#schemas.schemaOf(schema, 'output');
  }

  /** Returns the code of a schema, with the names of forms that it needs. */
  #codeOf(schema, names) {
    const form = formOf(this.#schemas.schemaOf(schema, 'output'), (name) => {
      names.add(name);
      return name;
    });
    return `/* @__PURE__ */ new Schema(${form})`;
  }

  /** Returns a module of the contract by what it exports: schemas, routes and constants. Its functions are left out. */
  moduleOf(exported) {
    const names = new Set();
    const schema = (value) => this.#codeOf(value, names);
    const codeOf = (value) => {
      if (isSchema(value)) return this.#written.has(value) ? schema(value) : null;
      if (isRoute(value)) return routeOf(value, schema);
      if (isPlain(value)) return quoted(value);
      const isGroup =
        typeof value === 'object' && Object.values(value).every((one) => isRoute(one) || this.#written.has(one));
      if (!isGroup) return null;
      return list(Object.entries(value).map(([name, one]) => `${quoted(name)}: ${codeOf(one)}`));
    };
    const exports = Object.entries(exported)
      .map(([name, value]) => [name, codeOf(value)])
      .filter(([, code]) => code !== null)
      .map(([name, code]) => `const own_${name} = ${code};\nexport { own_${name} as ${name} };`);
    const needed = [...names].map((name) => `import { ${name} } from 'contract:forms';`);
    return ["import { Schema } from 'contract:schema';", ...needed, ...exports].join('\n');
  }

  /** Returns the module of all named forms, each before those that contain it. */
  namedForms() {
    const { schemas } = this.#schemas.settle({});
    const written = new Map();
    const begun = new Set();
    const write = (name) => {
      begun.add(name);
      const form = formOf(schemas[name], (other) => {
        if (!begun.has(other)) write(other);
        return written.has(other) ? other : `() => ${other}`;
      });
      written.set(name, `export const ${name} = ${form};`);
    };
    for (const name of Object.keys(schemas)) if (!begun.has(name)) write(name);
    return [...written.values()].join('\n');
  }
}

/** Query fields by which a list goes on. */
const placesOfLists = ['limit', 'offset', 'after'];

function routeOf({ operationId, method, path, idempotencyKey, headers, query, success }, schema) {
  const names = placesOfLists.filter((name) => name in (query?.shape ?? {}));
  const fieldOf = (name) => {
    const usual = query.shape[name].safeParse(undefined).data;
    return `${name}: { safeParse: (value = ${quoted(usual)}) => ({ data: value === undefined ? value : Number(value) }) }`;
  };
  const takesKey = 'idempotency-key' in (headers?.shape ?? {});
  return list([
    ...Object.entries({ operationId, method, path }).map(([name, value]) => `${name}: ${quoted(value)}`),
    idempotencyKey === undefined ? '' : `idempotencyKey: ${quoted(idempotencyKey)}`,
    names.length === 0
      ? ''
      : `query: { shape: ${list(names.map((name) => (name === 'limit' ? fieldOf(name) : `${name}: {}`)))} }`,
    takesKey ? 'headers: { shape: { "idempotency-key": {} } }' : '',
    `success: ${list([
      success.contentType === undefined ? '' : `contentType: ${quoted(success.contentType)}`,
      success.body === undefined ? '' : `body: ${schema(success.body)}`,
    ])}`,
  ]);
}
