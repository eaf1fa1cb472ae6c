/** Statements that read a part of the log. All filters of an event stream are in the index: no other event is read. */
import type { Dialect } from '../database/dialect.js';
import { isPacked } from './packed.js';
import { eventColumns } from './sql.js';

/** Part of the log: a project, or a whole tenant. */
type PartKind = 'project' | 'tenant';

interface PartStatements {
  /**
   * Parameters: id, after, to, entries, to, id, after. The types (of a tenant: with their projects) among the next
   * entries, each with `end`, the position of the last of all these entries, or `to` where there are not so many.
   */
  readonly kinds: string;
  /**
   * Parameters: id, after, to, JSON array of types, (of a tenant: JSON array of projects,) JSON array of resources (null:
   * any) three times, JSON array of parts of the payload (null: any) twice, rows, bytes. A packed payload counts as its subject, the only
   * person it names. Events of these types in order; at least one, and none that begins behind the bytes.
   */
  readonly events: string;
  /** As `events`; the rows stay as they are until the transaction ends. */
  readonly lockedEvents: string;
  /** Parameters: id, (of a tenant: JSON array of projects that are left out,) position. Id and position of the newest at or before it. */
  readonly newest: string;
  /** Parameters: id, (of a tenant: JSON array of projects that are left out). Id and position of the oldest. */
  readonly oldest: string;
}

/** How a database writes a statement. The first four return the next parameter, cast to what it is. */
interface Spelling {
  readonly id: () => string;
  readonly number: () => string;
  readonly list: () => string;
  readonly maybe: () => string;
  /** Reads the next parameter, a JSON array, as rows of `named.value`. */
  readonly rows: () => string;
  readonly find: string;
  /** The text as a JSON string. */
  readonly quote: (text: string) => string;
  readonly bytes: string;
}

const sqlite = (): Spelling => ({
  id: () => '?',
  number: () => '?',
  list: () => '(SELECT value FROM json_each(?))',
  maybe: () => '?',
  rows: () => 'json_each(?) AS named',
  find: 'instr',
  quote: (text) => `json_quote(${text})`,
  bytes: 'octet_length',
});

const postgresql = (): Spelling => {
  let count = 0;
  const next = () => {
    count += 1;
    return `$${count}`;
  };
  return {
    id: next,
    number: () => `${next()}::bigint`,
    list: () => `(SELECT jsonb_array_elements_text(${next()}::jsonb))`,
    maybe: () => `${next()}::text`,
    rows: () => `jsonb_array_elements_text(${next()}::jsonb) AS named(value)`,
    find: 'strpos',
    quote: (text) => `to_json(${text})::text`,
    bytes: 'octet_length',
  };
};

function statementsOf(dialect: Dialect, kind: PartKind): PartStatements {
  const spelling = dialect === 'sqlite' ? sqlite : postgresql;
  const owner = kind === 'project' ? '"projectId"' : '"tenantId"';
  const grouped = kind === 'project' ? '"type"' : '"projectId", "type"';
  const but = ({ list }: Spelling) =>
    kind === 'project' ? '' : `AND ("projectId" IS NULL OR "projectId" NOT IN ${list()})`;

  const kinds = ({ id, number }: Spelling) =>
    `SELECT DISTINCT ${grouped}, w."end" FROM
     (SELECT COALESCE((SELECT "position" FROM "DomainEvent" WHERE ${owner} = ${id()} AND "position" > ${number()}
        AND "position" <= ${number()} ORDER BY "position" LIMIT 1 OFFSET ${number()}), ${number()}) AS "end") AS w
     CROSS JOIN "DomainEvent" AS d
     WHERE d.${owner} = ${id()} AND d."position" > ${number()} AND d."position" <= w."end"`;

  const events = ({ id, number, list, maybe, rows, find, quote, bytes }: Spelling) =>
    `WITH c AS (SELECT "position", ${bytes}("payload") AS "size" FROM "DomainEvent" WHERE ${owner} = ${id()}
       AND "position" > ${number()} AND "position" <= ${number()} AND "type" IN ${list()}
       ${kind === 'project' ? '' : `AND ("projectId" IS NULL OR "projectId" IN ${list()})`}
       AND (${maybe()} IS NULL OR "resourceId" IN ${list()} OR substr("resourceId", ${find}("resourceId", ':') + 1) IN ${list()})
       AND (${maybe()} IS NULL OR EXISTS (SELECT 1 FROM ${rows()} WHERE ${find}("payload", named.value) > 0
         OR (${isPacked} AND ${quote('"subjectUserId"')} = named.value)))
       ORDER BY "position" LIMIT ${number()}),
     s AS (SELECT "position", SUM("size") OVER (ORDER BY "position") - "size" AS "before" FROM c)
     SELECT ${eventColumns(dialect, 'd.')} FROM s JOIN "DomainEvent" AS d ON d."shard" = 0 AND d."position" = s."position"
     WHERE s."before" < ${number()} ORDER BY s."position"`;

  const newest = (given: Spelling) =>
    `SELECT "id", "position" FROM "DomainEvent" WHERE ${owner} = ${given.id()} ${but(given)} AND "position" <= ${given.number()}
     ORDER BY "position" DESC LIMIT 1`;
  const oldest = (given: Spelling) =>
    `SELECT "id", "position" FROM "DomainEvent" WHERE ${owner} = ${given.id()} ${but(given)} ORDER BY "position" LIMIT 1`;

  return {
    kinds: kinds(spelling()),
    events: events(spelling()),
    lockedEvents: dialect === 'sqlite' ? events(spelling()) : `${events(spelling())} FOR SHARE OF d`,
    newest: newest(spelling()),
    oldest: oldest(spelling()),
  };
}

export const partStatements: Readonly<Record<Dialect, Readonly<Record<PartKind, PartStatements>>>> = {
  sqlite: { project: statementsOf('sqlite', 'project'), tenant: statementsOf('sqlite', 'tenant') },
  postgresql: { project: statementsOf('postgresql', 'project'), tenant: statementsOf('postgresql', 'tenant') },
};
