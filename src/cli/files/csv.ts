/** Rows as RFC 4180 has them, safe to open in a spreadsheet (src/files/csv-cell.ts). */
import { withGuard } from '../../files/csv-cell.js';

type CsvCell = string | number | null;

/** Semicolons and tabs separate the cells of other countries' files: readers that guess would split at them. */
const special = /[",;\t\r\n]|^\s|\s$/;

function cell(value: CsvCell): string {
  if (value === null) return '';
  if (typeof value === 'number') return String(value);
  const text = withGuard(value);
  return special.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** A line with its end. */
export const csvLine = (cells: readonly CsvCell[]): string => `${cells.map(cell).join(',')}\r\n`;
