/**
 * Reads the data map: the documentation comment of each model says what the table holds and what becomes of a row when its
 * person is erased or gets another id, its project is deleted, or its time is over. CONTRIBUTING.md describes the tags.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { root } from './compose.mjs';

const tags = ['project', 'person', 'erase', 'rename', 'count', 'keep', 'hold'];
/** A column of this name holds the id of a participant; every other column of `@person` an external user id. */
const participantColumn = 'participantId';
const spans = { minute: 60_000, hour: 3_600_000, day: 86_400_000 };

/** A comment that says something wrong; the message lacks file and line. */
class Mistake extends Error {}
const refuse = (message) => {
  throw new Mistake(message);
};

/** Returns the models of a file, each with its documentation comment, its fields, its key and its line. */
const modelsOf = (file, text) =>
  [...text.matchAll(/^((?:\/\/\/[^\n]*\n)*)model (\w+) \{\n(.*?)^\}/gms)].map(
    ({ 1: comment, 2: name, 3: body, index }) => {
      const fields = new Map(
        [...body.matchAll(/^ {2}(\w+) +(\w+)(\[\])?(.*)$/gm)].map(([, field, type, list, rest]) => [
          field,
          { type, isRelation: list !== undefined || rest.includes('@relation'), rest },
        ]),
      );
      const [single] = [...fields].find(([, { rest }]) => /@id\b/.test(rest)) ?? [];
      const key = body.match(/@@id\(\[([^\]]+)\]\)/)?.[1].split(', ') ?? [single];
      const line = text.slice(0, index + comment.length).split('\n').length;
      return { file, line, name, comment, fields, key };
    },
  );

/** Returns the sentences of a comment, and its tags with their values. */
function readComment(comment) {
  const lines = comment.split('\n').map((line) => line.replace(/^\/\/\/ ?/, ''));
  const holds = lines
    .filter((line) => !line.startsWith('@'))
    .join(' ')
    .trim();
  if (holds === '') refuse('no sentence says what the table holds');
  const values = new Map();
  for (const line of lines.filter((one) => one.startsWith('@')))
    for (const part of line.split(/(?:^| +)@(?=[a-z])/).slice(1)) {
      const [, tag, value] = part.match(/^(\w+) (.+)$/) ?? refuse(`@${part} has no value`);
      if (!tags.includes(tag)) refuse(`@${tag} is not one of ${tags.map((one) => `@${one}`).join(', ')}`);
      if (values.has(tag)) refuse(`@${tag} stands twice`);
      values.set(tag, value);
    }
  for (const tag of ['project', 'person']) if (!values.has(tag)) refuse(`@${tag} is missing`);
  const ofPerson = ['erase', 'rename', 'count'].filter((tag) => values.has(tag));
  if (values.get('person') === 'none' && ofPerson.length > 0) refuse(`@${ofPerson[0]} without a person`);
  for (const tag of ['erase', 'rename'])
    if (values.get('person') !== 'none' && !values.has(tag)) refuse(`@${tag} is missing`);
  return { holds, values };
}

/** True for values that a module acts on, or that say why nothing happens. */
const isExplained = (value) => /^(rule|kept): \S/.test(value);

