// The contract's types without zod, for kits/typescript: interfaces with their descriptions, and what each operation takes and answers.
import { readFileSync } from 'node:fs';
import { eventData } from '../dist/src/contract/events.js';
import { NamedSchemas } from '../dist/src/contract/named-schemas.js';
import { withDescriptions } from '../dist/src/contract/openapi-descriptions.js';
import { routes } from '../dist/src/contract/routes.js';

const contract = new URL('../dist/src/contract/', import.meta.url);
const place = '#/components/schemas/';
const primitives = { string: 'string', number: 'number', integer: 'number', boolean: 'boolean', null: 'null' };
const quoted = JSON.stringify;
const nameOf = (name) => (/^[\w$]+$/.test(name) ? name : quoted(name));
const comment = (text, indent) => (text === undefined ? '' : `${indent}/** ${text.replaceAll('*/', '*\\/')} */\n`);
const union = (types) => [...new Set(types)].join(' | ');
const inBrackets = (type) => (/^[\w$.]+(\[\])*$/.test(type) ? type : `(${type})`);

/** Returns the TypeScript type of a JSON schema; `prefix` goes before the names of others. */
function typeOf(schema, indent = '', prefix = '') {
  if (schema.$ref !== undefined) return prefix + schema.$ref.slice(place.length);
  if (schema.const !== undefined) return quoted(schema.const);
  if (schema.enum !== undefined) return union(schema.enum.map(quoted));
  const options = schema.anyOf ?? schema.oneOf;
  if (options !== undefined) return union(options.map((one) => typeOf(one, indent, prefix)));
  if (schema.allOf !== undefined) return schema.allOf.map((one) => inBrackets(typeOf(one, indent, prefix))).join(' & ');
  if (Array.isArray(schema.type)) return union(schema.type.map((type) => typeOf({ ...schema, type }, indent, prefix)));
  if (schema.prefixItems !== undefined)
    return `[${schema.prefixItems.map((one) => typeOf(one, indent, prefix)).join(', ')}]`;
  if (schema.type === 'array') return `${inBrackets(typeOf(schema.items ?? {}, indent, prefix))}[]`;
  if (schema.type === 'object') return objectOf(schema, indent, prefix);
  return primitives[schema.type] ?? 'unknown';
}

function objectOf({ properties, required, propertyNames, additionalProperties: others }, indent, prefix) {
  const isOpen = others === undefined || others === false ? properties === undefined : true;
  const rest = typeof others === 'object' ? typeOf(others, indent, prefix) : 'unknown';
  const names = propertyNames?.enum;
  const key = names === undefined ? 'string' : union(names.map(quoted));
  const isWhole = names === undefined || names.every((name) => required?.includes(name));
  const map = isWhole ? `Record<${key}, ${rest}>` : `Partial<Record<${key}, ${rest}>>`;
  if (properties === undefined) return map;
  const inner = fieldsOf({ properties, required }, indent, prefix);
  return isOpen ? `${inner} & ${map}` : inner;
}

function fieldsOf({ properties, required = [] }, indent, prefix) {
  const deeper = `${indent}  `;
  const lines = Object.entries(properties).map(([name, field]) => {
    const mark = required.includes(name) ? '' : '?';
    const undefinedToo = mark === '' ? '' : ' | undefined';
    return `${comment(field.description, deeper)}${deeper}${nameOf(name)}${mark}: ${typeOf(field, deeper, prefix)}${undefinedToo};\n`;
  });
  return lines.length === 0 ? '{}' : `{\n${lines.join('')}${indent}}`;
}

function declarationOf(name, schema) {
  const head = comment(schema.description, '');
  const isInterface = schema.type === 'object' && schema.properties !== undefined;
  const type = typeOf(schema);
  return isInterface && type.startsWith('{') && type.endsWith('}')
    ? `${head}export interface ${name} ${type}`
    : `${head}export type ${name} = ${type};`;
}

const schemas = new NamedSchemas();

/** A query is sent as text, and a caller may pass a number or a flag as such. */
function queryOf(query) {
  const [taken, meant] = ['input', 'output'].map((direction) => schemas.schemaOf(query, direction));
  const properties = Object.entries(taken.properties).map(([name, field]) => {
    const other = meant.properties?.[name] ?? field;
    const isSame = quoted(typesIn(other)) === quoted(typesIn(field));
    return [name, isSame ? field : { description: field.description, anyOf: [field, other].filter(isKnown) }];
  });
  return { ...taken, properties: Object.fromEntries(properties) };
}
const typesIn = ({ type, enum: values, anyOf }) => [type, values, anyOf];
const isKnown = ({ description: _description, default: _usual, ...rest }) => Object.keys(rest).length > 0;

/** Returns the object schema of what a call takes. */
function inputOf({ params, query, headers, body }) {
  const parts = {
    params: params && schemas.schemaOf(params, 'input'),
    query: query && queryOf(query),
    headers: headers && schemas.schemaOf(headers, 'input'),
    body: body && schemas.schemaOf(body, 'input'),
  };
  const zod = { params, query, headers, body };
  const properties = Object.fromEntries(Object.entries(parts).filter(([, schema]) => schema !== undefined));
  const required = Object.keys(properties).filter((name) => {
    const isOptional = zod[name].safeParse(undefined).success;
    const isEmptyable = properties[name].type === 'object' && (properties[name].required ?? []).length === 0;
    return !isOptional && !(isEmptyable && properties[name].additionalProperties === undefined);
  });
  return { type: 'object', properties, required };
}

