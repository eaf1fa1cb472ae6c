/**
 * Names for statements that come again and again. PostgreSQL parses and plans a statement with a name once a connection, one
 * without at each call.
 */
import { LRUCache } from 'lru-cache';

/** Statements that a connection keeps, each some kilobytes. */
const namesMax = 300;
/** How often a statement has to come before it gets a name: some contain as many parameters as there are rows. */
const comesMin = 5;
const countedMax = 1_000;

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
    if (count < comesMin || !planned.test(sql) || allColumns.test(sql)) return '';
    const name = `s${names.size + 1}`;
    names.set(sql, name);
    counts.delete(sql);
    return name;
  };
}
