// `npm run kits:godot`: writes the operations of kits/godot from the contract, and the samples for Godot 3 from those for Godot 4.
// With --check it writes nothing and fails when they are not up to date.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { openApiDocument } from '../dist/src/contract/openapi.js';
import { allRoutes } from '../dist/src/contract/routes.js';
import { challengeActions, playerOperations, serverOperations } from './kit-operations.mjs';

const kit = fileURLToPath(new URL('../kits/godot/', import.meta.url));
const { components, paths } = openApiDocument(allRoutes, '', '');
const operations = new Map(
  Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => [operation.operationId, { path, method, ...operation }]),
  ),
);

const snake = (text) => text.replaceAll(/[A-Z]+/g, (letters) => `_${letters.toLowerCase()}`).replaceAll('-', '_');
const quoted = JSON.stringify;
/** Parameters that the client fills in by itself. */
const filledIn = { appId: 'project_id', projectId: 'project_id', language: 'language', auth: '"access_token"' };
const variable = (name) => filledIn[name] ?? snake(name);

function schemaOf({ requestBody }) {
  const schema = requestBody?.content['application/json'].schema;
  return schema?.$ref === undefined ? schema : components.schemas[schema.$ref.split('/').at(-1)];
}

/** Breaks lines of a comment. */
function comment(text) {
  const lines = [''];
  for (const word of text.split(/\s+/)) {
    if (`## ${lines.at(-1)} ${word}`.length > 100) lines.push('');
    lines.push(`${lines.pop()} ${word}`.trim());
  }
  return lines.map((line) => `## ${line}`);
}

const nameOf = (field, schema) => (schema.required?.includes(field) ? `${field} (required)` : field);
function describe(id, asked, schema) {
  const { summary } = operations.get(id);
  const options = asked.filter(({ required, description }) => !required && description !== undefined);
  return [
    ...comment(summary),
    ...options.flatMap(({ name, description }) => comment(`${snake(name)}: ${description}.`)),
    ...(schema === undefined
      ? []
      : comment(
          `body: ${Object.keys(schema.properties)
            .map((field) => nameOf(field, schema))
            .join(', ')}.`,
        )),
  ];
}

function pathText(path) {
  const parts = path
    .split(/\{(\w+)\}/)
    .map((part, index) => (index % 2 === 0 ? quoted(part) : `_segment(${variable(part)})`));
  return parts.filter((part) => part !== '""').join(' + ');
}

function methodOf(id) {
  const { path, method, parameters, requestBody } = operations.get(id);
  const isWhole = parameters.some(
    ({ name, description = '' }) => name === 'offset' && description.includes('header Link'),
  );
  const own = parameters.filter(
    ({ in: place, name }) => place === 'path' || (place === 'query' && !(isWhole && name === 'offset')),
  );
  const asked = own.filter(({ name }) => !Object.hasOwn(filledIn, name));
  const schema = schemaOf({ requestBody });
  const body = schema === undefined ? [] : [requestBody.required === true ? 'body: Dictionary' : 'body := {}'];
  const args = [
    ...asked.filter(({ required }) => required).map(({ name }) => snake(name)),
    ...body.filter((text) => !text.includes('=')),
    ...body.filter((text) => text.includes('=')),
    ...asked.filter(({ required }) => !required).map(({ name }) => `${snake(name)} = null`),
  ];
  const query = own
    .filter(({ in: place }) => place === 'query')
    .map(({ name }) => `${quoted(name)}: ${variable(name)}`);
  const takesKey = parameters.some(({ $ref = '', name = '' }) => /idempotency-?key/i.test($ref + name));
  const states = challengeActions[id];
  const reading = pathText(operations.get('getPersonalChallengeById').path);
  const values = [
    quoted(method.toUpperCase()),
    pathText(path),
    query.length > 3 ? `{\n\t\t\t${query.join(',\n\t\t\t')},\n\t\t}` : `{${query.join(', ')}}`,
    schema === undefined ? 'null' : 'body',
    schema === undefined ? '[]' : `[\n\t\t\t${Object.keys(schema.properties).map(quoted).join(',\n\t\t\t')},\n\t\t]`,
    String(takesKey),
    states === undefined
      ? isWhole
        ? '{"is_whole": true}'
        : '{}'
      : `{"path": ${reading},\n\t\t\t"states": ${quoted(states)}}`,
  ];
  const defaults = [null, null, '{}', 'null', '[]', 'false', '{}'];
  while (values.at(-1) === defaults[values.length - 1]) values.pop();
  return [
    ...describe(id, asked, schema),
    `func ${snake(id)}(${args.length > 4 ? `\n\t\t${args.join(',\n\t\t')}` : args.join(', ')}):`,
    `\treturn _call(\n${values.map((value) => `\t\t${value}`).join(',\n')})`,
  ].join('\n');
}

