// Tables of the bench: printed, drawn, and written into documents.
import { readFileSync, writeFileSync } from 'node:fs';
import { barsOf } from './picture.mjs';

/** Printed and not drawn yet. */
const shown = [];

export function showTable(rows) {
  console.table(rows);
  shown.push(rows);
}

/** The number of a figure, which may have its range behind it: `1.12 (1.01–1.31)`. */
const numberIn = (value) => (/^-?[\d.]+( \(.*\))?$/.test(String(value)) ? Number.parseFloat(value) : null);

/** Draws what has been shown since the last picture: a panel of bars for each column of numbers. Returns the files. */
export function drawShown(file, title) {
  const tables = shown.splice(0).filter((rows) => rows.length > 0);
  const pictures = tables.map((rows) => {
    const heads = Object.keys(rows[0]);
    const isFigure = (head) => rows.some((row) => numberIn(row[head]) !== null);
    const named = rows.map((row) => ({
      name: heads
        .filter((head) => !isFigure(head))
        .map((head) => row[head])
        .join(' '),
      ...Object.fromEntries(heads.filter(isFigure).map((head) => [head, numberIn(row[head])])),
    }));
    return barsOf(
      title,
      named,
      heads.filter(isFigure).map((head) => ({ key: head, title: head, show: String })),
    );
  });
  return pictures.map((picture, place) => {
    const own = place === 0 ? file : file.replace(/(\.svg)?$/, `-${place + 1}$1`);
    writeFileSync(own, picture);
    return own;
  });
}

/** Writes a table between two marks of a document: `<!-- bench:NAME -->` and `<!-- /bench:NAME -->`. */
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