/** `import { type A, B } from '…/contract/x.js'` of a declaration file, as [name, module]. */
const importsOf = (text) =>
  [...text.matchAll(/(?:import|export) (?:type )?\{([^}]*)\} from '(?:\.\.?\/)+contract\/([^']+)\.js'/g)].flatMap(
    ([, names, module]) =>
      names
        .replaceAll(/\/\*\*.*?\*\//gs, '')
        .split(',')
        .map(
          (one) =>
            one
              .trim()
              .replace(/^type /, '')
              .split(' as ')[0],
        )
        .filter((name) => name !== '')
        .map((name) => [name, module]),
  );

/** Returns an exported type of a declaration file as it stands, with its comment. */
function statementOf(name, text) {
  const pattern = new RegExp(
    `(/\\*\\*(?:(?!\\*/)[\\s\\S])*\\*/\\n)?export (?:interface ${name}\\b[^\\n]*\\{\\n[\\s\\S]*?\\n\\}|type ${name}\\b(?:<[^=]*>)? = [\\s\\S]*?;)(?=\\n(?:export|/\\*\\*|interface|type|declare|$))`,
  );
  return pattern.exec(text)?.[0];
}

/** Types of the contract that are none of its schemas, and that others name. */
const kept = ['EventOf', 'EarshotEvent', 'ErrorDetail'];
const own = ['Route', 'CallInput', 'Result', 'routes', 'eventData', 'OwnEventType', 'EventData'];

/**
 * Returns the declarations of all that these declaration files import of the contract, and of what that needs: those of types, and those
 * of values.
 */
export async function contractTypes(head, declarations) {
  const wanted = new Map(declarations.flatMap(importsOf));
  const groups = Object.entries(routes).map(([group, operations]) => {
    const lines = Object.entries(operations).map(([name, route]) => ({
      name,
      summary: route.summary,
      input: inputOf(route),
      answer: route.success.body === undefined ? null : schemas.schemaOf(route.success.body, 'output'),
    }));
    return { group, operations, lines };
  });
  const events = Object.entries(eventData).map(([type, data]) => [type, schemas.schemaOf(data, 'output')]);
  const texts = [];
  const values = [];
  const aliases = {};
  for (const [name, module] of [...wanted, ['DomainEvent', 'events'], ['RedactedData', 'events']]) {
    if (own.includes(name)) continue;
    const exported = await import(new URL(`${module}.js`, contract));
    const text = readFileSync(new URL(`${module}.d.ts`, contract), 'utf8');
    const group = Object.entries(routes).find(([, operations]) => operations === exported[name])?.[0];
    const direction = new RegExp(`\\btype ${name} = z\\.(infer|input|output)<`).exec(text)?.[1];
    if (group !== undefined) values.push(`export declare const ${name}: (typeof routes)[${quoted(group)}];`);
    else if (direction !== undefined)
      aliases[name] = schemas.schemaOf(exported[name], direction === 'input' ? 'input' : 'output');
    else kept.push(name);
  }
  const settled = schemas.settle({
    groups: groups.map(({ lines }) => lines),
    events: Object.fromEntries(events),
    aliases,
  });
  const { schemas: described } = withDescriptions({}, settled.schemas);
  for (const [name, schema] of Object.entries(settled.document.aliases))
    if (described[name] === undefined) texts.push(declarationOf(name, schema));
  const files = ['events', 'errors'].map((module) => readFileSync(new URL(`${module}.d.ts`, contract), 'utf8'));
  for (const name of new Set(kept)) {
    const statement = files.map((text) => statementOf(name, text)).find((one) => one !== undefined);
    if (statement === undefined || statement.includes('z.')) throw new Error(`The kit cannot state the type ${name}.`);
    texts.push(statement);
  }
  const { events: eventTypes, groups: groupTypes } = settled.document;
  const written = '// Written by `npm run kits:typescript` from src/contract.';
  const types = [
    written,
    head,
    ...Object.entries(described).map(([name, schema]) => declarationOf(name, schema)),
    ...texts,
    `/** The data of each type of event. */\nexport interface EventDataByType {\n${Object.entries(eventTypes)
      .map(([type, schema]) => `  ${quoted(type)}: ${typeOf(schema, '  ')};\n`)
      .join('')}}`,
    'export type OwnEventType = keyof EventDataByType;',
    'export type EventData<T extends OwnEventType> = EventDataByType[T];\n',
  ];
  values.unshift(
    written,
    "import type * as t from './types.js';",
    "export * from './types.js';",
    'export declare const eventData: { readonly [T in t.OwnEventType]: t.Schema<t.EventData<T>> };',
    `export declare const routes: {\n${groups.map(({ group }, index) => groupOf(group, groupTypes[index])).join('')}};`,
  );
  return { types: types.join('\n\n'), values: `${values.join('\n\n')}\n` };
}

const groupOf = (group, lines) =>
  `  readonly ${group}: {\n${lines
    .map(({ name, summary, input, answer }) => {
      const result = answer === null ? 'undefined' : typeOf(answer, '    ', 't.');
      return `${comment(summary, '    ')}    readonly ${name}: t.Route<${typeOf(input, '    ', 't.')}, ${result}>;\n`;
    })
    .join('')}  };\n`;
