// `npm run docs:reference`: writes docs/reference from the contract, the settings and the limits. With --check it writes
// nothing and fails when a page is not up to date.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { settingsSchema } from '../dist/daemon/platform/config/schema.js';
import { figureOf, limits } from '../dist/daemon/platform/limits/catalogue.js';
import { errorCatalogue } from '../dist/src/contract/error-catalogue.js';
import { eventData } from '../dist/src/contract/events.js';
import { exampleParts } from '../dist/src/contract/example-parts.js';
import { openApiDocument } from '../dist/src/contract/openapi.js';
import { withExamples } from '../dist/src/contract/openapi-examples.js';
import { projectRoles } from '../dist/src/contract/route.js';
import { allRoutes } from '../dist/src/contract/routes.js';
import { scopeDescriptions } from '../dist/src/contract/scopes.js';

const folder = fileURLToPath(new URL('../docs/reference/', import.meta.url));
const openApi = openApiDocument(allRoutes, '', '');
const { schemas } = openApi.components;

const inCell = (text) => text.replaceAll('|', '\\|').replaceAll('<', '&lt;').replaceAll(/\s+/g, ' ').trim();
const code = (text) => `\`${text}\``;
const settingNames = (text) => text.replaceAll(/(?<!`)\b(EARSHOT_\w+)\b(?!`)/g, '`$1`');
const table = (head, rows) => [
  `| ${head.join(' | ')} |`,
  `|${' --- |'.repeat(head.length)}`,
  ...rows.map((cells) => `| ${cells.map(inCell).join(' | ')} |`),
];
/** A line of text, or of a table, is as long as it is: nobody edits these pages. */
const page = (title, about, ...parts) =>
  `${[`# ${title}`, ...about, ...parts.map((part) => part.join('\n'))].join('\n\n')}\n`;
const byName = ([one], [other]) => (one < other ? -1 : 1);

function settings() {
  const { properties } = z.toJSONSchema(settingsSchema, { unrepresentable: 'any' });
  const rows = Object.entries(properties).map(([name, field]) => [
    code(name),
    field.default === undefined || field.default === '' ? '–' : code(String(field.default)),
    settingNames(field.description ?? ''),
  ]);
  return page(
    'Settings',
    [
      '[Configure the daemon](../operating.md#configure-the-daemon) says where settings come from. `earshotd config defaults` prints the same list, and `config check` reports what is wrong with yours.',
    ],
    table(['Setting', 'Default', 'Meaning'], rows),
  );
}

/** Operations by what they refuse or need, as links into the document that a running daemon shows at /docs. */
const operations = (routes) => routes.map(({ operationId }) => code(operationId)).join(', ');

function errors() {
  const rows = Object.entries(errorCatalogue).map(([name, { status, message }]) => [
    code(name),
    String(status),
    message,
    operations(allRoutes.filter((route) => route.errors.includes(name))),
  ]);
  return page(
    'Error codes',
    [
      'A refusal is JSON with `code`, `message` and `requestId`, and with `details` where fields are concerned. Programs compare the code: messages are for people, and may be worded anew.',
      'The last column names operations of which a code is peculiar; codes without an entry there may come from any operation of their kind.',
    ],
    table(['Code', 'Status', 'Message', 'Operations'], rows),
  );
}

const hooks = openApi.webhooks;
const envelope = openApi.components.schemas.DomainEvent.examples[0];
/** Data of an event as the OpenAPI document has it; those that no webhook gets are made of the schema alone. */
const dataSchema = (type) =>
  hooks[type]?.post.requestBody.content['application/json'].schema.allOf[1].properties.payload.properties.data ??
  z.toJSONSchema(eventData[type], { unrepresentable: 'any', reused: 'inline' });
const actionOf = (type) =>
  ['created', 'updated', 'deleted'].find((action) => type.endsWith(`.${action}`)) ?? 'occurred';

/** Fields that depend on each other are stated for these schemas, of which events have a part. */
const whole = { sanction: 'SanctionResponse', review: 'Review', report: 'Report', case: 'Case', rule: 'Rule' };

function sampleOf(type) {
  const schema = dataSchema(type);
  const kind = type.split('.')[0];
  const { Sample } = withExamples({ ...schemas, Sample: schema });
  const stated = schema.properties === undefined ? {} : (exampleParts[whole[kind]] ?? {});
  const dependent = Object.entries(stated).filter(([name]) => name in schema.properties);
  const data = { ...Sample.examples[0], ...Object.fromEntries(dependent) };
  const resourceId = `${kind}:${data.id ?? data[`${kind}_id`] ?? envelope.id}`;
  return { ...envelope, type, resourceId, payload: { action: actionOf(type), data } };
}

