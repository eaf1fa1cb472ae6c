/**
 * Names for statements that come again and again. PostgreSQL parses a statement with a name once a connection, and after five
 * calls mostly keeps its plan; one without a name is parsed and planned at each call.
 */
import { LRUCache } from 'lru-cache';

/** Statements that a connection keeps, each some kilobytes. */
const namesMax = 300;
/** A statement gets a name with so many calls. */
const callsMin = 5;
const countedMax = 1_000;
/** Longer lists of parameters are those of rows, and there is a statement for each length. */
const manyParameters = /\$31\b/;

/** Others, such as BEGIN, have no plan. */
const planned = /^\s*(?:SELECT|INSERT|UPDATE|DELETE|WITH)\b/i;
/** PostgreSQL refuses a statement by name once a migration has added columns to what `*` stands for. */
const allColumns = /(?:SELECT|RETURNING|,)\s+(?:"?\w+"?\.)?\*/i;

/** Returns the name of a statement; empty: it has none. */
export function statementNames(): (query: { readonly sql: string }) => string {
  const names = new Map<string, string>();
  const counts = new LRUCache<string, number>({ max: countedMax });
  return ({ sql }) => {
    const known = names.get(sql);
    if (known !== undefined || names.size >= namesMax) return known ?? '';
    const count = (counts.get(sql) ?? 0) + 1;
    counts.set(sql, count);
    if (count < callsMin || !planned.test(sql) || allColumns.test(sql) || manyParameters.test(sql)) return '';
    const name = `s${names.size + 1}`;
    names.set(sql, name);
    counts.delete(sql);
    return name;
  };
}
