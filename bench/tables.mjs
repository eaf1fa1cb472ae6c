// Writes a table between two marks of a document: `<!-- bench:NAME -->` and `<!-- /bench:NAME -->`.
import { readFileSync, writeFileSync } from 'node:fs';

export function writeTable(file, name, rows) {
  const heads = Object.keys(rows[0]);
  const cells = [heads, ...rows.map((row) => heads.map((head) => String(row[head] ?? '–')))];
  const widths = heads.map((_, column) => Math.max(...cells.map((row) => row[column].length)));
  const line = (row) => `| ${row.map((cell, column) => cell.padEnd(widths[column])).join(' | ')} |`;
  const table = [line(cells[0]), line(widths.map((width) => '-'.repeat(width))), ...cells.slice(1).map(line)].join(
    '\n',
  );
  const [begin, end] = [`<!-- bench:${name} -->`, `<!-- /bench:${name} -->`];
  const text = readFileSync(file, 'utf8');
  if (!text.includes(begin) || !text.includes(end)) throw new Error(`${file} has no place for the table ${name}.`);
  const [before, after] = [text.split(begin)[0], text.split(end)[1]];
  writeFileSync(file, `${before}${begin}\n${table}\n${end}${after}`);
}
