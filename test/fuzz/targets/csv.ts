import { csvLine } from '../../../src/cli/files/csv.js';
import { csvRows } from '../../../src/files/csv-rows.js';
import { type FuzzTarget, hold } from '../engine/target.js';

/** Cells longer than this are refused where they are quoted. */
const cellLengthMax = 19_000;

const parse = (input: Buffer) => csvRows(input.toString('utf8'));

/** Rows of CSV, as spreadsheets of any country write them. */
export const csv: FuzzTarget = {
  name: 'csv',
  maxBytes: 256 * 1024,
  parse,
  check(input) {
    const rows = parse(input);
    const lineCount = input.toString('utf8').split(/\r\n|\n|\r/).length;
    let before = 0;
    for (const row of rows) {
      hold(row.line > before && row.line <= lineCount, 'Rows stand in the order of their lines.', row, lineCount);
      before = row.line;
    }
    const whole = rows.flatMap((row) => ('cells' in row ? [row.cells] : []));
    if (whole.flat().some((cell) => cell.length > cellLengthMax)) return;
    // The header has the most columns, and its commas say that they separate.
    const columns = Math.max(2, ...whole.map((cells) => cells.length));
    const header = Array.from({ length: columns }, (_, index) => `c${index}`);
    const written = [header, ...whole].map(csvLine).join('');
    const expected = whole.map((cells) => cells.map(shown)).filter((cells) => cells.some((cell) => cell !== ''));
    const again = csvRows(written).slice(1);
    hold(
      JSON.stringify(again.map((row) => ('cells' in row ? row.cells : row))) === JSON.stringify(expected),
      'What is written is read again as the same cells.',
      again,
      expected,
      written,
    );
  },
  seeds: [
    'type,externalUserId,reason\r\nmute,u_1,"says ""hello"", often"\r\n',
    'a;b;c\n1;"2\n3";4\n',
    'a\tb\n\n"x\ty"\tz\r',
    '\ufeffname,value\n"open,1\nnext,2\n',
  ],
  words: [',', ';', '\t', '"', '""', '\r\n', '\n', '\r', '","', '"\n"', '=1+1', ' "', '" ', '\ufeff'],
};

/** Texts that spreadsheets would take for a formula are written with an apostrophe in front. */
const shown = (cell: string): string => (/^[=+\-@\t\r]/.test(cell) ? `'${cell}` : cell);