const scriptOf = (head, ids, foot) =>
  `extends "shared/client.gd"\n${head}\n\n\n${[...ids.map(methodOf), foot].join('\n\n\n')}\n`;
const eventsPath = (id) => {
  const { path, parameters } = operations.get(id);
  const auth = parameters.some(({ name }) => name === 'auth') ? ' + "?auth=access_token"' : '';
  return `func _batch_path() -> String:\n\treturn ${pathText(path)}${auth}`;
};
const streamOf = (id, text) =>
  `${text}\nfunc ${snake(id)}(filters := {}):\n\treturn _open_stream(${pathText(operations.get(id).path)}, filters)`;
const written = new Map([
  [
    'addons/earshot/player_client.gd',
    scriptOf(
      `## Earshot as one player sees it. Runs in the game, with a player token that your server makes.
## Written by \`npm run kits:godot\` from src/contract. Do not edit.`,
      playerOperations,
      `## Shows the rank of this player on a leaderboard, with so many neighbours on each side. Needs the option user_id.
func get_leaderboard_around_me(leaderboard_id, around := 5):
	return get_leaderboard_ranking("user", user_id, leaderboard_id, around)


## Follows events by stream tickets, which your server makes: connect ticket_needed.
func stream_by_ticket():
	return _open_stream("")


## Follows the events of a voice room (docs/voice.md) with the token by which the player joins it. It begins with room.state.
func stream_room_events(room_id, room_token: String):
	return _open_stream("/rooms/" + _segment(room_id) + "/events", {}, room_token)


${eventsPath('sendEvents')}`,
    ),
  ],
  [
    'addons/earshot/server_client.gd',
    scriptOf(
      `## Earshot as a server of the game sees it. Takes an API key, so it never runs in the game that players have.
## Written by \`npm run kits:godot\` from src/contract. Do not edit.`,
      [...new Set([...serverOperations, 'createProjectStreamTicket'])],
      `${streamOf('streamProjectEvents', '## Follows the events of the project. filters: types, resources, user, since.')}


${eventsPath('importGameEvents')}`,
    ),
  ],
]);

/** Returns a row for each group of operations of a client, in the order of the contract. */
function rowsOf(client, ids, more = {}) {
  const groups = new Map();
  for (const id of ids) {
    const [group] = operations.get(id).tags;
    groups.set(group, [...(groups.get(group) ?? []), snake(id)]);
  }
  for (const [group, names] of Object.entries(more)) groups.set(group, [...(groups.get(group) ?? []), ...names]);
  return [...groups].map(
    ([group, names]) => `| ${group} | ${client} | ${names.map((name) => `\`${name}\``).join(', ')} |`,
  );
}
const table = [
  ...['| What | Client | Functions |', '| --- | --- | --- |'],
  ...rowsOf('`Earshot`', playerOperations, {
    Gameplay: ['get_leaderboard_around_me'],
    Streams: ['stream_by_ticket', 'stream_room_events'],
  }),
  ...rowsOf('`server_client.gd`', [...new Set([...serverOperations, 'createProjectStreamTicket'])], {
    Streams: ['stream_project_events'],
  }),
].join('\n');
const readme = readFileSync(`${kit}README.md`, 'utf8');
written.set(
  'README.md',
  readme.replace(/\| What \| Client \| Functions \|\n(?:\|.*\n)+/, () => `${table}\n`),
);

/** Writes a script of Godot 4 for Godot 3: signals and coroutines are all that differs in the samples. */
const forGodot3 = (script) =>
  script
    .replaceAll(/(\w+(?:\.\w+)*)\.(\w+)\.connect\((\w+)\)/g, '$1.connect("$2", self, "$3")')
    .replaceAll(/await (.+\))(?=\s)/g, 'yield($1, "completed")')
    .replaceAll(/await (\w+)\.(\w+)$/gm, 'yield($1, "$2")');
for (const name of ['progress', 'dedicated_server']) {
  const path = `samples/${name}/${name}.gd`;
  written.set(`godot3/${path}`, forGodot3(readFileSync(kit + path, 'utf8')));
}

const stale = [...written].filter(
  ([path, text]) => !existsSync(kit + path) || readFileSync(kit + path, 'utf8') !== text,
);
if (process.argv.includes('--check')) {
  if (stale.length > 0) {
    console.error(`kits/godot is not up to date (${stale.map(([path]) => path).join(', ')}). Run: npm run kits:godot`);
    process.exit(1);
  }
} else {
  for (const [path, text] of stale) writeFileSync(kit + path, text);
  console.log(`kits/godot: ${stale.length} of ${written.size} files written`);
}