/** Returns what the daemon does with rows of the model. `settings`: the source that declares the settings. */
function ruleOf({ comment, fields }, settings) {
  const { holds, values } = readComment(comment);
  const column = (name) => {
    const field = fields.get(name) ?? refuse(`there is no column ${name}`);
    return field.isRelation ? refuse(`${name} is a relation, not a column`) : name;
  };
  const isParent = (name) => {
    if (!fields.has(name)) refuse(`there is no relation ${name}`);
    return fields.get(name).rest.includes('onDelete: Cascade') || refuse(`${name} has no onDelete: Cascade`);
  };
  /** The parts of a value that has one of the forms; a tag is optional, a form that does not fit is refused. */
  const parts = (tag, form) => {
    const value = values.get(tag);
    if (value === undefined || isExplained(value) || value === 'none') return {};
    return value.match(form)?.groups ?? refuse(`@${tag} ${value} is not understood`);
  };
  for (const value of values.values())
    for (const [name] of value.matchAll(/\bEARSHOT_\w+/g))
      if (!new RegExp(`^ {2}${name}:`, 'm').test(settings)) refuse(`there is no setting ${name}`);

  const project = parts('project', /^(?:(?<own>projectId)(?<inBatches>, in batches)?|(?<parent>\w+))$/);
  if (project.own !== undefined) column(project.own);
  if (project.parent !== undefined) isParent(project.parent);
  const { listed = '' } = parts('person', /^(?<listed>\w+(?:, \w+)*(?: \(\w+\))?)$/);
  const names = listed.match(/\w+/g) ?? [];
  names.forEach(column);
  const external = names.find((name) => name !== participantColumn) ?? null;
  const participant = names.find((name) => name === participantColumn) ?? null;
  const erase = parts('erase', /^(?:(?<deletes>delete)(?<inBatches>, in batches)?(?:: .+)?|with (?<parent>\w+))$/);
  if (erase.parent !== undefined) isParent(erase.parent);
  const rename = parts('rename', /^(?<updates>update)(: .+)?$/);
  const keep = parts(
    'keep',
    /^(?:(?<setting>EARSHOT_\w+) by (?<of>\w+)|(?<amount>\d+) (?<unit>minute|hour|day)s? by (?<at>\w+)|until (?<end>\w+)|with (?<parent>\w+))$/,
  );
  const by = keep.of ?? keep.at ?? keep.end ?? null;
  if (by !== null) column(by);
  const { held = '' } = parts('hold', /^(?<held>\w+(?:, \w+)*)$/);
  const holding = [...new Set([...(external === null ? [] : [external]), ...(held.match(/\w+/g) ?? [])])];
  holding.forEach(column);
  if (keep.parent !== undefined) isParent(keep.parent);
  if (holding.length > 0 && by !== null) column('projectId');
  const isRegular = erase.deletes !== undefined || rename.updates !== undefined || values.has('count');
  if (isRegular && names.length === 0) refuse('rows are found by the columns of @person, and it names none');
  if (isRegular) column('projectId');
  if ((erase.deletes !== undefined || values.has('count')) && external === null)
    refuse('rows are found by an external user id, and @person names no column of one');

  const foundByParticipant = participant !== null && !listed.includes(`(${participant})`);
  return {
    holds,
    values,
    rule: {
      project: project.own === undefined ? null : { inBatches: project.inBatches !== undefined },
      person: isRegular ? { external, participant, foundByParticipant } : null,
      erase: erase.deletes === undefined ? null : { inBatches: erase.inBatches !== undefined },
      rename: rename.updates !== undefined,
      count: values.get('count') ?? null,
      keep:
        by === null
          ? null
          : { by, setting: keep.setting ?? null, ms: Number(keep.amount ?? 0) * (spans[keep.unit] ?? 0), holding },
    },
  };
}

const modelFiles = () =>
  readdirSync(`${root}models`)
    .sort()
    .map((name) => [name, readFileSync(`${root}models/${name}`, 'utf8')]);
const settingsSource = () => readFileSync(`${root}../daemon/platform/config/schema.ts`, 'utf8');

/**
 * Returns every table, each after those with a foreign key to it: rows can be deleted in this order. Throws an error with
 * file and line when a model says nothing, or something that does not fit its columns.
 */
export function readDataMap(files = modelFiles(), settings = settingsSource()) {
  const at = ({ file, line, name }, message) =>
    new Error(`prisma/models/${file}:${line}: model ${name}: ${message}; see "A table" in CONTRIBUTING.md`);
  const tables = files
    .flatMap(([file, text]) => modelsOf(file, text))
    .map((model) => {
      try {
        return { ...model, ...ruleOf(model, settings) };
      } catch (error) {
        throw error instanceof Mistake ? at(model, error.message) : error;
      }
    });
  const byName = new Map(tables.map((table) => [table.name, table]));
  const references = ({ fields }) => [...fields.values()].filter(({ rest }) => rest.includes('@relation(fields'));
  const goesWithProject = (table) =>
    references(table).some(
      ({ type, rest }) =>
        rest.includes('onDelete: Cascade') &&
        (type === 'Project' || (byName.has(type) && goesWithProject(byName.get(type)))),
    );
  for (const table of tables)
    if (table.rule.project !== null && !table.rule.project.inBatches && !goesWithProject(table))
      throw at(table, 'its rows do not go with the row of the project: write "@project projectId, in batches"');
  const ordered = new Set();
  const place = (table) => {
    for (const other of tables)
      if (other !== table && references(other).some(({ type }) => type === table.name)) place(other);
    ordered.add(table);
  };
  tables.forEach(place);
  return [...ordered];
}

/** Returns the source of data-map.ts: the tables with which the daemon does something by itself. */
export function dataMapSource(tables) {
  const rows = tables.map(({ name, key, rule }) => ({ name, key, ...rule }));
  const acting = rows.filter(({ project, person, keep }) => project?.inBatches || person !== null || keep !== null);
  return `import type { MappedTable } from '../mapped-tables.js';\n\nexport const dataMap: readonly MappedTable[] = ${JSON.stringify(acting, null, 2)};\n`;
}
