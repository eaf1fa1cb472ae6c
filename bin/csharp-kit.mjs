// `npm run kits:csharp`: writes the operations, models and error codes of kits/csharp from the contract, and the .meta files by
// which Unity knows the files of a package. With --check it writes nothing and fails when one of them is not up to date.
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { errorCatalogue } from '../dist/src/contract/error-catalogue.js';
import { openApiDocument } from '../dist/src/contract/openapi.js';
import { allRoutes } from '../dist/src/contract/routes.js';
import { challengeActions, playerOperations, serverOperations } from './kit-operations.mjs';

const kit = fileURLToPath(new URL('../kits/csharp/', import.meta.url));

const document = openApiDocument(allRoutes, '', '');
const { schemas } = document.components;
const operations = new Map();
for (const [path, item] of Object.entries(document.paths))
  for (const [method, operation] of Object.entries(item))
    operations.set(operation.operationId, { path, method, ...operation });

const pascal = (text) => text.replaceAll(/(?:^|[-_. ])(\w)/g, (_, letter) => letter.toUpperCase());
const camel = (text) => pascal(text).replace(/^./, (letter) => letter.toLowerCase());
const xml = (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
const quoted = JSON.stringify;

/** Returns the schema without null, and whether null is among its values. */
function withoutNull(schema) {
  const union = schema.anyOf ?? schema.oneOf;
  if (union !== undefined) {
    const rest = union.filter(({ type }) => type !== 'null');
    const isNullable = rest.length < union.length;
    return rest.length === 1 ? { schema: rest[0], isNullable } : { schema: {}, isNullable };
  }
  if (!Array.isArray(schema.type)) return { schema, isNullable: false };
  const types = schema.type.filter((type) => type !== 'null');
  return {
    schema: { ...schema, type: types.length === 1 ? types[0] : undefined },
    isNullable: types.length < schema.type.length,
  };
}

const classes = new Map(); // name → { schema, isRead, isSent }
function need(name, schema, use) {
  const found = classes.get(name) ?? { schema, isRead: false, isSent: false, isPatch: false };
  const isKnown = found[use];
  classes.set(name, { ...found, [use]: true });
  if (isKnown) return;
  for (const [field, value] of Object.entries(schema.properties))
    typeOf(fieldSchema(name, field, value), `${name}${pascal(field)}`, use);
}
/** Events of a batch are judged one by one, so the contract takes anything for one. */
const fieldSchema = (owner, field, schema) =>
  owner === 'EventBatch' && field === 'events'
    ? { ...schema, items: { $ref: '#/components/schemas/EventPayload' } }
    : schema;

/** Returns the C# type of a schema; `read` is the function of Fields that reads such a value, `isValue` tells a struct. */
function typeOf(given, name, use) {
  const { schema, isNullable } = withoutNull(given);
  const told = (type, read, isValue = false) => ({ type, read, isValue, isNullable });
  if (schema.$ref !== undefined) {
    const id = schema.$ref.split('/').at(-1);
    const { isNullable: inner, ...target } = typeOf(schemas[id], id, use);
    return { ...target, isNullable: isNullable || inner };
  }
  const kind = schema.type ?? typeof (schema.const ?? schema.enum?.[0]);
  if (kind === 'string' && schema.format === 'date-time') return told('DateTimeOffset', 'Time', true);
  if (kind === 'string') return told('string', 'Text');
  if (kind === 'integer') return told('long', 'Long', true);
  if (kind === 'number') return told('double', 'Double', true);
  if (kind === 'boolean') return told('bool', 'Bool', true);
  if (kind === 'array') {
    const item = typeOf(schema.items ?? {}, `${name}Item`.replace(/sItem$/, ''), use);
    return { ...told(`List<${item.type}>`, 'Items'), item };
  }
  if (kind === 'object' && schema.properties !== undefined) {
    need(name, schema, use);
    return { ...told(name, 'Item'), isClass: true };
  }
  if (kind === 'object' && schema.additionalProperties?.type === 'string')
    return told('Dictionary<string, string>', 'TextMap');
  return kind === 'object' ? told('Dictionary<string, object>', 'Map') : told('object', 'Any');
}

// With its namespace: a property may have the name of a class.
const fromJson = (type) => `Earshot.${type}.FromJson`;
const readerOf = ({ isClass, type, read }) => (isClass ? fromJson(type) : `Fields.As${read}`);
function readExpression({ type, read, item, isValue }, field, isOptional) {
  if (read === 'Items') return `Fields.Items(fields, ${quoted(field)}, ${readerOf(item)})`;
  if (read === 'Item') return `Fields.Item(fields, ${quoted(field)}, ${fromJson(type)})`;
  return `Fields.${read}${isValue && isOptional ? 'OrNull' : ''}(fields, ${quoted(field)})`;
}

const sentenceOf = ({ description, enum: values, anyOf, oneOf }) => {
  const named = values ?? (anyOf ?? oneOf)?.find((one) => one.enum !== undefined)?.enum;
  const list = named === undefined ? [] : [`One of: ${named.join(', ')}.`];
  return [...(description === undefined ? [] : [`${description}.`]), ...list].join(' ');
};
const summary = (text, indent) => (text === '' ? [] : [`${indent}/// <summary>${xml(text)}</summary>`]);

function classOf(name, { schema, isRead, isSent, isPatch }) {
  const required = new Set(schema.required);
  const fields = Object.entries(schema.properties).map(([field, given]) => {
    const type = typeOf(fieldSchema(name, field, given), `${name}${pascal(field)}`, isRead ? 'isRead' : 'isSent');
    const isOptional = type.isNullable || !required.has(field);
    return {
      field,
      given,
      type,
      isOptional,
      property: pascal(field) === name ? `${pascal(field)}Value` : pascal(field),
    };
  });
  const declared = ({ type: { type, isValue }, isOptional }) => (isValue && isOptional ? `${type}?` : type);
  const lines = [
    ...summary(schema.description ?? '', '    '),
    `    public sealed class ${name}${isSent ? ' : IJsonBody' : ''}`,
    '    {',
    ...fields.flatMap((field) => [
      ...summary(sentenceOf(field.given), '        '),
      `        public ${declared(field)} ${field.property} { get; set; }`,
    ]),
  ];
  const removable = fields
    .filter(({ type, field }) => type.isNullable && !required.has(field))
    .map(({ field }) => field);
  const isRemoving = isPatch && removable.length > 0;
  if (isRemoving)
    lines.push(
      `        /// <summary>Names of fields to clear: ${removable.join(', ')}.</summary>`,
      '        public List<string> Cleared { get; } = new List<string>();',
    );
  if (isRead)
    lines.push(
      '',
      `        /// <exception cref="UnreadableAnswerException">The JSON has another form.</exception>`,
      `        public static ${name} FromJson(object json)`,
      '        {',
      '            var fields = Fields.Of(json);',
      '            if (fields == null) return null;',
      `            return new ${name}`,
      '            {',
      ...fields.map(
        ({ field, property, type, isOptional }) =>
          `                ${property} = ${readExpression(type, field, isOptional)},`,
      ),
      '            };',
      '        }',
    );
  if (isSent)
    lines.push(
      '',
      '        /// <summary>Returns the fields that are set.</summary>',
      '        public Dictionary<string, object> ToJson()',
      '        {',
      '            var json = new Dictionary<string, object>();',
      ...fields.map(({ field, property }) => `            Fields.Put(json, ${quoted(field)}, ${property});`),
      ...(isRemoving ? ['            foreach (var name in Cleared) json[name] = null;'] : []),
      '            return json;',
      '        }',
    );
  return [...lines, '    }'].join('\n');
}

/** Parameters that the client fills in by itself. */
const filledIn = { appId: 'ProjectId', projectId: 'ProjectId', language: 'Language', auth: '"access_token"' };

function methodOf(id) {
  const operation = operations.get(id);
  if (operation === undefined) throw new Error(`The contract has no operation ${id}.`);
  const { path, method, parameters, requestBody, responses } = operation;
  const route = allRoutes.find(({ operationId }) => operationId === id);
  const isWhole = parameters.some(
    ({ name, description = '' }) => name === 'offset' && description.includes('header Link'),
  );
  const own = parameters.filter(
    ({ in: place, name }) => place === 'path' || (place === 'query' && !(isWhole && name === 'offset')),
  );
  const asked = own.filter(({ name }) => !Object.hasOwn(filledIn, name));
  const [status, answer] = Object.entries(responses).find(([code]) => code.startsWith('2'));
  const result =
    answer.content === undefined
      ? null
      : typeOf(answer.content['application/json'].schema, `${pascal(id)}Answer`, 'isRead');
  const body =
    requestBody === undefined
      ? null
      : typeOf(requestBody.content['application/json'].schema, `${pascal(id)}Request`, 'isSent');
  if (body !== null && method === 'patch') classes.set(body.type, { ...classes.get(body.type), isPatch: true });
  const isOptionalBody = requestBody !== undefined && requestBody.required !== true;
  const args = [
    ...asked
      .filter(({ required }) => required)
      .map(({ name }) => ({ text: `string ${camel(name)}`, isRequired: true })),
    ...(body === null ? [] : [{ text: `${body.type} body`, isRequired: !isOptionalBody }]),
    ...asked
      .filter(({ required }) => !required)
      .map(({ name, schema }) => {
        const { type, isValue } = typeOf(schema, '', 'isSent');
        return { text: `${type}${isValue ? '?' : ''} ${camel(name)}`, isRequired: false };
      }),
  ].map(({ text, isRequired }) => (isRequired ? text : `${text} = null`));
  args.push('CancellationToken cancel = default(CancellationToken)');
  const parts = path.split(/\{(\w+)\}/).map((part, index) => {
    if (index % 2 === 0) return part === '' ? null : quoted(part);
    return `Call.Segment(${filledIn[part] ?? camel(part)})`;
  });
  const takesKey = parameters.some(({ $ref = '', name = '' }) => /idempotency-?key/i.test($ref + name));
  const call = [
    `new Call(${quoted(method.toUpperCase())}, ${parts.filter((part) => part !== null).join(' + ')})`,
    ...own
      .filter(({ in: place }) => place === 'query')
      .map(({ name }) => `.Query(${quoted(name)}, ${filledIn[name] ?? camel(name)})`),
    ...(body === null ? [] : [`.Body(body${isOptionalBody ? ` ?? new ${body.type}()` : ''})`]),
    ...(takesKey ? ['.WithIdempotencyKey()'] : []),
  ].join('');
  const codes = Object.values(responses).flatMap((one) => one['x-error-codes'] ?? []);
  const named = route.errors.filter((code) => codes.includes(code));
  const returned = result === null ? 'Task' : `Task<${result.type}>`;
  const lines = [
    ...summary(route.summary, '        '),
    ...own
      .filter(({ name, description }) => description !== undefined && !Object.hasOwn(filledIn, name))
      .map(({ name, description }) => `        /// <param name="${camel(name)}">${xml(description)}</param>`),
    ...(named.length === 0 ? [] : [`        /// <exception cref="ApiException">${named.join(', ')}</exception>`]),
    `        public ${returned} ${pascal(id)}Async(${args.join(', ')})`,
    '        {',
  ];
  const send =
    result === null
      ? `Connection.SendAsync(${call}, cancel)`
      : result.read === 'Items'
        ? `Connection.SendListAsync(${call}, ${readerOf(result.item)}, cancel)`
        : `Connection.SendAsync(${call}, ${readerOf(result)}, cancel)`;
  const states = challengeActions[id];
  const returns =
    states === undefined ? send : `ActAsync(${call}, challengeId, cancel, ${states.map(quoted).join(', ')})`;
  if (status === '204' && result !== null) throw new Error(`${id} has an answer that is empty`);
  return [...lines, `            return ${returns};`, '        }'].join('\n');
}

const head = `// Written by \`npm run kits:csharp\` from src/contract. Do not edit.
using System;
using System.Collections.Generic;
using System.Threading;
using System.Threading.Tasks;

namespace Earshot
{
`;
const clientOf = (name, ids) =>
  `${head}    public sealed partial class ${name}\n    {\n${ids.map(methodOf).join('\n\n')}\n    }\n}\n`;
const written = new Map([
  ['Runtime/Generated/PlayerOperations.cs', clientOf('PlayerClient', playerOperations)],
  ['Runtime/Generated/ServerOperations.cs', clientOf('ServerClient', [...new Set(serverOperations)])],
]);
for (const name of ['SanctionResponse', 'StreamGap', 'StreamClosed'])
  typeOf({ $ref: `#/components/schemas/${name}` }, name, 'isRead');
written.set(
  'Runtime/Generated/Models.cs',
  `${head}${[...classes]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, use]) => classOf(name, use))
    .join('\n\n')}\n}\n`,
);
const used = [...playerOperations, ...serverOperations, 'streamProjectEvents'];
const codes = new Set(
  used.flatMap((id) =>
    Object.values(operations.get(id).responses).flatMap((response) => response['x-error-codes'] ?? []),
  ),
);
written.set(
  'Runtime/Generated/ErrorCode.cs',
  `${head}    /// <summary>What \`ApiException.Code\` may be for the operations of this kit. A later daemon may have more.</summary>
    public static class ErrorCode
    {
${[...codes]
  .sort()
  .map((code) =>
    [
      ...summary(errorCatalogue[code].message, '        '),
      `        public const string ${pascal(code)} = ${quoted(code)};`,
    ].join('\n'),
  )
  .join('\n')}
    }
}
`,
);

/** Unity passes over names that begin with a dot or end with a tilde. */
function* packageFiles(folder = '') {
  for (const entry of readdirSync(kit + folder, { withFileTypes: true })) {
    const path = folder + entry.name;
    if (/^\.|~$|\.meta$/.test(entry.name)) continue;
    yield path;
    if (entry.isDirectory()) yield* packageFiles(`${path}/`);
  }
}
for (const path of new Set([...written.keys(), ...packageFiles()])) {
  if (path.endsWith('/')) continue;
  const guid = createHash('md5').update(`earshot ${path}`).digest('hex');
  written.set(`${path}.meta`, `fileFormatVersion: 2\nguid: ${guid}\n`);
}

const stale = [...written].filter(
  ([path, text]) => !existsSync(kit + path) || readFileSync(kit + path, 'utf8') !== text,
);
if (process.argv.includes('--check')) {
  if (stale.length > 0) {
    console.error(
      `kits/csharp is not up to date (${stale.map(([path]) => path).join(', ')}). Run: npm run kits:csharp`,
    );
    process.exit(1);
  }
} else {
  for (const [path, text] of stale) writeFileSync(kit + path, text);
  console.log(`kits/csharp: ${stale.length} of ${written.size} files written`);
}