function events() {
  const types = Object.keys(eventData);
  return page(
    'Event types',
    [
      `Streams, webhooks and MQTT topics carry the same events. These ${types.length} types are the daemon's own; platform services publish further ones, [Events](../events.md#ingest-events-of-platform-services). A program leaves room for types that it does not know.`,
    ],
    ...types
      .sort()
      .map((type) => [
        `## ${type}`,
        '',
        ...(hooks[type] === undefined ? ['Webhooks never get this event.', ''] : []),
        '```json',
        JSON.stringify(sampleOf(type), null, 2),
        '```',
      ]),
  );
}

function access() {
  const called = allRoutes.filter(({ auth }) => auth.length > 0);
  const ofScope = Object.entries(scopeDescriptions).flatMap(([name, meaning]) =>
    [`${name}:read`, name].map((scope) => [
      code(scope),
      scope === name ? meaning : 'Reading of the same',
      operations(called.filter((route) => route.scope === scope)),
    ]),
  );
  const keys = ({ scope }) => scope === null;
  const ofRole = projectRoles.map((role) => [code(role), operations(called.filter((route) => route.role === role))]);
  const ofTenant = ['member', 'admin'].map((role) => [
    code(role),
    operations(called.filter((route) => route.tenantRole === role)),
  ]);
  return page(
    'Scopes and roles',
    [
      'An API key has scopes; a scope also opens what its `:read` form opens. `earshot api-keys scopes` prints the same.',
      `Any key may call ${operations(called.filter(keys))}.`,
    ],
    table(['Scope', 'Of', 'Opens'], ofScope),
    [
      '## Roles in a project',
      '',
      'A role also opens what the roles before it open. A key acts as a moderator at most.',
    ],
    table(['Role', 'Opens'], ofRole),
    ['## Roles in the tenant'],
    table(['Role', 'Opens'], ofTenant),
  );
}

const limitPage = () =>
  page(
    'Limits',
    [
      '[Limits](../operating.md#limits) says how they are counted. `earshot_limit_refusals_total` and `earshot_limit_waits_total` name them.',
      'Where several daemons share a database, each counts the limits of `each daemon` for itself: three daemons together let three times as much through.',
    ],
    table(
      ['Limit', 'Of', 'How many', 'Then', 'Counted by'],
      Object.entries(limits).map(([name, { bounds, answer, counted }]) => [
        code(name),
        bounds,
        settingNames(figureOf(name)),
        answer,
        { 'in the database': 'all daemons together', 'where the rooms are': 'the daemon with the rooms' }[counted] ??
          'each daemon',
      ]),
    ),
  );

/** Every enumeration of the contract, by the values that it has and the fields that hold it. */
function enumerations() {
  const found = new Map();
  const look = (schema, place) => {
    if (typeof schema !== 'object' || schema === null) return;
    if (Array.isArray(schema.enum) && schema.enum.length > 1) {
      const values = schema.enum.map((value) => code(String(value))).join(', ');
      found.set(values, (found.get(values) ?? new Set()).add(place));
    }
    for (const [name, part] of Object.entries(schema.properties ?? {})) look(part, `${place.split('.')[0]}.${name}`);
    for (const part of [schema.items, ...(schema.anyOf ?? []), ...(schema.oneOf ?? []), ...(schema.allOf ?? [])])
      look(part, place);
  };
  for (const [name, schema] of Object.entries(schemas).sort(byName)) look(schema, name);
  const rows = [...found].map(([values, places]) => [[...places].map(code).join(', '), values]);
  return page(
    'Enumerations',
    ['Fields that hold one of several words, and the words.'],
    table(['Field', 'Values'], rows),
  );
}

/** One line a page for programs that read documentation, in the form of llmstxt.org. */
function linesForPrograms() {
  const list = readFileSync(join(folder, '../README.md'), 'utf8').replace(/^# .*\n+/, '');
  return `# Earshot\n\n> Voice moderation and player progress that a game studio runs itself: a daemon, a CLI, kits for game engines.\n\n${list}`;
}

const written = {
  'access.md': access(),
  'enumerations.md': enumerations(),
  'errors.md': errors(),
  'events.md': events(),
  'limits.md': limitPage(),
  'settings.md': settings(),
  '../llms.txt': linesForPrograms(),
};
mkdirSync(folder, { recursive: true });
const stale = readdirSync(folder).filter((file) => !(file in written));
const changed = Object.entries(written).filter(
  ([file, text]) => !existsSync(join(folder, file)) || readFileSync(join(folder, file), 'utf8') !== text,
);
if (process.argv.includes('--check')) {
  const names = [...stale, ...changed.map(([file]) => file)];
  if (names.length > 0) {
    console.error(
      `docs/reference is not up to date (${names.join(', ')}): run \`npm run build && npm run docs:reference\`.`,
    );
    process.exit(1);
  }
} else {
  for (const file of stale) rmSync(join(folder, file));
  for (const [file, text] of changed) writeFileSync(join(folder, file), text);
  console.log(`docs/reference: ${Object.keys(written).length} pages`);
}
