/**
 * Which statements of a migration a daemon of the version before could not live with. From 0090 on, migrations of PostgreSQL
 * only add: so daemons of two versions share a database while one after the other is replaced.
 */

const breaking: readonly (readonly [RegExp, string])[] = [
  [/^DROP (TABLE|VIEW|TYPE)\b/i, 'removes what the version before reads'],
  [/^ALTER TABLE\b.*\bDROP (COLUMN|CONSTRAINT)\b/is, 'removes what the version before reads or relies on'],
  [/^ALTER (TABLE|TYPE|INDEX)\b.*\bRENAME\b/is, 'renames what the version before reads'],
  [
    /^ALTER TABLE\b.*\bALTER COLUMN\b.*\b(TYPE|SET NOT NULL|DROP DEFAULT)\b/is,
    'changes what the version before writes',
  ],
  [
    // Of each column by itself: the DEFAULT of one says nothing of the others.
    /^ALTER TABLE\b.*\bADD COLUMN\b(?:(?!\bADD COLUMN\b|\bDEFAULT\b).)*\bNOT NULL\b(?!(?:(?!\bADD COLUMN\b).)*\bDEFAULT\b)/is,
    'asks for a column that the version before does not write',
  ],
  [/^ALTER TABLE\b.*\bADD CONSTRAINT\b/is, 'refuses what the version before may write'],
  [/^CREATE UNIQUE INDEX\b/i, 'refuses what the version before may write'],
  [/^(DELETE FROM|TRUNCATE)\b/i, 'removes rows of the version before'],
];
const madeTable = /^CREATE TABLE (?:IF NOT EXISTS )?"(\w+)"/i;
const onTable = /^(?:ALTER TABLE (?:ONLY )?|CREATE UNIQUE INDEX\b.*? ON |DELETE FROM )"(\w+)"/is;

/** Returns the statements that the version before could not live with, each with the reason. Tables that are made in it do not count. */
export function breakingStatements(sql: string): string[] {
  const statements = sql
    .replaceAll(/--.*$/gm, '')
    .split(';')
    .map((statement) => statement.trim());
  const made = new Set(statements.flatMap((statement) => madeTable.exec(statement)?.[1] ?? []));
  return statements.flatMap((statement) => {
    if (made.has(onTable.exec(statement)?.[1] ?? '')) return [];
    const reason = breaking.find(([pattern]) => pattern.test(statement))?.[1];
    return reason === undefined ? [] : [`${statement.split('\n', 1)[0]}: ${reason}`];
  });
}
