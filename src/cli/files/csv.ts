/**
 * Rows as RFC 4180 has them. Spreadsheets take a text that begins like a formula for one, so such texts get an apostrophe
 * in front, which spreadsheets do not show.
 */
type CsvCell = string | number | null;

const formula = /^[=+\-@\t\r]/;
const special = /[",\r\n]|^\s|\s$/;

function cell(value: CsvCell): string {
  if (value === null) return '';
  if (typeof value === 'number') return String(value);
  const text = formula.test(value) ? `'${value}` : value;
  return special.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** A line with its end. */
export const csvLine = (cells: readonly CsvCell[]): string => `${cells.map(cell).join(',')}\r\n`;
