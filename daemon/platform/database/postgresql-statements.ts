/**
 * Statements that are written out, run on PostgreSQL's driver itself. Prisma takes several times as long for them. Values go
 * in and come out as Prisma has them.
 */
import pg from 'pg';
import { sqlTime } from './dialect.js';
import type { WrittenStatements } from './written-out.js';

type Parser = (text: string) => unknown;

const { INT8, TIMESTAMP } = pg.types.builtins;
/** The driver would return the first as text, and take the other for local time. */
const parsers: Readonly<Record<number, Parser>> = {
  [INT8]: BigInt,
  [TIMESTAMP]: (text) => new Date(`${text.replace(' ', 'T')}Z`),
};
const types: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: 'text') => parsers[oid] ?? pg.types.getTypeParser(oid, format)) as never,
};

const bound = (value: unknown): unknown => (value instanceof Date ? sqlTime(value) : value);

export const postgresqlStatements = (
  connection: Pick<pg.Pool, 'query'>,
  nameOf: (query: { readonly sql: string }) => string,
): WrittenStatements => {
  const run = (text: string, parameters: readonly unknown[]): Promise<pg.QueryResult> =>
    connection.query({ text, values: parameters.map(bound), name: nameOf({ sql: text }), types });
  return {
    query: async (text, parameters) => (await run(text, parameters)).rows,
    execute: async (text, parameters) => (await run(text, parameters)).rowCount ?? 0,
  };
};
